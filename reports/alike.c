/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/alike.h"

#include <stdint.h>
#include <stdlib.h>

static void note_firsts(size_t *firsts, const size_t *sorted, size_t from,
			size_t to)
{
	size_t least = sorted[from];

	for (size_t i = from; i < to; i++)
		least = sorted[i] < least ? sorted[i] : least;
	for (size_t i = from; i < to; i++)
		firsts[sorted[i]] = least;
}

size_t *alike_firsts(size_t count, alike_order_fn *order, void *ctx)
{
	size_t *firsts = calloc(count + 1, sizeof(*firsts));
	size_t *sorted = calloc(count + 1, sizeof(*sorted));

	if (!firsts || !sorted) {
		free(firsts);
		free(sorted);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		sorted[i] = i;
	qsort_r(sorted, count, sizeof(*sorted), order, ctx);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count; to++) {
			if (order(&sorted[from], &sorted[to], ctx) != 0)
				break;
		}
		note_firsts(firsts, sorted, from, to);
	}
	free(sorted);
	return firsts;
}

int alike_pointers(const void *x, const void *y)
{
	uintptr_t m = (uintptr_t)x, n = (uintptr_t)y;

	return (m > n) - (m < n);
}

int alike_names(const char *const *x, const char *const *y,
		const enum dataset_dimension *dimensions, size_t count)
{
	int order = 0;

	for (size_t k = 0; order == 0 && k < count; k++) {
		const char *m = x[dimensions[k]], *n = y[dimensions[k]];

		order = alike_pointers(*m ? m : NULL, *n ? n : NULL);
	}
	return order;
}
