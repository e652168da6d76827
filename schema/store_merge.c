/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_merge.h"

#include <sys/stat.h>

#include "schema/store_merge_private.h"

enum {
	TOGETHER = 8,     /* SQLite attaches no more than 10 at a time */
	LARGE = 32 << 20, /* bytes of sources that are worth a change of log */
};

static const char doing[] = "merging";

/*
 * Whether what the tables of the source ask of their rows is what ours do:
 * then those of a source that is whole need not be asked again.
 */
static bool has_our_tables(struct store_merge *m, bool *same)
{
	int64_t differ = 1;

	if (!store_merge_number(
		    m,
		    "SELECT count(*) FROM main.sqlite_schema AS mine "
		    "LEFT JOIN @.sqlite_schema AS theirs USING (type, name) "
		    "WHERE mine.type = 'table' AND mine.sql IS NOT theirs.sql",
		    &differ))
		return false;
	*same = differ == 0;
	return true;
}

static void ignore_checks(struct store *store, bool ignore)
{
	sqlite3_exec(store->db,
		     ignore ? "PRAGMA ignore_check_constraints = ON"
			    : "PRAGMA ignore_check_constraints = OFF",
		     NULL, NULL, NULL);
}

/* Of two faults, the one that is the cause of the other. */
static bool blame(struct store_source *source, const struct store_merge *m)
{
	struct err fault = { 0 };

	if (m->err->code != ERR_INPUT)
		return false;
	if (!store_source_is_whole(source, &fault))
		*m->err = fault;
	return false;
}

static bool merge_source(struct store_source *source,
			 struct store_merged *merged, struct err *err)
{
	struct store_merge m = {
		.store = source->into,
		.path = source->path,
		.schema = source->name,
		.merged = merged,
		.err = err,
	};
	bool same = false, ok;

	if (!store_source_check(source, err) || !has_our_tables(&m, &same))
		return false;
	ignore_checks(m.store, same);
	ok = store_merge_rows(&m);
	ignore_checks(m.store, false);
	return ok ? store_source_is_whole(source, err) : blame(source, &m);
}

/*
 * A transaction that writes to ours alone: BEGIN IMMEDIATE would want to write
 * to everything that is attached.
 */
static bool begin(struct store *store, struct err *err)
{
	return store_exec(store,
			  "BEGIN; UPDATE main.host SET id = id WHERE false",
			  "beginning to write", err);
}

/* All of what is attached, in one transaction. */
static bool merge_sources(struct store *store, struct store_source *sources,
			  size_t count, struct store_merged *merged,
			  struct err *err)
{
	bool ok = begin(store, err);

	for (size_t i = 0; ok && i < count; i++)
		ok = merge_source(&sources[i], merged, err);
	ok = ok && store_commit(store, err);
	store_rollback(store);
	return ok;
}

/* At most TOGETHER of them. */
static bool merge_together(struct store *store, const char *const *paths,
			   size_t count, struct store_merged *merged,
			   struct err *err)
{
	struct store_source sources[TOGETHER] = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++)
		ok = store_source_open(&sources[i], store, paths[i], i, err);
	ok = ok && merge_sources(store, sources, count, merged, err);
	for (size_t i = 0; i < count; i++)
		store_source_close(&sources[i]);
	return ok;
}

static bool tune(struct store *store, struct err *err)
{
	/* Rows come with what they refer to, or the check has found out. */
	return store_exec(store,
			  "PRAGMA foreign_keys = OFF;"
			  "PRAGMA cache_size = -65536",
			  doing, err) &&
	       store_merge_begin(store, err);
}

static void untune(struct store *store)
{
	sqlite3_exec(store->db,
		     "PRAGMA foreign_keys = ON; PRAGMA cache_size = -2000",
		     NULL, NULL, NULL);
}

static bool do_not_wait(void *ctx, unsigned int ms)
{
	(void)ctx;
	(void)ms;
	return false;
}

/*
 * With a journal, new pages are written once, not first into the log and
 * then from there. Where others have the database open it stays as it is.
 */
static void use_journal(struct store *store)
{
	store_wait_fn *wait = store->wait;

	store->wait = do_not_wait;
	sqlite3_exec(store->db, "PRAGMA main.journal_mode = DELETE", NULL, NULL,
		     NULL);
	store->wait = wait;
}

static void use_log(struct store *store)
{
	sqlite3_exec(store->db, "PRAGMA main.journal_mode = WAL", NULL, NULL,
		     NULL);
}

static bool is_large(const char *const *paths, size_t count)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		struct stat st;

		if (stat(paths[i], &st) == 0)
			bytes += st.st_size;
	}
	return bytes >= LARGE;
}

static bool merge_stage(struct store *store, struct store *stage,
			struct store_merged *merged, struct err *err)
{
	struct store_source source = { 0 };
	bool ok = store_source_take(&source, store, stage, err) &&
		  merge_sources(store, &source, 1, merged, err);

	store_source_close(&source);
	return ok;
}

/*
 * More than SQLite can attach: first all into a database without a name, a
 * few at a time, then that into ours at once.
 */
static bool merge_staged(struct store *store, const char *const *paths,
			 size_t count, struct store_merged *merged,
			 struct err *err)
{
	struct store *stage = store_temporary("a temporary database", err);
	struct store_merged staged = { 0 };
	bool ok = stage && store_migrate(stage, STORE_WRITE, err) &&
		  tune(stage, err);

	for (size_t i = 0; ok && i < count; i += TOGETHER) {
		size_t some = count - i < TOGETHER ? count - i : TOGETHER;

		ok = merge_together(stage, paths + i, some, &staged, err);
	}
	ok = ok && merge_stage(store, stage, merged, err);
	merged->known_runs += staged.known_runs;
	store_close(stage);
	return ok;
}

/* Of a file that is merged into itself the stage would know nothing. */
static bool probe_all(const struct store *store, const char *const *paths,
		      size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!store_source_probe(store, paths[i], err))
			return false;
	}
	return true;
}

bool store_merge_probe(const char *path, struct err *err)
{
	return store_source_probe(NULL, path, err);
}

bool store_merge(struct store *store, const char *const *paths, size_t count,
		 struct store_merged *merged, struct err *err)
{
	bool large = is_large(paths, count), ok;

	*merged = (struct store_merged){ 0 };
	if (!store_claim(store, err) || !probe_all(store, paths, count, err) ||
	    !tune(store, err))
		return false;
	if (large)
		use_journal(store);
	ok = count <= TOGETHER
		     ? merge_together(store, paths, count, merged, err)
		     : merge_staged(store, paths, count, merged, err);
	if (large)
		use_log(store);
	untune(store);
	return ok;
}
