/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_merge_private - statements that say "all the other columns", so that
 * what a later schema adds to a table is merged too.
 */
#ifndef SCHEMA_STORE_MERGE_PRIVATE_H
#define SCHEMA_STORE_MERGE_PRIVATE_H

#include "schema/store_merge.h"
#include "schema/store_source.h"

struct store_merge {
	struct store *store;
	const char *path;   /* of the source, for errors */
	const char *schema; /* that the source is attached as */
	/* What its rows' ids are raised by, where they are new here. */
	int64_t cells, samples;
	bool any_known; /* a run of it is here already */
	/* What was here stepped aside, and comes back with ids so much higher.
	 */
	bool aside;
	int64_t aside_cells, aside_samples;
	bool corrupt; /* SQLite found damage; on which side is not said */
	struct store_merged *merged;
	struct err *err;
};

/*
 * Runs a statement without rows. In it
 *
 *   @            is the source's schema: @.run
 *   {run}        the columns of the table but those that are mapped
 *   {mine.run}   the same, each as mine.column
 *   {host=}      the same, each as set to what either side has
 *   :cells, :samples  the offsets
 */
MUST_USE bool store_merge_run(struct store_merge *m, const char *sql);
/* In the order given, up to a NULL; each only if those before went well. */
MUST_USE bool store_merge_run_all(struct store_merge *m,
				  const char *const *statements);
/*
 * The statement finds what must not be: its first row is a text that goes
 * into `complaint` at %s; the merge is refused then.
 */
MUST_USE bool store_merge_refuse(struct store_merge *m, const char *sql,
				 const char *complaint);
/* The integer of the first row; 0 if there is none or it is NULL. */
MUST_USE bool store_merge_number(struct store_merge *m, const char *sql,
				 int64_t *value);

/* Before cells are mapped: whether samples that are here step aside. */
MUST_USE bool store_merge_step_aside(struct store_merge *m);
/* When cells are here: their samples, with all that belongs to them. */
MUST_USE bool store_merge_samples(struct store_merge *m);
/* All rows of one source, inside a transaction. */
MUST_USE bool store_merge_rows(struct store_merge *m);
/* The tables that store_merge_rows() works with, made outside of it. */
MUST_USE bool store_merge_begin(struct store *store, struct err *err);

#endif
