/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a row has no Change: whatever is said must be so. */
#include "tests/unit/compare_fixture.h"

static const double some[] = { 100, 101, 102 };

static void plan(struct fixture *f, const char *source, const char *dimension,
		 const char *baseline)
{
	const struct record_run_info info = {
		.id = 1,
		.run = { .source = source,
			 .baseline_dimension = dimension,
			 .baseline = baseline },
	};
	struct err err = { 0 };

	assert_true(dataset_add_run(&f->data, &info, &err));
}

static struct record_result row(int64_t cell, int64_t base, const char *volume,
				const char *filesystem)
{
	struct record_result r = sampling_row(1, cell, base);

	r.volume = volume;
	r.filesystem = filesystem;
	return r;
}

static struct record_result directory(int64_t cell, int64_t base,
				      const char *volume)
{
	struct record_result r = row(cell, base, volume, "ext4");

	r.volume_kind = "directory";
	return r;
}

static void add(struct fixture *f, struct record_result r)
{
	sampling_add_rates(&f->data, r, 'W', some, 3);
}

static void add_failed(struct fixture *f, struct record_result r)
{
	r.status = RECORD_FAILED;
	r.round = 1;
	sampling_add(&f->data, r);
}

static void cell_alone(struct fixture *f, struct record_result r)
{
	struct err err = { 0 };

	assert_true(dataset_add_cell(&f->data, &r, NULL, &err));
}

static void filter(struct fixture *f, const char *text)
{
	struct err err = { 0 };

	assert_true(compare_parse_filter(&f->options, text, &err));
}

static void assert_says(struct fixture *f, const char *line)
{
	assert_true(has_line(&make(f)->notes, line));
}

static void an_excluded_directory_was_not_measured(void **state)
{
	struct fixture *f = *state;
	struct record_result home = directory(1, 1, "home");
	struct record_result mem = directory(2, 1, "mem");

	plan(f, "run", "volume", "home");
	add(f, home);
	add(f, mem);
	mem.cell = 3;
	mem.base_cell = 0;
	mem.workload = "small";
	add(f, mem);
	assert_says(f, "ext4 on mem (small): no Change: the base, volume home, "
		       "was not measured there (include, exclude)");
	set_base(f, "volume=home");
	assert_says(f, "ext4 on mem (small): no Change: the base, volume home, "
		       "was not measured there");
}

static void an_excluded_image_was_not_measured(void **state)
{
	struct fixture *f = *state;

	plan(f, "run", "filesystem", "FAT");
	add(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	add(f, row(3, 0, "b", "NTFS"));
	assert_says(f, "NTFS on b: no Change: the base, filesystem FAT, was "
		       "not measured there (include, exclude)");
	set_base(f, "filesystem=FAT");
	assert_says(f, "NTFS on b: no Change: the base, filesystem FAT, was "
		       "not measured there");
}

static void a_base_that_is_excluded_everywhere_is_told_of(void **state)
{
	struct fixture *f = *state;

	plan(f, "run", "filesystem", "FAT");
	add(f, row(1, 0, "a", "NTFS"));
	assert_says(f, "NTFS on a: no Change: the base, filesystem FAT, was "
		       "not measured there (include, exclude)");
}

static void an_import_has_no_excluded_cells(void **state)
{
	struct fixture *f = *state;

	plan(f, "import", "filesystem", "FAT");
	add(f, row(1, 1, "a", "FAT"));
	add(f, row(3, 0, "b", "NTFS"));
	assert_says(f, "NTFS on b: no Change: the base, filesystem FAT, was "
		       "not measured there");
}

static void a_directory_among_filesystems_brings_its_own(void **state)
{
	static const char said[] =
		"ext4 on home: no Change: a directory brings its own "
		"filesystem, so that the base, filesystem FAT, is not there "
		"(--base volume=... compares with another volume)";
	struct fixture *f = *state;

	plan(f, "run", "filesystem", "FAT");
	add(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	add(f, directory(3, 0, "home"));
	assert_says(f, said);
	set_base(f, "filesystem=FAT");
	assert_says(f, said);
}

static void a_directory_beside_an_image_as_the_base_brings_its_own(void **state)
{
	struct fixture *f = *state;
	struct record_result other = directory(3, 0, "home");

	plan(f, "run", "volume", "a");
	add(f, row(1, 1, "a", "FAT"));
	add(f, directory(2, 0, "home"));
	other.workload = "small";
	add(f, other);
	assert_says(f, "ext4 on home (seq): no Change: a directory brings its "
		       "own filesystem, so that the base, volume a, is not "
		       "there (--base volume=... compares with another "
		       "volume)");
	/* Nor is it a matter of filesystems where it was not measured. */
	assert_says(f, "ext4 on home (small): no Change: the base, volume a, "
		       "was not measured there (include, exclude)");
}

static void a_base_that_was_not_reached_has_no_sample(void **state)
{
	struct fixture *f = *state;

	plan(f, "run", "filesystem", "FAT");
	cell_alone(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	assert_says(f, "NTFS on a: no Change: its base has no sample");
	set_base(f, "filesystem=FAT");
	assert_says(f, "NTFS on a: no Change: its base has no sample");
}

static void a_base_that_failed_has_no_valid_figure(void **state)
{
	struct fixture *f = *state;

	plan(f, "run", "filesystem", "FAT");
	add_failed(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	assert_says(f, "NTFS on a: no Change: its base has no valid figure");
	set_base(f, "filesystem=FAT");
	assert_says(f, "NTFS on a: no Change: its base has no valid figure");
}

static void a_filter_may_leave_the_base_out(void **state)
{
	struct fixture *f = *state;
	struct record_result fat = row(1, 1, "a", "FAT");
	struct record_result other = row(3, 3, "b", "FAT");

	plan(f, "run", "filesystem", "FAT");
	fat.driver = "vfat";
	add(f, fat);
	add(f, row(2, 1, "a", "NTFS"));
	other.driver = "fusefat";
	add(f, other);
	add(f, row(4, 3, "b", "NTFS"));
	filter(f, "driver!=fusefat");
	assert_says(f, "NTFS on b: no Change: --filter leaves its base out");
	set_base(f, "filesystem=FAT");
	assert_says(f, "NTFS on b: no Change: --filter leaves its base out");
}

static void a_base_of_another_machine_or_os_is_no_base(void **state)
{
	struct fixture *f = *state;
	struct record_result other = row(3, 0, "a", "NTFS");

	add(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	other.run = 2;
	other.host = "far";
	add(f, other);
	other.cell = 4;
	other.run = 3;
	other.host = "box";
	other.os = "NT";
	add(f, other);
	set_base(f, "filesystem=FAT");
	assert_says(f, "NTFS on a under Linux 6.12.5 in run 2: no Change: the "
		       "base, filesystem FAT, was not measured on its machine");
	assert_says(f, "NTFS on a under NT in run 3: no Change: the base, "
		       "filesystem FAT, was not measured under its OS");
}

static void a_run_without_a_baseline_has_no_base(void **state)
{
	struct fixture *f = *state;
	struct record_result other = row(3, 0, "a", "NTFS");

	plan(f, "run", "filesystem", "FAT");
	add(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	other.run = 2;
	add(f, other);
	assert_says(f, "NTFS on a in run 2: no Change: its run has no "
		       "baseline");
}

static void cells_of_one_row_may_have_reasons_of_their_own(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	plan(f, "run", "filesystem", "FAT");
	add_failed(f, row(1, 1, "a", "FAT"));
	add(f, row(2, 1, "a", "NTFS"));
	add(f, row(3, 0, "b", "NTFS"));
	assert_true(compare_parse_rows(&f->options, "filesystem", &err));
	assert_says(f, "NTFS: no Change: none of its cells has a base with a "
		       "figure");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_excluded_directory_was_not_measured),
		TEST(an_excluded_image_was_not_measured),
		TEST(a_base_that_is_excluded_everywhere_is_told_of),
		TEST(an_import_has_no_excluded_cells),
		TEST(a_directory_among_filesystems_brings_its_own),
		TEST(a_directory_beside_an_image_as_the_base_brings_its_own),
		TEST(a_base_that_was_not_reached_has_no_sample),
		TEST(a_base_that_failed_has_no_valid_figure),
		TEST(a_filter_may_leave_the_base_out),
		TEST(a_base_of_another_machine_or_os_is_no_base),
		TEST(a_run_without_a_baseline_has_no_base),
		TEST(cells_of_one_row_may_have_reasons_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
