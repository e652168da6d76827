/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/store_fixture.h"

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
	fixture_refused(f, ERR_INPUT, "a directory, not a database");
}

static void a_pipe_is_no_database_and_nobody_waits_for_it(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkfifo(f->path, 0600), 0);
	fixture_refused(f, ERR_INPUT, "not a regular file");
}

static void a_text_file_is_no_database(void **state)
{
	struct fixture *f = *state;

	fixture_put(f->path, "os,volume\n", 10);
	fixture_refused(f, ERR_INPUT, "opening the database: not a database");
}

static void a_long_file_of_noise_is_no_database(void **state)
{
	struct fixture *f = *state;
	char noise[8192];

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (char)(i * i >> 3);
	fixture_put(f->path, noise, sizeof(noise));
	fixture_refused(f, ERR_INPUT, "opening the database: not a database");
}

static void another_programs_database_is_refused(void **state)
{
	struct fixture *f = *state;

	fixture_sql(f, "CREATE TABLE bookmarks (url)");
	fixture_refused(f, ERR_INPUT, "the database of another program");
	fixture_sql(f, "PRAGMA application_id = 252006674");
	fixture_refused(f, ERR_INPUT, "the database of another program");
}

/* It says that it is someone's, though there is no table in it yet. */
static void another_programs_empty_database_is_refused(void **state)
{
	struct fixture *f = *state;

	fixture_sql(f, "PRAGMA application_id = 252006674");
	fixture_refused(f, ERR_INPUT, "the database of another program");
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
	fixture_refused(f, ERR_INPUT, "the database of another program");
}

static void a_newer_database_is_refused(void **state)
{
	struct fixture *f = *state;

	fixture_make(f);
	fixture_sql(f, "PRAGMA user_version = 1007");
	fixture_refused(
		f, ERR_INPUT,
		"made by a newer fsmatrix (schema 1007, this one knows " VERSION
		")");
}

static void a_newer_version_that_is_only_in_the_log_is_refused(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db;
	struct err err = { 0 };

	fixture_make(f);
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	sqlite3_exec(db, "PRAGMA user_version = 1008", NULL, NULL, NULL);
	assert_null(store_open(f->path, STORE_WRITE, &err));
	assert_string_equal(
		err.text,
		"made by a newer fsmatrix (schema 1008, this one knows " VERSION
		")");
	sqlite3_close(db);
}

static void a_database_that_was_cut_off_is_damaged(void **state)
{
	struct fixture *f = *state;

	fixture_make(f);
	assert_int_equal(truncate(f->path, 12288), 0);
	fixture_refused(f, ERR_INPUT,
			"opening the database: the database is damaged");
}

static void a_database_with_a_broken_schema_is_damaged(void **state)
{
	struct fixture *f = *state;
	FILE *file;

	fixture_make(f);
	file = fopen(f->path, "r+b");
	assert_non_null(file);
	fseek(file, 100, SEEK_SET);
	for (int i = 0; i < 2000; i++)
		putc(0xa5, file);
	fclose(file);
	fixture_refused(f, ERR_INPUT,
			"opening the database: the database is damaged");
}

static void damage_further_in_is_said_when_it_is_met(void **state)
{
	struct fixture *f = *state;
	struct stat st;
	int64_t run = 0;
	FILE *file;

	fixture_make(f);
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

static void an_empty_file_is_a_new_database(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	fixture_put(f->path, "", 0);
	assert_null(store_open(f->path, STORE_READ, &err));
	assert_string_equal(err.text,
			    "nothing is in it yet; run a matrix first");
	fixture_make(f);
	fixture_open(f, STORE_READ);
	fixture_samples(f, 2);
}

static void a_database_without_tables_is_a_new_database(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	fixture_sql(f, "VACUUM");
	assert_null(store_open(f->path, STORE_READ, &err));
	assert_int_equal(err.code, ERR_INPUT);
	fixture_make(f);
}

static void a_new_database_says_whose_it_is_and_how_it_is_kept(void **state)
{
	struct fixture *f = *state;

	fixture_make(f);
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

	fixture_make(f);
	snprintf(link, sizeof(link), "%s/link.db", f->folder);
	assert_int_equal(symlink("fsmatrix.db", link), 0);
	snprintf(f->path, sizeof(f->path), "%s", link);
	fixture_open(f, STORE_WRITE);
	fixture_samples(f, 2);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
