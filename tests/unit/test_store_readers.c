/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/store_fixture.h"

static void a_reader_changes_nothing_and_leaves_nothing(void **state)
{
	struct fixture *f = *state;
	char before[2048], after[2048];
	struct record_host host = { .os = "x" };
	int64_t id;

	fixture_make(f);
	fixture_snapshot(f->folder, before, sizeof(before));
	fixture_open(f, STORE_READ);
	fixture_samples(f, 2);
	fixture_uuid(host.uuid, 1, 9);
	assert_false(store_add_host(f->store, &host, &id, &f->err));
	store_close(f->store);
	f->store = NULL;
	fixture_snapshot(f->folder, after, sizeof(after));
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

	fixture_make(f);
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

	fixture_make(f);
	assert_int_equal(chmod(f->path, 0444), 0);
	assert_int_equal(chmod(f->folder, 0555), 0);
	fixture_snapshot(f->folder, before, sizeof(before));
	fixture_apart(f, read_as_nobody, &report, sizeof(report));
	assert_string_equal(report.err.text, "");
	assert_true(report.able);
	assert_int_equal(report.samples, 2);
	fixture_apart(f, write_as_nobody, &report, sizeof(report));
	assert_false(report.opened);
	assert_string_equal(report.err.text, "the database cannot be written: "
					     "Permission denied");
	assert_int_equal(report.err.code, ERR_FAILED);
	fixture_snapshot(f->folder, after, sizeof(after));
	assert_string_equal(after, before);
	assert_int_equal(chmod(f->folder, 0755), 0);
}

static void a_log_that_cannot_be_used_is_not_passed_over(void **state)
{
	struct fixture *f = *state;
	struct report report;
	char log[128];

	fixture_make(f);
	snprintf(log, sizeof(log), "%s-wal", f->path);
	fixture_put(log, "as a crash would leave it", 25);
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
	fixture_make(f);
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
	fixture_samples(f, 2);
	assert_string_equal(fixture_sql(f, "SELECT sum(cached) FROM phase"),
			    "0");
}

/* A file that one may write to is not enough: SQLite needs files beside it. */
static void a_folder_one_may_not_write_to_can_be_read_from(void **state)
{
	struct fixture *f = *state;
	struct report report;

	fixture_make(f);
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

	fixture_first_version(f);
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

static void a_lock_that_is_not_given_up_is_busy(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db;

	fixture_make(f);
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

	fixture_make(f);
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
