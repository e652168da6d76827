/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_keeper - the process that outlives the run, to undo what it left.
 *
 * It is in a session of its own, ignores what a terminal or a service manager
 * sends, holds nothing but the record, and is called "fsm-guard", so that
 * `pkill fsmatrix` and the like do not hit it. It is told of the run's end by
 * the end of the thread that started it, which comes with a kill even while
 * another thread hangs in the kernel.
 */
#ifndef RUNNER_GUARD_KEEPER_H
#define RUNNER_GUARD_KEEPER_H

#include <sys/types.h>

struct guard_keeper_spec {
	int record;       /* open, and locked by whoever has it open */
	const char *path; /* of it */
	int order;        /* can be read when the keeper is to go */
	pid_t owner;      /* the run */
};

/*
 * Start one, as a child of the calling thread; -1 with errno. Threads of the
 * caller may do what they like meanwhile.
 */
pid_t guard_keeper_start(const struct guard_keeper_spec *spec);

#endif
