/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/store_fixture.h"

static void an_older_database_is_upgraded_and_keeps_what_it_has(void **state)
{
	struct fixture *f = *state;

	fixture_first_version(f);
	fixture_open(f, STORE_WRITE);
	fixture_samples(f, 1);
	assert_string_equal(fixture_sql(f, "SELECT kb_per_s FROM result"),
			    "4439.0");
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), VERSION);
}

static void a_reader_upgrades_too(void **state)
{
	struct fixture *f = *state;

	fixture_first_version(f);
	fixture_open(f, STORE_READ);
	fixture_samples(f, 1);
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), VERSION);
}

static void an_upgrade_that_fails_leaves_the_database_as_it_was(void **state)
{
	struct fixture *f = *state;

	fixture_first_version(f);
	fixture_sql(f, "CREATE TABLE comparison (mine)");
	fixture_refused(f, ERR_FAILED,
			"002_views.sql: table comparison already exists");
	assert_string_equal(fixture_sql(f, "PRAGMA user_version"), "1");
}

static void an_upgrade_finds_references_to_nothing(void **state)
{
	struct fixture *f = *state;

	fixture_first_version(f);
	fixture_sql(f, "DELETE FROM host");
	fixture_refused(f, ERR_INPUT,
			"the database is damaged: 1 rows refer to what is not "
			"there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
		TEST(an_older_database_is_upgraded_and_keeps_what_it_has),
		TEST(a_reader_upgrades_too),
		TEST(an_upgrade_that_fails_leaves_the_database_as_it_was),
		TEST(an_upgrade_finds_references_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
