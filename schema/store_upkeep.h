/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_upkeep - what keeps a database of years well: looking whether it is
 * whole, removing what is large and old, copying it while it is in use.
 */
#ifndef SCHEMA_STORE_UPKEEP_H
#define SCHEMA_STORE_UPKEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "schema/record.h"

struct store;

/* One fault of the database, in words; false: no more of them. */
typedef bool store_fault_fn(void *ctx, const char *text);

/*
 * The file itself (all of SQLite's integrity_check), references between its
 * rows, and whether the points of the history are what the samples add up
 * to. True also when there are faults.
 */
MUST_USE bool store_check(struct store *store, store_fault_fn *fn, void *ctx,
			  struct err *err);

/* Every row of the view `comparison` of a run. */
typedef bool store_compared_fn(void *ctx, const struct record_compared *row);
MUST_USE bool store_each_compared(struct store *store, int64_t run,
				  store_compared_fn *fn, void *ctx,
				  struct err *err);

struct store_pruned {
	int64_t phases; /* whose series or histograms went, or would go */
	int64_t bytes;  /* that these took */
};

/*
 * Remove the series and histograms of runs that started before `before`; not
 * those of baselines. Rates and all other figures stay. With `look` only say
 * what would go.
 */
MUST_USE bool store_prune(struct store *store, const char *before, bool look,
			  struct store_pruned *pruned, struct err *err);

/* Give space that is not used any more back to the filesystem. */
MUST_USE bool store_vacuum(struct store *store, int64_t *before, int64_t *after,
			   struct err *err);

/*
 * Copy the database at `path` as it is at one moment into `to`, which must
 * not be there (ERR_REFUSED). Others may write to it meanwhile. The copy is
 * on the disk, and under its name only when it is complete.
 */
MUST_USE bool store_backup(const char *path, const char *to, struct err *err);

#endif
