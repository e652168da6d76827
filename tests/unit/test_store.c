/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "core/hist.h"
#include "core/series.h"
#include "tests/unit/store_fixture.h"

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.17g is not %.17g", value, expected);
}

static const struct workload settings = {
	.block_bytes = 524288,
	.size_bytes = 503316480,
	.file_limit_bytes = 4293918720,
	.io = WORKLOAD_DIRECT_STRICT,
	.read = WORKLOAD_WARM,
	.verify = WORKLOAD_VERIFY_STAMPS,
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

static bool check_run(void *ctx, const struct record_run_info *info)
{
	(void)ctx;
	assert_string_equal(info->run.uuid,
			    "00000002-0000-4000-8000-000000000007");
	assert_string_equal(info->run.batch,
			    "00000004-0000-4000-8000-000000000001");
	assert_string_equal(info->run.source, "run");
	assert_string_equal(info->run.matrix, "fat-vs-ntfs");
	assert_string_equal(info->run.matrix_text, "{ \"a\": '1' }");
	assert_string_equal(info->run.matrix_path, "/m/fat-vs-ntfs.json");
	assert_string_equal(info->run.label, "x'); DROP TABLE run; --");
	assert_true(info->run.seed == UINT64_MAX);
	assert_int_equal(info->run.rounds, 5);
	assert_string_equal(info->run.baseline_dimension, "filesystem");
	assert_string_equal(info->run.baseline, "FAT");
	assert_string_equal(info->run.program, "fsmatrix 9");
	assert_string_equal(info->run.started_at, "2026-05-06T07:08:09.010Z");
	assert_string_equal(info->host.uuid,
			    "00000001-0000-4000-8000-000000000007");
	assert_string_equal(info->host.name, "box");
	assert_string_equal(info->host.os, "Linux 6.12.5");
	assert_string_equal(info->host.distribution, "Debian 12");
	assert_string_equal(info->host.kernel, "6.12.5 #1");
	assert_string_equal(info->host.machine, "x86_64");
	assert_string_equal(info->host.cpu, "i486");
	assert_int_equal(info->host.cpus, 4);
	assert_int_equal(info->host.memory_bytes, 1 << 30);
	assert_string_equal(info->host.virtualization, "kvm");
	assert_string_equal(info->status, "interrupted");
	assert_string_equal(info->ended_at, "2026-05-06T08:08:09.010Z");
	assert_int_equal(info->cells, 0);
	assert_int_equal(info->samples, 0);
	return true;
}

static void a_run_and_its_host_come_back_as_they_were(void **state)
{
	struct fixture *f = *state;
	struct record_host host = {
		.name = "box",
		.os = "Linux 6.12.5",
		.distribution = "Debian 12",
		.kernel = "6.12.5 #1",
		.machine = "x86_64",
		.cpu = "i486",
		.cpus = 4,
		.memory_bytes = 1 << 30,
		.virtualization = "kvm",
	};
	struct record_run run = {
		.source = "run",
		.matrix = "fat-vs-ntfs",
		.matrix_text = "{ \"a\": '1' }",
		.matrix_path = "/m/fat-vs-ntfs.json",
		.label = "x'); DROP TABLE run; --",
		.seed = UINT64_MAX,
		.rounds = 5,
		.baseline_dimension = "filesystem",
		.baseline = "FAT",
		.program = "fsmatrix 9",
		.started_at = "2026-05-06T07:08:09.010Z",
	};
	int64_t again = 0, id = 0;

	fixture_uuid(host.uuid, 1, 7);
	fixture_uuid(run.uuid, 2, 7);
	fixture_uuid(run.batch, 4, 1);
	assert_ok(f, store_add_host(f->store, &host, &f->host, &f->err));
	assert_ok(f, store_add_host(f->store, &host, &again, &f->err));
	assert_int_equal(again, f->host);
	assert_ok(f, store_add_run(f->store, f->host, &run, &id, &f->err));
	assert_ok(f, store_end_run(f->store, id, "interrupted",
				   "2026-05-06T08:08:09.010Z", &f->err));
	assert_ok(f, store_run_info(f->store, id, check_run, NULL, &f->err));
	assert_ok(f, store_each_run(f->store, check_run, NULL, &f->err));
}

static bool check_cell(void *ctx, const struct record_cell_info *info)
{
	int64_t *id = ctx;
	const struct record_cell *cell = &info->cell;

	assert_int_equal(info->id, *id);
	assert_string_equal(cell->volume, "stick");
	assert_string_equal(cell->volume_kind, "device");
	assert_string_equal(cell->volume_path, "/dev/disk/by-id/usb");
	assert_string_equal(cell->filesystem, "FAT");
	assert_string_equal(cell->type, "vfat");
	assert_string_equal(cell->workload, "seq");
	assert_int_equal(cell->base_cell, *id);
	assert_memory_equal(cell->settings, &settings, sizeof(settings));
	assert_int_equal(info->samples, 0);
	return true;
}

static void a_cell_comes_back_as_it_was_also_without_samples(void **state)
{
	struct fixture *f = *state;
	struct record_cell cell = {
		.volume = "stick",
		.volume_kind = "device",
		.volume_path = "/dev/disk/by-id/usb",
		.filesystem = "FAT",
		.type = "vfat",
		.workload = "seq",
		.settings = &settings,
		.base_cell = -1,
	};
	int64_t id = 0, again = 0;

	fixture_run(f, 1, "run");
	assert_ok(f, store_add_cell(f->store, f->run, &cell, &id, &f->err));
	assert_ok(f, store_add_cell(f->store, f->run, &cell, &again, &f->err));
	assert_int_equal(again, id);
	assert_ok(f,
		  store_run_cells(f->store, f->run, check_cell, &id, &f->err));
}

static struct phase_result some_phase(void)
{
	struct phase_result r = {
		.end = PHASE_END_READ_NOW,
		.bytes = 1024000,
		.app_ns = 1500000000,
		.flush_ns = 500000000,
		.counted = true,
		.user_ns = 10000000,
		.system_ns = 20000000,
		.voluntary_switches = 7,
		.involuntary_switches = 8,
		.files = 3,
		.errnum = 5,
		.sustained = { true, 2048 },
		.evidence = { .resident_bytes = 4096,
			      .device_bytes = EVIDENCE_UNKNOWN,
			      .process_bytes = 0,
			      .io = EVIDENCE_IO_DIRECT_IN_NAME,
			      .alignment_bytes = 512 },
		.latency = hist_new(),
		.series = series_new(),
	};

	hist_record(r.latency, 100);
	hist_record(r.latency, 1000000);
	series_add(r.series, 0, 500000, 1000);
	series_add(r.series, 1000000, 1500000, 1023000);
	return r;
}

static bool check_result(void *ctx, const struct record_result *row)
{
	(void)ctx;
	assert_string_equal(row->sample_uuid,
			    "00000003-0000-4000-8000-000000000001");
	assert_string_equal(row->driver, "vfat");
	assert_string_equal(row->filesystem, "FAT");
	assert_string_equal(row->volume_kind, "image");
	assert_string_equal(row->host, "box");
	assert_string_equal(row->os, "Linux 6.1");
	assert_string_equal(row->io_effective, "direct-in-name");
	assert_string_equal(row->end, "shortened");
	assert_string_equal(row->started_at, "2026-01-02T03:04:05.000Z");
	assert_string_equal(row->ended_at, "2026-01-02T03:04:06.500Z");
	assert_null(row->reason);
	assert_null(row->batch);
	assert_true(row->shortened);
	assert_int_equal(row->status, RECORD_OK);
	assert_int_equal(row->round, 1);
	assert_int_equal(row->position, 2);
	assert_int_equal(row->bytes, 1024000);
	assert_int_equal(row->files, 3);
	assert_int_equal(row->errnum, 5);
	assert_int_equal(row->resident_bytes, 4096);
	assert_int_equal(row->device_bytes, -1);
	assert_int_equal(row->process_bytes, 0);
	assert_int_equal(row->alignment_bytes, 512);
	assert_int_equal(row->voluntary_switches, 7);
	assert_int_equal(row->involuntary_switches, 8);
	assert_int_equal(row->latency.count, 2);
	assert_in_range(row->latency.p50_ns, 100, 102);
	assert_int_equal(row->latency.max_ns, 1000000);
	assert_near(row->seconds, 2, 0);
	assert_near(row->kb_per_s, 500, 0);
	assert_near(row->app_kb_per_s, 1000 / 1.5, 1e-9);
	assert_near(row->sustained_kb_per_s, 2, 0);
	assert_near(row->user_seconds, 0.01, 0);
	assert_near(row->system_seconds, 0.02, 0);
	if (row->op == 'W') {
		assert_false(row->cached);
		assert_near(row->flush_seconds, 0.5, 0);
	} else {
		assert_true(row->cached);
		assert_true(isnan(row->flush_seconds));
	}
	return true;
}

static void add_measured(struct fixture *f)
{
	struct phase_result phase = some_phase();
	struct record_sample sample = {
		.cell = fixture_cell(f, "FAT", -1),
		.round = 1,
		.position = 2,
		.driver = "vfat",
		.device = "/dev/loop0",
		.mkfs_command = "mkfs.vfat -F 32 LOOP",
		.mount_command = "mount LOOP DIR",
		.mount_options = "rw,relatime",
		.started_at = "2026-01-02T03:04:05.000Z",
		.ended_at = "2026-01-02T03:04:06.500Z",
		.prepare_ns = 1,
		.evict_ns = 2,
		.clean_ns = 3,
		.write = { .result = &phase },
		.read = { .result = &phase, .cached = true },
		.has_write = true,
		.has_read = true,
	};

	fixture_uuid(sample.uuid, 3, 1);
	assert_ok(f, store_add_sample(f->store, &sample, &f->err));
	phase_result_done(&phase);
}

static void a_measured_sample_comes_back_as_it_was(void **state)
{
	struct fixture *f = *state;
	int64_t count = 0;

	fixture_run(f, 1, "run");
	add_measured(f);
	assert_ok(f, store_each_result(f->store, &f->run, 1, check_result, NULL,
				       &f->err));
	assert_ok(f, store_count_samples(f->store, f->run, &count, &f->err));
	assert_int_equal(count, 1);
	assert_string_equal(
		fixture_sql(f, "SELECT mkfs_command || '|' || mount_command "
			       "|| '|' || mount_options || '|' || device || "
			       "prepare_ns || evict_ns || clean_ns "
			       "FROM sample"),
		"mkfs.vfat -F 32 LOOP|mount LOOP DIR|rw,relatime|/dev/loop0"
		"123");
}

static void the_series_and_the_histogram_are_whole_in_json(void **state)
{
	struct fixture *f = *state;

	fixture_run(f, 1, "run");
	add_measured(f);
	assert_string_equal(
		fixture_sql(f, "SELECT group_concat(value) FROM series, "
			       "json_each(series.bytes) WHERE op = 'W'"),
		"1000,1023000");
	assert_string_equal(
		fixture_sql(f, "SELECT count(*) || ':' || sum(json_extract("
			       "value, '$[1]')) FROM latency, "
			       "json_each(latency.buckets) WHERE op = 'R'"),
		"2:2");
	assert_string_equal(fixture_sql(f, "SELECT interval_ns FROM series"),
			    "1000000");
}

static void check_series(void *ctx, const struct record_series *series)
{
	*(int *)ctx += 1;
	assert_int_equal(series->interval_ns, 1000000);
	assert_int_equal(series->count, 2);
	assert_int_equal(series->bytes[0], 1000);
	assert_int_equal(series->bytes[1], 1023000);
}

static void a_series_comes_back_as_it_was(void **state)
{
	struct fixture *f = *state;
	int calls = 0;

	fixture_run(f, 1, "run");
	add_measured(f);
	assert_ok(f, store_sample_series(f->store, 1, 'W', check_series, &calls,
					 &f->err));
	assert_int_equal(calls, 1);
	assert_ok(f, store_sample_series(f->store, 2, 'W', check_series, &calls,
					 &f->err));
	assert_int_equal(calls, 1);
}

static void a_series_of_no_numbers_is_refused(void **state)
{
	static const char *const wrong[] = { "[1,]",   "[-1]",  "[1 2]",
					     "[1,2]]", "[1,x]", "[[1]]" };
	struct fixture *f = *state;
	int calls = 0;

	fixture_run(f, 1, "run");
	add_measured(f);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char sql[64];

		snprintf(sql, sizeof(sql), "UPDATE series SET bytes = '%s'",
			 wrong[i]);
		fixture_sql(f, sql);
		f->err = (struct err){ 0 };
		assert_false(store_sample_series(f->store, 1, 'W', check_series,
						 &calls, &f->err));
		assert_string_equal(f->err.text, "the series of sample 1 is no "
						 "list of numbers");
	}
	assert_int_equal(calls, 0);
}

static void what_was_rolled_back_was_never_there(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	assert_ok(f, store_begin(f->store, &f->err));
	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 1, 2));
	store_rollback(f->store);
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM run"), "0");
	fixture_run(f, 1, "run");
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM run"), "1");
	store_rollback(f->store);
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM run"), "1");
}

static void a_sample_is_added_whole_or_not_at_all(void **state)
{
	struct fixture *f = *state;
	struct record_sample sample = {
		.status = RECORD_OK,
		.round = 1,
		.write = { .stated_kb_per_s = 1, .bytes = -1, .total_ns = -1 },
		.read = { .stated_kb_per_s = -5 },
		.has_write = true,
		.has_read = true,
	};

	fixture_run(f, 1, "run");
	sample.cell = fixture_cell(f, "FAT", -1);
	fixture_uuid(sample.uuid, 3, 77);
	assert_false(store_add_sample(f->store, &sample, &f->err));
	assert_int_equal(f->err.code, ERR_FAILED);
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM sample"), "0");
	sample.read.stated_kb_per_s = 5;
	f->err = (struct err){ 0 };
	assert_ok(f, store_add_sample(f->store, &sample, &f->err));
}

static void a_sample_that_fails_leaves_the_rest_of_a_transaction(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, store_begin(f->store, &f->err));
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 1, 2));
	assert_false(fixture_sample(f, cell, 1, RECORD_OK, 1, 2));
	f->err = (struct err){ 0 };
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 1, 2));
	assert_ok(f, store_commit(f->store, &f->err));
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM sample"), "2");
}

static void a_round_holds_a_cell_once(void **state)
{
	struct fixture *f = *state;
	bool found = true;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, store_has_sample(f->store, cell, 3, &found, &f->err));
	assert_false(found);
	assert_ok(f, fixture_sample(f, cell, 3, RECORD_FAILED, 0, 0));
	assert_ok(f, store_has_sample(f->store, cell, 3, &found, &f->err));
	assert_true(found);
	assert_false(fixture_sample(f, cell, 3, RECORD_OK, 1, 2));
	assert_string_equal(f->err.text,
			    "adding a sample: it is there already");
	assert_string_equal(f->err.source, f->path);
}

static void a_base_is_a_cell_of_the_same_run(void **state)
{
	struct fixture *f = *state;
	int64_t first, second, other;

	fixture_run(f, 1, "run");
	first = fixture_cell(f, "FAT", 0);
	second = fixture_cell(f, "NTFS", 0);
	assert_ok(f, store_set_base(f->store, first, second, &f->err));
	fixture_run(f, 2, "run");
	other = fixture_cell(f, "FAT", -1);
	assert_false(store_set_base(f->store, first, other, &f->err));
}

static void words_have_a_way_back(void **state)
{
	enum record_status status;

	(void)state;
	for (int i = RECORD_OK; i <= RECORD_INVALID; i++) {
		assert_true(record_status_parse(
			record_status_word((enum record_status)i), &status));
		assert_int_equal(status, i);
	}
	assert_false(record_status_parse("OK", &status));
	assert_false(record_status_parse("", &status));
}

/* Each word of the core must be one the tables take. */
static void every_end_and_every_mode_can_be_stored(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	for (int end = PHASE_END_NONE; end <= PHASE_END_CORRUPT; end++) {
		struct phase_result r = {
			.end = (enum phase_end)end,
			.evidence = { .io = (enum evidence_io)(end % 5) },
		};
		struct record_sample sample = {
			.cell = cell,
			.status = (enum record_status)(end % 7),
			.write = { .result = &r },
			.has_write = true,
		};

		fixture_uuid(sample.uuid, 3, end);
		assert_ok(f, store_add_sample(f->store, &sample, &f->err));
	}
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM phase"), "11");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)
		TEST(a_run_and_its_host_come_back_as_they_were),
		TEST(a_cell_comes_back_as_it_was_also_without_samples),
		TEST(a_measured_sample_comes_back_as_it_was),
		TEST(the_series_and_the_histogram_are_whole_in_json),
		TEST(a_series_comes_back_as_it_was),
		TEST(a_series_of_no_numbers_is_refused),
		TEST(what_was_rolled_back_was_never_there),
		TEST(a_sample_is_added_whole_or_not_at_all),
		TEST(a_sample_that_fails_leaves_the_rest_of_a_transaction),
		TEST(a_round_holds_a_cell_once),
		TEST(a_base_is_a_cell_of_the_same_run),
		TEST(words_have_a_way_back),
		TEST(every_end_and_every_mode_can_be_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
