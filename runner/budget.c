/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/budget.h"

#include <stdlib.h>

struct cell_time {
	uint64_t expected_ns;
	uint64_t sum_ns, count; /* of this run's own samples */
};

struct budget {
	struct cell_time *cells; /* owned */
	size_t cell_count;
};

struct budget *budget_new(size_t cell_count)
{
	struct budget *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->cell_count = cell_count;
	b->cells = calloc(cell_count, sizeof(*b->cells));
	if (b->cells)
		return b;
	budget_free(b);
	return NULL;
}

void budget_free(struct budget *b)
{
	if (!b)
		return;
	free(b->cells);
	free(b);
}

void budget_expect(struct budget *b, size_t cell, uint64_t ns)
{
	b->cells[cell].expected_ns = ns;
}

void budget_learn(struct budget *b, size_t cell, uint64_t ns)
{
	b->cells[cell].sum_ns += ns;
	b->cells[cell].count++;
}

uint64_t budget_estimate(const struct budget *b, size_t cell)
{
	const struct cell_time *c = &b->cells[cell];

	return c->count ? c->sum_ns / c->count : c->expected_ns;
}

/* Times of samples add up: not beyond what can be counted. */
static uint64_t plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Of the cells that have an estimate. */
static uint64_t mean(const struct budget *b)
{
	uint64_t sum = 0, count = 0, ns;

	for (size_t i = 0; i < b->cell_count; i++) {
		ns = budget_estimate(b, i);
		sum = plus(sum, ns);
		count += ns > 0;
	}
	return count ? sum / count : 0;
}

uint64_t budget_sum(const struct budget *b, const size_t *cells, size_t count,
		    size_t *known)
{
	uint64_t sum = 0, ns, others;

	*known = 0;
	for (size_t i = 0; i < count; i++) {
		ns = budget_estimate(b, cells[i]);
		sum = plus(sum, ns);
		*known += ns > 0;
	}
	others = *known < count ? mean(b) : 0;
	for (size_t i = *known; i < count; i++)
		sum = plus(sum, others);
	return sum;
}

bool budget_allows_round(const struct budget *b, const size_t *cells,
			 size_t count, bool any_complete, uint64_t left_ns)
{
	size_t known;

	if (left_ns == 0)
		return false;
	return !any_complete || budget_sum(b, cells, count, &known) <= left_ns;
}

bool budget_allows_cell(const struct budget *b, size_t cell, uint64_t left_ns)
{
	return left_ns > 0 && budget_estimate(b, cell) <= left_ns;
}
