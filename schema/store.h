/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store - the one SQLite file that keeps every sample.
 *
 * The only module that speaks SQL. WAL with synchronous=FULL: when a call
 * that adds something returns true, it is on the disk. A file that is not
 * ours (application_id) or is newer (user_version) is refused and left
 * untouched; an older one is migrated in one transaction.
 *
 * It refuses to know what a matrix or a statistic is; the views of the
 * database (schema/migrations) hold the arithmetic that SQL users see.
 *
 * Errors name the file. ERR_INPUT: the file is not one we can use, or what
 * was asked for is not in it; ERR_BUSY: another process held it for too long;
 * ERR_FAILED: the rest.
 *
 * Threads: a store belongs to one thread. Callbacks may call the store.
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
 * While another process has the file locked, `fn` is asked again and again
 * whether to wait on; it returns false to have ERR_BUSY. NULL, as at first: it
 * is waited for 10 s.
 */
typedef bool store_wait_fn(void *ctx, unsigned int waited_ms);
void store_set_wait(struct store *store, store_wait_fn *fn, void *ctx);

/*
 * Be the only run of this database, until store_close(): ERR_BUSY when
 * another process is. Readers and importers are not kept out. (Do not open
 * and close the file by any other way: that drops SQLite's locks on it.)
 */
MUST_USE bool store_claim(struct store *store, struct err *err);

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
/* Adding a cell that the run has (by its three names) returns its id. */
MUST_USE bool store_add_cell(struct store *store, int64_t run,
			     const struct record_cell *cell, int64_t *id,
			     struct err *err);
/* `base` is a cell of the same run, or `cell` itself. */
MUST_USE bool store_set_base(struct store *store, int64_t cell, int64_t base,
			     struct err *err);
/* With its phases, series and histograms, in one transaction. */
MUST_USE bool store_add_sample(struct store *store,
			       const struct record_sample *sample,
			       struct err *err);
/*
 * `status`: "done", "interrupted", "stopped" (its time was up before its
 * rounds were), "failed". Nobody holds it any more. `ended_at` is NULL where
 * nobody knows (an import).
 */
MUST_USE bool store_end_run(struct store *store, int64_t run,
			    const char *status, const char *ended_at,
			    struct err *err);

/* A run that was interrupted or stopped goes on, held by that process. */
MUST_USE bool store_hold_run(struct store *store, int64_t run,
			     const char *holder, struct err *err);

/*
 * Have every run that says it is held, and is not as `fn` knows it, say so:
 * its status is "broken off" from then on. Also in a store that was opened
 * for reading, where the file can be written.
 */
typedef bool store_holder_fn(void *ctx, const char *holder);
MUST_USE bool store_settle_runs(struct store *store, store_holder_fn *fn,
				void *ctx, struct err *err);

/* The first run of an import of a file with this digest. */
MUST_USE bool store_find_import(struct store *store, const char *digest,
				int64_t *run, bool *found, struct err *err);

/* The run of this uuid; `measured`: that it is no import. */
MUST_USE bool store_find_uuid(struct store *store, const char *uuid,
			      int64_t *run, bool *found, bool *measured,
			      struct err *err);
MUST_USE bool store_has_sample_uuid(struct store *store, int64_t run,
				    const char *uuid, bool *found,
				    struct err *err);

/*
 * Which run the user means: an id ("12"), a uuid or a prefix of one that is
 * long enough, a label (its newest run), or NULL or "last" for the newest. A
 * run that was tagged as ignored is none of the newest.
 * ERR_INPUT that names what was not found.
 */
MUST_USE bool store_find_run(struct store *store, const char *which,
			     int64_t *run, struct err *err);
/* Whether one of the run's samples is ok. */
MUST_USE bool store_has_figures(struct store *store, int64_t run, bool *found,
				struct err *err);
/* The newest run of which that is so, but no ignored one. */
MUST_USE bool store_find_figures(struct store *store, int64_t *run, bool *found,
				 struct err *err);

/*
 * Whether a run may be labelled so: not with "last", nor with what is the id
 * of a run, now or later, or a uuid; the label would hide that run or be
 * hidden by it. ERR_INPUT that says so.
 */
MUST_USE bool store_check_label(const char *label, struct err *err);

/*
 * The newest run (no import) that is not done, nor ignored: of the host of
 * this uuid, else of any. ERR_INPUT when there is none.
 */
MUST_USE bool store_find_unfinished_run(struct store *store, const char *host,
					int64_t *run, struct err *err);

/* Calls `fn` once; ERR_INPUT when there is no such run. */
typedef bool store_run_info_fn(void *ctx, const struct record_run_info *info);
MUST_USE bool store_run_info(struct store *store, int64_t run,
			     store_run_info_fn *fn, void *ctx, struct err *err);
/* Every run, oldest first. */
MUST_USE bool store_each_run(struct store *store, store_run_info_fn *fn,
			     void *ctx, struct err *err);

/* The cells of a run in the order added, with samples or without. */
typedef bool store_cell_fn(void *ctx, const struct record_cell_info *info);
MUST_USE bool store_run_cells(struct store *store, int64_t run,
			      store_cell_fn *fn, void *ctx, struct err *err);

/* Of whatever status. */
MUST_USE bool store_count_samples(struct store *store, int64_t run,
				  int64_t *count, struct err *err);
/* Whether the cell has a sample, of whatever status, of this round. */
MUST_USE bool store_has_sample(struct store *store, int64_t cell, int64_t round,
			       bool *found, struct err *err);

/*
 * How long a sample of such a cell takes on the host of this name: the mean
 * from start to end of the last samples that were ok of cells with the same
 * volume (kind and path), filesystem, type and workload settings. 0: there
 * is none.
 */
MUST_USE bool store_estimate_ns(struct store *store, const char *host,
				const struct record_cell *cell, uint64_t *ns,
				struct err *err);

/* The other runs of the import that `run` came from, itself included. */
typedef bool store_run_fn(void *ctx, int64_t run);
MUST_USE bool store_each_run_of_batch(struct store *store, int64_t run,
				      store_run_fn *fn, void *ctx,
				      struct err *err);

/*
 * Every phase of the given runs, in the order of `runs` and then cell, round,
 * position, op ('W' before 'R'). A measured sample always comes as two rows,
 * without figures for a phase that did not happen. The callback returns
 * false to stop, here as in every other; the call is then still true.
 */
typedef bool store_result_fn(void *ctx, const struct record_result *row);
MUST_USE bool store_each_result(struct store *store, const int64_t *runs,
				size_t run_count, store_result_fn *fn,
				void *ctx, struct err *err);

/* The same of one cell. */
MUST_USE bool store_each_cell_result(struct store *store, int64_t cell,
				     store_result_fn *fn, void *ctx,
				     struct err *err);

/* The series of one phase of a sample; `fn` is not called if it has none. */
typedef void store_series_fn(void *ctx, const struct record_series *series);
MUST_USE bool store_sample_series(struct store *store, int64_t sample, char op,
				  store_series_fn *fn, void *ctx,
				  struct err *err);

#endif
