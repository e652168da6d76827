/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/series.h"
#include "tests/unit/unit.h"

#define MS UINT64_C(1000000)

static void bytes_of_a_short_call_fall_into_one_interval(void **state)
{
	struct series *s = series_new();

	(void)state;
	series_add(s, 0, 10, 100);
	series_add(s, 10, MS - 1, 11);
	series_add(s, 2 * MS, 2 * MS + 5, 7);
	assert_int_equal(series_count(s), 3);
	assert_int_equal(series_bytes(s, 0), 111);
	assert_int_equal(series_bytes(s, 1), 0);
	assert_int_equal(series_bytes(s, 2), 7);
	series_free(s);
}

static void bytes_of_a_long_call_are_spread_over_its_time(void **state)
{
	struct series *s = series_new();

	(void)state;
	series_add(s, MS / 2, 3 * MS, 1001);
	assert_int_equal(series_count(s), 3);
	assert_int_equal(series_bytes(s, 0), 200);
	assert_int_equal(series_bytes(s, 1), 400);
	assert_int_equal(series_bytes(s, 2), 401);
	assert_int_equal(series_total(s), 1001);
	series_free(s);
}

static void the_interval_doubles_when_time_outgrows_it(void **state)
{
	struct series *s = series_new();

	(void)state;
	for (uint64_t i = 0; i < 1024; i++)
		series_add(s, i * MS, i * MS + 1, i);
	assert_int_equal(series_interval_ns(s), MS);
	assert_int_equal(series_count(s), 1024);
	series_add(s, 1024 * MS, 1024 * MS, 5);
	assert_int_equal(series_interval_ns(s), 2 * MS);
	assert_int_equal(series_count(s), 513);
	assert_int_equal(series_bytes(s, 0), 1);
	assert_int_equal(series_bytes(s, 511), 1022 + 1023);
	assert_int_equal(series_bytes(s, 512), 5);
	series_add(s, 1024 * MS, 1000000 * MS, 1);
	assert_int_equal(series_interval_ns(s), 1024 * MS);
	assert_true(series_count(s) <= SERIES_MAX);
	series_free(s);
}

static void the_total_is_exact_whatever_the_times_are(void **state)
{
	struct series *s = series_new();
	uint64_t from = 0, to, random = 88172645463325252u, total = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		to = from + (random % 1000 == 0 ? random % (900 * MS)
						: random % (2 * MS));
		series_add(s, from, to, random >> 40);
		total += random >> 40;
		from = to;
	}
	assert_int_equal(series_total(s), total);
	assert_true(series_count(s) * series_interval_ns(s) >= from);
	series_free(s);
}

static void merging_brings_both_to_the_longer_interval(void **state)
{
	struct series *a = series_new(), *b = series_new();

	(void)state;
	series_add(a, 0, 1, 3);
	series_add(a, MS, MS + 1, 4);
	series_add(b, 0, 1, 10);
	series_add(b, 5000 * MS, 5000 * MS, 20);
	series_merge(a, b);
	assert_int_equal(series_interval_ns(a), 8 * MS);
	assert_int_equal(series_bytes(a, 0), 17);
	assert_int_equal(series_bytes(a, 625), 20);
	assert_int_equal(series_count(a), 626);
	series_add(a, 16 * MS, 16 * MS, 1);
	assert_int_equal(series_bytes(a, 2), 1);
	assert_int_equal(series_total(a), 38);
	series_free(a);
	series_free(b);
}

/* A phase of 25 slices of 100 ms: twenty of `before` bytes, then the five. */
static bool steady(uint64_t before, const uint64_t last[5], uint64_t *rate)
{
	struct series *s = series_new();
	bool reached;

	for (uint64_t i = 0; i < 25; i++)
		series_add(s, i * 100 * MS, (i + 1) * 100 * MS,
			   i < 20 ? before : last[i - 20]);
	reached = series_steady(s, 2500 * MS, rate);
	series_free(s);
	return reached;
}

static void a_steady_end_has_the_rate_of_its_five_slices(void **state)
{
	uint64_t rate = 0;

	(void)state;
	assert_true(steady(90000, (uint64_t[5]){ 4000, 4000, 4000, 4000, 4000 },
			   &rate));
	assert_int_equal(rate, 40000);
}

static void a_range_of_a_fifth_of_the_mean_is_steady_and_more_is_not(
	void **state)
{
	uint64_t rate = 0;

	(void)state;
	/* mean 1000, no slope: range 200, then 202 */
	assert_true(
		steady(1, (uint64_t[5]){ 1000, 900, 1100, 1100, 900 }, &rate));
	assert_int_equal(rate, 10000);
	rate = 7;
	assert_false(
		steady(1, (uint64_t[5]){ 1000, 899, 1101, 1101, 899 }, &rate));
	assert_int_equal(rate, 7); /* untouched */
}

static void a_fitted_change_of_a_tenth_is_steady_and_more_is_not(void **state)
{
	uint64_t rate = 0;

	(void)state;
	/* mean 1000: a slope of 25 a slice, then of 25.1, either way */
	assert_true(
		steady(1, (uint64_t[5]){ 950, 975, 1000, 1025, 1050 }, &rate));
	assert_false(
		steady(1, (uint64_t[5]){ 950, 974, 1001, 1025, 1050 }, &rate));
	assert_true(
		steady(1, (uint64_t[5]){ 1050, 1025, 1000, 975, 950 }, &rate));
	assert_false(
		steady(1, (uint64_t[5]){ 1050, 1025, 1001, 974, 950 }, &rate));
}

static void a_steady_state_that_did_not_last_is_not_reached(void **state)
{
	uint64_t rate = 0;

	(void)state;
	assert_false(steady(1000, (uint64_t[5]){ 1000, 1000, 1000, 1000, 100 },
			    &rate));
	assert_false(steady(1000, (uint64_t[5]){ 0, 0, 0, 0, 0 }, &rate));
}

static void a_phase_too_short_for_its_slices_reached_none(void **state)
{
	struct series *s = series_new();
	uint64_t rate = 0;

	(void)state;
	/* One call that lasts looks steady, and says nothing of a rate. */
	series_add(s, 0, 2500 * MS, 2500000);
	assert_false(series_steady(s, 2500 * MS - 1, &rate));
	assert_true(series_steady(s, 2500 * MS, &rate));
	assert_int_equal(rate, 1000000);
	assert_false(series_steady(s, 0, &rate));
	series_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_of_a_short_call_fall_into_one_interval),
		cmocka_unit_test(bytes_of_a_long_call_are_spread_over_its_time),
		cmocka_unit_test(the_interval_doubles_when_time_outgrows_it),
		cmocka_unit_test(the_total_is_exact_whatever_the_times_are),
		cmocka_unit_test(merging_brings_both_to_the_longer_interval),
		cmocka_unit_test(a_steady_end_has_the_rate_of_its_five_slices),
		cmocka_unit_test(
			a_range_of_a_fifth_of_the_mean_is_steady_and_more_is_not),
		cmocka_unit_test(
			a_fitted_change_of_a_tenth_is_steady_and_more_is_not),
		cmocka_unit_test(
			a_steady_state_that_did_not_last_is_not_reached),
		cmocka_unit_test(a_phase_too_short_for_its_slices_reached_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
