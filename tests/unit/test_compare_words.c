/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a comparison: sentences, notes and warnings. */
#include "tests/unit/compare_fixture.h"

static void words_name_both_phases_and_the_base(void **state)
{
	static const double times[] = { 30000, 30100, 30200, 30050, 30120 };
	static const double some[] = { 15000, 15030, 15100, 15040, 15080 };
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 3, 1);

	add_two(&f->data);
	row.filesystem = "fast";
	sampling_add_rates(&f->data, row, 'W', times, 5);
	sampling_add_rates(&f->data, row, 'R', times, 5);
	row.cell = 4;
	row.filesystem = "mixed";
	sampling_add_rates(&f->data, row, 'W', times, 5);
	sampling_add_rates(&f->data, row, 'R', some, 5);
	row.cell = 5;
	row.filesystem = "both";
	sampling_add_rates(&f->data, row, 'W', some, 5);
	row.op = 'R';
	sampling_add_rates(&f->data, row, 'R', some, 5);
	make(f);
	assert_true(has_line(&f->comparison->sentences,
			     "fast writes 2.5 times as fast and reads 2.2 "
			     "times as fast as vfat on sda1."));
	assert_true(has_line(&f->comparison->sentences,
			     "mixed writes 2.5 times as fast as vfat and reads "
			     "about 13% faster on sda1."));
	assert_true(has_line(&f->comparison->sentences,
			     "both writes about 26% faster and reads about "
			     "13% faster than vfat on sda1."));
	f->options.alpha = 0.01; /* exfat's writes have .042 */
	make(f);
	assert_true(has_line(&f->comparison->sentences,
			     "exfat reads about 75% faster than vfat on sda1; "
			     "writes show no clear difference."));
	assert_true(has_line(&f->comparison->bases, "filesystem vfat"));
	assert_int_equal(f->comparison->bases.count, 1);
}

static void words_say_what_else_varies(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "vfat";
	sampling_add_rates(&f->data, row, 'R', vfat_r, 5);
	row.cell = 2;
	row.filesystem = "exfat";
	sampling_add_rates(&f->data, row, 'R', exfat_r, 5);
	row = sampling_row(2, 3, 3);
	row.os = "Linux 7";
	row.workload = "rand";
	row.filesystem = "vfat";
	sampling_add_rates(&f->data, row, 'R', vfat_r, 5);
	make(f);
	assert_true(has_line(&f->comparison->sentences,
			     "exfat reads about 75% faster than vfat on sda1 "
			     "(seq) under Linux 6.12.5."));
	assert_int_equal(f->comparison->shown_count, 4);
	assert_int_equal(f->comparison->shown[3], DATASET_WORKLOAD);
}

static void what_memory_served_is_said_to_be_from_memory(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 2, 1);

	add_two(&f->data);
	row.op = 'R';
	row.round = 6;
	row.kb_per_s = 23000;
	row.cached = true;
	sampling_add(&f->data, row);
	make(f);
	assert_int_equal(f->comparison->rows[3].flags, DATASET_CACHED);
	assert_int_equal(f->comparison->rows[2].flags, 0);
	assert_true(has_line(&f->comparison->sentences,
			     "exfat writes about 1% faster and reads about 75% "
			     "faster (from memory) than vfat on sda1."));
}

static void a_base_in_another_mode_is_said_to_be(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "vfat";
	row.io_asked = "direct";
	row.io_effective = "direct-refused";
	sampling_add_rates(&f->data, row, 'R', vfat_r, 5);
	row.cell = 2;
	row.filesystem = "exfat";
	row.io_effective = "direct";
	sampling_add_rates(&f->data, row, 'R', exfat_r, 5);
	make(f);
	assert_true(has_line(&f->comparison->sentences,
			     "exfat reads about 75% faster than vfat "
			     "(buffered) on sda1."));
}

static void drivers_are_named_where_the_filesystem_does_not(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "FAT";
	row.driver = "vfat";
	row.round = 1;
	row.kb_per_s = 100;
	sampling_add(&f->data, row);
	row.cell = 2;
	row.filesystem = "NTFS";
	row.driver = "ntfs3";
	sampling_add(&f->data, row);
	row.driver = "ntfs-3g";
	row.round = 2;
	sampling_add(&f->data, row);
	row.cell = 3;
	row.filesystem = "ext4";
	row.driver = "ext4";
	sampling_add(&f->data, row);
	row.cell = 4; /* a variant of what is named by its type */
	row.filesystem = "zstd";
	row.type = row.driver = "btrfs";
	sampling_add(&f->data, row);
	make(f);
	assert_true(has_line(&f->comparison->notes,
			     "drivers: FAT is vfat, NTFS is ntfs3, ntfs-3g"));
}

static void the_cache_error_of_a_write_is_told(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "vfat";
	for (row.round = 1; row.round <= 3; row.round++) {
		row.kb_per_s = 100 * (double)row.round;
		row.app_kb_per_s = 1.126 * row.kb_per_s;
		sampling_add(&f->data, row);
	}
	row.cell = 2;
	row.filesystem = "exfat";
	row.app_kb_per_s = 1.005 * row.kb_per_s;
	sampling_add(&f->data, row);
	make(f);
	assert_near(f->comparison->rows[0].app_kb_per_s /
			    f->comparison->rows[0].kb_per_s,
		    1.126);
	assert_true(has_line(&f->comparison->notes,
			     "cache error, by which W would seem faster "
			     "without its flush: vfat on sda1 by 13%"));
}

static void of_many_cache_errors_the_largest_are_told(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d",
					     "e", "f", "g", "h" };
	static const double errors[] = { 1.2,  1.1, 1.21, 1.22,
					 1.23, 1.3, 1.15, 1.9 };
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		row.cell = (int64_t)i + 1;
		row.filesystem = names[i];
		row.kb_per_s = 100;
		row.app_kb_per_s = errors[i] * row.kb_per_s;
		sampling_add(&f->data, row);
	}
	make(f);
	assert_true(has_line(
		&f->comparison->notes,
		"cache error, by which W would seem faster without its flush: "
		"a on sda1 by 20%, c on sda1 by 21%, d on sda1 by 22%, "
		"e on sda1 by 23%, f on sda1 by 30%, h on sda1 by 90%; and 2 "
		"more rows by no more than these: --metric app has the rates "
		"without the flush"));
}

static void other_settings_of_the_same_workload_are_warned_of(void **state)
{
	struct fixture *f = *state;
	struct workload settings = { .block_bytes = 512 << 10,
				     .size_bytes = 480 << 20,
				     .depth = 1,
				     .streams = 1 };
	struct record_result row = sampling_row(1, 1, 0);
	struct err err = { 0 };

	row.label = "before";
	assert_true(dataset_add_cell(&f->data, &row, &settings, &err));
	sampling_add_rates(&f->data, row, 'W', vfat_w, 5);
	row.run = row.cell = 2;
	row.label = "after";
	settings.block_bytes = 4096;
	settings.depth = 8;
	settings.verify = WORKLOAD_VERIFY_STAMPS;
	settings.file_limit_bytes = UINT64_C(1) << 30;
	assert_true(dataset_add_cell(&f->data, &row, &settings, &err));
	sampling_add_rates(&f->data, row, 'W', exfat_w, 5);
	set_base(f, "label=before");
	make(f);
	assert_true(has_line(&f->comparison->warnings,
			     "what is compared has different settings: "
			     "workload seq is 4KiB, 480MiB, buffered, cold, "
			     "depth 8, streams 1, files of 1GiB, stamps "
			     "verified in run 2 and "
			     "512KiB, 480MiB, buffered, cold in run 1"));
}

static void some_failed_rounds_are_counted_in_a_note(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 2, 1);

	add_two(&f->data);
	row.op = 'W';
	row.round = 6;
	row.kb_per_s = 1; /* until it failed: does not count */
	row.status = RECORD_FAILED;
	row.errnum = 5;
	row.reason = "writing f: Input/output error";
	sampling_add(&f->data, row);
	make(f);
	assert_int_equal(f->comparison->rows[2].n, 5);
	assert_int_equal(f->comparison->rows[2].samples, 6);
	assert_null(f->comparison->rows[2].status);
	assert_near(f->comparison->rows[2].kb_per_s, 12034.6296749);
	assert_true(has_line(&f->comparison->notes,
			     "exfat on sda1: 1 of 6 writes does not count: "
			     "FAILED (EIO); the figures are from the other "
			     "5"));
	assert_true(has_line(&f->comparison->notes,
			     "exfat on sda1: FAILED (EIO): writing f: "
			     "Input/output error"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_name_both_phases_and_the_base),
		TEST(words_say_what_else_varies),
		TEST(what_memory_served_is_said_to_be_from_memory),
		TEST(a_base_in_another_mode_is_said_to_be),
		TEST(drivers_are_named_where_the_filesystem_does_not),
		TEST(the_cache_error_of_a_write_is_told),
		TEST(of_many_cache_errors_the_largest_are_told),
		TEST(other_settings_of_the_same_workload_are_warned_of),
		TEST(some_failed_rounds_are_counted_in_a_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
