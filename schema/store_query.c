/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>

#include "schema/store_private.h"

/* The place of `sql`, or the first free one; NULL: all are taken. */
static struct store_kept *place_of(struct store *store, const char *sql)
{
	for (size_t i = 0; i < STORE_KEPT_MAX; i++) {
		struct store_kept *kept = &store->kept[i];

		if (!kept->sql || kept->sql == sql)
			return kept;
	}
	return NULL;
}

struct store_query store_query(struct store *store, const char *sql)
{
	struct store_query q = { .store = store };

	q.rc = sqlite3_prepare_v2(store->db, sql, -1, &q.stmt, NULL);
	return q;
}

struct store_query store_keep(struct store *store, const char *sql)
{
	struct store_kept *kept = place_of(store, sql);
	struct store_query q = { .store = store, .kept = true };

	if (!kept)
		return store_query(store, sql);
	if (!kept->stmt) {
		q.rc = sqlite3_prepare_v3(store->db, sql, -1,
					  SQLITE_PREPARE_PERSISTENT,
					  &kept->stmt, NULL);
		kept->sql = q.rc == SQLITE_OK ? sql : NULL;
	}
	q.stmt = kept->stmt;
	return q;
}

static void bound(struct store_query *q, int rc)
{
	if (q->rc == SQLITE_OK)
		q->rc = rc;
}

void store_bind_int(struct store_query *q, int64_t value)
{
	bound(q, sqlite3_bind_int64(q->stmt, ++q->bound, value));
}

void store_bind_known(struct store_query *q, int64_t value, bool known)
{
	if (known)
		store_bind_int(q, value);
	else
		bound(q, sqlite3_bind_null(q->stmt, ++q->bound));
}

void store_bind_size(struct store_query *q, uint64_t value)
{
	store_bind_int(q, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

void store_bind_real(struct store_query *q, double value)
{
	if (isnan(value))
		store_bind_known(q, 0, false);
	else
		bound(q, sqlite3_bind_double(q->stmt, ++q->bound, value));
}

void store_bind_text(struct store_query *q, const char *text)
{
	bound(q, sqlite3_bind_text(q->stmt, ++q->bound, text, -1,
				   SQLITE_TRANSIENT));
}

int store_step(struct store_query *q)
{
	q->column = 0;
	if (q->rc == SQLITE_OK || q->rc == SQLITE_ROW)
		q->rc = sqlite3_step(q->stmt);
	return q->rc;
}

const char *store_next_text(struct store_query *q)
{
	return (const char *)sqlite3_column_text(q->stmt, q->column++);
}

int64_t store_next_int(struct store_query *q, int64_t absent)
{
	int column = q->column++;

	if (sqlite3_column_type(q->stmt, column) == SQLITE_NULL)
		return absent;
	return sqlite3_column_int64(q->stmt, column);
}

double store_next_real(struct store_query *q)
{
	int column = q->column++;

	if (sqlite3_column_type(q->stmt, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(q->stmt, column);
}

void store_next_uuid(struct store_query *q, char uuid[37])
{
	const char *text = store_next_text(q);

	snprintf(uuid, 37, "%s", text ? text : "");
}

bool store_finish(struct store_query *q, const char *doing, struct err *err)
{
	bool ok = q->rc == SQLITE_OK || q->rc == SQLITE_ROW ||
		  q->rc == SQLITE_DONE;

	if (!ok)
		store_error(q->store, q->rc, doing, err);
	if (q->kept) {
		sqlite3_reset(q->stmt);
		sqlite3_clear_bindings(q->stmt);
	} else {
		sqlite3_finalize(q->stmt);
	}
	q->stmt = NULL;
	return ok;
}

bool store_run(struct store_query *q, const char *doing, struct err *err)
{
	store_step(q);
	return store_finish(q, doing, err);
}

bool store_one(struct store_query *q, int64_t *value, bool *found,
	       const char *doing, struct err *err)
{
	bool got = store_step(q) == SQLITE_ROW;
	int64_t first = got ? sqlite3_column_int64(q->stmt, 0) : 0;

	if (!store_finish(q, doing, err))
		return false;
	*found = got;
	if (got)
		*value = first;
	return true;
}
