/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "schema/store_merge_private.h"

static const char doing[] = "merging";

/* Columns that a row of the table does not bring along as they are. */
static const struct {
	const char *table, *columns;
} mapped[] = {
	{ "host", " id uuid " },
	{ "trend", " id " },
	{ "run", " id host status ended_at label note pinned ignored "
		 "tagged_at holder " },
	{ "cell", " id run base_cell trend " },
	{ "sample", " id cell " },
	{ "phase", " sample " },
	{ "series", " sample " },
	{ "latency", " sample " },
	{ "point", " trend run cell " },
};

static bool is_mapped(const char *table, const char *column)
{
	char word[80];

	snprintf(word, sizeof(word), " %s ", column);
	for (size_t i = 0; i < sizeof(mapped) / sizeof(*mapped); i++) {
		if (strcmp(mapped[i].table, table) == 0)
			return strstr(mapped[i].columns, word) != NULL;
	}
	return false;
}

static void put_column(sqlite3_str *out, const char *before, const char *name,
		       bool joined)
{
	if (joined)
		sqlite3_str_appendf(out,
				    "\"%w\" = coalesce(max(\"%w\", "
				    "excluded.\"%w\"), \"%w\", "
				    "excluded.\"%w\")",
				    name, name, name, name, name);
	else
		sqlite3_str_appendf(out, "%s\"%w\"", before, name);
}

/* `what` is "run", "mine.run" or "host=". */
static bool put_columns(struct store_merge *m, sqlite3_str *out,
			const char *what, size_t length)
{
	const char *dot = memchr(what, '.', length);
	bool joined = what[length - 1] == '=';
	char before[32] = "", table[32];
	const char *comma = "";
	struct store_query q =
		store_query(m->store, "SELECT name FROM "
				      "pragma_table_xinfo(?) "
				      "WHERE hidden = 0 ORDER BY cid");

	if (dot)
		snprintf(before, sizeof(before), "%.*s", (int)(dot + 1 - what),
			 what);
	snprintf(table, sizeof(table), "%.*s",
		 (int)(length - strlen(before) - joined),
		 what + strlen(before));
	store_bind_text(&q, table);
	while (store_step(&q) == SQLITE_ROW) {
		const char *name = store_next_text(&q);

		if (is_mapped(table, name))
			continue;
		sqlite3_str_appendall(out, comma);
		put_column(out, before, name, joined);
		comma = ", ";
	}
	return store_finish(&q, doing, m->err);
}

/* On sqlite3_malloc's heap; NULL with `err` set. */
static char *expand(struct store_merge *m, const char *sql)
{
	sqlite3_str *out = sqlite3_str_new(NULL);
	bool ok = true;
	char *text;

	for (; ok && *sql; sql++) {
		const char *end = *sql == '{' ? strchr(sql, '}') : NULL;

		if (*sql == '@') {
			sqlite3_str_appendall(out, m->schema);
		} else if (end) {
			ok = put_columns(m, out, sql + 1,
					 (size_t)(end - sql - 1));
			sql = end;
		} else {
			sqlite3_str_appendchar(out, 1, *sql);
		}
	}
	text = sqlite3_str_finish(out);
	if (!text)
		err_nomem(m->err);
	if (ok && text)
		return text;
	sqlite3_free(text);
	return NULL;
}

/* What is wrong with rows of the source is not the database's fault. */
static bool fail(struct store_merge *m, int rc)
{
	switch (rc & 0xff) {
	case SQLITE_CORRUPT:
		m->corrupt = true;
		return store_error(m->store, rc, doing, m->err);
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
		err_set(m->err, ERR_INPUT, "the database is damaged: %s",
			sqlite3_errmsg(m->store->db));
		err_at(m->err, m->path, 0, 0);
		return false;
	default:
		return store_error(m->store, rc, doing, m->err);
	}
}

static void bind(sqlite3_stmt *stmt, const char *name, int64_t value)
{
	int at = sqlite3_bind_parameter_index(stmt, name);

	if (at > 0)
		sqlite3_bind_int64(stmt, at, value);
}

/* The statement, ready to be stepped; NULL with `err` set. */
static sqlite3_stmt *prepare(struct store_merge *m, const char *sql)
{
	char *text = expand(m, sql);
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (!text)
		return NULL;
	rc = sqlite3_prepare_v2(m->store->db, text, -1, &stmt, NULL);
	sqlite3_free(text);
	if (rc != SQLITE_OK) {
		fail(m, rc);
		return NULL;
	}
	bind(stmt, ":cells", m->cells);
	bind(stmt, ":samples", m->samples);
	return stmt;
}

bool store_merge_run(struct store_merge *m, const char *sql)
{
	sqlite3_stmt *stmt = prepare(m, sql);
	int rc;

	if (!stmt)
		return false;
	rc = sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE || fail(m, rc);
}

bool store_merge_run_all(struct store_merge *m, const char *const *statements)
{
	for (; *statements; statements++) {
		if (!store_merge_run(m, *statements))
			return false;
	}
	return true;
}

bool store_merge_refuse(struct store_merge *m, const char *sql,
			const char *complaint)
{
	sqlite3_stmt *stmt = prepare(m, sql);
	int rc;

	if (!stmt)
		return false;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW) {
		const void *text = sqlite3_column_text(stmt, 0);

		err_set(m->err, ERR_INPUT, "%s%s", complaint,
			text ? (const char *)text : "");
		err_at(m->err, m->path, 0, 0);
	} else if (rc != SQLITE_DONE) {
		fail(m, rc);
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE;
}

bool store_merge_number(struct store_merge *m, const char *sql, int64_t *value)
{
	sqlite3_stmt *stmt = prepare(m, sql);
	int rc;

	if (!stmt)
		return false;
	rc = sqlite3_step(stmt);
	*value = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE || fail(m, rc);
}
