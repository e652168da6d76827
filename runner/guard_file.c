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

#define NS_PER_S UINT64_C(1000000000)

/* What a filesystem's times may be behind the clock: FAT's step is 2 s. */
#define CLOCK_SLACK_NS (2 * NS_PER_S)
/* From the moment that is recorded until the file is made, with some air. */
#define MAKING_NS (5 * NS_PER_S)

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

uint64_t guard_file_born(const struct statx *stx)
{
	if (!(stx->stx_mask & STATX_BTIME))
		return 0;
	return (uint64_t)stx->stx_btime.tv_sec * NS_PER_S +
	       stx->stx_btime.tv_nsec;
}

static bool is_same_inode(const struct guard_entry *entry,
			  const struct statx *stx)
{
	return entry->b == stx->stx_ino &&
	       (entry->a == 0 ||
		entry->a == makedev(stx->stx_dev_major, stx->stx_dev_minor));
}

static enum guard_look refuse(struct err *err, const char *why)
{
	err_set(err, ERR_REFUSED,
		"nothing proves that it is ours: %s; move it away, or remove "
		"it "
		"by hand if it is of no use",
		why);
	return GUARD_REFUSED;
}

/*
 * By the moment at which it was made, which outlives a boot and is not given
 * twice, as inodes are. A crash may come before that is known: then it is
 * taken from the record. Whatever is wrong with that, a file with something
 * in it is never removed: as long as ours has a name, it is empty.
 */
static enum guard_look look_at_file(const struct guard_entry *entry,
				    const struct statx *stx, struct err *err)
{
	uint64_t born = guard_file_born(stx);
	uint64_t changed = (uint64_t)stx->stx_ctime.tv_sec * NS_PER_S +
			   stx->stx_ctime.tv_nsec;
	bool known = entry->c != 0 && born != 0;

	if (!S_ISREG(stx->stx_mode) ||
	    (born != 0 && born + CLOCK_SLACK_NS < entry->since_ns) ||
	    (!known && entry->b != 0 && !is_same_inode(entry, stx)))
		return GUARD_GONE;
	if (stx->stx_size != 0)
		return refuse(err, "it is not empty");
	if (!known && stx->stx_uid != geteuid())
		return refuse(err, "it is another user's");
	if (known && entry->c != born)
		return refuse(err, "it was not made when ours was");
	/* It cannot have been made after it was changed. */
	if (!known && (born ? born : changed) > entry->since_ns + MAKING_NS)
		return refuse(err, "it was made later than ours");
	return GUARD_OURS;
}

/*
 * By its name, which was drawn for it; and by its inode, or on filesystems
 * that number anew with each mount, by the moment at which it was made.
 */
static enum guard_look look_at_directory(const struct guard_entry *entry,
					 const struct statx *stx,
					 struct err *err)
{
	uint64_t born = guard_file_born(stx);

	if (!S_ISDIR(stx->stx_mode))
		return GUARD_GONE;
	if (entry->b == 0 && stx->stx_uid != geteuid())
		return refuse(err, "it is another user's");
	if (entry->b != 0 && !is_same_inode(entry, stx) &&
	    (entry->c == 0 || entry->c != born))
		return refuse(err, "another directory has its name now");
	if (entry->b == 0 && born != 0 &&
	    born + CLOCK_SLACK_NS < entry->since_ns)
		return refuse(err, "it was there before");
	return GUARD_OURS;
}

/* Whatever it is. */
static bool is_mounted(const struct guard_entry *entry)
{
	struct err err = { 0 };

	return guard_mount_probe(entry, &err) != GUARD_GONE;
}

/* *parent is then open if it is ours; `err` says why if it is refused. */
static enum guard_look look_at(const struct guard_entry *entry, int *parent,
			       struct err *err)
{
	const char *name = strrchr(entry->name, '/');
	enum guard_look look;
	struct statx stx;
	int fd, errnum;

	if (entry->kind == GUARD_DIRECTORY &&
	    !guard_is_our_directory(entry->name)) {
		err_set(err, ERR_REFUSED, "it is no directory of ours");
		return GUARD_REFUSED;
	}
	/* Nothing is asked of it: the daemon behind it may not answer. */
	if (entry->kind == GUARD_DIRECTORY && is_mounted(entry)) {
		err_set(err, ERR_FAILED, "something is mounted there");
		return GUARD_REFUSED;
	}
	fd = open_parent(entry->name);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return GUARD_GONE;
	if (fd < 0 && errno == ELOOP) {
		err_set(err, ERR_REFUSED,
			"a symbolic link leads there now; remove it by hand");
		return GUARD_REFUSED;
	}
	if (fd >= 0 && statx(fd, name + 1, AT_SYMLINK_NOFOLLOW,
			     STATX_BASIC_STATS | STATX_BTIME, &stx) == 0) {
		look = entry->kind == GUARD_DIRECTORY
			       ? look_at_directory(entry, &stx, err)
			       : look_at_file(entry, &stx, err);
		if (look == GUARD_OURS)
			*parent = fd;
		else
			close(fd);
		return look;
	}
	errnum = errno;
	if (fd >= 0)
		close(fd);
	if (errnum == ENOENT)
		return GUARD_GONE;
	err_sys(err, errnum, "looking for it");
	return GUARD_REFUSED;
}

enum guard_look guard_file_probe(const struct guard_entry *entry,
				 struct err *err)
{
	int parent = -1;
	enum guard_look look = look_at(entry, &parent, err);

	if (parent >= 0)
		close(parent);
	return look;
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
	case GUARD_GONE:
		return true;
	case GUARD_REFUSED:
		return false;
	case GUARD_OURS:
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
