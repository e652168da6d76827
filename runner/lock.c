/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/lock.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xxhash.h>

#include "runner/device.h"
#include "runner/process.h"
#include "runner/timestamp.h"

enum {
	NAME_SIZE = 96, /* of a lock file */
	HOLDER_MAX = 512,
	ATTEMPTS = 100, /* its last holder may just be removing it */
};

struct lock {
	int dir, fd; /* fd is -1 if this process has it already */
	char name[NAME_SIZE];
	int disk;     /* a device's, locked by flock(2) as well; -1 */
	bool created; /* the database, which was missing */
};

/* Who holds a lock, as it says in the file: "PID START SINCE COMMAND". */
struct holder {
	int pid;
	uint64_t start;
	char since[TIMESTAMP_SIZE];
	char command[128];
};

/* Where all users of this host meet, or at least we ourselves do. */
static bool is_place(const char *path, int *dir)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 &&
	    ((st.st_mode & S_ISVTX && st.st_mode & S_IWOTH) ||
	     (st.st_uid == geteuid() && !(st.st_mode & 022)))) {
		*dir = fd;
		return true;
	}
	close(fd);
	return false;
}

static int open_place(struct err *err)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	const char *const places[] = { "/run/lock", "/tmp", runtime };
	int dir = -1;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (places[i] && is_place(places[i], &dir))
			return dir;
	}
	err_set(err, ERR_FAILED,
		"no place for locks: neither /run/lock nor /tmp is a "
		"directory that everybody may write in");
	return -1;
}

/* "fsmatrix run": the program and its first argument. */
static void own_command(char *out, size_t size)
{
	char text[256] = "";
	FILE *file = fopen("/proc/self/cmdline", "re");
	size_t got = file ? fread(text, 1, sizeof(text) - 2, file) : 0;
	const char *program = basename(text), *first;

	if (file)
		fclose(file);
	first = text + strlen(text) + 1;
	while (first < text + got && *first == '-') {
		if (strcmp(first, "--db") == 0) /* its value is a word more */
			first += strlen(first) + 1;
		if (first < text + got)
			first += strlen(first) + 1;
	}
	if (first < text + got)
		snprintf(out, size, "%s %s", program, first);
	else
		snprintf(out, size, "%s", *program ? program : "?");
	for (char *at = out; *at; at++) {
		if (*at == '\n')
			*at = ' ';
	}
}

/* What cannot be written there is only missed in a message. */
static void sign(int fd)
{
	char command[128], since[TIMESTAMP_SIZE];

	own_command(command, sizeof(command));
	timestamp_now(since);
	if (ftruncate(fd, 0) < 0 ||
	    dprintf(fd, "%d %" PRIu64 " %s %s\n", (int)getpid(),
		    process_start(getpid()), since, command) < 0)
		return;
}

static bool read_holder(int fd, struct holder *holder)
{
	char text[HOLDER_MAX];
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return false;
	text[got] = '\0';
	_Static_assert(TIMESTAMP_SIZE > 24, "the 24 below");
	return sscanf(text, "%d %" SCNu64 " %24s %127[^\n]", &holder->pid,
		      &holder->start, holder->since, holder->command) == 4;
}

/*
 * Whether another of our descriptors is of the same file: one that is kept
 * has the lock, our own or that of who made us. Our pid in the file alone
 * proves nothing, for everybody may write there.
 */
static bool is_held_by_us(int fd)
{
	DIR *list = opendir("/proc/self/fd");
	struct stat ours, other;
	struct dirent *entry;
	bool held = false;

	if (fstat(fd, &ours) < 0 || !list)
		goto out;
	while (!held && (entry = readdir(list))) {
		int number = atoi(entry->d_name);

		held = isdigit((unsigned char)entry->d_name[0]) &&
		       number != fd && fstat(number, &other) == 0 &&
		       other.st_dev == ours.st_dev &&
		       other.st_ino == ours.st_ino;
	}
out:
	if (list)
		closedir(list);
	return held;
}

/* False with ERR_BUSY, unless it is ourselves. */
static bool name_holder(int fd, const char *what, struct err *err)
{
	struct holder holder;

	if (!read_holder(fd, &holder))
		return err_set(err, ERR_BUSY, "%s is in use by another process",
			       what);
	if (holder.pid == (int)getpid() &&
	    holder.start == process_start(getpid()) && is_held_by_us(fd))
		return true;
	return err_set(err, ERR_BUSY, "%s is in use by %s, pid %d, since %s",
		       what, holder.command, holder.pid, holder.since);
}

/*
 * Whatever else may lie there in a directory that everybody may write in is
 * not followed, waited for or written to. -1 with errno; ESTALE: try again.
 */
static int open_file(int dir, const char *name)
{
	const int flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = openat(dir, name, O_RDWR | flags);
	struct stat st;

	/* Without O_CREAT, which may be refused for the files of others. */
	if (fd < 0 && errno == ENOENT) {
		fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | flags, 0666);
		if (fd < 0 && errno == EEXIST)
			errno = ESTALE;
		else if (fd >= 0)
			(void)fchmod(fd, 0666);
	}
	if (fd < 0 && errno == EACCES)
		fd = openat(dir, name, O_RDONLY | flags);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink <= 1)
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

static bool is_still_there(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 1;
}

/* True: taken, or busy or failed for good as `err` says. */
static bool try_once(struct lock *lock, const char *what, struct err *err)
{
	int fd = open_file(lock->dir, lock->name);

	if (fd < 0 && errno == ESTALE)
		return false;
	if (fd < 0) {
		err_sys(err, errno, "the lock of %s", what);
		return true;
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			name_holder(fd, what, err);
		else
			err_sys(err, errno, "locking %s", what);
		close(fd);
		return true;
	}
	if (!is_still_there(fd)) {
		close(fd);
		return false;
	}
	sign(fd);
	lock->fd = fd;
	return true;
}

static struct lock *take(const char *name, const char *what, struct err *err)
{
	struct lock *lock = calloc(1, sizeof(*lock));
	bool done = false;

	if (!lock) {
		err_nomem(err);
		return NULL;
	}
	lock->fd = lock->disk = -1;
	snprintf(lock->name, sizeof(lock->name), "fsmatrix-%s.lock", name);
	lock->dir = open_place(err);
	if (lock->dir < 0)
		goto out;
	for (int i = 0; !done && i < ATTEMPTS; i++)
		done = try_once(lock, what, err);
	if (!done)
		err_set(err, ERR_BUSY, "%s is in use by others", what);
out:
	if (err->code == ERR_NONE)
		return lock;
	lock_free(lock);
	return NULL;
}

/* By the directory and the name in it: it is not there now. */
static bool image_name(const char *path, char *name, struct err *err)
{
	char first[PATH_MAX], second[PATH_MAX];
	const char *base;
	struct stat st;

	snprintf(first, sizeof(first), "%s", path);
	snprintf(second, sizeof(second), "%s", path);
	base = basename(second);
	if (stat(dirname(first), &st) < 0)
		return err_sys(err, errno, "image %s", path) ||
		       err_advise(err, "the folder that it is to be in must be "
				       "there");
	snprintf(name, NAME_SIZE, "image-%" PRIx64 "-%" PRIu64 "-%016" PRIx64,
		 (uint64_t)st.st_dev, (uint64_t)st.st_ino,
		 (uint64_t)XXH3_64bits(base, strlen(base)));
	return true;
}

static bool device_name(const char *path, char *name, struct err *err)
{
	struct stat st;

	if (!device_check_path(path, err))
		return false;
	if (stat(path, &st) < 0)
		return err_sys(err, errno, "device %s", path);
	snprintf(name, NAME_SIZE, "device-%u-%u", major(st.st_rdev),
		 minor(st.st_rdev));
	return true;
}

static bool inode_name(const char *kind, const char *path, char *name,
		       struct err *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return err_sys(err, errno, "%s %s", kind, path) ||
		       err_advise(err, "make it first, or name another");
	snprintf(name, NAME_SIZE, "%s-%" PRIx64 "-%" PRIu64, kind,
		 (uint64_t)st.st_dev, (uint64_t)st.st_ino);
	return true;
}

static bool volume_name(const struct matrix_volume *volume, char *name,
			struct err *err)
{
	switch (volume->kind) {
	case MATRIX_IMAGE:
		return image_name(volume->path, name, err);
	case MATRIX_DEVICE:
		return device_name(volume->path, name, err);
	case MATRIX_DIRECTORY:
		break;
	}
	return inode_name("directory", volume->path, name, err);
}

struct lock *lock_take_volume(const struct matrix_volume *volume,
			      struct err *err)
{
	char name[NAME_SIZE], what[PATH_MAX + MATRIX_NAME_MAX];
	struct lock *lock;

	if (!volume_name(volume, name, err))
		return NULL;
	snprintf(what, sizeof(what), "volume %s (%s)", volume->name,
		 volume->path);
	lock = take(name, what, err);
	if (!lock || volume->kind != MATRIX_DEVICE)
		return lock;
	if (device_lock(volume->path, &lock->disk, err))
		return lock;
	lock_free(lock);
	return NULL;
}

/* Whether there is nothing in it yet. */
static bool is_empty(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
}

struct lock *lock_take_database(const char *path, struct err *err)
{
	char name[NAME_SIZE], what[PATH_MAX + 16];
	struct lock *lock;
	struct stat st;
	bool missing = stat(path, &st) < 0 && errno == ENOENT;

	/* Only then: to close one that SQLite has open drops its locks. */
	if (missing) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0) {
			err_sys(err, errno, "opening the database");
			err_advise(err, "--db FILE names another");
			err_at(err, path, 0, 0);
			return NULL;
		}
		close(fd);
	}
	if (!inode_name("database", path, name, err))
		return NULL;
	snprintf(what, sizeof(what), "database %s", path);
	lock = take(name, what, err);
	/* Another may have had the lock since, and filled it. */
	if (lock)
		lock->created = missing && is_empty(path);
	return lock;
}

void lock_abandon_database(struct lock *lock, const char *path)
{
	static const char *const suffixes[] = { "", "-wal", "-shm",
						"-journal" };
	char name[PATH_MAX];

	for (size_t i = 0; lock && lock->created && i < 4; i++) {
		if (snprintf(name, sizeof(name), "%s%s", path, suffixes[i]) <
		    PATH_MAX)
			(void)unlink(name);
	}
	lock_free(lock);
}

void lock_free(struct lock *lock)
{
	if (!lock)
		return;
	if (lock->fd >= 0) {
		/* Held until it is gone; in others' names it may not go. */
		(void)unlinkat(lock->dir, lock->name, 0);
		close(lock->fd);
	}
	if (lock->disk >= 0)
		close(lock->disk);
	if (lock->dir >= 0)
		close(lock->dir);
	free(lock);
}
