/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/hist.h"
#include "tests/unit/unit.h"

static void an_empty_histogram_has_no_percentile_and_no_bucket(void **state)
{
	struct hist *h = hist_new();
	struct hist_bucket bucket;
	size_t cursor = 0;

	(void)state;
	assert_int_equal(hist_percentile(h, 50), 0);
	assert_int_equal(hist_max(h), 0);
	assert_false(hist_next(h, &cursor, &bucket));
	hist_free(h);
}

static void assert_within_a_64th(uint64_t ns)
{
	struct hist *h = hist_new();
	uint64_t bound;

	hist_record(h, ns);
	assert_int_equal(hist_percentile(h, 100), ns); /* the largest */
	hist_record(h, UINT64_MAX);
	bound = hist_percentile(h, 50);
	assert_true(bound >= ns);
	assert_true(bound - ns <= ns / 64);
	hist_record(h, bound); /* the bound finds its own bucket again */
	assert_int_equal(hist_percentile(h, 66), bound);
	if (bound < UINT64_MAX) {
		hist_record_many(h, bound + 1, 2);
		assert_true(hist_percentile(h, 80) > bound);
	}
	hist_free(h);
}

static void any_value_is_off_by_at_most_a_64th(void **state)
{
	(void)state;
	for (uint64_t ns = 0; ns < 5000; ns++)
		assert_within_a_64th(ns);
	for (int shift = 12; shift < 64; shift++) {
		assert_within_a_64th((UINT64_C(1) << shift) - 1);
		assert_within_a_64th(UINT64_C(1) << shift);
		assert_within_a_64th((UINT64_C(1) << shift) +
				     (UINT64_C(1) << (shift - 3)) + 12345);
	}
	assert_within_a_64th(UINT64_MAX);
}

static void percentiles_are_ranks_that_binary_fractions_do_not_shift(
	void **state)
{
	struct hist *h = hist_new();

	(void)state;
	hist_record_many(h, 10, 999);
	hist_record(h, 50);
	assert_int_equal(hist_percentile(h, 99.9), 10);
	assert_int_equal(hist_percentile(h, 99.91), 50);
	assert_int_equal(hist_percentile(h, 100), 50);
	assert_int_equal(hist_percentile(h, 0.0001), 10);
	hist_free(h);
}

static void merging_adds_counts_and_keeps_the_largest(void **state)
{
	struct hist *a = hist_new(), *b = hist_new();
	struct hist_bucket bucket;
	size_t cursor = 0;

	(void)state;
	hist_record(a, 7);
	hist_record(a, 1000003);
	hist_record_many(b, 7, 3);
	hist_record(b, 63);
	hist_merge(a, b);
	hist_merge(b, b);
	assert_int_equal(hist_count(a), 6);
	assert_int_equal(hist_max(a), 1000003);
	assert_true(hist_next(a, &cursor, &bucket));
	assert_int_equal(bucket.bound_ns, 7);
	assert_int_equal(bucket.count, 4);
	assert_true(hist_next(a, &cursor, &bucket));
	assert_int_equal(bucket.bound_ns, 63);
	assert_int_equal(bucket.count, 1);
	assert_true(hist_next(a, &cursor, &bucket));
	assert_true(bucket.bound_ns >= 1000003);
	assert_false(hist_next(a, &cursor, &bucket));
	assert_int_equal(hist_count(b), 8);
	hist_free(a);
	hist_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			an_empty_histogram_has_no_percentile_and_no_bucket),
		cmocka_unit_test(any_value_is_off_by_at_most_a_64th),
		cmocka_unit_test(
			percentiles_are_ranks_that_binary_fractions_do_not_shift),
		cmocka_unit_test(merging_adds_counts_and_keeps_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
