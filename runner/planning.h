/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * planning - from a matrix file and the options --rounds and --seed to a
 * plan: what the commands plan and run have in common.
 */
#ifndef RUNNER_PLANNING_H
#define RUNNER_PLANNING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "runner/plan.h"
#include "schema/matrix.h"

/* Zero-initialise; planning_done() ends what it owns. */
struct planning {
	unsigned int rounds; /* 0: the matrix's */
	uint64_t seed;
	bool seeded;           /* else a seed is drawn */
	struct matrix *matrix; /* owned */
	struct plan *plan;     /* owned */
};

/*
 * Take 'r' (--rounds) or 's' (--seed) from optarg. False with `err` set for a
 * bad value, and for any other letter ('?' has its error set already).
 */
bool planning_option(struct planning *p, int letter, struct err *err);

/* Read the matrix and plan it. All but the last fault go to stderr. */
bool planning_load(struct planning *p, const char *path, struct err *err);

void planning_done(struct planning *p);

#endif
