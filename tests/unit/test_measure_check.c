/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a read phase finds that is not what was written. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/data.h"
#include "core/hist.h"
#include "core/measure.h"
#include "tests/unit/bench.h"
#include "tests/unit/unit.h"

static void bytes_that_did_not_arrive_make_it_corrupt(void **state)
{
	struct bench b = { .sim = { .lost_bytes = 1 } };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	assert_write_end(&b, true, PHASE_END_CORRUPT,
			 "fsm00000.000 has 40959 bytes, but 40960 "
			 "were written");
	bench_teardown(&b);
}

static void a_flipped_bit_anywhere_is_found_and_named(void **state)
{
	static const uint64_t places[] = { 0, 31, 32, 4095, 4096, 9999 };
	struct workload w = ten_blocks;
	char place[64];

	(void)state;
	w.file_limit_bytes = 10000;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct bench b = { .sim = { .flips = true,
					    .flip_file = 3,
					    .flip_at = places[i] } };

		bench_setup(&b, &w);
		assert_true(bench_write(&b));
		assert_true(bench_read(&b));
		assert_int_equal(b.read.end, PHASE_END_CORRUPT);
		assert_int_equal(b.read.bytes, 30000 + places[i] / 4096 * 4096);
		snprintf(place, sizeof(place), "fsm00003.000: byte %d is 0x",
			 (int)places[i]);
		assert_memory_equal(b.err.text, place, strlen(place));
		bench_teardown(&b);
	}
}

static void read_stamps(uint64_t flip_at, enum phase_end end)
{
	struct bench b = { .sim = { .flips = true, .flip_at = flip_at } };
	struct workload w = ten_blocks;

	w.verify = WORKLOAD_VERIFY_STAMPS;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, end);
	bench_teardown(&b);
}

static void of_stamps_alone_other_bytes_are_not_looked_at(void **state)
{
	(void)state;
	read_stamps(4096, PHASE_END_CORRUPT);
	read_stamps(4096 + 31, PHASE_END_CORRUPT);
	read_stamps(4096 + 32, PHASE_END_SIZE);
	read_stamps(2 * 4096 - 1, PHASE_END_SIZE);
}

static void a_file_cut_short_is_corrupt(void **state)
{
	struct bench b = { 0 };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	b.sim.files[0].size = 5000;
	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_CORRUPT);
	assert_string_equal(b.err.text, "fsm00000.000 has 5000 bytes, but "
					"40960 were written");
	bench_teardown(&b);
}

static void a_file_that_grew_is_corrupt(void **state)
{
	struct bench b = { 0 };

	(void)state;
	bench_setup(&b, &ten_blocks);
	assert_true(bench_write(&b));
	b.sim.files[0].size++;
	assert_true(bench_read(&b));
	assert_int_equal(b.read.end, PHASE_END_CORRUPT);
	assert_string_equal(b.err.text, "fsm00000.000 has 40961 bytes, but "
					"40960 were written");
	bench_teardown(&b);
}

static void read_large_blocks(uint64_t resident, uint64_t app_ns)
{
	struct workload w = ten_blocks;
	struct bench b = { .sim = { .read_ns = 100,
				    .check_ns = 20,
				    .resident_bytes = resident } };

	w.block_bytes = 65536;
	w.size_bytes = 655360;
	bench_setup(&b, &w);
	assert_true(bench_write(&b));
	assert_reads_back(&b, 655360);
	assert_int_equal(b.read.app_ns, app_ns);
	assert_int_equal(hist_max(b.read.latency), 100);
	bench_teardown(&b);
}

static void the_clock_stands_still_for_the_check_of_cached_bytes(void **state)
{
	(void)state;
	read_large_blocks(655360, 10 * UINT64_C(100));
}

static void the_clock_runs_on_where_the_kernel_may_read_ahead(void **state)
{
	(void)state;
	read_large_blocks(655359, 10 * UINT64_C(120));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_that_did_not_arrive_make_it_corrupt),
		cmocka_unit_test(a_flipped_bit_anywhere_is_found_and_named),
		cmocka_unit_test(of_stamps_alone_other_bytes_are_not_looked_at),
		cmocka_unit_test(a_file_cut_short_is_corrupt),
		cmocka_unit_test(a_file_that_grew_is_corrupt),
		cmocka_unit_test(
			the_clock_stands_still_for_the_check_of_cached_bytes),
		cmocka_unit_test(
			the_clock_runs_on_where_the_kernel_may_read_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
