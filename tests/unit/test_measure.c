/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/data.h"
#include "core/hist.h"
#include "core/measure.h"
#include "core/series.h"
#include "tests/unit/bench.h"
#include "tests/unit/unit.h"

#define MS UINT64_C(1000000)

static void time_covers_the_writes_and_then_the_flush(void **state)
{
	struct bench b = { .sim = { .open_ns = 5,
				    .close_ns = 3,
				    .write_ns = 7,
				    .read_ns = 11,
				    .fsync_ns = 1000,
				    .syncfs_ns = 500 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_SIZE);
	assert_int_equal(b.write.bytes, 40960);
	assert_int_equal(b.write.app_ns, 10 * 7);
	assert_int_equal(b.write.flush_ns, 1500);
	assert_int_equal(b.write.files, 1);
	assert_int_equal(hist_count(b.write.latency), 10);
	assert_int_equal(hist_percentile(b.write.latency, 100), 7);
	assert_int_equal(b.control.done_bytes, 40960);

	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_SIZE);
	assert_int_equal(b.read.bytes, 40960);
	assert_int_equal(b.read.app_ns, 10 * 11);
	assert_int_equal(b.read.flush_ns, 0);
	assert_int_equal(hist_percentile(b.read.latency, 100), 11);
	assert_int_equal(b.err.code, ERR_NONE);
	bench_teardown(&b);
}

static void the_flush_goes_down_to_the_device_where_there_is_one(void **state)
{
	struct bench b = { .sim = { .fsync_ns = 1000,
				    .syncfs_ns = 500,
				    .device_fsync_ns = 70000 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	measure_free(b.measure);
	b.spec.device = SIM_DEVICE;
	b.measure = measure_new(&b.spec, &b.err);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.flush_ns, 71500);
	assert_int_equal(b.sim.device_fsyncs, 1);
	bench_teardown(&b);
}

static void a_device_that_does_not_take_the_flush_fails_the_phase(void **state)
{
	struct bench b = { .sim = { .device_fsync_fails = EIO } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	measure_free(b.measure);
	b.spec.device = SIM_DEVICE;
	b.measure = measure_new(&b.spec, &b.err);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_ERROR);
	assert_int_equal(b.write.errnum, EIO);
	assert_string_equal(b.err.text,
			    "flushing the device: Input/output error");
	bench_teardown(&b);
}

static void a_known_device_has_exactly_its_rates(void **state)
{
	/* 4 KiB in 0.25 ms and 0.125 ms; 6 s of it, then 500 ms of flush */
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .write_ns = MS / 4,
				    .read_ns = MS / 8,
				    .fsync_ns = 400 * MS,
				    .syncfs_ns = 100 * MS } };

	(void)state;
	w.size_bytes = UINT64_C(24000) * 4096;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.app_ns, 6000 * MS);
	assert_int_equal(b.write.bytes * 1000 * MS / b.write.app_ns / 1024,
			 16000); /* KB/s */
	assert_int_equal(b.write.app_ns + b.write.flush_ns, 6500 * MS);
	assert_true(b.write.sustained.reached);
	assert_int_equal(b.write.sustained.bytes_per_second, 16000 * 1024);
	assert_true(bench_read(&b));
	assert_int_equal(b.read.app_ns, 3000 * MS);
	assert_true(b.read.sustained.reached);
	assert_int_equal(b.read.sustained.bytes_per_second, 32000 * 1024);
	bench_teardown(&b);
}

static void files_roll_over_at_the_limit(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .write_ns = 7, .fsync_ns = 100 } };

	(void)state;
	w.file_limit_bytes = 10000; /* no multiple of the block */
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.files, 5);
	assert_int_equal(b.write.bytes, 40960);
	assert_int_equal(b.write.app_ns, (4 * 3 + 1) * 7);
	assert_int_equal(b.write.flush_ns, 500);
	assert_int_equal(b.sim.fsyncs, 5);
	assert_string_equal(b.sim.files[0].name, "fsm00000.000");
	assert_string_equal(b.sim.files[4].name, "fsm00004.000");
	assert_int_equal(b.sim.files[0].size, 10000);
	assert_int_equal(b.sim.files[4].size, 960);
	assert_true(bench_read(&b));
	assert_int_equal(b.read.files, 5);
	assert_int_equal(b.read.bytes, 40960);
	bench_teardown(&b);
}

static void a_size_that_ends_with_a_file_opens_no_next_one(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { 0 };

	(void)state;
	w.file_limit_bytes = 20480;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.files, 2);
	assert_false(b.sim.files[2].exists);
	bench_teardown(&b);
}

static void files_roll_over_where_the_filesystem_says_so(void **state)
{
	struct bench b = { .sim = { .file_limit_bytes = 9000 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_SIZE);
	assert_int_equal(b.write.files, 5);
	assert_int_equal(b.sim.files[0].size, 9000);
	assert_int_equal(b.write.bytes, 40960);
	assert_reads_back(&b, 40960);
	bench_teardown(&b);
}

static void a_limit_at_a_files_start_ends_a_full_write(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .capacity_bytes = 12000,
				    .fail_with = EFBIG } };

	(void)state;
	w.size_bytes = 0;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_LIMIT, "");
	assert_int_equal(b.write.bytes, 12000);
	assert_int_equal(b.write.errnum, 0);
	assert_reads_back(&b, 12000);
	bench_teardown(&b);
}

static void short_writes_and_interruptions_go_on(void **state)
{
	struct bench b = { .sim = { .write_ns = 10,
				    .read_ns = 20,
				    .most_per_call = 1000,
				    .interruptions = 7 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.bytes, 40960);
	assert_int_equal(b.sim.writes, 50); /* five calls a block */
	assert_int_equal(b.write.app_ns, 500);
	assert_int_equal(hist_count(b.write.latency), 50);
	assert_true(bench_read(&b));
	assert_int_equal(b.read.bytes, 40960);
	assert_int_equal(b.read.app_ns, 20 * b.sim.reads);
	bench_teardown(&b);
}

static void a_storm_of_interruptions_loses_no_byte(void **state)
{
	struct bench b = { .sim = { .write_ns = 1,
				    .read_ns = 1,
				    .most_per_call = 3000,
				    .interruptions = 5000 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_SIZE);
	assert_int_equal(b.write.bytes, 40960);
	assert_reads_back(&b, 40960);
	bench_teardown(&b);
}

static void a_phase_that_takes_no_time_divides_by_nothing(void **state)
{
	struct bench b = { 0 };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.bytes, 40960);
	assert_int_equal(b.write.app_ns + b.write.flush_ns, 0);
	assert_false(b.write.sustained.reached);
	assert_int_equal(hist_count(b.write.latency), 10);
	assert_int_equal(hist_max(b.write.latency), 0);
	assert_reads_back(&b, 40960);
	assert_int_equal(b.read.app_ns, 0);
	bench_teardown(&b);
}

static void end_full(int errnum, enum phase_end end)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .write_ns = 7,
				    .fsync_ns = 50,
				    .capacity_bytes = 30000,
				    .fail_with = errnum } };

	w.size_bytes = 0;
	w.file_limit_bytes = 16384;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, end, "");
	assert_int_equal(b.write.bytes, 30000);
	assert_int_equal(b.write.errnum, 0);
	assert_int_equal(b.write.app_ns, 8 * 7);
	assert_int_equal(b.write.flush_ns, 2 * 50);
	assert_reads_back(&b, 30000);
	bench_teardown(&b);
}

static void a_full_volume_or_quota_is_a_wanted_end(void **state)
{
	(void)state;
	end_full(ENOSPC, PHASE_END_FULL);
	end_full(EDQUOT, PHASE_END_QUOTA);
}

static void permission_refused_is_full_only_where_nothing_is_left(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .capacity_bytes = 30000,
				    .fail_with = EPERM } };

	(void)state;
	w.size_bytes = 0;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_FULL, "");
	assert_int_equal(b.write.bytes, 30000);
	bench_teardown(&b);

	b = (struct bench){ .sim = { .capacity_bytes = 30000,
				     .fail_with = EPERM,
				     .unusable_bytes = 4096 } };
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_ERROR);
	assert_int_equal(b.write.errnum, EPERM);
	bench_teardown(&b);
}

static void no_room_for_a_next_file_is_full_too(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .create_fails = ENOSPC } };

	(void)state;
	w.size_bytes = 0;
	w.file_limit_bytes = 8192;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_FULL);
	assert_int_equal(b.write.bytes, 8192);
	assert_int_equal(b.write.files, 1);
	bench_teardown(&b);
}

static void a_volume_full_before_the_first_byte_is_an_error(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .create_fails = ENOSPC, .opened = 1 } };

	(void)state;
	w.size_bytes = 0;
	bench_setup(&b, &w);
	assert_false(bench_write(&b));
	assert_write_end(&b, false, PHASE_END_ERROR,
			 "creating fsm00000.000: No space left on device");
	assert_int_equal(b.write.errnum, ENOSPC);
	bench_teardown(&b);
}

/* Of 1 MiB blocks, leaving 100 MiB. */
static struct workload with_a_reserve(void)
{
	struct workload w = ten_blocks;

	w.block_bytes = UINT64_C(1) << 20;
	w.size_bytes = 0;
	w.file_limit_bytes = UINT64_C(50) << 20;
	w.reserve_bytes = UINT64_C(100) << 20;
	return w;
}

static void a_reserve_is_left_and_looking_at_it_costs_no_time(void **state)
{
	struct workload w = with_a_reserve();
	struct bench b = { .sim = { .write_ns = 7,
				    .available_ns = 1000,
				    .fail_with = ENOSPC,
				    .capacity_bytes = UINT64_C(300) << 20 } };

	(void)state;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_FULL, "");
	/* every 64 MiB it looks whether 64 more would leave the reserve */
	assert_int_equal(b.write.bytes, UINT64_C(192) << 20);
	assert_int_equal(b.sim.looks, 4);
	assert_int_equal(b.write.app_ns, 192 * 7);
	assert_int_equal(b.write.flush_ns, 0);
	assert_true(b.write.counted);
	assert_int_equal(hist_max(b.write.latency), 7);
	assert_reads_back(&b, UINT64_C(192) << 20);
	bench_teardown(&b);
}

static void what_is_under_way_is_left_beside_the_reserve(void **state)
{
	struct workload w = with_a_reserve();
	struct bench b = { .sim = { .fail_with = ENOSPC,
				    .capacity_bytes = UINT64_C(293) << 20 } };

	(void)state;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	/* 165 MiB are left: the reserve, 64 until the next look, but not two
	   blocks */
	assert_write_end(&b, true, PHASE_END_FULL, "");
	assert_int_equal(b.write.bytes, UINT64_C(128) << 20);
	bench_teardown(&b);
}

static void room_that_nobody_can_tell_is_none(void **state)
{
	struct workload w = with_a_reserve();
	struct bench b = { .sim = { .look_fails = 2,
				    .capacity_bytes = UINT64_C(300) << 20 } };

	(void)state;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_ERROR,
			 "looking for room beside fsm00001.000: Input/output "
			 "error");
	assert_int_equal(b.write.bytes, UINT64_C(64) << 20);
	bench_teardown(&b);
	b = (struct bench){ .sim = { .look_fails = 1,
				     .capacity_bytes = UINT64_C(300) << 20 } };
	bench_setup(&b, &w);
	assert_false(bench_write(&b));
	assert_write_end(&b, false, PHASE_END_ERROR,
			 "looking for room beside fsm00000.000: Input/output "
			 "error");
	bench_teardown(&b);
}

static void a_reserve_used_up_before_is_an_error(void **state)
{
	struct workload w = with_a_reserve();
	struct bench b = { .sim = { .capacity_bytes = UINT64_C(150) << 20 } };

	(void)state;
	bench_setup(&b, &w);
	assert_false(bench_write(&b));
	assert_write_end(&b, false, PHASE_END_ERROR,
			 "nothing can be written but what is to stay free "
			 "here (100 MiB)");
	assert_int_equal(b.write.errnum, ENOSPC);
	assert_int_equal(b.sim.writes, 0);
	bench_teardown(&b);
}

static void without_a_reserve_nobody_looks(void **state)
{
	struct bench b = { .sim = { .capacity_bytes = 65536 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.sim.looks, 0);
	bench_teardown(&b);
}

static void a_size_that_does_not_fit_is_an_error(void **state)
{
	struct bench b = { .sim = { .capacity_bytes = 10000,
				    .fail_with = ENOSPC } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_ERROR,
			 "writing fsm00000.000: No space left on device");
	assert_int_equal(b.write.errnum, ENOSPC);
	assert_int_equal(b.write.bytes, 10000);
	bench_teardown(&b);
}

static void an_io_error_keeps_the_figures_until_then(void **state)
{
	struct bench b = { .sim = { .write_ns = 7,
				    .fsync_ns = 9,
				    .capacity_bytes = 16384,
				    .fail_with = EIO } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_ERROR,
			 "writing fsm00000.000: Input/output error");
	assert_int_equal(b.write.errnum, EIO);
	assert_int_equal(b.write.bytes, 4 * 4096);
	assert_int_equal(b.write.app_ns, 4 * 7);
	assert_int_equal(b.write.flush_ns, 9);
	assert_int_equal(hist_count(b.write.latency), 4);
	bench_teardown(&b);
}

static void a_read_error_keeps_the_figures_until_then(void **state)
{
	struct bench b = { .sim = { .read_ns = 3, .read_fails_at = 9000 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_ERROR);
	assert_int_equal(b.read.bytes, 8192);
	assert_int_equal(b.read.app_ns, 6);
	assert_string_equal(b.err.text,
			    "reading fsm00000.000: Input/output error");
	bench_teardown(&b);
}

static void fails_to_flush(struct sim sim, const char *text)
{
	struct bench b = { .sim = sim };

	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_ERROR, text);
	assert_int_equal(b.write.errnum, EIO);
	assert_int_equal(b.write.bytes, 40960);
	bench_teardown(&b);
}

static void what_fails_after_the_last_write_is_an_error_too(void **state)
{
	(void)state;
	fails_to_flush((struct sim){ .fsync_fails = EIO },
		       "flushing fsm00000.000: Input/output error");
	fails_to_flush((struct sim){ .syncfs_fails = EIO },
		       "flushing the filesystem: Input/output error");
	fails_to_flush((struct sim){ .close_fails = EIO },
		       "closing fsm00000.000: Input/output error");
}

static void the_first_error_is_the_one_told(void **state)
{
	struct bench b = { .sim = { .capacity_bytes = 4096,
				    .fail_with = ENODEV,
				    .fsync_fails = EIO,
				    .close_fails = EIO } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_ERROR,
			 "writing fsm00000.000: No such device");
	assert_int_equal(b.write.errnum, ENODEV);
	bench_teardown(&b);
}

static void a_file_that_is_there_is_never_overwritten(void **state)
{
	struct bench b = { .sim = { .files = { { .exists = true,
						 .name = "fsm00000.000" } } } };
	struct err err = { 0 };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_false(bench_write(&b));
	assert_write_end(&b, false, PHASE_END_ERROR,
			 "creating fsm00000.000: File exists");
	assert_true(measure_remove(b.measure, SIM_DIR, &err));
	assert_true(b.sim.files[0].exists); /* it is not ours */
	b.sim.files[0].exists = false;
	bench_teardown(&b);
}

static void a_file_that_is_gone_is_an_error(void **state)
{
	struct bench b = { 0 };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	b.sim.files[0].exists = false;
	assert_false(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_ERROR);
	assert_string_equal(b.err.text, "opening fsm00000.000: No such file "
					"or directory");
	bench_teardown(&b);
}

static void a_mount_that_vanished_gets_no_file(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .mount_changes = 3 } };

	(void)state;
	w.file_limit_bytes = 8192;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(
		&b, true, PHASE_END_ERROR,
		"fsm00002.000 would be on another filesystem: the one under "
		"test is not mounted any more");
	assert_int_equal(b.write.bytes, 2 * 8192);
	assert_false(b.sim.files[2].exists);
	bench_teardown(&b);
}

static void a_duration_ends_the_write_but_not_the_read(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .write_ns = 30, .read_ns = 1000 } };

	(void)state;
	w.size_bytes = 0;
	w.duration_ns = 100;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_DURATION, "");
	assert_int_equal(b.write.bytes, 4 * 4096);
	assert_int_equal(b.write.app_ns, 120);
	assert_reads_back(&b, 16384);
	bench_teardown(&b);
}

static void read_now_ends_the_write_at_a_blocks_end(void **state)
{
	struct bench b = { .sim = { .write_ns = 30,
				    .read_ns = 1,
				    .syncfs_ns = 5,
				    .read_now_at_ns = 70 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_READ_NOW, "");
	assert_int_equal(b.write.bytes, 3 * 4096);
	assert_int_equal(b.write.flush_ns, 5);
	assert_reads_back(&b, 12288); /* although it stays set */
	bench_teardown(&b);
}

static void stop_ends_either_phase_without_a_flush(void **state)
{
	struct bench b = {
		.sim = { .write_ns = 30, .fsync_ns = 5, .stop_at_ns = 70 }
	};

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_STOPPED, "");
	assert_int_equal(b.write.bytes, 3 * 4096);
	assert_int_equal(b.sim.fsyncs, 0);
	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_STOPPED);
	assert_int_equal(b.read.bytes, 4096);
	bench_teardown(&b);
}

static void a_deadline_ends_either_phase(void **state)
{
	struct bench b = { .sim = { .write_ns = 30, .read_ns = 30 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	b.control.deadline_ns = 90;
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_TIMEOUT, "");
	assert_int_equal(b.write.bytes, 3 * 4096);
	b.control.deadline_ns = b.sim.clock_ns + 60;
	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_TIMEOUT);
	assert_int_equal(b.read.bytes, 2 * 4096);
	bench_teardown(&b);
}

static void all_of_the_bytes_are_a_size_whatever_else_was_asked(void **state)
{
	struct bench b = { .sim = { .write_ns = 30, .stop_at_ns = 300 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_SIZE);
	bench_teardown(&b);
}

static void a_suspend_is_seen(void **state)
{
	struct bench b = { .sim = { .write_ns = MS,
				    .suspended_at_ns = 5 * MS,
				    .suspended_ns = 3000 * MS } };
	struct bench awake = { .sim = { .write_ns = MS } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_false(measure_suspended(b.measure));
	assert_true(bench_write(&b));
	assert_true(measure_suspended(b.measure));
	bench_teardown(&b);
	bench_setup(&awake, &ten_blocks);
	assert_true(bench_write(&awake));
	assert_true(bench_read(&awake));
	assert_false(measure_suspended(awake.measure));
	bench_teardown(&awake);
}

static void impossible_workloads_are_refused(void **state)
{
	struct measure_control control = { 0 };
	struct data *data = data_new(1);
	struct sim sim = { 0 };
	struct measure_spec spec = { .workload = ten_blocks,
				     .data = data,
				     .io = { &sim_io, &sim },
				     .control = &control };
	struct err err = { 0 };

	(void)state;
	spec.workload.block_bytes = 0;
	assert_null(measure_new(&spec, &err));
	assert_string_equal(err.text,
			    "block must be from 1 to 1073741824 bytes");
	err = (struct err){ 0 };
	spec.workload = ten_blocks;
	spec.workload.streams = 257;
	assert_null(measure_new(&spec, &err));
	assert_string_equal(err.text, "streams must be from 1 to 256");
	err = (struct err){ 0 };
	spec.workload.streams = 256;
	spec.workload.depth = 1024;
	spec.workload.block_bytes = WORKLOAD_BLOCK_MAX;
	assert_null(measure_new(&spec, &err));
	assert_non_null(strstr(err.text, "block, depth and streams together "
					 "need 53713"));
	data_free(data);
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
		cmocka_unit_test(files_roll_over_at_the_limit),
		cmocka_unit_test(
			a_size_that_ends_with_a_file_opens_no_next_one),
		cmocka_unit_test(files_roll_over_where_the_filesystem_says_so),
		cmocka_unit_test(a_limit_at_a_files_start_ends_a_full_write),
		cmocka_unit_test(short_writes_and_interruptions_go_on),
		cmocka_unit_test(a_storm_of_interruptions_loses_no_byte),
		cmocka_unit_test(a_phase_that_takes_no_time_divides_by_nothing),
		cmocka_unit_test(a_full_volume_or_quota_is_a_wanted_end),
		cmocka_unit_test(
			permission_refused_is_full_only_where_nothing_is_left),
		cmocka_unit_test(no_room_for_a_next_file_is_full_too),
		cmocka_unit_test(
			a_reserve_is_left_and_looking_at_it_costs_no_time),
		cmocka_unit_test(what_is_under_way_is_left_beside_the_reserve),
		cmocka_unit_test(room_that_nobody_can_tell_is_none),
		cmocka_unit_test(a_reserve_used_up_before_is_an_error),
		cmocka_unit_test(without_a_reserve_nobody_looks),
		cmocka_unit_test(
			a_volume_full_before_the_first_byte_is_an_error),
		cmocka_unit_test(a_size_that_does_not_fit_is_an_error),
		cmocka_unit_test(an_io_error_keeps_the_figures_until_then),
		cmocka_unit_test(a_read_error_keeps_the_figures_until_then),
		cmocka_unit_test(
			what_fails_after_the_last_write_is_an_error_too),
		cmocka_unit_test(the_first_error_is_the_one_told),
		cmocka_unit_test(a_file_that_is_there_is_never_overwritten),
		cmocka_unit_test(a_file_that_is_gone_is_an_error),
		cmocka_unit_test(a_mount_that_vanished_gets_no_file),
		cmocka_unit_test(a_duration_ends_the_write_but_not_the_read),
		cmocka_unit_test(read_now_ends_the_write_at_a_blocks_end),
		cmocka_unit_test(stop_ends_either_phase_without_a_flush),
		cmocka_unit_test(a_deadline_ends_either_phase),
		cmocka_unit_test(
			all_of_the_bytes_are_a_size_whatever_else_was_asked),
		cmocka_unit_test(a_suspend_is_seen),
		cmocka_unit_test(impossible_workloads_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
