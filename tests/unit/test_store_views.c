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

static void add(struct fixture *f, int64_t cell, int64_t round, double write,
		double read)
{
	assert_ok(f, fixture_sample(f, cell, round, RECORD_OK, write, read));
}

static void assert_number(struct fixture *f, const char *sql, double expected)
{
	double value = fixture_number(f, sql);

	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%s: %.17g is not %.17g", sql, value, expected);
}

static void assert_value(struct fixture *f, const char *sql,
			 const char *expected)
{
	assert_string_equal(fixture_sql(f, sql), expected);
}

static void a_skipped_sample_is_two_rows_without_figures(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	assert_ok(f, fixture_sample(f, fixture_cell(f, "NTFS", -1), 1,
				    RECORD_SKIPPED, 0, 0));
	assert_value(f,
		     "SELECT group_concat(op || status || "
		     "ifnull(kb_per_s, '-') || ifnull(bytes, '-') || "
		     "ifnull(cached, '-')) FROM (SELECT * FROM result "
		     "ORDER BY op DESC)",
		     "Wskipped---,Rskipped---");
}

static void a_sample_that_failed_in_its_write_has_a_row_for_its_read(
	void **state)
{
	struct fixture *f = *state;
	struct phase_result write = {
		.end = PHASE_END_ERROR,
		.bytes = 51200,
		.app_ns = 1000000000,
		.errnum = 5,
	};
	struct record_sample sample = {
		.round = 1,
		.status = RECORD_FAILED,
		.reason = "writing: Input/output error",
		.write = { .result = &write },
		.has_write = true,
	};

	fixture_run(f, 1, "run");
	sample.cell = fixture_cell(f, "NTFS", -1);
	fixture_uuid(sample.uuid, 3, 1);
	assert_ok(f, store_add_sample(f->store, &sample, &f->err));
	assert_value(f,
		     "SELECT group_concat(op || status || "
		     "ifnull(kb_per_s, '-') || ifnull(errnum, '-')) "
		     "FROM (SELECT * FROM result ORDER BY op DESC)",
		     "Wfailed50.05,Rfailed--");
}

static void an_import_has_only_the_rows_it_was_given(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "import");
	cell = fixture_cell(f, "FAT", -1);
	add(f, cell, 0, 5599, 0);
	assert_value(f, "SELECT group_concat(op) FROM result", "W");
	assert_value(f, "SELECT kb_per_s FROM result", "5599.0");
	assert_value(f, "SELECT count(app_kb_per_s) FROM result", "0");
	assert_value(f, "SELECT count(round) FROM result", "0");
	assert_ok(f, fixture_sample(f, cell, 0, RECORD_TIMEOUT, 0, 7));
	assert_value(f, "SELECT group_concat(op) FROM result", "W,R");
}

static void the_halves_of_an_imported_round_have_a_status_each(void **state)
{
	struct fixture *f = *state;
	int64_t base, cell;

	fixture_run(f, 1, "import");
	base = fixture_cell(f, "FAT", -1);
	cell = fixture_cell(f, "NTFS", base);
	add(f, base, 1, 100, 0);
	add(f, base, 1, 0, 200);
	assert_false(fixture_sample(f, base, 1, RECORD_OK, 7, 0));
	assert_false(fixture_sample(f, base, 1, RECORD_OK, 7, 7));
	add(f, base, 2, 100, 200);
	assert_false(fixture_sample(f, base, 2, RECORD_OK, 0, 7));
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_TIMEOUT, 0, 5));
	add(f, cell, 1, 150, 0);
	assert_value(f,
		     "SELECT group_concat(filesystem || op || n || failed || "
		     "ifnull(round(change_pct), '-'), ' ') FROM (SELECT * "
		     "FROM comparison ORDER BY cell, op DESC)",
		     "FATW20- FATR20- NTFSW1050.0 NTFSR01-");
}

static void a_rate_without_a_filesystem_name_is_under_its_type(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	add(f, fixture_cell(f, NULL, -1), 1, 100, 200);
	assert_value(f, "SELECT DISTINCT filesystem FROM result", "vfat");
	assert_value(f, "SELECT base_filesystem FROM comparison", "vfat");
}

static void the_centre_is_the_geometric_mean(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	add(f, cell, 1, 100, 7);
	add(f, cell, 2, 400, 7);
	add(f, cell, 3, 50, 7);
	assert_number(f, "SELECT kb_per_s FROM summary WHERE op = 'W'",
		      125.99210498948732); /* the cube root of 2000000 */
	assert_value(f,
		     "SELECT n || ' ' || min_kb_per_s || ' ' || max_kb_per_s"
		     " FROM summary WHERE op = 'W'",
		     "3 50.0 400.0");
}

static void equal_rates_have_that_rate_and_no_spread(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	for (int round = 1; round <= 5; round++)
		add(f, cell, round, 5599, 6567);
	assert_value(f,
		     "SELECT kb_per_s || ' ' || spread_pct FROM summary "
		     "WHERE op = 'W'",
		     "5599.0 0.0");
}

static void one_sample_has_no_spread_at_all(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	add(f, fixture_cell(f, "FAT", -1), 1, 5599, 6567);
	assert_value(f, "SELECT spread_pct FROM summary WHERE op = 'R'",
		     "NULL");
}

static void the_spread_is_the_deviation_of_the_logarithms(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	add(f, cell, 1, 100, 1000);
	add(f, cell, 2, 200, 1000.001);
	/* ln 2 / sqrt 2 */
	assert_number(f, "SELECT spread_pct FROM summary WHERE op = 'W'",
		      49.01290717342736);
	assert_true(fabs(fixture_number(f, "SELECT spread_pct FROM summary "
					   "WHERE op = 'R'") -
			 7.0710642e-5) < 1e-10);
}

static void what_is_not_ok_is_counted_and_not_averaged(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	add(f, cell, 1, 100, 200);
	/* Its write was fine, but what was written is not what came back. */
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_CORRUPT, 900, 900));
	assert_ok(f, fixture_sample(f, cell, 3, RECORD_TIMEOUT, 1, 1));
	assert_ok(f, fixture_sample(f, cell, 4, RECORD_SKIPPED, 0, 0));
	assert_value(f,
		     "SELECT group_concat(op || n || kb_per_s || failed) "
		     "FROM (SELECT * FROM summary ORDER BY op DESC)",
		     "W1100.03,R1200.03");
}

static void a_cell_of_failures_is_there_without_figures(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	assert_ok(f, fixture_sample(f, fixture_cell(f, "FAT", -1), 1,
				    RECORD_STUCK, 0, 0));
	assert_value(f,
		     "SELECT group_concat(n || ifnull(kb_per_s, '-') || "
		     "ifnull(min_kb_per_s, '-') || ifnull(spread_pct, '-') "
		     "|| failed) FROM summary",
		     "0---1,0---1");
	assert_value(f, "SELECT count(change_pct) FROM comparison", "0");
}

static void the_base_has_no_change_and_says_that_it_is_the_base(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	add(f, fixture_cell(f, "FAT", -1), 1, 100, 200);
	assert_value(f,
		     "SELECT is_base || ifnull(change_pct, '-') || "
		     "base_kb_per_s || base_filesystem || "
		     "ifnull(rounds_shared, '-') FROM comparison "
		     "WHERE op = 'W'",
		     "1-100.0FAT-");
}

static void the_change_is_within_the_rounds_that_both_have(void **state)
{
	struct fixture *f = *state;
	int64_t base, cell;

	fixture_run(f, 1, "run");
	base = fixture_cell(f, "FAT", -1);
	cell = fixture_cell(f, "NTFS", base);
	add(f, base, 1, 100, 1);
	add(f, base, 2, 200, 1);
	add(f, base, 3, 100, 1);
	assert_ok(f, fixture_sample(f, base, 4, RECORD_FAILED, 100, 1));
	add(f, cell, 1, 200, 1);
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_CORRUPT, 200, 1));
	add(f, cell, 3, 300, 1);
	add(f, cell, 4, 9000, 1);
	/* Rounds 1 and 3: twice and three times as fast. */
	assert_number(f,
		      "SELECT change_pct FROM comparison WHERE op = 'W' "
		      "AND filesystem = 'NTFS'",
		      144.94897427831779);
	assert_value(f,
		     "SELECT rounds_shared || base_filesystem || is_base "
		     "|| n || base_n FROM comparison WHERE op = 'W' AND "
		     "filesystem = 'NTFS'",
		     "2FAT033");
	assert_number(f,
		      "SELECT change_pct FROM comparison WHERE op = 'R' "
		      "AND filesystem = 'NTFS'",
		      0);
}

static void without_rounds_the_means_are_compared(void **state)
{
	struct fixture *f = *state;
	int64_t base, cell;

	fixture_run(f, 1, "import");
	base = fixture_cell(f, "FAT", -1);
	cell = fixture_cell(f, "NTFS", base);
	add(f, base, 0, 100, 3697);
	add(f, base, 0, 400, 3697);
	add(f, cell, 0, 300, 3886);
	assert_number(f,
		      "SELECT change_pct FROM comparison WHERE op = 'W' "
		      "AND filesystem = 'NTFS'",
		      50);
	assert_number(f,
		      "SELECT change_pct FROM comparison WHERE op = 'R' "
		      "AND filesystem = 'NTFS'",
		      (3886.0 / 3697 - 1) * 100);
	assert_value(f,
		     "SELECT rounds_shared FROM comparison WHERE op = 'W' "
		     "AND filesystem = 'NTFS'",
		     "0");
}

static void rounds_that_never_meet_are_compared_by_their_means(void **state)
{
	struct fixture *f = *state;
	int64_t base, cell;

	fixture_run(f, 1, "run");
	base = fixture_cell(f, "FAT", -1);
	cell = fixture_cell(f, "NTFS", base);
	add(f, base, 1, 100, 1);
	add(f, cell, 2, 125, 1);
	assert_number(f,
		      "SELECT change_pct FROM comparison WHERE op = 'W' "
		      "AND filesystem = 'NTFS'",
		      25);
}

static void without_a_base_there_is_nothing_to_compare_with(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	add(f, fixture_cell(f, "FAT", 0), 1, 100, 200);
	assert_value(f,
		     "SELECT count(*) || count(change_pct) || "
		     "count(base_kb_per_s) || sum(is_base) FROM comparison",
		     "2000");
}

static void a_base_without_results_gives_no_change(void **state)
{
	struct fixture *f = *state;
	int64_t base;

	fixture_run(f, 1, "run");
	base = fixture_cell(f, "FAT", -1);
	add(f, fixture_cell(f, "NTFS", base), 1, 100, 200);
	assert_value(f,
		     "SELECT base_filesystem || base_n || "
		     "ifnull(change_pct, '-') FROM comparison WHERE op = 'W'",
		     "FAT0-");
}

static void assert_columns(struct fixture *f, const char *view,
			   const char *columns)
{
	char sql[128], all[1024];

	snprintf(sql, sizeof(sql),
		 "SELECT group_concat(name, ' ') FROM pragma_table_info('%s')",
		 view);
	snprintf(all, sizeof(all), "%s", fixture_sql(f, sql));
	/* There may be new ones, behind them. */
	all[strnlen(columns, sizeof(all) - 1)] = '\0';
	assert_string_equal(all, columns);
}

#define GROUP                                                                  \
	"run run_uuid label matrix host os volume volume_kind filesystem "     \
	"type driver workload "

static void the_views_keep_the_columns_they_have(void **state)
{
	struct fixture *f = *state;

	assert_columns(f, "result",
		       GROUP
		       "round position op status reason bytes seconds "
		       "flush_seconds kb_per_s app_kb_per_s "
		       "sustained_kb_per_s cached shortened end_word io "
		       "io_effective alignment_bytes files errnum "
		       "resident_bytes device_bytes process_bytes calls p50_ms "
		       "p90_ms p99_ms p99_9_ms max_ms user_seconds "
		       "system_seconds voluntary_switches "
		       "involuntary_switches prepare_seconds evict_seconds "
		       "clean_seconds started_at ended_at sample_uuid "
		       "host_uuid source batch cell base_cell sample");
	assert_columns(f, "summary",
		       GROUP "op n kb_per_s min_kb_per_s max_kb_per_s "
			     "spread_pct failed cached cell base_cell");
	assert_columns(f, "comparison",
		       GROUP "op n kb_per_s min_kb_per_s max_kb_per_s "
			     "spread_pct failed cached base_volume "
			     "base_filesystem base_workload is_base base_n "
			     "base_kb_per_s rounds_shared change_pct cell "
			     "base_cell");
}

/* Fails on a plan that reads more of a table than one run's rows. */
static void assert_no_scan(struct fixture *f, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	int steps = 0;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL),
			 SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *detail = (const char *)sqlite3_column_text(stmt, 3);

		if (strncmp(detail, "SCAN ", 5) == 0 &&
		    strcmp(detail, "SCAN operation") != 0 &&
		    strcmp(detail, "SCAN CONSTANT ROW") != 0 &&
		    strcmp(detail, "SCAN grouped") != 0)
			fail_msg("%s: %s", sql, detail);
		steps++;
	}
	assert_true(steps > 3);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

static void a_query_of_one_run_reads_only_that_run(void **state)
{
	struct fixture *f = *state;

	assert_no_scan(f, "EXPLAIN QUERY PLAN SELECT * FROM result "
			  "WHERE run = 7");
	assert_no_scan(f, "EXPLAIN QUERY PLAN SELECT * FROM result WHERE "
			  "run = 7 ORDER BY cell, round, position");
	assert_no_scan(f, "EXPLAIN QUERY PLAN SELECT * FROM summary "
			  "WHERE run = 7");
	assert_no_scan(f, "EXPLAIN QUERY PLAN SELECT * FROM comparison "
			  "WHERE run = 7");
}

static void assert_rejected(struct fixture *f, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_CONSTRAINT)
		fail_msg("accepted: %s (%s)", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void what_cannot_be_is_not_stored(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	add(f, cell, 1, 100, 200);
	assert_rejected(f, "UPDATE sample SET status = 'fine'");
	assert_rejected(f, "UPDATE sample SET round = 0");
	assert_rejected(f, "UPDATE sample SET started_at = 'yesterday'");
	assert_rejected(f, "UPDATE phase SET op = 'X'");
	assert_rejected(f, "UPDATE phase SET bytes = -1");
	assert_rejected(f, "UPDATE phase SET bytes = 'many'");
	assert_rejected(f, "UPDATE phase SET cached = 2");
	assert_rejected(f, "UPDATE phase SET end_word = 'over'");
	assert_rejected(f, "UPDATE phase SET stated_kb_per_s = 9e999");
	assert_rejected(f, "UPDATE phase SET app_ns = 1, flush_ns = 1, "
			   "total_ns = 3");
	assert_rejected(f, "UPDATE run SET status = 'over'");
	assert_rejected(f, "UPDATE run SET source = 'guess'");
	assert_rejected(f, "UPDATE run SET seed = '-1'");
	assert_rejected(f, "UPDATE cell SET volume_kind = 'tape'");
	assert_rejected(f, "INSERT INTO sample (uuid, cell, ops, round, "
			   "status) VALUES (printf('%036d', 1), 1, 'WR', 1, "
			   "'ok')");
}

/* The shell is what a user has; the library may have more functions. */
static void the_shell_of_the_system_can_read_the_views(void **state)
{
	struct fixture *f = *state;
	char command[256], line[64] = "";
	int64_t base;
	FILE *shell;

	if (system("command -v sqlite3 > /dev/null") != 0) {
		print_message("skipped: needs sqlite3\n");
		skip();
	}
	fixture_run(f, 1, "run");
	base = fixture_cell(f, "FAT", -1);
	add(f, base, 1, 100, 200);
	add(f, fixture_cell(f, "NTFS", base), 1, 150, 200);
	snprintf(command, sizeof(command),
		 "sqlite3 %s \"SELECT filesystem, round(change_pct, 3) FROM "
		 "comparison WHERE op = 'W' AND NOT is_base\"",
		 f->path);
	shell = popen(command, "r");
	assert_non_null(shell);
	assert_non_null(fgets(line, sizeof(line), shell));
	assert_int_equal(pclose(shell), 0);
	assert_string_equal(line, "NTFS|50.0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)
		TEST(a_skipped_sample_is_two_rows_without_figures),
		TEST(a_sample_that_failed_in_its_write_has_a_row_for_its_read),
		TEST(an_import_has_only_the_rows_it_was_given),
		TEST(the_halves_of_an_imported_round_have_a_status_each),
		TEST(a_rate_without_a_filesystem_name_is_under_its_type),
		TEST(the_centre_is_the_geometric_mean),
		TEST(equal_rates_have_that_rate_and_no_spread),
		TEST(one_sample_has_no_spread_at_all),
		TEST(the_spread_is_the_deviation_of_the_logarithms),
		TEST(what_is_not_ok_is_counted_and_not_averaged),
		TEST(a_cell_of_failures_is_there_without_figures),
		TEST(the_base_has_no_change_and_says_that_it_is_the_base),
		TEST(the_change_is_within_the_rounds_that_both_have),
		TEST(without_rounds_the_means_are_compared),
		TEST(rounds_that_never_meet_are_compared_by_their_means),
		TEST(without_a_base_there_is_nothing_to_compare_with),
		TEST(a_base_without_results_gives_no_change),
		TEST(the_views_keep_the_columns_they_have),
		TEST(a_query_of_one_run_reads_only_that_run),
		TEST(what_cannot_be_is_not_stored),
		TEST(the_shell_of_the_system_can_read_the_views),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
