/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures were made with R 4.2.2 from the same numbers, by t.test(log(x / b)),
 * t.test(log(x), log(b)), wilcox.test() and p.adjust(p, "holm").
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/compare_fixture.h"

static void assert_no_comparison(struct fixture *f, const char *text)
{
	struct err err = { 0 };

	assert_null(compare_new(&f->data, &f->options, &err));
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, ERR_INPUT);
}

static void differences_are_taken_inside_rounds(void **state)
{
	struct fixture *f = *state;
	const struct compare_row *rows;

	add_two(&f->data);
	rows = make(f)->rows;
	assert_int_equal(f->comparison->count, 4);
	assert_int_equal(rows[0].op, 'W');
	assert_int_equal(rows[1].op, 'R');
	assert_string_equal(rows[2].names[DATASET_FILESYSTEM], "exfat");
	assert_true(rows[0].is_base && !rows[2].is_base);
	assert_int_equal(rows[2].base, 0);
	assert_int_equal(rows[3].base, 1);
	assert_int_equal(rows[2].n, 5);
	assert_near(rows[2].kb_per_s, 12034.6296749);
	assert_near(rows[2].half, 0.0109542479599);
	assert_true(rows[3].paired);
	assert_near(rows[3].ratio, 1.75606170543);
	assert_near(rows[3].low, 1.73913068298);
	assert_near(rows[3].high, 1.77315755708);
	assert_near(rows[3].p, 8.84718078059e-09);
	assert_near(rows[3].p_holm, 1.76943615612e-08);
	assert_near(rows[2].p_holm, 0.0420334175727);
	assert_int_equal(f->comparison->comparisons, 2);
	assert_string_equal(rows[3].mark, "");
	assert_int_equal(rows[3].verdict, COMPARE_SIGNIFICANT);
	assert_int_equal(rows[0].verdict, COMPARE_UNTESTED);
}

static void only_rounds_that_both_have_are_paired(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	for (int64_t i = 0; i < 5; i++) {
		row.cell = 1;
		row.filesystem = "vfat";
		row.round = i + 1;
		row.kb_per_s = vfat_r[i];
		row.status = i == 2 ? RECORD_FAILED : RECORD_OK;
		sampling_add(&f->data, row);
		row.cell = 2;
		row.filesystem = "exfat";
		row.kb_per_s = exfat_r[i];
		row.status = RECORD_OK;
		sampling_add(&f->data, row);
	}
	assert_near(make(f)->rows[1].ratio, 1.76021349634);
	assert_near(f->comparison->rows[1].p, 4.44965099374e-07);
	assert_int_equal(f->comparison->rows[1].test_n, 4);
	assert_int_equal(f->comparison->rows[1].n, 5);
	assert_int_equal(f->comparison->rows[0].n, 4);
}

static void rows_of_different_runs_are_independent(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 0);
	const struct compare_row *last;

	row.filesystem = "vfat";
	row.label = "before";
	sampling_add_rates(&f->data, row, 'W', vfat_w, 5);
	row.run = 2;
	row.cell = 2;
	row.label = "after";
	sampling_add_rates(&f->data, row, 'W', exfat_w, 5);
	set_base(f, "label=before");
	last = &make(f)->rows[1];
	assert_false(last->paired);
	assert_near(last->ratio, 1.0124640538712);
	assert_near(last->low, 0.9981933096113);
	assert_near(last->high, 1.0269388208788);
	assert_near(last->p, 0.0787704837578);
	assert_string_equal(last->mark, "~");
	assert_true(has_line(&f->comparison->sentences,
			     "after against before with vfat on sda1: writes "
			     "show no clear difference."));
}

static void rank_tests_are_there_for_both_kinds(void **state)
{
	struct fixture *f = *state;

	add_two(&f->data);
	f->options.test = COMPARE_MANN_WHITNEY;
	assert_near(make(f)->rows[2].p, 0.0952380952381);
	assert_false(f->comparison->rows[2].paired);
	f->options.test = COMPARE_WILCOXON;
	assert_near(make(f)->rows[2].p, 0.125);
	assert_true(f->comparison->rows[2].paired);
	assert_near(f->comparison->rows[2].ratio, 1.01246405387);
}

static void a_mark_tells_before_from_after_correction(void **state)
{
	struct fixture *f = *state;
	/* p = .042 alone; with a second comparison .084 */
	static const double slower_r[] = { 13100, 13090, 13420, 13100, 13300 };
	struct record_result vfat = sampling_row(1, 1, 1);
	struct record_result exfat = sampling_row(1, 2, 1);

	vfat.filesystem = "vfat";
	exfat.filesystem = "exfat";
	sampling_add_rates(&f->data, vfat, 'W', vfat_w, 5);
	sampling_add_rates(&f->data, exfat, 'W', exfat_w, 5);
	assert_string_equal(make(f)->rows[1].mark, "");
	sampling_add_rates(&f->data, vfat, 'R', vfat_r, 5);
	sampling_add_rates(&f->data, exfat, 'R', slower_r, 5);
	assert_string_equal(make(f)->rows[2].mark, "?");
	assert_string_equal(f->comparison->rows[3].mark, "~");
	assert_int_equal(f->comparison->rows[2].verdict, COMPARE_UNCLEAR);
	assert_int_equal(f->comparison->rows[3].verdict, COMPARE_SAME);
	assert_true(has_line(&f->comparison->sentences,
			     "exfat against vfat on sda1: writes show no clear "
			     "difference after correction, reads are about the "
			     "same."));
}

static void two_samples_get_no_verdict(void **state)
{
	struct fixture *f = *state;
	struct record_result vfat = sampling_row(1, 1, 1);
	struct record_result exfat = sampling_row(1, 2, 1);
	const struct compare_row *row;

	vfat.filesystem = "vfat";
	exfat.filesystem = "exfat";
	sampling_add_rates(&f->data, vfat, 'R', vfat_r, 2);
	sampling_add_rates(&f->data, exfat, 'R', exfat_r, 2);
	row = &make(f)->rows[1];
	assert_true(row->has_ratio && !row->tested && !row->has_interval);
	assert_int_equal(row->test_n, 2);
	assert_true(isnan(row->half));
	assert_int_equal(row->verdict, COMPARE_UNTESTED);
	assert_int_equal(f->comparison->comparisons, 0);
	assert_int_equal(f->comparison->sentences.count, 0);
	assert_true(has_line(&f->comparison->untested,
			     "exfat reads about 76% faster than vfat on sda1 "
			     "(n=2: not tested)."));
}

static void equal_samples_are_said_to_be_equal(void **state)
{
	static const double flat[] = { 100, 100, 100 };
	static const double more[] = { 150, 150, 150 };
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);
	const struct compare_row *last;

	row.filesystem = "vfat";
	sampling_add_rates(&f->data, row, 'W', flat, 3);
	row.cell = 2;
	row.filesystem = "exfat";
	sampling_add_rates(&f->data, row, 'W', more, 3);
	last = &make(f)->rows[1];
	assert_true(last->constant && last->p == 0);
	assert_near(last->low, 1.5);
	assert_near(last->high, 1.5);
	assert_true(has_line(&f->comparison->notes,
			     "exfat on sda1: all samples equal: W has no "
			     "spread to test the change against"));
}

static void samples_that_are_brief_and_vary_are_told(void **state)
{
	static const char note[] = "samples of less than 1 s: a larger size "
				   "or more rounds give steadier figures";
	static const double steady[] = { 100, 101, 102 };
	static const double unsteady[] = { 100, 150, 300 };
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "vfat";
	row.seconds = 0.9;
	sampling_add_rates(&f->data, row, 'W', steady, 3);
	make(f);
	assert_false(has_line(&f->comparison->notes, note));
	row.seconds = 1;
	row.cell = 2;
	row.filesystem = "exfat";
	sampling_add_rates(&f->data, row, 'W', unsteady, 3);
	make(f);
	assert_false(has_line(&f->comparison->notes, note));
	row.seconds = 0.9;
	row.cell = 3;
	row.filesystem = "udf";
	sampling_add_rates(&f->data, row, 'W', unsteady, 3);
	make(f);
	assert_true(has_line(&f->comparison->notes, note));
}

static void equal_ratios_are_not_equal_samples(void **state)
{
	static const double rates[] = { 100, 200, 300 };
	static const double half_more[] = { 150, 300, 450 };
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "vfat";
	sampling_add_rates(&f->data, row, 'W', rates, 3);
	row.cell = 2;
	row.filesystem = "exfat";
	sampling_add_rates(&f->data, row, 'W', half_more, 3);
	assert_true(make(f)->rows[1].constant);
	assert_true(has_line(&f->comparison->notes,
			     "exfat on sda1: the same ratio in every round: W "
			     "has no spread to test the change against"));
}

static void a_ratio_across_hosts_needs_a_base_os(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.filesystem = "FAT";
	row.os = "95";
	row.host = "old";
	row.round = 1;
	row.kb_per_s = 5599;
	sampling_add(&f->data, row);
	row = sampling_row(2, 2, 2);
	row.filesystem = "FAT";
	row.os = "NT";
	row.host = "new";
	row.round = 1;
	row.kb_per_s = 4439;
	sampling_add(&f->data, row);
	row.cell = 3;
	row.base_cell = 2;
	row.filesystem = "NTFS";
	row.kb_per_s = 4945;
	sampling_add(&f->data, row);

	make(f);
	assert_int_equal(f->comparison->rows[0].base, COMPARE_NONE);
	assert_int_equal(f->comparison->rows[2].base, 1);
	set_base(f, "filesystem=FAT");
	make(f);
	assert_int_equal(f->comparison->rows[0].base, COMPARE_NONE);
	assert_int_equal(f->comparison->rows[2].base, 1);
	set_base(f, "os=NT");
	make(f);
	assert_int_equal(f->comparison->rows[0].base, 1);
	assert_int_equal(f->comparison->rows[2].base, COMPARE_NONE);
	assert_near(f->comparison->rows[0].ratio, 5599.0 / 4439);
	assert_true(has_line(&f->comparison->untested,
			     "95 writes about 26% faster than NT on FAT "
			     "volumes (n=1: not tested)."));
	set_base(f, "run=2");
	assert_no_comparison(f, "nothing to compare with run=2: no other run "
				"has the same os, host, volume, filesystem and "
				"workload (--base os=... compares hosts); the "
				"nearest, of run 1, differs in os: 95 against "
				"NT, host: old against new");
}

static void a_directory_is_compared_whatever_filesystem_it_has(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.volume = "home";
	row.volume_kind = "directory";
	row.filesystem = "ext4";
	sampling_add_rates(&f->data, row, 'W', vfat_w, 5);
	row.cell = 2;
	row.volume = "data";
	row.filesystem = "btrfs";
	sampling_add_rates(&f->data, row, 'W', exfat_r, 5);
	row.cell = 3;
	row.volume = "image";
	row.volume_kind = "image";
	sampling_add_rates(&f->data, row, 'W', exfat_r, 5);
	set_base(f, "volume=home");
	make(f);
	assert_int_equal(f->comparison->rows[1].base, 0);
	assert_int_equal(f->comparison->rows[2].base, 0);
	assert_true(has_line(&f->comparison->sentences,
			     "data (btrfs) writes about 95% faster than home "
			     "(ext4)."));
}

static void the_same_filesystem_of_the_same_run_is_the_base(void **state)
{
	struct fixture *f = *state;

	/* Runs 1 and 2, each with both filesystems. */
	for (int64_t run = 1; run <= 2; run++) {
		struct record_result row = sampling_row(run, 2 * run, 0);

		row.filesystem = "vfat";
		sampling_add_rates(&f->data, row, 'W', vfat_w, 5);
		row.cell++;
		row.filesystem = "exfat";
		sampling_add_rates(&f->data, row, 'W', exfat_w, 5);
	}
	set_base(f, "filesystem=vfat");
	make(f);
	assert_int_equal(f->comparison->rows[1].base, 0);
	assert_int_equal(f->comparison->rows[3].base, 2);
	assert_true(f->comparison->rows[3].paired);
	set_base(f, "run=1");
	make(f);
	assert_int_equal(f->comparison->rows[2].base, 0);
	assert_int_equal(f->comparison->rows[3].base, 1);
	assert_false(f->comparison->rows[3].paired);
}

static void missing_is_not_zero(void **state)
{
	static const struct {
		enum record_status status;
		int errnum;
		const char *reason, *text;
	} cases[] = {
		{ RECORD_FAILED, 5, "writing f: Input/output error",
		  "FAILED (EIO)" },
		{ RECORD_FAILED, 0, "writing f: No space left on device",
		  "FAILED (ENOSPC)" },
		{ RECORD_FAILED, 0, "failed: writing f (EROFS)",
		  "FAILED (EROFS)" },
		{ RECORD_FAILED, 0, "mkfs.vfat ended with status 1", "FAILED" },
		{ RECORD_TIMEOUT, 0, "30min passed", "TIMEOUT" },
		{ RECORD_CORRUPT, 0, "f differs at 4096", "CORRUPT" },
		{ RECORD_SKIPPED, 0, "no mkfs.ntfs (install ntfs-3g)",
		  "skipped: no mkfs.ntfs" },
		{ RECORD_SKIPPED, 0, "no mkfs.ntfs", "skipped: no mkfs.ntfs" },
		{ RECORD_STUCK, 0, "fsync did not return", "STUCK" },
		{ RECORD_INVALID, 0, "the machine slept", "INVALID" },
	};
	struct fixture *f = *state;
	size_t count = sizeof(cases) / sizeof(*cases);

	for (size_t i = 0; i < count; i++) {
		struct record_result row = sampling_row(1, (int64_t)i + 1, 0);

		row.status = cases[i].status;
		row.errnum = cases[i].errnum;
		row.reason = cases[i].reason;
		sampling_add(&f->data, row);
	}
	make(f);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(f->comparison->rows[i].status,
				    cases[i].text);
		assert_int_equal(f->comparison->rows[i].n, 0);
	}
}

static void a_cell_without_samples_is_not_available(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 3, 1);
	struct err err = { 0 };

	add_two(&f->data);
	row.filesystem = "ntfs";
	assert_true(dataset_add_cell(&f->data, &row, NULL, &err));
	assert_true(dataset_add_cell(&f->data, &row, NULL, &err));
	make(f);
	assert_int_equal(f->comparison->count, 6);
	assert_string_equal(f->comparison->rows[4].status, "n/a");
	assert_false(f->comparison->rows[4].has_ratio);
	assert_int_equal(f->comparison->rows[4].base, 0);
	assert_int_equal(f->comparison->comparisons, 2);
}

static void the_mean_covers_what_is_valid_on_both_sides(void **state)
{
	struct fixture *f = *state;
	const struct compare_mean *mean;

	for (int64_t i = 0; i < 3; i++) {
		struct record_result row =
			sampling_row(1, 2 * i + 1, 2 * i + 1);
		const char *const volumes[] = { "a", "b", "c" };

		row.volume = volumes[i];
		row.filesystem = "vfat";
		row.round = 1;
		row.kb_per_s = 100;
		sampling_add(&f->data, row);
		row.cell++;
		row.filesystem = "exfat";
		row.kb_per_s = i == 1 ? 400 : 200;
		row.status = i == 2 ? RECORD_FAILED : RECORD_OK;
		sampling_add(&f->data, row);
	}
	mean = make(f)->means;
	assert_int_equal(f->comparison->mean_count, 1);
	assert_int_equal(mean->op, 'W');
	assert_string_equal(mean->names[DATASET_FILESYSTEM], "exfat");
	assert_string_equal(mean->names[DATASET_VOLUME], "");
	assert_int_equal(mean->valid, 2);
	assert_int_equal(mean->of, 3);
	assert_near(mean->ratio, sqrt(8));
	assert_near(mean->base_kb_per_s, 100);
	assert_near(mean->kb_per_s, sqrt(200.0 * 400));
}

static void a_filter_keeps_what_it_names(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	add_two(&f->data);
	assert_true(
		compare_parse_filter(&f->options, "fs=exfat|ntfs,op:R", &err));
	make(f);
	assert_int_equal(f->comparison->count, 1);
	assert_int_equal(f->comparison->rows[0].op, 'R');
	assert_string_equal(f->comparison->rows[0].names[DATASET_FILESYSTEM],
			    "exfat");
	compare_options_done(&f->options);
	assert_true(
		compare_parse_filter(&f->options, "filesystem!=exfat", &err));
	assert_int_equal(make(f)->count, 2);
	compare_options_done(&f->options);
	assert_true(
		compare_parse_filter(&f->options, "-filesystem:exfat", &err));
	assert_int_equal(make(f)->count, 2);
	compare_options_done(&f->options);
	assert_true(
		compare_parse_filter(&f->options, "os=a, b,volume=x", &err));
	assert_int_equal(f->options.filter_count, 2);
	assert_string_equal(f->options.filters[0].values[0], "a, b");
	assert_no_comparison(f, "no cell has os=a, b; there are: Linux 6.12.5");
}

static void an_empty_comparison_names_what_did_not_match(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	assert_no_comparison(f, "there is no cell to compare");
	add_two(&f->data);
	set_base(f, "filesystem=xfs");
	assert_no_comparison(f, "no cell has filesystem=xfs; there are: vfat, "
				"exfat");
	set_base(f, "volume=sda1");
	assert_no_comparison(f, "nothing to compare with volume=sda1: there "
				"is no other volume");
	f->options.has_base = false;
	assert_true(compare_parse_filter(&f->options,
					 "filesystem=exfat,driver=vfat", &err));
	assert_no_comparison(f, "no cell matches all of the filter");
}

static void rows_that_are_asked_for_pool_the_rest_with_a_warning(void **state)
{
	struct fixture *f = *state;
	size_t *tables;
	struct err err = { 0 };

	for (int64_t i = 0; i < 2; i++) {
		struct record_result row =
			sampling_row(1, 2 * i + 1, 2 * i + 1);

		row.volume = i ? "sdb1" : "sda1";
		row.filesystem = "vfat";
		sampling_add_rates(&f->data, row, 'R', vfat_r, 5);
		row.cell++;
		row.filesystem = "exfat";
		sampling_add_rates(&f->data, row, 'R', exfat_r, 5);
	}
	assert_true(compare_parse_rows(&f->options, "filesystem", &err));
	make(f);
	assert_int_equal(f->comparison->count, 2);
	assert_int_equal(f->comparison->rows[1].n, 10);
	assert_int_equal(f->comparison->rows[1].test_n, 10);
	assert_true(f->comparison->rows[1].paired);
	assert_near(f->comparison->rows[1].ratio, 1.75606170543);
	assert_true(has_line(&f->comparison->warnings,
			     "volume varies and is not shown: sda1, sdb1; its "
			     "values are pooled (add it to --rows)"));
	assert_int_equal(f->comparison->warnings.count, 1);
	/* The article's columns do not pool: there is a table for each. */
	f->options.row_dimensions = 0;
	f->options.as_article = true;
	make(f);
	assert_int_equal(f->comparison->count, 4);
	assert_int_equal(f->comparison->warnings.count, 0);
	assert_int_equal(f->comparison->apart_count, 1);
	assert_int_equal(f->comparison->apart[0], DATASET_VOLUME);
	tables = compare_tables(f->comparison);
	assert_non_null(tables);
	assert_int_equal(tables[1], 0);
	assert_int_equal(tables[2], 2);
	free(tables);
}

static void sorting_and_only_changed_keep_the_bases_right(void **state)
{
	struct fixture *f = *state;
	struct err err = { 0 };

	add_two(&f->data);
	assert_true(compare_parse_sort(&f->options, "rate", &err));
	make(f);
	assert_int_equal(f->comparison->rows[0].op, 'R');
	assert_int_equal(f->comparison->rows[0].base, 1);
	assert_true(f->comparison->rows[1].is_base);
	assert_true(compare_parse_sort(&f->options, "-rate", &err));
	make(f);
	assert_int_equal(f->comparison->rows[3].base, 2);
	assert_false(compare_parse_sort(&f->options, "size", &err));

	assert_true(compare_parse_sort(&f->options, "change", &err));
	f->options.only_changed = true;
	f->options.alpha = 0.01;
	make(f);
	assert_int_equal(f->comparison->count, 2);
	assert_int_equal(f->comparison->rows[0].base, 1);
	f->options.alpha = 1e-9;
	assert_int_equal(make(f)->count, 0);
}

static void the_metric_says_which_write_counts(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 0);

	f->data.metric = DATASET_SUSTAINED;
	row.round = 1;
	row.kb_per_s = 100;
	row.app_kb_per_s = 300;
	sampling_add(&f->data, row);
	row.op = 'R';
	sampling_add(&f->data, row);
	make(f);
	assert_string_equal(f->comparison->rows[0].status, "not reached");
	assert_near(f->comparison->rows[1].kb_per_s, 100);

	dataset_done(&f->data);
	f->data.metric = DATASET_APP;
	row.op = 'W';
	sampling_add(&f->data, row);
	assert_near(make(f)->rows[0].kb_per_s, 300);
}

static void assert_gate(struct fixture *f, const char *text,
			const char *expected)
{
	struct compare_gate gate;
	struct err err = { 0 };

	assert_true(compare_parse_gate(text, &gate, &err));
	assert_int_equal(compare_gate(f->comparison, &gate, &err), !expected);
	if (expected) {
		assert_string_equal(err.text, expected);
		assert_int_equal(err.code, ERR_FAILED);
	}
}

static void a_gate_fails_only_if_significant_and_beyond(void **state)
{
	struct fixture *f = *state;

	add_two(&f->data);
	make(f);
	assert_gate(f, "R>5%",
		    "gate failed: R of exfat (exfat on sda1) is +75.6% against "
		    "vfat, beyond +5%");
	assert_gate(f, "any>70",
		    "gate failed: R of exfat (exfat on sda1) is +75.6% against "
		    "vfat, beyond +70%");
	assert_gate(f, "R>80%", NULL);
	assert_gate(f, "R<-5%", NULL);
	assert_gate(f, "W>0%",
		    "gate failed: W of exfat (exfat on sda1) is +1.2% against "
		    "vfat, beyond +0%");
	f->options.alpha = 0.01; /* W has .042 */
	make(f);
	assert_gate(f, "W>0%", NULL);
}

static void a_bad_option_is_told_with_what_it_should_be(void **state)
{
	static const char *const gates[] = { "",     "W",      "W<",   "X<-5%",
					     "W<5x", "W<-5%%", "W<nan" };
	struct fixture *f = *state;
	struct compare_gate gate;

	for (size_t i = 0; i < sizeof(gates) / sizeof(*gates); i++) {
		struct err err = { 0 };

		assert_false(compare_parse_gate(gates[i], &gate, &err));
		assert_int_equal(err.code, ERR_INPUT);
	}
	for (int i = 0; i < 6; i++) {
		static const char *const bases[] = { "FAT",    "filesystem",
						     "fs=",    "driver=vfat",
						     "disk=a", "=a" };
		struct err err = { 0 };

		assert_false(compare_parse_base(&f->options, bases[i], &err));
		assert_int_equal(err.code, ERR_INPUT);
	}
	for (int i = 0; i < 4; i++) {
		static const char *const filters[] = { "", "vfat",
						       "fs=", "disk=a" };
		struct err err = { 0 };

		assert_false(
			compare_parse_filter(&f->options, filters[i], &err));
		assert_int_equal(err.code, ERR_INPUT);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(differences_are_taken_inside_rounds),
		TEST(only_rounds_that_both_have_are_paired),
		TEST(rows_of_different_runs_are_independent),
		TEST(rank_tests_are_there_for_both_kinds),
		TEST(a_mark_tells_before_from_after_correction),
		TEST(two_samples_get_no_verdict),
		TEST(equal_samples_are_said_to_be_equal),
		TEST(samples_that_are_brief_and_vary_are_told),
		TEST(equal_ratios_are_not_equal_samples),
		TEST(a_ratio_across_hosts_needs_a_base_os),
		TEST(a_directory_is_compared_whatever_filesystem_it_has),
		TEST(the_same_filesystem_of_the_same_run_is_the_base),
		TEST(missing_is_not_zero),
		TEST(a_cell_without_samples_is_not_available),
		TEST(the_mean_covers_what_is_valid_on_both_sides),
		TEST(a_filter_keeps_what_it_names),
		TEST(an_empty_comparison_names_what_did_not_match),
		TEST(rows_that_are_asked_for_pool_the_rest_with_a_warning),
		TEST(sorting_and_only_changed_keep_the_bases_right),
		TEST(the_metric_says_which_write_counts),
		TEST(a_gate_fails_only_if_significant_and_beyond),
		TEST(a_bad_option_is_told_with_what_it_should_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
