/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/guard_private.h"

enum { DEPTH_MAX = 16 };

/* What a filesystem's times may be behind the clock: FAT's step is 2 s. */
#define CLOCK_SLACK_NS UINT64_C(2000000000)

bool guard_is_our_directory(const char *path)
{
	const char *name = strrchr(path, '/');

	if (path[0] != '/' || !name)
		return false;
	name++;
	if (*name == '.')
		name++;
	if (strncmp(name, "fsmatrix-", 9) != 0 || strlen(name + 9) != 6)
		return false;
	for (name += 9; *name; name++) {
		if (!isalnum((unsigned char)*name))
			return false;
	}
	return true;
}

static int open_strictly(int dir, const char *path, uint64_t flags,
			 uint64_t resolve)
{
	struct open_how how = {
		.flags = flags | O_DIRECTORY | O_CLOEXEC,
		.resolve = resolve | RESOLVE_NO_SYMLINKS,
	};

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/*
 * The directory that holds the thing. Recorded paths had no symbolic link:
 * one that does now was not there.
 */
static int open_parent(const char *path)
{
	const char *name = strrchr(path, '/');
	char *parent;
	int fd, errnum;

	if (path[0] != '/' || !name[1] || strcmp(name, "/.") == 0 ||
	    strcmp(name, "/..") == 0) {
		errno = EINVAL;
		return -1;
	}
	parent = name == path ? strdup("/")
			      : strndup(path, (size_t)(name - path));
	if (!parent)
		return -1;
	fd = open_strictly(AT_FDCWD, parent, O_RDONLY, 0);
	errnum = errno;
	free(parent);
	errno = errnum;
	return fd;
}

/* Not one that was there before it was recorded, nor another one since. */
static bool is_same(const struct guard_entry *entry, const struct statx *stx)
{
	dev_t device = makedev(stx->stx_dev_major, stx->stx_dev_minor);
	uint64_t born_ns = (uint64_t)stx->stx_btime.tv_sec * 1000000000u +
			   stx->stx_btime.tv_nsec;

	if (entry->kind == GUARD_FILE ? !S_ISREG(stx->stx_mode)
				      : !S_ISDIR(stx->stx_mode))
		return false;
	if ((stx->stx_mask & STATX_BTIME) &&
	    born_ns + CLOCK_SLACK_NS < entry->since_ns)
		return false;
	if (entry->b != 0)
		return entry->b == stx->stx_ino &&
		       (entry->a == 0 || entry->a == device);
	return stx->stx_uid == geteuid();
}

enum look { LOOK_GONE, LOOK_OURS, LOOK_REFUSED };

/* *parent is then open if it is ours; `err` says why if it is refused. */
static enum look look_at(const struct guard_entry *entry, int *parent,
			 struct err *err)
{
	const char *name = strrchr(entry->name, '/');
	struct statx stx;
	int fd, errnum;

	if (entry->kind == GUARD_DIRECTORY &&
	    !guard_is_our_directory(entry->name)) {
		err_set(err, ERR_REFUSED, "it is no directory of ours");
		return LOOK_REFUSED;
	}
	/* Nothing is asked of it: the daemon behind it may not answer. */
	if (entry->kind == GUARD_DIRECTORY && guard_mount_probe(entry)) {
		err_set(err, ERR_FAILED, "something is mounted there");
		return LOOK_REFUSED;
	}
	fd = open_parent(entry->name);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return LOOK_GONE;
	if (fd < 0 && errno == ELOOP) {
		err_set(err, ERR_REFUSED,
			"a symbolic link leads there now; remove it by hand");
		return LOOK_REFUSED;
	}
	if (fd >= 0 && statx(fd, name + 1, AT_SYMLINK_NOFOLLOW,
			     STATX_BASIC_STATS | STATX_BTIME, &stx) == 0) {
		if (is_same(entry, &stx)) {
			*parent = fd;
			return LOOK_OURS;
		}
		close(fd);
		return LOOK_GONE;
	}
	errnum = errno;
	if (fd >= 0)
		close(fd);
	if (errnum == ENOENT)
		return LOOK_GONE;
	err_sys(err, errnum, "looking for it");
	return LOOK_REFUSED;
}

bool guard_file_probe(const struct guard_entry *entry)
{
	struct err err = { 0 };
	int parent = -1;
	enum look look = look_at(entry, &parent, &err);

	if (parent >= 0)
		close(parent);
	return look != LOOK_GONE;
}

static bool remove_tree(int parent, const char *name, int depth,
			struct err *err);

/* Every entry of an open directory. */
static bool empty(int dir, int depth, struct err *err)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!list) {
		err_sys(err, errno, "reading it");
		if (fd >= 0)
			close(fd);
		return false;
	}
	while ((entry = readdir(list))) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    unlinkat(dir, name, 0) == 0)
			continue;
		if (errno == EISDIR || errno == EPERM)
			remove_tree(dir, name, depth + 1, err);
		else if (errno != ENOENT)
			err_sys(err, errno, "removing %s in it", name);
	}
	closedir(list);
	return err->code == ERR_NONE;
}

/* Never into another mount: what is there is not ours. */
static bool remove_tree(int parent, const char *name, int depth,
			struct err *err)
{
	int fd = open_strictly(parent, name, O_RDONLY,
			       RESOLVE_BENEATH | RESOLVE_NO_XDEV);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && errno == EXDEV)
		return err_set(err, ERR_REFUSED, "something is mounted there");
	if (fd < 0 || depth > DEPTH_MAX)
		err_sys(err, fd < 0 ? errno : ELOOP, "opening %s", name);
	else if (empty(fd, depth, err) &&
		 unlinkat(parent, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		err_sys(err, errno, "removing it");
	if (fd >= 0)
		close(fd);
	return err->code == ERR_NONE;
}

int guard_file_settle(const char *path)
{
	int fd = open_parent(path), errnum = 0;

	if (fd < 0)
		return errno;
	if (fsync(fd) < 0)
		errnum = errno;
	close(fd);
	return errnum;
}

bool guard_file_undo(const struct guard_entry *entry, struct err *err)
{
	const char *name;
	int parent = -1;

	switch (look_at(entry, &parent, err)) {
	case LOOK_GONE:
		return true;
	case LOOK_REFUSED:
		return false;
	case LOOK_OURS:
		break;
	}
	name = strrchr(entry->name, '/') + 1;
	if (entry->kind == GUARD_DIRECTORY)
		remove_tree(parent, name, 0, err);
	else if (unlinkat(parent, name, 0) < 0 && errno != ENOENT)
		err_sys(err, errno, "removing it");
	close(parent);
	return err->code == ERR_NONE;
}
