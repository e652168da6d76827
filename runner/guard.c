/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/close_range.h>
#include <linux/loop.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "runner/guard_keeper.h"
#include "runner/guard_private.h"
#include "runner/process.h"

enum {
	RESPAWN_MS = 100,
	ATTEMPTS = 100,
	SUFFIX = 6, /* random characters of a directory's name */
};

#define PATIENCE_NS UINT64_C(3000000000)

struct guard {
	struct guard_keeper_spec spec;
	pid_t owner;
	int order; /* the keeper goes when something is written here */
	pthread_t watcher;
	atomic_bool ending;
	int started[2]; /* the watcher's first word: an errno */
	char *path;
};

static void pause_ms(long ms)
{
	const struct timespec t = { .tv_sec = ms / 1000,
				    .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static void await_end(int process)
{
	struct pollfd end = { .fd = process, .events = POLLIN };

	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		;
	close(process);
}

/* See to it that there is a keeper: one that is killed is replaced. */
static void *watch(void *arg)
{
	struct guard *guard = arg;
	bool first = true;

	while (!atomic_load(&guard->ending)) {
		int keeper = guard_keeper_start(&guard->spec);
		int errnum = keeper < 0 ? errno : 0;

		if (first &&
		    write(guard->started[1], &errnum, sizeof(errnum)) < 0)
			break;
		first = false;
		if (keeper >= 0)
			await_end(keeper);
		if (!atomic_load(&guard->ending))
			pause_ms(RESPAWN_MS);
	}
	return NULL;
}

/* With every signal blocked: they are for the other threads. 0 or an errno. */
static int start_watcher(struct guard *guard)
{
	sigset_t all, before;
	int errnum, word = EPIPE;

	if (pipe2(guard->started, O_CLOEXEC) < 0)
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	errnum = pthread_create(&guard->watcher, NULL, watch, guard);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum == 0) {
		if (read(guard->started[0], &word, sizeof(word)) < 0)
			word = errno;
		errnum = word;
		if (errnum != 0) {
			atomic_store(&guard->ending, true);
			pthread_join(guard->watcher, NULL);
		}
	}
	close(guard->started[0]);
	close(guard->started[1]);
	return errnum;
}

static void guard_free(struct guard *guard)
{
	if (guard->spec.record >= 0)
		close(guard->spec.record);
	if (guard->spec.order >= 0)
		close(guard->spec.order);
	if (guard->spec.owner >= 0)
		close(guard->spec.owner);
	if (guard->order >= 0)
		close(guard->order);
	free(guard->path);
	free(guard);
}

struct guard *guard_start(struct err *err)
{
	struct guard *guard = calloc(1, sizeof(*guard));
	int order[2], errnum;

	if (!guard) {
		err_nomem(err);
		return NULL;
	}
	guard->spec.record = guard->spec.order = guard->order = -1;
	guard->owner = getpid();
	guard->spec.owner = pidfd_open(guard->owner, 0);
	if (!guard_isolate(err))
		goto out;
	if (guard->spec.owner < 0 || pipe2(order, O_CLOEXEC) < 0) {
		err_sys(err, errno, "starting the keeper");
		goto out;
	}
	guard->spec.order = order[0];
	guard->order = order[1];
	guard->spec.record = guard_record_create(&guard->path, err);
	if (guard->spec.record < 0)
		goto out;
	guard->spec.path = guard->path;
	errnum = start_watcher(guard);
	if (errnum == 0)
		return guard;
	err_sys(err, errnum, "starting the keeper");
	unlink(guard->path);
out:
	guard_free(guard);
	return NULL;
}

/* The first that could not be removed. */
static void tell_first(void *ctx, const char *what, const char *problem)
{
	if (problem)
		err_set(ctx, ERR_FAILED, "left behind: %s: %s", what, problem);
}

static bool undo(struct guard *guard, bool tell, struct err *err)
{
	struct guard_record record = { 0 };
	size_t left;
	bool gone;

	if (!guard_record_read(guard->spec.record, &record, err))
		return false;
	left = guard_undo(&record, PATIENCE_NS, false, tell ? tell_first : NULL,
			  err);
	gone = left == 0 && guard_settle(&record);
	if (gone)
		guard_record_clear(guard->spec.record);
	else if (tell && err->code == ERR_NONE)
		err_set(err, ERR_FAILED,
			left == 0 ? "what was removed may come back, for its "
				    "disk does not answer"
				  : "something was left behind");
	guard_record_done(&record);
	return gone;
}

bool guard_recover(struct guard *guard, struct err *err)
{
	if (!guard || getpid() != guard->owner)
		return true;
	return undo(guard, true, err);
}

bool guard_end(struct guard *guard, struct err *err)
{
	bool ok;

	if (!guard || getpid() != guard->owner)
		return true;
	ok = undo(guard, true, err);
	if (ok)
		unlink(guard->path);
	atomic_store(&guard->ending, true);
	if (write(guard->order, "q", 1) < 0)
		ok = false;
	pthread_join(guard->watcher, NULL);
	guard_free(guard);
	return ok;
}

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static bool add(struct guard *guard, struct guard_entry entry,
		guard_ticket *ticket, struct err *err)
{
	if (!guard) {
		*ticket = 0;
		return true;
	}
	entry.since_ns = wall_ns();
	return guard_record_add(guard->spec.record, &entry, ticket, err);
}

/*
 * The path without symbolic links, of something that need not exist. On the
 * heap; NULL with `err` set.
 */
static char *canonical(const char *path, struct err *err)
{
	char *first = strdup(path), *second = strdup(path);
	char *parent = NULL, *whole = NULL;

	if (!first || !second) {
		err_nomem(err);
		goto out;
	}
	parent = realpath(dirname(first), NULL);
	if (!parent)
		err_sys(err, errno, "%s", path);
	else if (asprintf(&whole, "%s/%s", strcmp(parent, "/") ? parent : "",
			  basename(second)) < 0)
		err_nomem(err);
out:
	free(parent);
	free(first);
	free(second);
	return err->code == ERR_NONE ? whole : NULL;
}

bool guard_add_file(struct guard *guard, const char *path, guard_ticket *ticket,
		    struct err *err)
{
	struct guard_entry entry = { .kind = GUARD_FILE };
	struct stat st;
	bool ok;

	if (lstat(path, &st) == 0)
		return err_set(err, ERR_REFUSED, "%s exists already", path);
	if (errno != ENOENT)
		return err_sys(err, errno, "%s", path);
	if (!guard) {
		*ticket = 0;
		return true;
	}
	entry.name = canonical(path, err);
	ok = entry.name && add(guard, entry, ticket, err);
	free(entry.name);
	return ok;
}

/* `path` beside the directory `fd`, or "" for what `fd` is. */
static void know(struct guard *guard, guard_ticket ticket, int fd,
		 const char *path)
{
	const int flags = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW;
	struct statx stx;

	if (guard && ticket &&
	    statx(fd, path, flags, STATX_INO | STATX_BTIME, &stx) == 0)
		guard_record_know(guard->spec.record, ticket,
				  makedev(stx.stx_dev_major, stx.stx_dev_minor),
				  stx.stx_ino, guard_file_born(&stx));
}

void guard_know_file(struct guard *guard, guard_ticket ticket, int fd)
{
	know(guard, ticket, fd, "");
}

/* 62 characters, so that some of 256 values are drawn again. */
static bool random_suffix(char *at)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char byte;

	for (int i = 0; i < SUFFIX;) {
		if (getrandom(&byte, 1, 0) != 1)
			return false;
		if (byte < 62 * 4)
			at[i++] = letters[byte % 62];
	}
	return true;
}

/* 0, or an errno: EEXIST asks for another name. */
static int make_one(struct guard *guard, char *path, guard_ticket *ticket,
		    struct err *err)
{
	struct guard_entry entry = { .kind = GUARD_DIRECTORY, .name = path };
	guard_ticket mine = 0;
	int errnum;

	if (!add(guard, entry, &mine, err))
		return -1;
	if (mkdir(path, 0700) < 0) {
		errnum = errno;
		guard_drop(guard, &mine);
		return errnum;
	}
	know(guard, mine, AT_FDCWD, path);
	*ticket = mine;
	return 0;
}

bool guard_make_directory(struct guard *guard, const char *parent,
			  const char *prefix, char **path, guard_ticket *ticket,
			  struct err *err)
{
	char *template, *whole;
	int ret = EEXIST;

	if (asprintf(&template, "%s/%sXXXXXX", parent, prefix) < 0)
		return err_nomem(err);
	whole = canonical(template, err);
	free(template);
	for (int i = 0; whole && ret == EEXIST && i < ATTEMPTS; i++) {
		if (!random_suffix(whole + strlen(whole) - SUFFIX))
			ret = errno;
		else
			ret = make_one(guard, whole, ticket, err);
	}
	if (whole && ret == 0) {
		*path = whole;
		return true;
	}
	if (whole && ret > 0)
		err_sys(err, ret, "making a directory in %s", parent);
	free(whole);
	return false;
}

bool guard_add_mount(struct guard *guard, const char *path,
		     guard_ticket *ticket, struct err *err)
{
	char *name = strdup(path);
	struct guard_entry entry = { .kind = GUARD_MOUNT, .name = name };
	bool ok;

	ok = name ? add(guard, entry, ticket, err) : err_nomem(err);
	free(name);
	return ok;
}

void guard_know_mount(struct guard *guard, guard_ticket ticket, dev_t device)
{
	if (guard && ticket)
		guard_record_know(guard->spec.record, ticket, device, 0, 0);
}

bool guard_add_loop(struct guard *guard, int number, int device,
		    guard_ticket *ticket, struct err *err)
{
	char name[32];
	struct guard_entry entry = { .kind = GUARD_LOOP, .name = name };
	struct loop_info64 info;

	snprintf(name, sizeof(name), "/dev/loop%d", number);
	if (ioctl(device, LOOP_GET_STATUS64, &info) < 0)
		return err_sys(err, errno, "looking at %s", name);
	entry.a = info.lo_device;
	entry.b = info.lo_inode;
	entry.c = guard_loop_sequence(device);
	return add(guard, entry, ticket, err);
}

bool guard_add_process(struct guard *guard, pid_t pid, guard_ticket *ticket,
		       struct err *err)
{
	char name[64] = "";
	struct guard_entry entry = { .kind = GUARD_PROCESS, .name = name };

	if (!process_program(pid, name, sizeof(name)))
		strcpy(name, "?");
	entry.a = (uint64_t)pid;
	entry.b = process_start(pid);
	return add(guard, entry, ticket, err);
}

void guard_drop_removed(struct guard *guard, guard_ticket *ticket,
			const char *path)
{
	if (guard && *ticket)
		(void)guard_file_settle(path);
	guard_drop(guard, ticket);
}

void guard_drop(struct guard *guard, guard_ticket *ticket)
{
	if (guard && *ticket)
		guard_record_drop(guard->spec.record, *ticket);
	*ticket = 0;
}

void guard_close_others(const struct guard *guard, int keep)
{
	int other = guard ? guard->spec.record : keep;
	int low = keep < other ? keep : other;
	int high = keep < other ? other : keep;

	if (low > 3)
		close_range(3, (unsigned int)low - 1, 0);
	if (high > low + 1)
		close_range((unsigned int)low + 1, (unsigned int)high - 1, 0);
	close_range((unsigned int)high + 1, ~0U, 0);
}
