/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * misfit - what a matrix says that cannot be, or is hardly meant: more than a
 * volume holds, an image that its filesystem has no room for, a few bytes, a
 * "~" that no shell will expand.
 *
 * It knows the matrix, and looks at the free space of folders. It refuses to
 * make anything, and to guess: what it calls impossible is.
 */
#ifndef RUNNER_MISFIT_H
#define RUNNER_MISFIT_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/plan.h"

/* Whether a write of this cell must fail; `why` says so: "600MiB do not ...".
 */
bool misfit_cell(const struct plan_cell *cell, char *why, size_t size);

/* Warn of odd paths and workloads. */
void misfit_warn(const struct matrix *matrix);

/* Of what does not fit: each volume, or pair of it and a workload, once. */
void misfit_warn_of_room(const struct matrix *matrix, const struct plan *plan);

/*
 * Note each directory and device that is not there, as they may be on another
 * machine, and an image's folder.
 */
void misfit_note_places(const struct matrix *matrix);

#endif
