/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tests/unit/store_fixture.h"

static int setup(void **state)
{
	int rc = fixture_setup(state);

	if (rc == 0)
		fixture_open(*state, STORE_WRITE);
	return rc;
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void a_point_is_the_mean_of_the_samples_that_are_ok(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 100, 1000));
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 200, 0));
	assert_ok(f, fixture_sample(f, cell, 3, RECORD_OK, 400, 2000));
	assert_ok(f, fixture_sample(f, cell, 4, RECORD_FAILED, 9000, 0));
	assert_string_equal(fixture_sql(f, "SELECT group_concat(op || n) FROM "
					   "(SELECT * FROM history "
					   "ORDER BY op)"),
			    "R2,W3");
	assert_near(fixture_number(f, "SELECT kb_per_s FROM history "
				      "WHERE op = 'W'"),
		    200);
	assert_near(fixture_number(f, "SELECT min_kb_per_s FROM history "
				      "WHERE op = 'W'"),
		    100);
	assert_near(fixture_number(f, "SELECT max_kb_per_s FROM history "
				      "WHERE op = 'R'"),
		    2000);
	/* The sample standard deviation of ln 1, ln 2, ln 4. */
	assert_near(fixture_number(f, "SELECT spread_pct FROM history "
				      "WHERE op = 'W'"),
		    100 * log(2));
}

static void equal_rates_have_no_spread_and_their_own_mean(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	for (int round = 1; round <= 7; round++)
		assert_ok(f, fixture_sample(f, cell, round, RECORD_OK, 3697.1,
					    0.1));
	assert_string_equal(fixture_sql(f, "SELECT group_concat(op || ' ' || "
					   "kb_per_s || ' ' || spread_pct) "
					   "FROM (SELECT * FROM history "
					   "ORDER BY op)"),
			    "R 0.1 0.0,W 3697.1 0.0");
}

static void reads_that_compare_stamps_have_a_trend_of_their_own(void **state)
{
	struct fixture *f = *state;
	struct workload w = { .block_bytes = 4096, .depth = 1, .streams = 1 };
	const struct record_cell cell = { .volume = "v", .settings = &w };
	int64_t id = 0;

	for (int i = 0; i < 4; i++) {
		fixture_run(f, i + 1, "run");
		w.verify =
			i % 2 ? WORKLOAD_VERIFY_STAMPS : WORKLOAD_VERIFY_BYTES;
		assert_ok(f, store_add_cell(f->store, f->run, &cell, &id,
					    &f->err));
		assert_ok(f, fixture_sample(f, id, 1, RECORD_OK, 100, 100));
	}
	assert_string_equal(fixture_sql(f, "SELECT group_concat(verify || ' ' "
					   "|| (SELECT count(*) FROM cell "
					   "WHERE cell.trend = kept.id)) FROM "
					   "(SELECT * FROM trend ORDER BY "
					   "verify) AS kept"),
			    "bytes 2,stamps 2");
}

static void runs_of_one_machine_share_a_trend_whatever_their_os(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	assert_ok(f, fixture_sample(f, fixture_cell(f, "FAT", -1), 1, RECORD_OK,
				    100, 100));
	fixture_sql(f, "UPDATE run SET started_at = '2026-01-01T00:00:00Z'");
	fixture_sql(f, "UPDATE point SET started_at = '2026-01-01T00:00:00Z'");
	fixture_sql(f, "UPDATE host SET os = 'Linux 5', "
		       "uuid = '00000009-0000-4000-8000-000000000009'");
	fixture_run(f, 2, "run");
	assert_ok(f, fixture_sample(f, fixture_cell(f, "FAT", -1), 1, RECORD_OK,
				    150, 100));
	assert_ok(f, fixture_sample(f, fixture_cell(f, "NTFS", 0), 1, RECORD_OK,
				    1, 1));
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM host"), "2");
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM trend"), "2");
	assert_string_equal(fixture_sql(f, "SELECT group_concat(ifnull("
					   "change_pct, 'first')) FROM "
					   "(SELECT * FROM history WHERE "
					   "filesystem = 'FAT' AND op = 'W' "
					   "ORDER BY started_at)"),
			    "first,50.0");
}

static void an_ignored_run_is_not_in_the_history(void **state)
{
	struct fixture *f = *state;
	static const double rates[] = { 100, 10, 120 };

	for (int i = 0; i < 3; i++) {
		fixture_run(f, i + 1, "run");
		assert_ok(f, fixture_sample(f, fixture_cell(f, "FAT", -1), 1,
					    RECORD_OK, rates[i], 0));
	}
	fixture_sql(f, "UPDATE run SET ignored = 1 WHERE id = 2");
	assert_string_equal(fixture_sql(f, "SELECT group_concat(run || ' ' || "
					   "ifnull(change_pct, '')) FROM "
					   "history ORDER BY run"),
			    "1 ,3 20.0");
}

static void an_ignored_run_is_not_the_newest(void **state)
{
	struct fixture *f = *state;
	int64_t first = fixture_run(f, 1, "run"), run = 0;
	int64_t second = fixture_run(f, 2, "run");

	assert_ok(f, store_find_run(f->store, NULL, &run, &f->err));
	assert_int_equal(run, second);
	fixture_sql(f, "UPDATE run SET label = 'x'");
	fixture_sql(f, "UPDATE run SET ignored = 1 WHERE id = 2");
	assert_ok(f, store_find_run(f->store, "last", &run, &f->err));
	assert_int_equal(run, first);
	assert_ok(f, store_find_run(f->store, "x", &run, &f->err));
	assert_int_equal(run, first);
	assert_ok(f, store_find_run(f->store, "2", &run, &f->err));
	assert_int_equal(run, second);
	fixture_sql(f, "UPDATE run SET ignored = 1");
	assert_ok(f, store_find_run(f->store, "x", &run, &f->err));
	assert_int_equal(run, second);
	assert_false(store_find_run(f->store, NULL, &run, &f->err));
	assert_int_equal(f->err.code, ERR_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_point_is_the_mean_of_the_samples_that_are_ok, setup,
			fixture_teardown),
		cmocka_unit_test_setup_teardown(
			equal_rates_have_no_spread_and_their_own_mean, setup,
			fixture_teardown),
		cmocka_unit_test_setup_teardown(
			reads_that_compare_stamps_have_a_trend_of_their_own,
			setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			runs_of_one_machine_share_a_trend_whatever_their_os,
			setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			an_ignored_run_is_not_in_the_history, setup,
			fixture_teardown),
		cmocka_unit_test_setup_teardown(
			an_ignored_run_is_not_the_newest, setup,
			fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
