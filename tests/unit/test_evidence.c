/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data.h"
#include "core/evidence.h"
#include "tests/unit/bench.h"
#include "tests/unit/unit.h"

static struct workload direct(enum workload_io io)
{
	struct workload w = ten_blocks;

	w.io = io;
	return w;
}

static void assert_sample(struct bench *b, enum evidence_io io)
{
	assert_true(bench_write(b));
	assert_string_equal(b->err.text, "");
	assert_int_equal(b->write.evidence.io, io);
	assert_int_equal(b->write.bytes, b->spec.workload.size_bytes);
	assert_true(bench_read(b));
	assert_string_equal(b->err.text, "");
	assert_int_equal(b->read.evidence.io, io);
	assert_int_equal(b->read.bytes, b->spec.workload.size_bytes);
}

static void buffered_is_said_to_be_buffered(void **state)
{
	struct bench b = { 0 };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_sample(&b, EVIDENCE_IO_BUFFERED);
	assert_int_equal(b.write.evidence.alignment_bytes, 0);
	bench_teardown(&b);
}

static void direct_obeys_the_alignment_and_says_it(void **state)
{
	struct workload w = direct(WORKLOAD_DIRECT_STRICT);
	struct bench b = { .sim = { .alignment_bytes = 4096 } };

	(void)state;
	bench_setup(&b, &w);
	assert_sample(&b, EVIDENCE_IO_DIRECT);
	assert_int_equal(b.write.evidence.alignment_bytes, 4096);
	assert_int_equal(b.sim.buffered_switches, 0);
	/* the probes, one a phase, are all that was not aligned */
	assert_int_equal(b.sim.refused_misaligned, 2);
	bench_teardown(&b);
}

static void the_tail_of_a_direct_file_is_buffered(void **state)
{
	struct workload w = direct(WORKLOAD_DIRECT_STRICT);
	struct bench b = { .sim = { .alignment_bytes = 512 } };

	(void)state;
	w.size_bytes = 40000; /* nine blocks, 3072 and 64 bytes */
	bench_setup(&b, &w);
	assert_sample(&b, EVIDENCE_IO_DIRECT);
	assert_int_equal(b.sim.buffered_switches, 2);
	assert_int_equal(b.sim.writes, 11);
	assert_int_equal(b.sim.refused_misaligned, 2);
	bench_teardown(&b);
}

static void a_short_direct_write_goes_on_buffered(void **state)
{
	struct workload w = direct(WORKLOAD_DIRECT_STRICT);
	struct bench b = { .sim = { .alignment_bytes = 512,
				    .most_per_call = 1000 } };

	(void)state;
	bench_setup(&b, &w);
	assert_sample(&b, EVIDENCE_IO_DIRECT);
	assert_int_equal(b.sim.buffered_switches, 2);
	bench_teardown(&b);
}

static void assert_refused(struct sim sim)
{
	struct workload w = direct(WORKLOAD_DIRECT);
	struct bench b = { .sim = sim };

	w.file_limit_bytes = 10000;
	bench_setup(&b, &w);
	assert_sample(&b, EVIDENCE_IO_DIRECT_REFUSED);
	assert_int_equal(b.write.files, 5);
	assert_int_equal(b.write.evidence.alignment_bytes, 0);
	bench_teardown(&b);
}

static void a_refused_open_is_buffered_and_said(void **state)
{
	(void)state;
	assert_refused((struct sim){ .refuses_direct_open = true });
}

static void a_refused_first_transfer_is_buffered_and_said(void **state)
{
	(void)state;
	assert_refused((struct sim){ .refuses_direct_transfer = true });
}

static void a_filesystem_without_direct_io_is_buffered_and_said(void **state)
{
	(void)state;
	assert_refused((struct sim){ .alignment_fails = EOPNOTSUPP });
}

static void a_block_that_cannot_be_direct_is_buffered_and_said(void **state)
{
	(void)state;
	assert_refused((struct sim){ .alignment_bytes = 8192 });
}

static void assert_strict_fails(struct sim sim, const char *text)
{
	struct workload w = direct(WORKLOAD_DIRECT_STRICT);
	struct bench b = { .sim = sim };

	bench_setup(&b, &w);
	assert_false(bench_write(&b));
	assert_int_equal(b.write.end, PHASE_END_ERROR);
	assert_int_equal(b.write.errnum, EINVAL);
	assert_string_equal(b.err.text, text);
	bench_teardown(&b);
}

static void strict_direct_io_fails_where_it_is_refused(void **state)
{
	(void)state;
	assert_strict_fails((struct sim){ .refuses_direct_open = true },
			    "opening fsm00000.000 for direct I/O: Invalid "
			    "argument");
	assert_strict_fails((struct sim){ .refuses_direct_transfer = true },
			    "opening fsm00000.000 for direct I/O: Invalid "
			    "argument");
	assert_strict_fails((struct sim){ .alignment_bytes = 8192 },
			    "direct I/O needs a block that is a multiple of "
			    "8192 bytes here");
}

static void accepted_but_cached_is_direct_in_name(void **state)
{
	struct workload w = direct(WORKLOAD_DIRECT);
	struct bench b = { .sim = { .alignment_bytes = 512,
				    .resident_bytes = 30000 } };

	(void)state;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.evidence.io, EVIDENCE_IO_DIRECT_IN_NAME);
	/* resident before: this read did not put it there */
	assert_true(bench_read(&b));
	assert_int_equal(b.read.evidence.resident_bytes, 30000);
	assert_int_equal(b.read.evidence.io, EVIDENCE_IO_DIRECT);
	bench_teardown(&b);
}

static void accepted_at_any_alignment_without_transfers_is_in_name(void **state)
{
	struct workload w = direct(WORKLOAD_DIRECT);
	struct bench b = { .sim = { .alignment_bytes = 512,
				    .ignores_alignment = true } };

	(void)state;
	bench_setup(&b, &w);
	assert_sample(&b, EVIDENCE_IO_DIRECT_IN_NAME);
	bench_teardown(&b);
}

static void each_sign_of_direct_in_name_counts(void **state)
{
	static const struct {
		struct evidence_probe probe;
		bool in_name;
	} cases[] = {
		{ { EVIDENCE_UNKNOWN, EVIDENCE_UNKNOWN, false, false }, false },
		{ { EVIDENCE_UNKNOWN, EVIDENCE_UNKNOWN, true, false }, false },
		{ { 500, 0, false, false }, false }, /* tmpfs */
		{ { 501, 0, false, false }, true },
		{ { 0, 0, true, true }, true }, /* FUSE */
		{ { 0, 0, false, true }, false },
		{ { 0, 900, true, false }, false }, /* btrfs */
		{ { 0, 901, true, false }, true },
		{ { 0, 5000, false, false }, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(evidence_is_in_name(&cases[i].probe, 1000),
				 cases[i].in_name);
}

static void what_is_resident_before_a_read_is_told(void **state)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .resident_bytes = 9000 } };
	struct err err = { 0 };

	(void)state;
	w.file_limit_bytes = 16384;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_int_equal(b.write.evidence.resident_bytes, 0);
	assert_true(bench_read(&b));
	assert_int_equal(b.read.evidence.resident_bytes, 9000 + 9000 + 8192);
	phase_result_done(&b.read);
	assert_true(measure_evict(b.measure, SIM_DIR, &err));
	assert_true(bench_read(&b));
	assert_int_equal(b.read.evidence.resident_bytes, 0);
	bench_teardown(&b);
}

static void a_disk_that_transferred_too_little_means_cached(void **state)
{
	struct evidence e = { .resident_bytes = EVIDENCE_UNKNOWN,
			      .device_bytes = 900,
			      .process_bytes = 0 };

	(void)state;
	assert_false(evidence_is_cached(&e, 1000));
	e.device_bytes = 899;
	assert_true(evidence_is_cached(&e, 1000));
}

static void what_was_resident_is_cached_whatever_the_disk_did(void **state)
{
	struct evidence e = { .resident_bytes = 900,
			      .device_bytes = 5000,
			      .io = EVIDENCE_IO_BUFFERED };

	(void)state;
	assert_true(evidence_is_cached(&e, 1000));
	e.io = EVIDENCE_IO_DIRECT_REFUSED;
	assert_true(evidence_is_cached(&e, 1000));
	e.io = EVIDENCE_IO_DIRECT; /* goes past those pages */
	assert_false(evidence_is_cached(&e, 1000));
	e.io = EVIDENCE_IO_BUFFERED;
	e.resident_bytes = 899;
	assert_false(evidence_is_cached(&e, 1000));
}

static void without_a_disk_to_watch_residency_decides(void **state)
{
	struct evidence e = { .resident_bytes = 100,
			      .device_bytes = EVIDENCE_UNKNOWN,
			      .process_bytes = EVIDENCE_UNKNOWN };

	(void)state;
	assert_false(evidence_is_cached(&e, 1000));
	e.resident_bytes = 101;
	assert_true(evidence_is_cached(&e, 1000));
	e.resident_bytes = EVIDENCE_UNKNOWN;
	assert_false(evidence_is_cached(&e, 1000));
	assert_false(evidence_is_cached(&e, 0));
}

static void what_others_move_on_the_disk_is_not_ours(void **state)
{
	struct evidence_counters moved = { .device_read = 500,
					   .mounted_read = 100,
					   .device_written = 200,
					   .mounted_written = 300 };

	(void)state;
	assert_int_equal(evidence_device_bytes(&moved, false), 100);
	assert_int_equal(evidence_device_bytes(&moved, true), 200);
	moved.mounted_read = EVIDENCE_UNKNOWN;
	assert_int_equal(evidence_device_bytes(&moved, false), 500);
	moved.device_written = EVIDENCE_UNKNOWN; /* a loop device on memory */
	assert_int_equal(evidence_device_bytes(&moved, true), EVIDENCE_UNKNOWN);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void a_disks_stat_file_is_read_in_sectors_of_512_bytes(void **state)
{
	char path[] = "/tmp/test_evidence.XXXXXX";
	int fd = mkstemp(path);
	struct evidence_counters a, b, moved;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	write_file(path, "     119        7    1000       64       31        9"
			 "     2000       12        0       80       76\n");
	a = evidence_count(path, path);
	write_file(path, "     219        7    1008       64       41        9"
			 "     2016       12        0       80       76\n");
	b = evidence_count(path, path);
	moved = evidence_between(&a, &b);
	assert_int_equal(moved.device_read, 8 * 512);
	assert_int_equal(moved.device_written, 16 * 512);
	assert_int_equal(moved.mounted_read, 8 * 512);
	assert_int_equal(moved.mounted_written, 16 * 512);
	write_file(path, "not a stat file\n");
	b = evidence_count(path, "");
	moved = evidence_between(&a, &b);
	assert_int_equal(moved.device_read, EVIDENCE_UNKNOWN);
	unlink(path);
	b = evidence_count("", "");
	assert_int_equal(b.device_written, EVIDENCE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffered_is_said_to_be_buffered),
		cmocka_unit_test(direct_obeys_the_alignment_and_says_it),
		cmocka_unit_test(the_tail_of_a_direct_file_is_buffered),
		cmocka_unit_test(a_short_direct_write_goes_on_buffered),
		cmocka_unit_test(a_refused_open_is_buffered_and_said),
		cmocka_unit_test(a_refused_first_transfer_is_buffered_and_said),
		cmocka_unit_test(
			a_filesystem_without_direct_io_is_buffered_and_said),
		cmocka_unit_test(
			a_block_that_cannot_be_direct_is_buffered_and_said),
		cmocka_unit_test(strict_direct_io_fails_where_it_is_refused),
		cmocka_unit_test(accepted_but_cached_is_direct_in_name),
		cmocka_unit_test(
			accepted_at_any_alignment_without_transfers_is_in_name),
		cmocka_unit_test(each_sign_of_direct_in_name_counts),
		cmocka_unit_test(what_is_resident_before_a_read_is_told),
		cmocka_unit_test(
			a_disk_that_transferred_too_little_means_cached),
		cmocka_unit_test(
			what_was_resident_is_cached_whatever_the_disk_did),
		cmocka_unit_test(without_a_disk_to_watch_residency_decides),
		cmocka_unit_test(what_others_move_on_the_disk_is_not_ours),
		cmocka_unit_test(
			a_disks_stat_file_is_read_in_sectors_of_512_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
