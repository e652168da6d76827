/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike - which of many things are the same, without a look at each pair.
 *
 * It knows numbers and an order, and refuses to know what is numbered.
 * Thread-safe.
 */
#ifndef REPORTS_ALIKE_H
#define REPORTS_ALIKE_H

#include <stddef.h>

#include "core/err.h"
#include "reports/dataset.h"

/* Of two numbers: 0 when they are alike, else any order, always the same. */
typedef int alike_order_fn(const void *a, const void *b, void *ctx);

/*
 * For each number below `count` the least one that is alike; NULL: out of
 * memory. The caller frees it.
 */
MUST_USE size_t *alike_firsts(size_t count, alike_order_fn *order, void *ctx);

/*
 * An order of names in these dimensions, which is that of no alphabet: they
 * must be interned in one place, but for "".
 */
int alike_names(const char *const *x, const char *const *y,
		const enum dataset_dimension *dimensions, size_t count);
/* The same of two pointers. */
int alike_pointers(const void *x, const void *y);

#endif
