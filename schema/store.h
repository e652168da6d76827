/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store - the one SQLite file that keeps every sample.
 *
 * The only module that speaks SQL. WAL with synchronous=FULL: when a call
 * that adds something returns true, it is on the disk. A file that is not
 * ours (application_id) or is newer (user_version) is refused and left
 * untouched; an older one is migrated in one transaction.
 *
 * Threads: a store belongs to one thread.
 */
#ifndef SCHEMA_STORE_H
#define SCHEMA_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "schema/record.h"

struct store;

enum store_mode {
	STORE_READ,  /* must exist; nothing is written but a migration */
	STORE_WRITE, /* is created when missing */
};

/* NULL with `err` set; the words name the file. */
struct store *store_open(const char *path, enum store_mode mode,
			 struct err *err);
void store_close(struct store *store);

/*
 * Between store_begin() and store_commit() additions become one transaction;
 * outside each is its own. store_rollback() after a commit does nothing.
 */
MUST_USE bool store_begin(struct store *store, struct err *err);
MUST_USE bool store_commit(struct store *store, struct err *err);
void store_rollback(struct store *store);

/* Adding a host that is there (by uuid) returns its id. */
MUST_USE bool store_add_host(struct store *store,
			     const struct record_host *host, int64_t *id,
			     struct err *err);
MUST_USE bool store_add_run(struct store *store, int64_t host,
			    const struct record_run *run, int64_t *id,
			    struct err *err);
MUST_USE bool store_add_cell(struct store *store, int64_t run,
			     const struct record_cell *cell, int64_t *id,
			     struct err *err);
/* With its phases, series and histograms, in one transaction. */
MUST_USE bool store_add_sample(struct store *store,
			       const struct record_sample *sample,
			       struct err *err);
/* `status`: "done", "interrupted", "failed". */
MUST_USE bool store_end_run(struct store *store, int64_t run,
			    const char *status, const char *ended_at,
			    struct err *err);

/*
 * Which run the user means: an id ("12"), a uuid or a prefix of one that is
 * long enough, a label (its newest run), or NULL or "last" for the newest.
 * ERR_INPUT that names what was not found.
 */
MUST_USE bool store_find_run(struct store *store, const char *which,
			     int64_t *run, struct err *err);

/* The other runs of the import that `run` came from, itself included. */
typedef bool store_run_fn(void *ctx, int64_t run);
MUST_USE bool store_each_run_of_batch(struct store *store, int64_t run,
				      store_run_fn *fn, void *ctx,
				      struct err *err);

/*
 * Every phase of the given runs, in the order run, cell, round, position, op
 * ('W' before 'R'). A sample without phases (skipped, failed early) comes as
 * two rows without figures. The callback returns false to stop; the call is
 * then still true.
 */
typedef bool store_result_fn(void *ctx, const struct record_result *row);
MUST_USE bool store_each_result(struct store *store, const int64_t *runs,
				size_t run_count, store_result_fn *fn,
				void *ctx, struct err *err);

#endif
