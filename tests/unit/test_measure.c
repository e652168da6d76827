/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "core/data.h"
#include "core/hist.h"
#include "core/measure.h"
#include "core/series.h"
#include "tests/unit/sim.h"
#include "tests/unit/unit.h"

#define MS UINT64_C(1000000)

/* One sample on the simulated device, and what came of it. */
struct bench {
	struct sim sim;
	struct measure_spec spec;
	struct measure_control control;
	struct measure *measure;
	struct phase_result write, read;
	struct err err;
};

static const struct workload ten_blocks = {
	.block_bytes = 4096,
	.size_bytes = 40960,
	.file_limit_bytes = WORKLOAD_FILE_LIMIT_BYTES,
	.depth = 1,
	.streams = 1,
};

static void setup(struct bench *b, const struct workload *workload)
{
	b->sim.control = &b->control;
	b->spec = (struct measure_spec){
		.workload = *workload,
		.data = data_new(1),
		.io = { &sim_io, &b->sim },
		.control = &b->control,
		.stamp = 77,
	};
	assert_non_null(b->spec.data);
	b->measure = measure_new(&b->spec, &b->err);
	assert_non_null(b->measure);
}

static bool run_write(struct bench *b)
{
	bool ok = measure_write(b->measure, SIM_DIR, &b->write, &b->err);

	assert_int_equal(b->sim.open_files, 0);
	assert_int_equal(b->control.phase, 0);
	if (b->write.series)
		assert_int_equal(series_total(b->write.series), b->write.bytes);
	return ok;
}

static bool run_read(struct bench *b)
{
	bool ok = measure_read(b->measure, SIM_DIR, &b->read, &b->err);

	assert_int_equal(b->sim.open_files, 0);
	if (b->read.series)
		assert_int_equal(series_total(b->read.series), b->read.bytes);
	return ok;
}

/* Removes the files; nothing may be left. */
static void teardown(struct bench *b)
{
	struct err err = { 0 };

	assert_true(measure_remove(b->measure, SIM_DIR, &err));
	for (int i = 0; i < SIM_FILES; i++)
		assert_false(b->sim.files[i].exists);
	measure_free(b->measure);
	phase_result_done(&b->write);
	phase_result_done(&b->read);
	data_free(b->spec.data);
	sim_done(&b->sim);
}

static void time_covers_the_writes_and_then_the_flush(void **state)
{
	struct bench b = { .sim = { .open_ns = 5,
				    .close_ns = 3,
				    .write_ns = 7,
				    .read_ns = 11,
				    .fsync_ns = 1000,
				    .syncfs_ns = 500 } };

	(void)state;
	setup(&b, &ten_blocks);
	assert_true(run_write(&b));
	assert_int_equal(b.write.end, PHASE_END_SIZE);
	assert_int_equal(b.write.bytes, 40960);
	assert_int_equal(b.write.app_ns, 10 * 7);
	assert_int_equal(b.write.flush_ns, 1500);
	assert_int_equal(b.write.files, 1);
	assert_int_equal(hist_count(b.write.latency), 10);
	assert_int_equal(hist_percentile(b.write.latency, 100), 7);
	assert_int_equal(b.control.done_bytes, 40960);

	assert_true(run_read(&b));
	assert_int_equal(b.read.end, PHASE_END_SIZE);
	assert_int_equal(b.read.bytes, 40960);
	assert_int_equal(b.read.app_ns, 10 * 11);
	assert_int_equal(b.read.flush_ns, 0);
	assert_int_equal(hist_percentile(b.read.latency, 100), 11);
	assert_int_equal(b.err.code, ERR_NONE);
	teardown(&b);
}

static void the_flush_goes_down_to_the_device_where_there_is_one(void **state)
{
	struct bench b = { .sim = { .fsync_ns = 1000,
				    .syncfs_ns = 500,
				    .device_fsync_ns = 70000 } };

	(void)state;
	setup(&b, &ten_blocks);
	measure_free(b.measure);
	b.spec.device = SIM_DEVICE;
	b.measure = measure_new(&b.spec, &b.err);
	assert_true(run_write(&b));
	assert_int_equal(b.write.flush_ns, 71500);
	assert_int_equal(b.sim.device_fsyncs, 1);
	teardown(&b);
}

static void a_device_that_does_not_take_the_flush_fails_the_phase(void **state)
{
	struct bench b = { .sim = { .device_fsync_fails = EIO } };

	(void)state;
	setup(&b, &ten_blocks);
	measure_free(b.measure);
	b.spec.device = SIM_DEVICE;
	b.measure = measure_new(&b.spec, &b.err);
	assert_true(run_write(&b));
	assert_int_equal(b.write.end, PHASE_END_ERROR);
	assert_int_equal(b.write.errnum, EIO);
	assert_string_equal(b.err.text,
			    "flushing the device: Input/output error");
	teardown(&b);
}

static void a_known_device_has_exactly_its_rates(void **state)
{
	/* 4 KiB in 0.25 ms and 0.125 ms; 2 s of it, then 500 ms of flush */
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .write_ns = MS / 4,
				    .read_ns = MS / 8,
				    .fsync_ns = 400 * MS,
				    .syncfs_ns = 100 * MS } };

	(void)state;
	w.size_bytes = 8000 * 4096;
	setup(&b, &w);
	assert_true(run_write(&b));
	assert_int_equal(b.write.app_ns, 2000 * MS);
	assert_int_equal(b.write.bytes * 1000 * MS / b.write.app_ns / 1024,
			 16000); /* KB/s */
	assert_int_equal(b.write.app_ns + b.write.flush_ns, 2500 * MS);
	assert_true(b.write.sustained.reached);
	assert_int_equal(b.write.sustained.bytes_per_second, 16000 * 1024);
	assert_true(run_read(&b));
	assert_int_equal(b.read.app_ns, 1000 * MS);
	assert_true(b.read.sustained.reached);
	assert_int_equal(b.read.sustained.bytes_per_second, 32000 * 1024);
	teardown(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_covers_the_writes_and_then_the_flush),
		cmocka_unit_test(
			the_flush_goes_down_to_the_device_where_there_is_one),
		cmocka_unit_test(
			a_device_that_does_not_take_the_flush_fails_the_phase),
		cmocka_unit_test(a_known_device_has_exactly_its_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
