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

struct dataset;
struct store;

/*
 * Every cell of the runs, measured or not, in the order of `runs`, and every
 * sample. What was added before an error stays; dataset_done() ends it.
 */
MUST_USE bool load_runs(struct store *store, const int64_t *runs, size_t count,
			struct dataset *data, struct err *err);

#endif
