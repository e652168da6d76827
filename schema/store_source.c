/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_source.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char reading[] = "reading the database";

/* Where a fault of the source is said to be: in its file. */
static bool fault_of(const struct store_source *source, int rc, struct err *err)
{
	return store_error(source->own ? source->own : source->into, rc,
			   reading, err);
}

/*
 * Whether SQLite would undo what is in the file's journal: not one that was
 * only made, and nothing is in its header yet.
 */
static bool has_hot_journal(const char *path)
{
	char *name = sqlite3_mprintf("%s-journal", path);
	FILE *journal = name ? fopen(name, "re") : NULL;
	int first = journal ? getc(journal) : EOF;

	if (journal)
		fclose(journal);
	sqlite3_free(name);
	return first != EOF && first != 0;
}

static bool check_file(const struct store *into, const char *path,
		       struct err *err)
{
	struct stat own, st;

	if (stat(path, &st) < 0) {
		err_set(err, ERR_INPUT, "there is no such database");
		err_at(err, path, 0, 0);
		return false;
	}
	if (into && stat(into->path, &own) == 0 && own.st_dev == st.st_dev &&
	    own.st_ino == st.st_ino) {
		err_set(err, ERR_INPUT,
			"the database cannot be merged into "
			"itself");
		err_at(err, path, 0, 0);
		return false;
	}
	if (!has_hot_journal(path))
		return true;
	err_set(err, ERR_INPUT,
		"a crash left %s-journal, and to undo what it was doing the "
		"database would have to be written; list its runs once, "
		"then merge",
		path);
	err_at(err, path, 0, 0);
	return false;
}

static bool identify(struct store *own, int64_t *version, struct err *err)
{
	struct store_identity identity;
	int rc = store_identify(own->db, &identity);

	if (rc != SQLITE_OK)
		return store_error(own, rc, reading, err);
	if (!store_is_ours(own, &identity, err))
		return false;
	if (identity.user_version == 0)
		return store_refuse(own, ERR_INPUT, err, "nothing is in it");
	*version = identity.user_version;
	return true;
}

bool store_source_probe(const struct store *into, const char *path,
			struct err *err)
{
	struct store *own;
	bool keeps_log = store_has_beside(path, "-wal");
	int64_t version;
	bool ok;

	if (!check_file(into, path, err))
		return false;
	own = store_connect(path, err);
	if (!own)
		return false;
	ok = identify(own, &version, err);
	sqlite3_db_config(own->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps_log,
			  NULL);
	store_close(own);
	return ok;
}

static bool attach(struct store_source *source, const char *uri,
		   struct err *err)
{
	char sql[64];
	sqlite3_stmt *stmt = NULL;
	int rc;

	snprintf(sql, sizeof(sql), "ATTACH ? AS %s", source->name);
	rc = sqlite3_prepare_v2(source->into->db, sql, -1, &stmt, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_bind_text(stmt, 1, uri, -1, SQLITE_TRANSIENT);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	source->attached = rc == SQLITE_DONE;
	return source->attached || fault_of(source, rc, err);
}

static bool attach_file(struct store_source *source, struct err *err)
{
	char *uri = store_uri(source->own->path,
			      source->own->immutable ? "?immutable=1" : "");
	bool ok = uri ? attach(source, uri, err) : err_nomem(err);

	sqlite3_free(uri);
	return ok;
}

static bool copy(struct store_source *source, sqlite3 *to, const char *schema,
		 sqlite3 *from, struct err *err)
{
	sqlite3_backup *backup = sqlite3_backup_init(to, schema, from, "main");
	int rc;

	if (!backup)
		return fault_of(source, sqlite3_errcode(to), err);
	rc = sqlite3_backup_step(backup, -1);
	sqlite3_backup_finish(backup);
	return rc == SQLITE_DONE || fault_of(source, rc, err);
}

/*
 * Migrations speak of the main database, which ours is: so there is a copy
 * that is upgraded, and one of that to be attached. Both have no names.
 */
static bool attach_upgraded(struct store_source *source, struct err *err)
{
	struct store *upgraded = store_temporary(source->own->path, err);
	bool ok =
		upgraded &&
		copy(source, upgraded->db, "main", source->own->db, err) &&
		store_migrate(upgraded, STORE_WRITE, err) &&
		attach(source, "", err) &&
		copy(source, source->into->db, source->name, upgraded->db, err);

	store_close(upgraded);
	return ok;
}

bool store_source_open(struct store_source *source, struct store *into,
		       const char *path, size_t number, struct err *err)
{
	int64_t version;

	source->into = into;
	source->path = path;
	snprintf(source->name, sizeof(source->name), "src%zu", number);
	if (!check_file(into, path, err))
		return false;
	source->keeps_log = store_has_beside(path, "-wal");
	source->own = store_connect(path, err);
	if (!source->own || !identify(source->own, &version, err))
		return false;
	if (version == store_newest_version())
		return attach_file(source, err);
	/* What is damaged may not even reach the upgrade. */
	return store_source_check(source, err) &&
	       store_source_is_whole(source, err) &&
	       attach_upgraded(source, err);
}

bool store_source_take(struct store_source *source, struct store *into,
		       struct store *from, struct err *err)
{
	source->into = into;
	source->path = from->path;
	snprintf(source->name, sizeof(source->name), "src0");
	return attach(source, "", err) &&
	       copy(source, into->db, source->name, from->db, err);
}

/* The first row of the pragma, unless it is `good`, says what is wrong. */
static bool look(struct store_source *source, const char *pragma,
		 const char *good)
{
	struct store_query q = store_query(source->own, pragma);
	const char *text = NULL;

	if (store_step(&q) == SQLITE_ROW)
		text = store_next_text(&q);
	if (text && (!good || strcmp(text, good) != 0))
		store_refuse(source->own, ERR_INPUT, &source->fault,
			     good ? "the database is damaged: %s"
				  : "the database is damaged: a row of %s "
				    "refers to what is not there",
			     text);
	return store_finish(&q, reading, &source->fault) &&
	       source->fault.code == ERR_NONE;
}

static void *check(void *arg)
{
	struct store_source *source = arg;

	/* Points lie across all runs; who takes them counts them instead. */
	if (look(source, "PRAGMA quick_check(1)", "ok"))
		look(source,
		     "SELECT bad.\"table\" FROM sqlite_schema AS s, "
		     "pragma_foreign_key_check(s.name) AS bad "
		     "WHERE s.type = 'table' AND s.name <> 'point' LIMIT 1",
		     NULL);
	return NULL;
}

bool store_source_check(struct store_source *source, struct err *err)
{
	int ret;

	if (!source->own || source->whole)
		return true;
	sqlite3_exec(source->own->db, "PRAGMA cache_size = -16384", NULL, NULL,
		     NULL);
	ret = pthread_create(&source->thread, NULL, check, source);
	if (ret != 0)
		return err_sys(err, ret, "starting a thread");
	source->checking = true;
	return true;
}

bool store_source_is_whole(struct store_source *source, struct err *err)
{
	if (source->checking)
		pthread_join(source->thread, NULL);
	source->checking = false;
	source->whole = source->fault.code == ERR_NONE;
	if (!source->whole)
		*err = source->fault;
	return source->whole;
}

/* The log of a file that others left stays as they left it. */
static void keep_log(const struct store_source *source, sqlite3 *db, int on)
{
	if (source->keeps_log)
		sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on,
				  NULL);
}

void store_source_close(struct store_source *source)
{
	char sql[64];

	if (source->checking) {
		sqlite3_interrupt(source->own->db);
		pthread_join(source->thread, NULL);
		source->checking = false;
	}
	if (source->own) {
		keep_log(source, source->own->db, 1);
		store_close(source->own);
		source->own = NULL;
	}
	if (source->attached) {
		snprintf(sql, sizeof(sql), "DETACH %s", source->name);
		keep_log(source, source->into->db, 1);
		sqlite3_exec(source->into->db, sql, NULL, NULL, NULL);
		keep_log(source, source->into->db, 0);
		source->attached = false;
	}
}
