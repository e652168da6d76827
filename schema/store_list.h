/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_list - the runs of a store at a glance, and how the samples of one
 * were set up.
 *
 * What it costs grows with the runs that are asked for, not with the file.
 */
#ifndef SCHEMA_STORE_LIST_H
#define SCHEMA_STORE_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "schema/record.h"

struct store;

typedef bool store_listed_fn(void *ctx, const struct record_listed *run);

/*
 * The newest `limit` runs (0: all of them), newest first, that started at
 * `since` or later: a stored time or its beginning; "": from the first on.
 */
MUST_USE bool store_list_runs(struct store *store, const char *since,
			      int64_t limit, store_listed_fn *fn, void *ctx,
			      struct err *err);
/* Calls `fn` once; ERR_INPUT when there is no such run. */
MUST_USE bool store_list_run(struct store *store, int64_t run,
			     store_listed_fn *fn, void *ctx, struct err *err);
MUST_USE bool store_count_runs(struct store *store, const char *since,
			       int64_t *count, struct err *err);

/* One for each sample of a cell, in the order of store_each_result(). */
typedef bool store_setup_fn(void *ctx, const struct record_setup *setup);
MUST_USE bool store_each_setup(struct store *store, int64_t cell,
			       store_setup_fn *fn, void *ctx, struct err *err);

#endif
