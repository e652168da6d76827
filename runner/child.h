/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child - programs of others: mkfs and FUSE daemons, started from an argument
 * array and never through a shell.
 *
 * A child reads /dev/null, runs in /, has no open file of ours, its own process
 * group (Ctrl-C is ours to handle) and the language C, so that its words are
 * the same on every host. The last part of what it says is kept. It is told to
 * end when the thread that started it ends: start it on a thread that
 * outlives it.
 *
 * It refuses to know what the programs are for.
 */
#ifndef RUNNER_CHILD_H
#define RUNNER_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"

/* An argument array under construction. Zero-initialise. */
struct child_argv {
	char **items; /* owned, NULL-terminated; NULL while empty */
	size_t count;
	bool failed; /* memory ran out: child_run() and child_start() say so */
};

void child_argv_add(struct child_argv *argv, const char *item);
/* Each of a NULL-terminated array; NULL is an empty one. */
void child_argv_add_all(struct child_argv *argv, const char *const *items);
void child_argv_done(struct child_argv *argv);

/*
 * The command as one would type it in a shell, quoted where needed; on the
 * heap, the caller's. NULL when out of memory.
 */
char *child_command_text(const struct child_argv *argv);

/*
 * Where `program` is: in PATH, else in /usr/sbin or /sbin, which a user's PATH
 * often lacks. On the heap, the caller's; NULL if it is nowhere.
 */
char *child_find(const char *program);

/*
 * Before a child is made: inherited, an ignored SIGCHLD would hide how it
 * ended.
 */
void child_heed(void);

/* What ends the wait for a child early. Zero: nothing does. */
struct child_limit {
	const atomic_bool *stop; /* borrowed; NULL: none */
	uint64_t timeout_ns;     /* 0: none */
};

/*
 * Run a program to its end. False with `err` in these words: "mkfs.xfs -f
 * /dev/loop0 failed (exit 1): what it said last". A child that exceeds the
 * limit is killed, with all of its process group.
 */
MUST_USE bool child_run(const struct child_argv *argv, struct child_limit limit,
			struct err *err);

/* A child that goes on: a FUSE daemon. */
struct child;

/* NULL with `err` set. What it says beyond 64 KiB is lost, never waited for. */
struct child *child_start(const struct child_argv *argv, struct err *err);

/*
 * Run a program that puts itself into the background, and return what went on
 * there as a child of ours. NULL with `err` set, as of child_run().
 */
struct child *child_start_detached(const struct child_argv *argv,
				   struct child_limit limit, struct err *err);

pid_t child_pid(const struct child *child);

/*
 * Wait until it ended, for at most `timeout_ns` (0: only look). True when it
 * has ended, however it did.
 */
bool child_wait(struct child *child, uint64_t timeout_ns);

/* Of a child that ended: false with `err` as of child_run() unless it was 0. */
MUST_USE bool child_result(struct child *child, struct err *err);

/* SIGTERM, and after `grace_ns` SIGKILL. Does not wait beyond that. */
void child_stop(struct child *child, uint64_t grace_ns);

/* Forget it; one that is still running is killed. NULL is fine. */
void child_free(struct child *child);

#endif
