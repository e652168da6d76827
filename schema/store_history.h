/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_history - the figures of each cell over runs.
 *
 * They are read from what is kept beside the samples (one row per cell, op
 * and run), so that what it costs grows with the runs asked for, not with the
 * samples of the file.
 */
#ifndef SCHEMA_STORE_HISTORY_H
#define SCHEMA_STORE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "schema/record.h"

struct store;

/* By host; those of one host in the order they were first measured. */
typedef bool store_trend_fn(void *ctx, const struct record_trend *trend);
MUST_USE bool store_each_trend(struct store *store, store_trend_fn *fn,
			       void *ctx, struct err *err);

struct store_points {
	int64_t trend;
	char op;
	const char *since; /* a time of day or its beginning; "": all runs */
	int64_t last;      /* the newest so many runs only; 0: all */
};

/* Oldest first; none of a run that is ignored. */
typedef bool store_point_fn(void *ctx, const struct record_point *point);
MUST_USE bool store_each_point(struct store *store,
			       const struct store_points *which,
			       store_point_fn *fn, void *ctx, struct err *err);
/* That of the newest run that is pinned as a baseline; no call: none is. */
MUST_USE bool store_pinned_point(struct store *store, int64_t trend, char op,
				 store_point_fn *fn, void *ctx,
				 struct err *err);

/* Where a cell was measured; no call: there is no such cell. */
typedef bool store_site_fn(void *ctx, const struct record_site *site);
MUST_USE bool store_cell_site(struct store *store, int64_t cell,
			      store_site_fn *fn, void *ctx, struct err *err);

/* Every run that is not ignored, by id; or one, if it is there. */
typedef bool store_run_name_fn(void *ctx, const struct record_run_name *name);
MUST_USE bool store_each_run_name(struct store *store, store_run_name_fn *fn,
				  void *ctx, struct err *err);
MUST_USE bool store_run_name(struct store *store, int64_t run,
			     store_run_name_fn *fn, void *ctx, struct err *err);

#endif
