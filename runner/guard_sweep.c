/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/guard_place.h"
#include "runner/guard_undo.h"
#include "runner/process.h"
#include "runner/wait.h"

enum { WAIT_TICKS = 500, TICK_MS = 20 };

#define PATIENCE_NS UINT64_C(10000000000)

struct sweep {
	bool dry_run;
	guard_tell_fn *tell;
	void *ctx;
	struct err *err;
};

/* Passes it on, and keeps the first problem. */
static void hear(void *ctx, const char *what, const char *problem)
{
	struct sweep *sweep = ctx;

	if (sweep->tell)
		sweep->tell(sweep->ctx, what, problem);
	if (problem)
		err_set(sweep->err, ERR_FAILED, "cannot remove %s: %s", what,
			problem);
}

/* Whether the run that holds it is no more, so its keeper is at work. */
static bool owner_is_gone(int fd)
{
	struct guard_record record = { 0 };
	struct err err = { 0 };
	bool gone;

	if (!guard_record_read(fd, &record, &err))
		return false;
	gone = record.owner != 0 &&
	       process_start(record.owner) != record.owner_start;
	guard_record_done(&record);
	return gone;
}

/* True: nobody else has it, and it is still there. */
static bool take(int fd)
{
	struct stat st;

	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; i++) {
		if (i == WAIT_TICKS || !owner_is_gone(fd))
			return false;
		wait_ms(TICK_MS);
	}
	return fstat(fd, &st) == 0 && st.st_nlink > 0;
}

static void sweep_one(struct sweep *sweep, int dir, const char *name)
{
	struct guard_record record = { 0 };
	struct err err = { 0 };
	int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || !take(fd)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	if (!guard_record_read(fd, &record, &err))
		hear(sweep, name, err.text);
	else if (guard_undo(&record, PATIENCE_NS, sweep->dry_run, hear,
			    sweep) == 0 &&
		 !sweep->dry_run && guard_settle(&record))
		unlinkat(dir, name, 0);
	guard_record_done(&record);
	close(fd);
}

bool guard_sweep(bool dry_run, guard_tell_fn *tell, void *ctx, struct err *err)
{
	struct sweep sweep = { dry_run, tell, ctx, err };
	char *path = NULL;
	int fd = guard_place_open(&path, err);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (fd >= 0 && !list) {
		err_sys(err, errno, "reading %s", path);
		close(fd);
	}
	while (list && (entry = readdir(list))) {
		if (strncmp(entry->d_name, "run-", 4) == 0)
			sweep_one(&sweep, fd, entry->d_name);
	}
	if (list)
		closedir(list);
	free(path);
	return err->code == ERR_NONE;
}
