/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_keeper - the process that outlives the run, to undo what it left.
 *
 * It is nobody's child, in a session of its own, ignores what a terminal or a
 * service manager sends, holds nothing but the record, and is called
 * "fsm-guard": neither `pkill fsmatrix` nor who kills a process with all that
 * it started hits it.
 */
#ifndef RUNNER_GUARD_KEEPER_H
#define RUNNER_GUARD_KEEPER_H

#include <sys/types.h>

struct guard_keeper_spec {
	int record;       /* open, and locked by whoever has it open */
	const char *path; /* of it */
	int order;        /* can be read when the keeper is to go */
	int owner;        /* a pidfd of the run */
};

/* Start one: a pidfd of it; -1 with errno. Other threads may run meanwhile. */
int guard_keeper_start(const struct guard_keeper_spec *spec);

#endif
