/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema/store_private.h"

bool store_refuse(const struct store *store, enum err_code code,
		  struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(err, code, fmt, ap);
	va_end(ap);
	err_at(err, store->path, 0, 0);
	return false;
}

/* Of the file of one kind: the database's own, or its journal's. */
static int file_errno(sqlite3 *db, int pointer)
{
	sqlite3_file *file = NULL;
	int errnum = 0;

	if (sqlite3_file_control(db, NULL, pointer, &file) == SQLITE_OK &&
	    file && file->pMethods)
		file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO,
					     &errnum);
	return errnum;
}

/* Why a system call of SQLite's failed, if it was one. */
static const char *system_reason(sqlite3 *db)
{
	int errnum = sqlite3_system_errno(db);

	if (!errnum)
		errnum = file_errno(db, SQLITE_FCNTL_JOURNAL_POINTER);
	if (!errnum)
		errnum = file_errno(db, SQLITE_FCNTL_FILE_POINTER);
	return errnum ? strerror(errnum) : sqlite3_errmsg(db);
}

bool store_error(const struct store *store, int rc, const char *doing,
		 struct err *err)
{
	enum err_code code = ERR_FAILED;
	const char *why;

	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		code = ERR_BUSY;
		why = "another process has it locked";
		break;
	case SQLITE_NOTADB:
		code = ERR_INPUT;
		why = "not a database";
		break;
	case SQLITE_CORRUPT:
		code = ERR_INPUT;
		why = "the database is damaged";
		break;
	case SQLITE_CONSTRAINT:
		why = rc == SQLITE_CONSTRAINT_UNIQUE
			      ? "it is there already"
			      : sqlite3_errmsg(store->db);
		break;
	case SQLITE_NOMEM:
		why = "out of memory";
		break;
	case SQLITE_FULL:
		why = "no space left for it";
		break;
	case SQLITE_READONLY:
		why = "the file or its directory is read-only";
		break;
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		why = system_reason(store->db);
		break;
	default:
		why = sqlite3_errmsg(store->db);
	}
	return store_refuse(store, code, err, "%s: %s", doing, why);
}

bool store_exec(struct store *store, const char *sql, const char *doing,
		struct err *err)
{
	int rc = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK || store_error(store, rc, doing, err);
}

bool store_has_beside(const char *path, const char *suffix)
{
	char *name = sqlite3_mprintf("%s%s", path, suffix);
	struct stat st;
	bool has = name && stat(name, &st) == 0 && st.st_size > 0;

	sqlite3_free(name);
	return has;
}

static bool open_failed(const struct store *store, int errnum, struct err *err)
{
	err_sys(err, errnum, "opening the database");
	err_at(err, store->path, 0, 0);
	return false;
}

/*
 * An empty file for SQLite to find: of one that it could not make it only
 * says that there is none.
 */
static bool make_file(struct store *store, struct err *err)
{
	int fd = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0)
		return open_failed(store, errno, err);
	close(fd);
	return true;
}

/*
 * Whether the file may be opened at all; *exists is false for one that was
 * missing or is empty, which is a new database.
 */
static bool check_file(struct store *store, enum store_mode mode, bool *exists,
		       struct err *err)
{
	struct stat st;

	*exists = false;
	if (stat(store->path, &st) < 0) {
		if (errno == ENOENT && mode == STORE_READ)
			return err_set(err, ERR_INPUT,
				       "no database %s; run a matrix first or "
				       "say --db FILE",
				       store->path);
		if (errno == ENOENT)
			return make_file(store, err);
		return open_failed(store, errno, err);
	}
	if (!S_ISREG(st.st_mode))
		return store_refuse(store, ERR_INPUT, err, "%s",
				    S_ISDIR(st.st_mode)
					    ? "a directory, not a database"
					    : "not a regular file");
	*exists = st.st_size > 0;
	return true;
}

/*
 * The path as SQLite's URI, on sqlite3_malloc's heap: the only form in which
 * no name (":memory:", "file:x?mode=memory") means anything but a file.
 */
char *store_uri(const char *path, const char *query)
{
	sqlite3_str *uri = sqlite3_str_new(NULL);

	sqlite3_str_appendall(uri, path[0] == '/' ? "file://" : "file:./");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			sqlite3_str_appendf(uri, "%%%02x", *path);
		else
			sqlite3_str_appendchar(uri, 1, *path);
	}
	sqlite3_str_appendall(uri, query);
	return sqlite3_str_finish(uri);
}

/* SQLite asks: whether to try again, and how often it has for this lock. */
static int wait_for_lock(void *ctx, int times)
{
	enum { PAUSE_MS = 50 };
	struct store *store = ctx;

	if (times == 0)
		store->waited_ms = 0;
	if (store->wait ? !store->wait(store->wait_ctx, store->waited_ms)
			: store->waited_ms >= STORE_BUSY_MS)
		return 0;
	sqlite3_sleep(PAUSE_MS);
	store->waited_ms += PAUSE_MS;
	return 1;
}

void store_set_wait(struct store *store, store_wait_fn *fn, void *ctx)
{
	store->wait = fn;
	store->wait_ctx = ctx;
}

static bool open_uri(struct store *store, int flags, const char *query,
		     struct err *err)
{
	char *uri = store_uri(store->path, query);
	int rc;

	if (!uri)
		return err_nomem(err);
	rc = sqlite3_open_v2(uri, &store->db,
			     flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
				     SQLITE_OPEN_EXRESCODE,
			     NULL);
	sqlite3_free(uri);
	if (!store->db)
		return err_nomem(err);
	if (rc != SQLITE_OK)
		return store_error(store, rc, "opening the database", err);
	sqlite3_busy_handler(store->db, wait_for_lock, store);
	return true;
}

static void close_db(struct store *store)
{
	sqlite3_close(store->db);
	store->db = NULL;
}

/* Whether the code says that the file, as it is, is no database. */
static bool makes_no_sense(int rc)
{
	return (rc & 0xff) == SQLITE_NOTADB || (rc & 0xff) == SQLITE_CORRUPT;
}

/*
 * Look at the file before SQLite may write to it: opening one that was left
 * by a crash recovers it, and a foreign file is not ours to recover. Without
 * locks, so that one may look while another process writes, and looks again.
 */
static bool probe(struct store *store, struct err *err)
{
	enum { TIMES = 5, PAUSE_MS = 20 };
	struct store_identity identity;
	int rc = SQLITE_OK;
	bool ok;

	for (int i = 0; i < TIMES; i++) {
		if (!open_uri(store, SQLITE_OPEN_READONLY, "?immutable=1", err))
			return false;
		rc = store_identify_quickly(store->db, &identity);
		if (!makes_no_sense(rc))
			break;
		close_db(store);
		sqlite3_sleep(PAUSE_MS);
	}
	if (rc == SQLITE_OK)
		ok = store_is_ours(store, &identity, err);
	else if (makes_no_sense(rc) &&
		 (store_has_beside(store->path, "-wal") ||
		  store_has_beside(store->path, "-journal")))
		ok = true; /* to be judged when it is recovered */
	else
		ok = store_error(store, rc, "opening the database", err);
	close_db(store);
	return ok;
}

/*
 * A WAL database that nobody has open cannot be read in a directory that
 * nobody may write to, but then nobody changes it either.
 */
static bool reopen_immutable(struct store *store, struct err *err)
{
	static const char *const logs[] = { "-wal", "-journal" };

	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++)
		if (store_has_beside(store->path, logs[i]))
			return store_refuse(store, ERR_FAILED, err,
					    "what a crash left in %s%s must be "
					    "worked in, and nothing may be "
					    "written here; copy both elsewhere",
					    store->path, logs[i]);
	close_db(store);
	store->immutable = true;
	return open_uri(store, SQLITE_OPEN_READONLY, "?immutable=1", err);
}

static bool connect_read(struct store *store, struct err *err)
{
	struct store_identity identity;
	int rc;

	/* Read-write where it can be: only then is the WAL tidied up. */
	if (!open_uri(store, SQLITE_OPEN_READWRITE, "", err))
		return false;
	rc = store_identify(store->db, &identity);
	if ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY)
		return reopen_immutable(store, err);
	return rc == SQLITE_OK ||
	       store_error(store, rc, "opening the database", err);
}

static bool connect_write(struct store *store, struct err *err)
{
	if (!open_uri(store, SQLITE_OPEN_READWRITE, "", err))
		return false;
	if (sqlite3_db_readonly(store->db, "main") == 1)
		return store_refuse(store, ERR_FAILED, err,
				    "the database cannot be written: %s",
				    access(store->path, W_OK) < 0
					    ? strerror(errno)
					    : "read-only");
	return true;
}

/* A database may come from anyone: nothing in it gets to act. */
static void distrust(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
}

/*
 * Of several that do this at the same time SQLite tells all but one at once
 * that it is busy, whatever the timeout; a moment later it is done.
 */
static bool use_wal(struct store *store, struct err *err)
{
	enum { PAUSE_MS = 50 };
	int rc;

	for (int ms = 0; ms < STORE_BUSY_MS; ms += PAUSE_MS) {
		rc = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL,
				  NULL, NULL);
		if ((rc & 0xff) != SQLITE_BUSY)
			break;
		sqlite3_sleep(PAUSE_MS);
	}
	/* Stays as it is where the filesystem has no shared memory. */
	return rc == SQLITE_OK ||
	       store_error(store, rc, "opening the database", err);
}

static bool configure(struct store *store, enum store_mode mode,
		      struct err *err)
{
	const char *doing = "opening the database";

	if (mode == STORE_READ)
		return store_exec(store, "PRAGMA query_only = ON", doing, err);
	return use_wal(store, err) &&
	       store_exec(store, "PRAGMA foreign_keys = ON", doing, err);
}

static bool connect(struct store *store, enum store_mode mode, struct err *err)
{
	bool exists;

	if (!check_file(store, mode, &exists, err) ||
	    (exists && !probe(store, err)))
		return false;
	if (mode == STORE_READ ? !connect_read(store, err)
			       : !connect_write(store, err))
		return false;
	distrust(store->db);
	return true;
}

static struct store *new_store(const char *path, struct err *err)
{
	struct store *store = calloc(1, sizeof(*store));

	/*
	 * Statistics of memory have a lock that every thread with a connection
	 * waits for. Once SQLite is at work it refuses, and has it already.
	 */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (store) {
		store->claim = -1;
		store->path = strdup(path);
	}
	if (store && store->path)
		return store;
	free(store);
	err_nomem(err);
	return NULL;
}

struct store *store_connect(const char *path, struct err *err)
{
	struct store *store = new_store(path, err);

	if (store && connect(store, STORE_READ, err))
		return store;
	store_close(store);
	return NULL;
}

struct store *store_temporary(const char *name, struct err *err)
{
	struct store *store = new_store(name, err);
	int rc;

	if (!store)
		return NULL;
	/* No name: a file that is gone as soon as it is there. */
	rc = sqlite3_open_v2("", &store->db,
			     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				     SQLITE_OPEN_NOMUTEX |
				     SQLITE_OPEN_EXRESCODE,
			     NULL);
	if (rc == SQLITE_OK) {
		distrust(store->db);
		return store;
	}
	store_error(store, rc, "making a temporary database", err);
	store_close(store);
	return NULL;
}

static bool open_file(struct store *store, enum store_mode mode,
		      struct err *err)
{
	return connect(store, mode, err) &&
	       store_exec(store, "PRAGMA synchronous = FULL",
			  "opening the database", err) &&
	       store_migrate(store, mode, err) && configure(store, mode, err);
}

struct store *store_open(const char *path, enum store_mode mode,
			 struct err *err)
{
	struct store *store = new_store(path, err);

	if (store && open_file(store, mode, err))
		return store;
	store_close(store);
	return NULL;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < STORE_KEPT_MAX; i++)
		sqlite3_finalize(store->kept[i].stmt);
	sqlite3_close(store->db);
	/* Not before: closing any fd of the file drops SQLite's locks. */
	if (store->claim >= 0)
		close(store->claim);
	free(store->path);
	free(store);
}

bool store_claim(struct store *store, struct err *err)
{
	if (store->claim < 0)
		store->claim = open(store->path, O_RDONLY | O_CLOEXEC);
	if (store->claim < 0)
		return open_failed(store, errno, err);
	while (flock(store->claim, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EWOULDBLOCK)
			return store_refuse(store, ERR_BUSY, err,
					    "another run uses this database");
		if (errno != EINTR) {
			err_sys(err, errno, "locking the database");
			err_at(err, store->path, 0, 0);
			return false;
		}
	}
	return true;
}

bool store_begin(struct store *store, struct err *err)
{
	return store_exec(store, "BEGIN IMMEDIATE", "beginning to write", err);
}

bool store_commit(struct store *store, struct err *err)
{
	return store_exec(store, "COMMIT", "committing", err);
}

void store_rollback(struct store *store)
{
	if (!sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}
