/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load - runs out of the store into a dataset.
 *
 * The only part of reports that knows there is a store.
 */
#ifndef REPORTS_LOAD_H
#define REPORTS_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct comparison;
struct dataset;
struct store;

/* More lines than these tell nobody anything, and are left out. */
enum {
	LOAD_SERIES_MAX = 4000, /* samples in all */
	LOAD_SERIES_ROW = 40,   /* samples of a row */
};

/*
 * Every cell of the runs, measured or not, in the order of `runs`, and every
 * sample. What was added before an error stays; dataset_done() ends it.
 */
MUST_USE bool load_runs(struct store *store, const int64_t *runs, size_t count,
			struct dataset *data, struct err *err);

/*
 * How the rates of samples that count developed over time, row by row of the
 * comparison until the limits are reached, into the detailed dataset that it
 * is made from.
 */
MUST_USE bool load_series(struct store *store,
			  const struct comparison *comparison,
			  struct dataset *data, struct err *err);

#endif
