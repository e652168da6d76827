/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "tests/unit/store_fixture.h"

static const struct workload settings = {
	.block_bytes = 524288,
	.size_bytes = 503316480,
	.file_limit_bytes = 4293918720,
	.io = WORKLOAD_DIRECT_STRICT,
	.read = WORKLOAD_WARM,
	.depth = 8,
	.streams = 2,
};

static int setup(void **state)
{
	int rc = fixture_setup(state);

	if (rc == 0)
		fixture_open(*state, STORE_WRITE);
	return rc;
}

static bool note_result(void *ctx, const struct record_result *row)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%c%lld.%lld%s%.0f ", row->op,
		(long long)row->cell, (long long)row->round,
		row->status == RECORD_OK ? "="
					 : record_status_word(row->status),
		isnan(row->kb_per_s) ? -1 : row->kb_per_s);
	return strlen(text) < 200;
}

static void results_come_by_cell_and_round_and_write_before_read(void **state)
{
	struct fixture *f = *state;
	char text[512] = "";
	int64_t runs[2], a, b, c;

	runs[1] = fixture_run(f, 1, "run");
	a = fixture_cell(f, "FAT", -1);
	b = fixture_cell(f, "NTFS", a);
	runs[0] = fixture_run(f, 2, "run");
	c = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, b, 2, RECORD_OK, 1, 2));
	assert_ok(f, fixture_sample(f, c, 1, RECORD_OK, 3, 4));
	assert_ok(f, fixture_sample(f, a, 2, RECORD_SKIPPED, 0, 0));
	assert_ok(f, fixture_sample(f, a, 1, RECORD_OK, 5, 6));
	assert_ok(f, store_each_result(f->store, runs, 2, note_result, text,
				       &f->err));
	assert_string_equal(text, "W3.1=3 R3.1=4 W1.1=5 R1.1=6 W1.2skipped-1 "
				  "R1.2skipped-1 W2.2=1 R2.2=2 ");
}

static bool count_to_two(void *ctx, const struct record_result *row)
{
	int *count = ctx;

	(void)row;
	return ++*count < 2;
}

static void a_callback_that_says_stop_is_not_called_again(void **state)
{
	struct fixture *f = *state;
	int64_t runs[2], cell;
	int count = 0;

	runs[0] = runs[1] = fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	for (int i = 1; i <= 3; i++)
		assert_ok(f, fixture_sample(f, cell, i, RECORD_OK, 1, 2));
	assert_ok(f, store_each_result(f->store, runs, 2, count_to_two, &count,
				       &f->err));
	assert_int_equal(count, 2);
}

static bool nested(void *ctx, const struct record_result *row)
{
	struct fixture *f = ctx;
	int64_t count = 0;
	bool found = false;
	char text[512] = "";

	assert_ok(f, store_count_samples(f->store, row->run, &count, &f->err));
	assert_ok(f, store_has_sample(f->store, row->cell, 1, &found, &f->err));
	assert_ok(f, store_each_result(f->store, &f->run, 1, note_result, text,
				       &f->err));
	assert_int_equal(count, 2);
	assert_true(found);
	return true;
}

static void a_callback_may_ask_the_store(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 1, 2));
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 1, 2));
	assert_ok(f,
		  store_each_result(f->store, &f->run, 1, nested, f, &f->err));
}

static int64_t add_run(struct fixture *f, const char *uuid, const char *batch,
		       const char *label, const char *started_at)
{
	struct record_run run = {
		.source = batch[0] ? "import" : "run",
		.label = label,
		.started_at = started_at,
	};
	int64_t id = 0;

	snprintf(run.uuid, sizeof(run.uuid), "%s", uuid);
	snprintf(run.batch, sizeof(run.batch), "%s", batch);
	assert_ok(f, store_add_run(f->store, f->host, &run, &id, &f->err));
	return id;
}

#define BATCH "bbbbbbbb-0000-4000-8000-000000000000"

/* Runs 1 to 4; the newest by time is 3, and the batch is 2 and 4. */
static void add_runs(struct fixture *f)
{
	struct record_host host = { .os = "NT" };

	fixture_uuid(host.uuid, 1, 1);
	assert_ok(f, store_add_host(f->store, &host, &f->host, &f->err));
	add_run(f, "abcd0000-0000-4000-8000-000000000001", "", "night",
		"2026-01-01T00:00:00Z");
	add_run(f, "abce0000-0000-4000-8000-000000000002", BATCH, "4",
		"2026-01-03T00:00:00Z");
	add_run(f, "abce1000-0000-4000-8000-000000000003", "", "night",
		"2026-01-04T00:00:00Z");
	add_run(f, "12340000-0000-4000-8000-000000000004", BATCH, NULL,
		"2026-01-03T00:00:00Z");
}

static void assert_finds(struct fixture *f, const char *which, int64_t expected)
{
	int64_t run = 0;

	assert_ok(f, store_find_run(f->store, which, &run, &f->err));
	assert_int_equal(run, expected);
}

static void a_run_is_found_by_each_of_its_names(void **state)
{
	struct fixture *f = *state;

	add_runs(f);
	assert_finds(f, NULL, 3);
	assert_finds(f, "last", 3);
	assert_finds(f, "2", 2);
	assert_finds(f, "4", 4); /* an id goes before a label */
	assert_finds(f, "night", 3);
	assert_finds(f, "abcd", 1);
	assert_finds(f, "ABCE1", 3);
	assert_finds(f, "abce0000-0000-4000-8000-000000000002", 2);
	assert_finds(f, "1234", 4);
}

static void assert_finds_none(struct fixture *f, const char *which,
			      const char *text)
{
	struct err err = { 0 };
	int64_t run = 77;

	assert_false(store_find_run(f->store, which, &run, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_string_equal(err.text, text);
	assert_int_equal(run, 77);
}

static void a_run_that_is_not_there_is_named(void **state)
{
	struct fixture *f = *state;

	assert_finds_none(f, NULL, "no run in it yet; run a matrix first");
	add_runs(f);
	assert_finds_none(f, "day",
			  "no run day: none has this id, uuid or label; "
			  "`fsmatrix list` prints them");
	assert_finds_none(f, "5",
			  "no run 5: none has this id, uuid or label; "
			  "`fsmatrix list` prints them");
	assert_finds_none(f, "abc",
			  "no run abc: none has this id, uuid or label; "
			  "`fsmatrix list` prints them");
	assert_finds_none(f, "",
			  "no run : none has this id, uuid or label; `fsmatrix "
			  "list` prints them");
	assert_finds_none(f, "abce",
			  "several runs have a uuid that begins "
			  "with abce");
	assert_finds_none(f, "99999999999999999999",
			  "no run 99999999999999999999: none has this id, uuid "
			  "or label; `fsmatrix list` prints them");
}

static bool add_up(void *ctx, int64_t run)
{
	int64_t *sum = ctx;

	*sum = *sum * 10 + run;
	return true;
}

static void the_runs_of_an_import_are_found_by_any_of_them(void **state)
{
	struct fixture *f = *state;
	int64_t batch = 0, single = 0;

	add_runs(f);
	assert_ok(f, store_each_run_of_batch(f->store, 4, add_up, &batch,
					     &f->err));
	assert_int_equal(batch, 24);
	assert_ok(f, store_each_run_of_batch(f->store, 3, add_up, &single,
					     &f->err));
	assert_int_equal(single, 3);
}

static void the_run_to_go_on_with_is_the_last_that_is_not_done(void **state)
{
	static const char here[] = "nobody's";
	struct fixture *f = *state;
	int64_t run = 0;

	add_runs(f);
	assert_ok(f, store_find_unfinished_run(f->store, here, &run, &f->err));
	assert_int_equal(run, 3);
	assert_ok(f, store_end_run(f->store, 3, "done", "2026-01-05T00:00:00Z",
				   &f->err));
	assert_ok(f, store_end_run(f->store, 1, "stopped",
				   "2026-01-05T00:00:00Z", &f->err));
	assert_ok(f, store_find_unfinished_run(f->store, here, &run, &f->err));
	assert_int_equal(run, 1);
	assert_ok(f, store_hold_run(f->store, 1, "1 2 3 4", &f->err));
	assert_ok(f, store_end_run(f->store, 1, "done", "2026-01-05T00:00:00Z",
				   &f->err));
	assert_false(store_find_unfinished_run(f->store, here, &run, &f->err));
	assert_int_equal(f->err.code, ERR_INPUT);
}

static void an_own_run_that_counts_is_gone_on_with_before_others(void **state)
{
	static const char own[] = "00000009-0000-4000-8000-000000000009";
	struct fixture *f = *state;
	int64_t run = 0;

	add_runs(f);
	fixture_sql(f, "INSERT INTO host (id, uuid, os) VALUES (9, "
		       "'00000009-0000-4000-8000-000000000009', 'Linux')");
	fixture_sql(f, "UPDATE run SET host = 9 WHERE id = 1");
	assert_ok(f, store_find_unfinished_run(f->store, own, &run, &f->err));
	assert_int_equal(run, 1);
	fixture_sql(f, "UPDATE run SET ignored = 1 WHERE id = 1");
	assert_ok(f, store_find_unfinished_run(f->store, own, &run, &f->err));
	assert_int_equal(run, 3);
}

static bool is_alive(void *ctx, const char *holder)
{
	size_t *asked = ctx;

	(*asked)++;
	return strcmp(holder, "alive") == 0;
}

/* Somebody goes on with the run in the very moment. */
static bool gone_on_with(void *ctx, const char *holder)
{
	struct fixture *f = ctx;

	if (strcmp(holder, "alive") != 0)
		fixture_sql(f, "UPDATE run SET holder = 'alive'");
	return strcmp(holder, "alive") == 0;
}

static const char statuses[] =
	"SELECT group_concat(status) FROM (SELECT status FROM runs "
	"WHERE run < 4 ORDER BY run)";

static void a_run_that_nobody_is_at_was_broken_off(void **state)
{
	struct fixture *f = *state;
	size_t asked = 0;

	add_runs(f);
	assert_ok(f, store_end_run(f->store, 1, "done", "2026-01-05T00:00:00Z",
				   &f->err));
	assert_ok(f, store_hold_run(f->store, 2, "dead", &f->err));
	assert_ok(f, store_hold_run(f->store, 3, "alive", &f->err));
	assert_string_equal(fixture_sql(f, statuses), "done,running,running");
	store_close(f->store);
	/* Also by one who only reads, who stays so. */
	fixture_open(f, STORE_READ);
	assert_ok(f, store_settle_runs(f->store, is_alive, &asked, &f->err));
	assert_int_equal(asked, 2);
	assert_string_equal(fixture_sql(f, statuses),
			    "done,broken off,running");
	assert_false(store_hold_run(f->store, 2, "alive", &f->err));
	assert_string_equal(fixture_sql(f, "SELECT holder FROM run "
					   "WHERE id = 3"),
			    "alive");
}

static void a_run_that_somebody_has_gone_on_with_is_left_alone(void **state)
{
	struct fixture *f = *state;

	add_runs(f);
	assert_ok(f, store_hold_run(f->store, 2, "dead", &f->err));
	assert_ok(f, store_settle_runs(f->store, gone_on_with, f, &f->err));
	assert_string_equal(fixture_sql(f, "SELECT holder FROM run "
					   "WHERE id = 2"),
			    "alive");
}

static void an_import_is_known_again_by_its_digest(void **state)
{
	struct fixture *f = *state;
	int64_t run = 0;
	bool found = true;

	add_runs(f);
	fixture_sql(f, "UPDATE run SET digest = 'x' WHERE id IN (2, 4)");
	assert_ok(f, store_find_import(f->store, "x", &run, &found, &f->err));
	assert_true(found);
	assert_int_equal(run, 2);
	assert_ok(f, store_find_import(f->store, "y", &run, &found, &f->err));
	assert_false(found);
}

static bool never(void *ctx, const struct record_run_info *info)
{
	(void)ctx;
	(void)info;
	fail();
	return false;
}

static void a_run_that_is_not_there_has_no_info(void **state)
{
	struct fixture *f = *state;

	assert_false(store_run_info(f->store, 12, never, NULL, &f->err));
	assert_int_equal(f->err.code, ERR_INPUT);
	assert_string_equal(f->err.text, "no run 12");
}

static void assert_estimate(struct fixture *f, const char *host,
			    const struct record_cell *cell, uint64_t low,
			    uint64_t high)
{
	uint64_t ns = 1;

	assert_ok(f, store_estimate_ns(f->store, host, cell, &ns, &f->err));
	if (ns < low || ns > high)
		fail_msg("%llu ns", (unsigned long long)ns);
}

static void an_estimate_is_the_mean_of_equal_cells_on_this_host(void **state)
{
	struct fixture *f = *state;
	struct workload w = settings;
	struct record_cell cell = {
		.volume = "stick",
		.volume_kind = "device",
		.volume_path = "/dev/disk/by-id/usb",
		.filesystem = "FAT",
		.type = "vfat",
		.workload = "seq",
		.settings = &w,
	};
	int64_t id = 0;

	fixture_run(f, 1, "run");
	assert_ok(f, store_add_cell(f->store, f->run, &cell, &id, &f->err));
	assert_estimate(f, "box", &cell, 0, 0);
	assert_ok(f, fixture_sample(f, id, 1, RECORD_FAILED, 1, 0));
	assert_estimate(f, "box", &cell, 0, 0);
	assert_ok(f, fixture_sample(f, id, 2, RECORD_OK, 1, 2));
	/* 1.5 s; a Julian day has microseconds at best. */
	assert_estimate(f, "box", &cell, 1499000000, 1501000000);
	assert_estimate(f, "barn", &cell, 0, 0);
	cell.workload = "another name";
	assert_estimate(f, "box", &cell, 1499000000, 1501000000);
	w.depth = 9;
	assert_estimate(f, "box", &cell, 0, 0);
	w.depth = settings.depth;
	w.verify = WORKLOAD_VERIFY_STAMPS;
	assert_estimate(f, "box", &cell, 0, 0);
	w.verify = settings.verify;
	cell.filesystem = NULL;
	assert_estimate(f, "box", &cell, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)
		TEST(results_come_by_cell_and_round_and_write_before_read),
		TEST(a_callback_that_says_stop_is_not_called_again),
		TEST(a_callback_may_ask_the_store),
		TEST(a_run_is_found_by_each_of_its_names),
		TEST(a_run_that_is_not_there_is_named),
		TEST(the_runs_of_an_import_are_found_by_any_of_them),
		TEST(the_run_to_go_on_with_is_the_last_that_is_not_done),
		TEST(an_own_run_that_counts_is_gone_on_with_before_others),
		TEST(a_run_that_nobody_is_at_was_broken_off),
		TEST(a_run_that_somebody_has_gone_on_with_is_left_alone),
		TEST(an_import_is_known_again_by_its_digest),
		TEST(a_run_that_is_not_there_has_no_info),
		TEST(an_estimate_is_the_mean_of_equal_cells_on_this_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
