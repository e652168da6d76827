/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget - how long a run's cells take, and which of them still fit into the
 * time there is.
 *
 * A cell's estimate is the mean of what this run has measured of it, whatever
 * came of it; before that, what history says. It knows cells by their index.
 * It refuses to know clocks, the store and the plan: the time that is left is
 * handed in, UINT64_MAX being no end. All times are nanoseconds.
 */
#ifndef RUNNER_BUDGET_H
#define RUNNER_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget;

struct budget *budget_new(size_t cell_count); /* NULL: out of memory */
void budget_free(struct budget *b);

/* What history says of a cell. */
void budget_expect(struct budget *b, size_t cell, uint64_t ns);
/* A sample of it has taken so long. */
void budget_learn(struct budget *b, size_t cell, uint64_t ns);

/* 0: there is none. */
uint64_t budget_estimate(const struct budget *b, size_t cell);

/*
 * One sample of each of these cells; `known` of them have an estimate, and
 * each of the others is taken for the mean of all cells that have. 0: nothing
 * is known of any.
 */
uint64_t budget_sum(const struct budget *b, const size_t *cells, size_t count,
		    size_t *known);

/*
 * Whether to begin, or go on with, a round that lacks these cells. Whole
 * rounds first: one that would not fit is left out, so that none is half
 * done. But as long as no round is complete, half of one is better than
 * nothing: then it is for each cell to fit.
 */
bool budget_allows_round(const struct budget *b, const size_t *cells,
			 size_t count, bool any_complete, uint64_t left_ns);

/* A cell without an estimate may begin as long as there is time at all. */
bool budget_allows_cell(const struct budget *b, size_t cell, uint64_t left_ns);

#endif
