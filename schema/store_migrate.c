/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "schema/store_private.h"

int64_t store_newest_version(void)
{
	int64_t version = 0;

	while (store_migrations[version].name)
		version++;
	return version;
}

static int read_int(sqlite3 *db, const char *sql, int64_t *value)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

	if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
		*value = sqlite3_column_int64(stmt, 0);
	return rc == SQLITE_OK ? sqlite3_finalize(stmt) : rc;
}

static int read_identity(sqlite3 *db, struct store_identity *identity)
{
	int rc = read_int(db, "PRAGMA application_id",
			  &identity->application_id);

	if (rc == SQLITE_OK)
		rc = read_int(db, "PRAGMA user_version",
			      &identity->user_version);
	return rc;
}

static int count_tables(sqlite3 *db, struct store_identity *identity)
{
	return read_int(db, "SELECT count(*) FROM sqlite_schema",
			&identity->tables);
}

/* In one transaction: another process may be making the database. */
static int identify(sqlite3 *db, struct store_identity *identity, bool quick)
{
	int rc;

	*identity = (struct store_identity){ 0 };
	rc = sqlite3_exec(db, "SAVEPOINT identify", NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		return rc;
	rc = read_identity(db, identity);
	if (rc == SQLITE_OK &&
	    !(quick && identity->application_id == STORE_APPLICATION_ID))
		rc = count_tables(db, identity);
	if (sqlite3_get_autocommit(db) == 0)
		sqlite3_exec(db, "RELEASE identify", NULL, NULL, NULL);
	return rc;
}

int store_identify(sqlite3 *db, struct store_identity *identity)
{
	return identify(db, identity, false);
}

int store_identify_quickly(sqlite3 *db, struct store_identity *identity)
{
	return identify(db, identity, true);
}

bool store_is_ours(const struct store *store,
		   const struct store_identity *identity, struct err *err)
{
	bool ours = identity->application_id == STORE_APPLICATION_ID;
	bool blank = identity->application_id == 0 &&
		     identity->user_version == 0 && identity->tables == 0;

	if (!ours && !blank)
		return store_refuse(store, ERR_INPUT, err,
				    "the database of another program");
	if (identity->user_version > store_newest_version())
		return store_refuse(
			store, ERR_INPUT, err,
			"made by a newer fsmatrix (schema %lld, this one "
			"knows %lld)",
			(long long)identity->user_version,
			(long long)store_newest_version());
	if (identity->user_version < 0)
		return store_refuse(store, ERR_INPUT, err,
				    "the database is damaged (schema %lld)",
				    (long long)identity->user_version);
	return true;
}

static bool apply(struct store *store, int64_t version, struct err *err)
{
	char sql[64];

	for (; store_migrations[version].name; version++) {
		const struct embed *file = &store_migrations[version];

		if (!store_exec(store, (const char *)file->data, file->name,
				err))
			return false;
	}
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d",
		 STORE_APPLICATION_ID);
	if (!store_exec(store, sql, "making the database", err))
		return false;
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %lld",
		 (long long)version);
	return store_exec(store, sql, "making the database", err);
}

/* What migrations must leave whole: the references between the tables. */
static bool check_references(struct store *store, struct err *err)
{
	int64_t broken = 0;
	int rc = read_int(store->db,
			  "SELECT count(*) FROM pragma_foreign_key_check",
			  &broken);

	if (rc != SQLITE_OK)
		return store_error(store, rc, "upgrading the database", err);
	if (broken > 0)
		return store_refuse(store, ERR_INPUT, err,
				    "the database is damaged: %lld rows refer "
				    "to what is not there",
				    (long long)broken);
	return true;
}

/* Under the lock: another process may have been quicker. */
static bool upgrade(struct store *store, struct err *err)
{
	struct store_identity identity;
	int rc;

	if (!store_exec(store, "BEGIN IMMEDIATE", "upgrading the database",
			err))
		return false;
	rc = store_identify(store->db, &identity);
	if (rc != SQLITE_OK) {
		store_error(store, rc, "upgrading the database", err);
	} else if (store_is_ours(store, &identity, err) &&
		   apply(store, identity.user_version, err) &&
		   check_references(store, err) && store_commit(store, err)) {
		return true;
	}
	store_rollback(store);
	return false;
}

bool store_migrate(struct store *store, enum store_mode mode, struct err *err)
{
	struct store_identity identity;
	int rc = store_identify(store->db, &identity);

	if (rc != SQLITE_OK)
		return store_error(store, rc, "opening the database", err);
	if (!store_is_ours(store, &identity, err))
		return false;
	if (identity.user_version == store_newest_version())
		return true;
	if (mode == STORE_READ && identity.user_version == 0)
		return store_refuse(store, ERR_INPUT, err,
				    "nothing is in it yet; run a matrix first");
	if (mode == STORE_READ && sqlite3_db_readonly(store->db, "main"))
		return store_refuse(store, ERR_FAILED, err,
				    "made by an older fsmatrix, and to be "
				    "upgraded it must be writable");
	return upgrade(store, err);
}
