/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/guard_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/guard_undo.h"
#include "runner/wait.h"

enum {
	AGAIN_MS = 100,
	FD_RECORD = 3,
	FD_ORDER,
	FD_OWNER,
	FD_FIRST_FREE,
};

#define PATIENCE_NS  UINT64_C(3000000000)
#define ENDURANCE_NS UINT64_C(600000000000) /* then it is left to a sweep */

/* What ps and pkill -f see: the memory that holds the program's arguments. */
static void set_title(const char *title)
{
	enum { ARG_START = 48 - 3 }; /* fields behind the name and the state */
	char text[1024], *at;
	unsigned long start = 0, end = 0;
	FILE *file = fopen("/proc/self/stat", "re");

	if (!file || !fgets(text, sizeof(text), file))
		text[0] = '\0';
	if (file)
		fclose(file);
	at = strrchr(text, ')');
	at = at ? at + 3 : NULL;
	for (int i = 0; at && i < ARG_START; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	if (!at || sscanf(at, "%lu %lu", &start, &end) != 2 || end <= start)
		return;
	memset((void *)start, 0, end - start);
	snprintf((char *)start, end - start, "%s", title);
}

/* Everything at its place, and nothing else open. */
static void move_in(const struct guard_keeper_spec *spec)
{
	/* First out of the way: each may have another's number. */
	int record = fcntl(spec->record, F_DUPFD, FD_FIRST_FREE);
	int order = fcntl(spec->order, F_DUPFD, FD_FIRST_FREE);
	int owner = fcntl(spec->owner, F_DUPFD, FD_FIRST_FREE);
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < FD_RECORD; fd++)
		dup2(null, fd);
	if (dup2(record, FD_RECORD) < 0 || dup2(order, FD_ORDER) < 0 ||
	    dup2(owner, FD_OWNER) < 0)
		_exit(1);
	close_range(FD_FIRST_FREE, ~0U, 0);
	if (chdir("/") < 0)
		_exit(1);
}

/* Until there is something to do. False: told to go. */
static bool wait_for_end(void)
{
	struct pollfd fds[] = {
		{ .fd = FD_ORDER, .events = POLLIN },
		{ .fd = FD_OWNER, .events = POLLIN },
	};

	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	return !(fds[0].revents & POLLIN);
}

static bool owner_is_gone(void)
{
	struct pollfd owner = { .fd = FD_OWNER, .events = POLLIN };

	return poll(&owner, 1, 0) > 0;
}

/* Whether everything is gone, and, with `settle`, does not come back. */
static bool undo(bool settle)
{
	struct guard_record record = { 0 };
	struct err err = { 0 };
	bool gone;

	if (!guard_record_read(FD_RECORD, &record, &err))
		return false;
	gone = guard_undo(&record, PATIENCE_NS, false, NULL, NULL) == 0 &&
	       (!settle || guard_settle(&record));
	guard_record_done(&record);
	return gone;
}

/* Again until the run is no more: a call it is in may still make something. */
static void clean_up(const char *path)
{
	const struct timespec pause = { .tv_nsec = AGAIN_MS * 1000000L };
	uint64_t until = wait_now_ns() + ENDURANCE_NS;

	for (;;) {
		bool gone = owner_is_gone();

		if (undo(gone) && gone) {
			unlink(path);
			return;
		}
		if (wait_now_ns() > until)
			return;
		nanosleep(&pause, NULL);
	}
}

static void live(const struct guard_keeper_spec *spec, pid_t owner)
	__attribute__((noreturn));
static void live(const struct guard_keeper_spec *spec, pid_t owner)
{
	char title[64];
	sigset_t all;

	signal(SIGCHLD, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "fsm-guard");
	snprintf(title, sizeof(title), "fsm-guard of process %d", (int)owner);
	set_title(title);
	move_in(spec);
	if (wait_for_end())
		clean_up(spec->path);
	_exit(0);
}

int guard_keeper_start(const struct guard_keeper_spec *spec)
{
	pid_t owner = getpid(), pid = -1, first;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	first = fork();
	if (first == 0) {
		/* A child's child is nobody's. */
		pid = fork();
		if (pid == 0)
			live(spec, owner);
		_exit(write(ends[1], &pid, sizeof(pid)) < 0);
	}
	close(ends[1]);
	while (first > 0 && waitpid(first, NULL, 0) < 0 && errno == EINTR)
		;
	if (read(ends[0], &pid, sizeof(pid)) != sizeof(pid) || pid < 0) {
		pid = -1;
		errno = EAGAIN;
	}
	close(ends[0]);
	return pid < 0 ? -1 : pidfd_open(pid, 0);
}
