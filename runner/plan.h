/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan - which cells a matrix has, and in which order they are measured.
 *
 * Randomised complete blocks: every round holds every cell once, in an order
 * that a seed determines, so that a run can be repeated and gone on with.
 * Pure: it looks at nothing but the matrix.
 */
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "schema/matrix.h"

#define PLAN_NO_BASE SIZE_MAX

struct plan_cell {
	const struct matrix_volume *volume;
	const struct matrix_filesystem
		*filesystem; /* NULL: a directory's own */
	const struct matrix_workload *workload;
	size_t base; /* index of its base cell, itself, or PLAN_NO_BASE */
};

struct plan {
	struct plan_cell *cells; /* owned; in the order of the matrix */
	size_t cell_count;
	unsigned int rounds;
	uint64_t seed;
};

/*
 * The cells of a matrix (borrowed; must outlive the plan), of which the reader
 * saw to it that there is one. NULL with `err` set: out of memory.
 */
struct plan *plan_new(const struct matrix *matrix, unsigned int rounds,
		      uint64_t seed, struct err *err);
void plan_free(struct plan *plan);

/*
 * Write the indices of the cells in the order of `round` (1-based) into
 * `order`, which holds cell_count. The same seed and round always give the
 * same order (Fisher-Yates over SplitMix64 seeded by both).
 */
void plan_order(const struct plan *plan, unsigned int round, size_t *order);

#endif
