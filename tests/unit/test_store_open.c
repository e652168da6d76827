/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "schema/store_private.h"
#include "tests/unit/store_fixture.h"

#define VERSION "2" /* of the newest migration */

/* --- what a folder holds, byte for byte --------------------------------- */

static uint64_t hash_file(const char *path)
{
	uint64_t hash = 14695981039346656037u;
	FILE *in = fopen(path, "rb");
	int c;

	assert_non_null(in);
	while ((c = getc(in)) != EOF)
		hash = (hash ^ (uint64_t)c) * 1099511628211u;
	fclose(in);
	return hash;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void take_snapshot(const char *folder, char *out, size_t size)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, by_name);
	size_t used = 0;

	assert_true(count >= 0);
	for (int i = 0; i < count; i++) {
		char path[512];
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		assert_int_equal(stat(path, &st), 0);
		used += (size_t)snprintf(
			out + used, size - used, "%s %lx\n", entries[i]->d_name,
			S_ISREG(st.st_mode) ? hash_file(path) : 0);
		assert_true(used < size);
		free(entries[i]);
	}
	free(entries);
}

/* Opening fails so, in both modes, and touches nothing in the folder. */
static void assert_refused(struct fixture *f, enum err_code code,
			   const char *text)
{
	char before[2048], after[2048];

	for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
		struct err err = { 0 };

		take_snapshot(f->folder, before, sizeof(before));
		assert_null(store_open(f->path, (enum store_mode)mode, &err));
		assert_string_equal(err.text, text);
		assert_int_equal(err.code, code);
		assert_string_equal(err.source, f->path);
		take_snapshot(f->folder, after, sizeof(after));
		assert_string_equal(after, before);
	}
}

static void put(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

/* A store with one run of two samples, closed. */
static void make_store(struct fixture *f)
{
	int64_t cell;

	fixture_open(f, STORE_WRITE);
	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 100, 200));
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 110, 210));
	store_close(f->store);
	f->store = NULL;
}

static void assert_samples(struct fixture *f, int64_t expected)
{
	int64_t run = 0, count = 0;

	assert_ok(f, store_find_run(f->store, NULL, &run, &f->err));
	assert_ok(f, store_count_samples(f->store, run, &count, &f->err));
	assert_int_equal(count, expected);
}

/* --- files that are not a store ------------------------------------------ */

static void a_missing_database_is_named_and_not_made_by_a_reader(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };
	char expected[256];

	snprintf(expected, sizeof(expected),
		 "no database %s; run a matrix first or say --db FILE",
		 f->path);
	assert_null(store_open(f->path, STORE_READ, &err));
	assert_string_equal(err.text, expected);
	assert_int_equal(err.code, ERR_INPUT);
	assert_int_equal(access(f->path, F_OK), -1);
}

static void a_missing_folder_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	snprintf(f->path, sizeof(f->path), "%s/none/x.db", f->folder);
	assert_null(store_open(f->path, STORE_WRITE, &err));
	assert_string_equal(err.text, "opening the database: "
				      "No such file or directory");
	assert_int_equal(err.code, ERR_FAILED);
	assert_string_equal(err.source, f->path);
}

static void no_name_at_all_is_an_error(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(store_open("", STORE_WRITE, &err));
	assert_int_equal(err.code, ERR_FAILED);
}

static void a_directory_is_no_database(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkdir(f->path, 0755), 0);
	assert_refused(f, ERR_INPUT, "a directory, not a database");
}

static void a_pipe_is_no_database_and_nobody_waits_for_it(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkfifo(f->path, 0600), 0);
	assert_refused(f, ERR_INPUT, "not a regular file");
}

static void a_text_file_is_no_database(void **state)
{
	struct fixture *f = *state;

	put(f->path, "os,volume\n", 10);
	assert_refused(f, ERR_INPUT, "opening the database: not a database");
}

static void a_long_file_of_noise_is_no_database(void **state)
{
	struct fixture *f = *state;
	char noise[8192];

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)(i * i >> 3);
	put(f->path, noise, sizeof(noise));
	assert_refused(f, ERR_INPUT, "opening the database: not a database");
}

static void another_programs_database_is_refused(void **state)
{
	struct fixture *f = *state;

	fixture_sql(f, "CREATE TABLE bookmarks (url)");
	assert_refused(f, ERR_INPUT, "the database of another program");
	fixture_sql(f, "PRAGMA application_id = 252006674");
	assert_refused(f, ERR_INPUT, "the database of another program");
}

/* It says that it is someone's, though there is no table in it yet. */
static void another_programs_empty_database_is_refused(void **state)
{
	struct fixture *f = *state;

	fixture_sql(f, "PRAGMA application_id = 252006674");
	assert_refused(f, ERR_INPUT, "the database of another program");
}

static void another_programs_database_is_not_even_recovered(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db;
	char copy[80], command[512];

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			     "PRAGMA journal_mode = WAL; CREATE TABLE b (url);"
			     "PRAGMA wal_checkpoint; INSERT INTO b VALUES (1)",
			     NULL, NULL, NULL),
		SQLITE_OK);
	/* As a crash leaves it: with a log that was not written back. */
	snprintf(copy, sizeof(copy), "%s/copy.db", f->folder);
	snprintf(command, sizeof(command), "cp %s %s && cp %s-wal %s-wal",
		 f->path, copy, f->path, copy);
	assert_int_equal(system(command), 0);
	sqlite3_close(db);
	snprintf(f->path, sizeof(f->path), "%s", copy);
	assert_refused(f, ERR_INPUT, "the database of another program");
}

static void a_newer_database_is_refused(void **state)
{
	struct fixture *f = *state;

	make_store(f);
	fixture_sql(f, "PRAGMA user_version = 7");
	assert_refused(
		f, ERR_INPUT,
		"made by a newer fsmatrix (schema 7, this one knows " VERSION
		")");
}

static void a_newer_version_that_is_only_in_the_log_is_refused(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db;
	struct err err = { 0 };

	make_store(f);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	sqlite3_exec(db, "PRAGMA user_version = 8", NULL, NULL, NULL);
	assert_null(store_open(f->path, STORE_WRITE, &err));
	assert_string_equal(
		err.text,
		"made by a newer fsmatrix (schema 8, this one knows " VERSION
		")");
	sqlite3_close(db);
}

static void a_database_that_was_cut_off_is_damaged(void **state)
{
	struct fixture *f = *state;

	make_store(f);
	assert_int_equal(truncate(f->path, 12288), 0);
	assert_refused(f, ERR_INPUT,
		       "opening the database: the database is damaged");
}

static void a_database_with_a_broken_schema_is_damaged(void **state)
{
	struct fixture *f = *state;
	FILE *file;

	make_store(f);
	file = fopen(f->path, "r+b");
	assert_non_null(file);
	fseek(file, 100, SEEK_SET);
	for (int i = 0; i < 2000; i++)
		putc(0xa5, file);
	fclose(file);
	assert_refused(f, ERR_INPUT,
		       "opening the database: the database is damaged");
}

static void damage_further_in_is_said_when_it_is_met(void **state)
{
	struct fixture *f = *state;
	struct stat st;
	int64_t run = 0;
	FILE *file;

	make_store(f);
	assert_int_equal(stat(f->path, &st), 0);
	file = fopen(f->path, "r+b");
	assert_non_null(file);
	fseek(file, 4096, SEEK_SET);
	for (int64_t i = 4096; i < st.st_size; i++)
		putc(i % 4096 < 1000 ? 0xa5 : 0x5a, file);
	fclose(file);
	f->err = (struct err){ 0 };
	f->store = store_open(f->path, STORE_READ, &f->err);
	if (f->store)
		assert_false(store_find_run(f->store, "x", &run, &f->err));
	assert_int_equal(f->err.code, ERR_INPUT);
	assert_non_null(strstr(f->err.text, "the database is damaged"));
	assert_string_equal(f->err.source, f->path);
}

/* --- files that become a store -------------------------------------------- */

static void an_empty_file_is_a_new_database(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	put(f->path, "", 0);
	assert_null(store_open(f->path, STORE_READ, &err));
	assert_string_equal(err.text,
			    "nothing is in it yet; run a matrix first");
	make_store(f);
	fixture_open(f, STORE_READ);
	assert_samples(f, 2);
}

static void a_database_without_tables_is_a_new_database(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	fixture_sql(f, "VACUUM");
	assert_null(store_open(f->path, STORE_READ, &err));
	assert_int_equal(err.code, ERR_INPUT);
	make_store(f);
}

static void a_new_database_says_whose_it_is_and_how_it_is_kept(void **state)
{
	struct fixture *f = *state;

	make_store(f);
	assert_string_equal(fixture_sql(f, "PRAGMA application_id"),
			    "1179864408");
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), VERSION);
	assert_string_equal(fixture_sql(f, "PRAGMA journal_mode"), "wal");
	assert_string_equal(fixture_sql(f, "PRAGMA integrity_check"), "ok");
	assert_string_equal(
		fixture_sql(f, "SELECT group_concat(name) FROM "
			       "pragma_table_list WHERE schema = 'main' AND "
			       "type = 'table' AND NOT strict AND name NOT "
			       "LIKE 'sqlite%'"),
		"NULL");
}

static void each_commit_is_synced_and_references_are_kept(void **state)
{
	struct fixture *f = *state;
	struct record_sample orphan = { .cell = 999, .position = 1 };

	fixture_open(f, STORE_WRITE);
	assert_int_equal(sqlite3_exec(f->store->db,
				      "CREATE TEMP TABLE t AS SELECT * FROM "
				      "pragma_synchronous",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_exec(f->store->db,
				      "INSERT INTO t SELECT 'x' FROM t "
				      "WHERE synchronous <> 2",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_changes(f->store->db), 0);
	fixture_uuid(orphan.uuid, 3, 1);
	assert_false(store_add_sample(f->store, &orphan, &f->err));
	assert_non_null(strstr(f->err.text, "FOREIGN KEY"));
}

static void odd_names_are_names_of_files(void **state)
{
	static const char *const names[] = {
		":memory:", "file:x.db?mode=memory",
		"100%.db",  "a%20b.db",
		"what?.db", "#1.db",
		"a b&c.db", "'q'.db",
	};
	struct fixture *f = *state;
	char before[512];

	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(f->folder), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(f->path, sizeof(f->path), "%s", names[i]);
		fixture_open(f, STORE_WRITE);
		assert_int_equal(access(names[i], F_OK), 0);
		store_close(f->store);
		fixture_open(f, STORE_READ);
		store_close(f->store);
		snprintf(f->path, sizeof(f->path), "/%s/%s", f->folder,
			 names[i]);
		fixture_open(f, STORE_READ);
		store_close(f->store);
		f->store = NULL;
	}
	assert_int_equal(chdir(before), 0);
}

static void a_symbolic_link_is_followed(void **state)
{
	struct fixture *f = *state;
	char link[80];

	make_store(f);
	snprintf(link, sizeof(link), "%s/link.db", f->folder);
	assert_int_equal(symlink("fsmatrix.db", link), 0);
	snprintf(f->path, sizeof(f->path), "%s", link);
	fixture_open(f, STORE_WRITE);
	assert_samples(f, 2);
}

/* --- older files -----------------------------------------------------------
 */

/* A database as the first migration alone made it, with one sample. */
static void make_first_version(struct fixture *f)
{
	static const char rows[] =
		"INSERT INTO host (id, uuid, os) VALUES "
		"(1, printf('%036d', 1), 'NT');"
		"INSERT INTO run (id, uuid, host, source, started_at) VALUES "
		"(1, printf('%036d', 1), 1, 'import', '1997-01-01T00:00:00Z');"
		"INSERT INTO cell (id, run, volume) VALUES (1, 1, 'ATA');"
		"INSERT INTO sample (id, uuid, cell, ops, status) VALUES "
		"(1, printf('%036d', 1), 1, 'W', 'ok');"
		"INSERT INTO phase (sample, op, stated_kb_per_s) VALUES "
		"(1, 'W', 4439.0);"
		"PRAGMA application_id = 1179864408; PRAGMA user_version = 1";
	sqlite3 *db;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      (const char *)store_migrations[0].data,
				      NULL, NULL, NULL),
			 SQLITE_OK);
	if (sqlite3_exec(db, rows, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void an_older_database_is_upgraded_and_keeps_what_it_has(void **state)
{
	struct fixture *f = *state;

	make_first_version(f);
	fixture_open(f, STORE_WRITE);
	assert_samples(f, 1);
	assert_string_equal(fixture_sql(f, "SELECT kb_per_s FROM result"),
			    "4439.0");
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), VERSION);
}

static void a_reader_upgrades_too(void **state)
{
	struct fixture *f = *state;

	make_first_version(f);
	fixture_open(f, STORE_READ);
	assert_samples(f, 1);
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), VERSION);
}

static void an_upgrade_that_fails_leaves_the_database_as_it_was(void **state)
{
	struct fixture *f = *state;

	make_first_version(f);
	fixture_sql(f, "CREATE TABLE comparison (mine)");
	assert_refused(f, ERR_FAILED,
		       "002_views.sql: table comparison already exists");
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), "1");
}

static void an_upgrade_finds_references_to_nothing(void **state)
{
	struct fixture *f = *state;

	make_first_version(f);
	fixture_sql(f, "DELETE FROM host");
	assert_refused(f, ERR_INPUT,
		       "the database is damaged: 1 rows refer to what is not "
		       "there");
}

/* --- readers -----------------------------------------------------------------
 */

static void a_reader_changes_nothing_and_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	char before[2048], after[2048];
	struct record_host host = { .os = "x" };
	int64_t id;

	make_store(f);
	take_snapshot(f->folder, before, sizeof(before));
	fixture_open(f, STORE_READ);
	assert_samples(f, 2);
	fixture_uuid(host.uuid, 1, 9);
	assert_false(store_add_host(f->store, &host, &id, &f->err));
	store_close(f->store);
	f->store = NULL;
	take_snapshot(f->folder, after, sizeof(after));
	assert_string_equal(after, before);
}

/* What a child found out. */
struct report {
	struct err err;
	bool opened, able;
	int64_t samples, run;
};

static void look(struct fixture *f, struct report *report, enum store_mode mode)
{
	struct store *store = store_open(f->path, mode, &report->err);

	report->opened = store != NULL;
	if (store && store_find_run(store, NULL, &report->run, &report->err))
		report->able = store_count_samples(
			store, report->run, &report->samples, &report->err);
	store_close(store);
}

static void become_nobody(void)
{
	if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
		_exit(1);
}

static void read_as_nobody(struct fixture *f, void *report)
{
	become_nobody();
	look(f, report, STORE_READ);
}

static void write_as_nobody(struct fixture *f, void *report)
{
	become_nobody();
	look(f, report, STORE_WRITE);
}

static void a_file_one_may_not_read_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct report report;

	make_store(f);
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_int_equal(chmod(f->path, 0), 0);
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_false(report.opened);
	assert_string_equal(report.err.text,
			    "opening the database: Permission denied");
	assert_int_equal(report.err.code, ERR_FAILED);
	assert_string_equal(report.err.source, f->path);
	fixture_apart(f, write_as_nobody, &report, sizeof(report));
	assert_false(report.opened);
	assert_string_equal(report.err.text,
			    "opening the database: Permission denied");
}

static void a_file_one_may_only_read_can_be_read(void **state)
{
	struct fixture *f = *state;
	struct report report;
	char before[2048], after[2048];

	make_store(f);
	assert_int_equal(chmod(f->path, 0444), 0);
	assert_int_equal(chmod(f->folder, 0555), 0);
	take_snapshot(f->folder, before, sizeof(before));
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_string_equal(report.err.text, "");
	assert_true(report.able);
	assert_int_equal(report.samples, 2);
	fixture_apart(f, write_as_nobody, &report, sizeof(report));
	assert_false(report.opened);
	assert_string_equal(report.err.text, "the database cannot be written: "
					     "Permission denied");
	assert_int_equal(report.err.code, ERR_FAILED);
	take_snapshot(f->folder, after, sizeof(after));
	assert_string_equal(after, before);
	assert_int_equal(chmod(f->folder, 0755), 0);
}

static void a_log_that_cannot_be_used_is_not_passed_over(void **state)
{
	struct fixture *f = *state;
	struct report report;
	char log[128];

	make_store(f);
	snprintf(log, sizeof(log), "%s-wal", f->path);
	put(log, "as a crash would leave it", 25);
	assert_int_equal(chmod(f->path, 0444), 0);
	assert_int_equal(chmod(log, 0444), 0);
	assert_int_equal(chmod(f->folder, 0555), 0);
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_false(report.opened);
	assert_int_equal(report.err.code, ERR_FAILED);
	assert_non_null(strstr(report.err.text, "copy both elsewhere"));
}

static void a_journal_that_cannot_be_used_is_not_passed_over(void **state)
{
	struct fixture *f = *state;
	struct report report;
	char command[512];
	sqlite3 *db;

	/* As a crash leaves it: within a transaction that grew large. */
	make_store(f);
	fixture_sql(f, "PRAGMA journal_mode = DELETE");
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			     "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; "
			     "BEGIN; UPDATE phase SET cached = 1; CREATE TABLE "
			     "t AS SELECT randomblob(100000) AS x",
			     NULL, NULL, NULL),
		SQLITE_OK);
	snprintf(command, sizeof(command),
		 "cd %s && cp fsmatrix.db x.db && "
		 "cp fsmatrix.db-journal x.db-journal && "
		 "test -s x.db-journal && chmod 444 x.db*",
		 f->folder);
	assert_int_equal(system(command), 0);
	sqlite3_close(db);
	snprintf(f->path, sizeof(f->path), "%s/x.db", f->folder);
	assert_int_equal(chmod(f->folder, 0555), 0);
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_false(report.opened);
	assert_int_equal(report.err.code, ERR_FAILED);
	assert_non_null(strstr(report.err.text, "-journal"));
	/* Where it can be used, it is. */
	fixture_open(f, STORE_READ);
	assert_samples(f, 2);
	assert_string_equal(fixture_sql(f, "SELECT sum(cached) FROM phase"),
			    "0");
}

/* A file that one may write to is not enough: SQLite needs files beside it. */
static void a_folder_one_may_not_write_to_can_be_read_from(void **state)
{
	struct fixture *f = *state;
	struct report report;

	make_store(f);
	assert_int_equal(chmod(f->path, 0666), 0);
	assert_int_equal(chmod(f->folder, 0555), 0);
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_string_equal(report.err.text, "");
	assert_int_equal(report.samples, 2);
	fixture_apart(f, write_as_nobody, &report, sizeof(report));
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_false(report.opened);
	assert_int_equal(report.err.code, ERR_FAILED);
	assert_string_equal(
		report.err.text,
		"opening the database: the file or its directory is read-only");
}

static void an_older_file_one_may_only_read_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct report report;

	make_first_version(f);
	assert_int_equal(chmod(f->path, 0444), 0);
	assert_int_equal(chmod(f->folder, 0555), 0);
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_false(report.opened);
	assert_string_equal(report.err.text,
			    "made by an older fsmatrix, and to be upgraded it "
			    "must be writable");
}

static void a_database_in_a_folder_one_may_not_write_to_is_not_made(
	void **state)
{
	struct fixture *f = *state;
	struct report report;

	assert_int_equal(chmod(f->folder, 0555), 0);
	fixture_apart(f, write_as_nobody, &report, sizeof(report));
	assert_int_equal(chmod(f->folder, 0755), 0);
	assert_false(report.opened);
	assert_string_equal(report.err.text,
			    "opening the database: Permission denied");
	assert_int_equal(report.err.code, ERR_FAILED);
}

/* --- others at the same time -------------------------------------------------
 */

static void a_lock_that_is_not_given_up_is_busy(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db;

	make_store(f);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL),
			 SQLITE_OK);
	fixture_open(f, STORE_WRITE);
	sqlite3_busy_timeout(f->store->db, 20);
	assert_false(store_begin(f->store, &f->err));
	assert_int_equal(f->err.code, ERR_BUSY);
	assert_string_equal(f->err.text, "beginning to write: another process "
					 "has it locked");
	sqlite3_close(db);
}

static void only_one_run_at_a_time_claims_a_database(void **state)
{
	struct fixture *f = *state;
	struct store *other;

	make_store(f);
	fixture_open(f, STORE_WRITE);
	other = store_open(f->path, STORE_WRITE, &f->err);
	assert_non_null(other);
	assert_ok(f, store_claim(f->store, &f->err));
	assert_ok(f, store_claim(f->store, &f->err));
	assert_false(store_claim(other, &f->err));
	assert_int_equal(f->err.code, ERR_BUSY);
	assert_string_equal(f->err.text, "another run uses this database");
	store_close(f->store);
	f->store = other;
	f->err = (struct err){ 0 };
	assert_ok(f, store_claim(f->store, &f->err));
}

static void make_it_at_once(struct fixture *f)
{
	enum { MANY = 8 };
	pid_t pids[MANY];

	for (int i = 0; i < MANY; i++) {
		pids[i] = fixture_fork(f);
		if (pids[i] == 0) {
			fixture_open(f, STORE_WRITE);
			store_close(f->store);
			_exit(0);
		}
	}
	for (int i = 0; i < MANY; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}

static void many_that_make_it_at_once_make_it_once(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 4; i++) {
		snprintf(f->path, sizeof(f->path), "%s/%d.db", f->folder, i);
		make_it_at_once(f);
		assert_string_equal(fixture_sql(f, "PRAGMA user_version"),
				    VERSION);
		assert_string_equal(fixture_sql(f, "PRAGMA integrity_check"),
				    "ok");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
		TEST(a_missing_database_is_named_and_not_made_by_a_reader),
		TEST(a_missing_folder_is_an_error),
		TEST(no_name_at_all_is_an_error),
		TEST(a_directory_is_no_database),
		TEST(a_pipe_is_no_database_and_nobody_waits_for_it),
		TEST(a_text_file_is_no_database),
		TEST(a_long_file_of_noise_is_no_database),
		TEST(another_programs_database_is_refused),
		TEST(another_programs_empty_database_is_refused),
		TEST(another_programs_database_is_not_even_recovered),
		TEST(a_newer_database_is_refused),
		TEST(a_newer_version_that_is_only_in_the_log_is_refused),
		TEST(a_database_that_was_cut_off_is_damaged),
		TEST(a_database_with_a_broken_schema_is_damaged),
		TEST(damage_further_in_is_said_when_it_is_met),
		TEST(an_empty_file_is_a_new_database),
		TEST(a_database_without_tables_is_a_new_database),
		TEST(a_new_database_says_whose_it_is_and_how_it_is_kept),
		TEST(each_commit_is_synced_and_references_are_kept),
		TEST(odd_names_are_names_of_files),
		TEST(a_symbolic_link_is_followed),
		TEST(an_older_database_is_upgraded_and_keeps_what_it_has),
		TEST(a_reader_upgrades_too),
		TEST(an_upgrade_that_fails_leaves_the_database_as_it_was),
		TEST(an_upgrade_finds_references_to_nothing),
		TEST(a_reader_changes_nothing_and_leaves_nothing),
		TEST(a_file_one_may_not_read_is_an_error),
		TEST(a_file_one_may_only_read_can_be_read),
		TEST(a_log_that_cannot_be_used_is_not_passed_over),
		TEST(a_journal_that_cannot_be_used_is_not_passed_over),
		TEST(a_folder_one_may_not_write_to_can_be_read_from),
		TEST(an_older_file_one_may_only_read_is_an_error),
		TEST(a_database_in_a_folder_one_may_not_write_to_is_not_made),
		TEST(a_lock_that_is_not_given_up_is_busy),
		TEST(only_one_run_at_a_time_claims_a_database),
		TEST(many_that_make_it_at_once_make_it_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
