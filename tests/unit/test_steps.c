/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdint.h>

#include "reports/steps.h"
#include "tests/unit/unit.h"

enum { MOST = 10000 };

/* SplitMix64: the same numbers everywhere. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static double uniform(uint64_t *state)
{
	return ((double)(next(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(uniform(state)));

	return radius * cos(2 * 3.14159265358979323846 * uniform(state));
}

/* Student's t with 3 degrees: tails as machines have them. */
static double heavy(uint64_t *state)
{
	double z = normal(state), squares = 0;

	for (int i = 0; i < 3; i++) {
		double y = normal(state);

		squares += y * y;
	}
	return z / sqrt(squares / 3);
}

/* One run in twenty goes wrong by 20 times the noise. */
static double spoiled(uint64_t *state)
{
	double z = normal(state);

	return uniform(state) < 0.05 ? z - 20 : z;
}

static struct steps find(const double *logs, size_t n)
{
	struct steps steps = { 0 };
	struct err err = { 0 };

	assert_true(steps_find(logs, n, STEPS_ALPHA, STEPS_THRESHOLD, &steps,
			       &err));
	return steps;
}

static void assert_steps(const double *logs, size_t n, size_t count,
			 const size_t *at)
{
	struct steps steps = find(logs, n);

	assert_int_equal(steps.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(steps.items[i].at, at[i]);
	steps_done(&steps);
}

/* Rates, as a user reads them. */
static void assert_rates(const double *rates, size_t n, size_t count,
			 const size_t *at)
{
	double logs[64];

	for (size_t i = 0; i < n; i++)
		logs[i] = log(rates[i]);
	assert_steps(logs, n, count, at);
}

#define ASSERT_STEPS(count, at, ...)                                           \
	do {                                                                   \
		const double rates[] = { __VA_ARGS__ };                        \
		assert_rates(rates, sizeof(rates) / sizeof(*rates), count,     \
			     at);                                              \
	} while (0)

static void a_step_is_found_where_it_is(void **state)
{
	(void)state;
	ASSERT_STEPS(1, ((const size_t[]){ 4 }), 100, 101, 99, 100, 140, 141,
		     139);
	ASSERT_STEPS(1, ((const size_t[]){ 3 }), 100, 101, 99, 70, 71, 69);
	ASSERT_STEPS(1, ((const size_t[]){ 9 }), 100, 101, 99, 100, 98, 101, 99,
		     100, 100, 91, 90, 91);
}

static void its_levels_are_medians(void **state)
{
	double logs[9] = { 1, 2, 3, 3, 3, 13, 13, 13, 25 };
	struct steps steps = find(logs, 9);

	(void)state;
	assert_int_equal(steps.count, 1);
	assert_int_equal(steps.items[0].at, 5);
	assert_true(steps.items[0].before == 3);
	assert_true(steps.items[0].after == 13);
	assert_true(steps.items[0].p < STEPS_ALPHA);
	steps_done(&steps);
}

static void several_steps_are_found(void **state)
{
	(void)state;
	ASSERT_STEPS(2, ((const size_t[]){ 6, 12 }), 100, 101, 99, 100, 101,
		     100, 130, 131, 129, 130, 131, 130, 100, 99, 101, 100, 100,
		     101);
	ASSERT_STEPS(3, ((const size_t[]){ 5, 10, 15 }), 100, 101, 99, 100, 101,
		     120, 121, 119, 120, 120, 150, 151, 149, 150, 150, 100, 101,
		     99, 100, 101);
}

static void a_single_odd_run_is_no_step_wherever_it_is(void **state)
{
	(void)state;
	for (size_t n = 6; n <= 60; n += 9) {
		for (size_t odd = 0; odd < n; odd++) {
			double logs[64];

			for (size_t i = 0; i < n; i++)
				logs[i] = 0.01 * sin((double)(7 * i)) +
					  (i == odd ? -0.7 : 0);
			assert_steps(logs, n, 0, NULL);
		}
	}
}

static void nor_is_one_among_equal_rates(void **state)
{
	(void)state;
	for (size_t n = 6; n <= 60; n += 9) {
		for (size_t odd = 0; odd < n; odd++) {
			double logs[64] = { 0 };

			logs[odd] = 1;
			assert_steps(logs, n, 0, NULL);
		}
	}
}

static void equal_rates_have_no_steps_and_a_clean_one_has_one(void **state)
{
	double logs[50] = { 0 };

	(void)state;
	assert_steps(logs, 50, 0, NULL);
	for (size_t i = 0; i < 50; i++)
		logs[i] = log(123456.7);
	assert_steps(logs, 50, 0, NULL);
	for (size_t i = 47; i < 50; i++)
		logs[i] = log(134567.8);
	assert_steps(logs, 50, 1, (const size_t[]){ 47 });
}

static void short_series_have_none(void **state)
{
	static const double logs[] = { 0, 0, 9, 9, 9 };

	(void)state;
	for (size_t n = 0; n <= 5; n++)
		assert_steps(logs, n, 0, NULL);
}

static void a_step_below_the_threshold_is_left_out(void **state)
{
	double logs[40];
	struct steps steps = { 0 };
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < 40; i++)
		logs[i] = 0.0005 * sin((double)(5 * i)) + (i < 20 ? 0 : 0.01);
	assert_steps(logs, 40, 0, NULL);
	assert_true(steps_find(logs, 40, STEPS_ALPHA, 0.005, &steps, &err));
	assert_int_equal(steps.count, 1);
	assert_int_equal(steps.items[0].at, 20);
	steps_done(&steps);
}

static void small_steps_in_between_do_not_hide_a_larger_one(void **state)
{
	double logs[300];

	(void)state;
	for (size_t i = 0; i < 300; i++)
		logs[i] = 0.001 * sin((double)(5 * i)) + (i < 150 ? 0 : 0.01) +
			  (i >= 290 ? 0.05 : 0);
	assert_steps(logs, 300, 1, (const size_t[]){ 290 });
}

/* How many of `series` flat ones of n values have a step. */
static int count_false(double (*noise)(uint64_t *state), size_t n, int series)
{
	static double logs[MOST];
	uint64_t state = 20261130 + n;
	int found = 0;

	for (int s = 0; s < series; s++) {
		struct steps steps;

		for (size_t i = 0; i < n; i++)
			logs[i] = 11 + 0.02 * noise(&state);
		steps = find(logs, n);
		found += steps.count > 0;
		steps_done(&steps);
	}
	return found;
}

static void flat_series_have_a_step_as_rarely_as_alpha_says(void **state)
{
	static const size_t lengths[] = { 6, 8, 10, 15, 20, 30, 50, 100, 300 };
	static const struct {
		const char *name;
		double (*noise)(uint64_t *state);
	} kinds[] = { { "normal", normal },
		      { "heavy", heavy },
		      { "spoiled", spoiled } };

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths);
		     i++) {
			int found =
				count_false(kinds[k].noise, lengths[i], 1000);

			print_message("%s, %zu runs: %d of 1000\n",
				      kinds[k].name, lengths[i], found);
			/* Ten are expected; 22 come once in 5,000 times. */
			assert_true(found < 22);
		}
	}
}

/* Of 1,000 series with a step of `size` times the noise at `at`. */
static int count_found(size_t n, size_t at, double size)
{
	uint64_t state = 20261201 + n + at;
	double logs[128];
	int found = 0;

	for (int s = 0; s < 1000; s++) {
		struct steps steps;

		for (size_t i = 0; i < n; i++)
			logs[i] = 0.01 * (normal(&state) + (i < at ? 0 : size));
		steps = find(logs, n);
		for (size_t i = 0; i < steps.count; i++) {
			if (steps.items[i].at + 1 >= at &&
			    steps.items[i].at <= at + 1) {
				found++;
				break;
			}
		}
		steps_done(&steps);
	}
	return found;
}

static void real_steps_are_found(void **state)
{
	static const struct {
		size_t n, at;
		double size;
		int least;
	} cases[] = {
		{ 10, 5, 5, 950 },   { 20, 10, 4, 950 },  { 50, 25, 3, 900 },
		{ 100, 97, 5, 900 }, { 30, 27, 5, 900 },  { 12, 8, 6, 950 },
		{ 8, 4, 10, 980 },   { 100, 50, 3, 900 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int found = count_found(cases[i].n, cases[i].at, cases[i].size);

		print_message("%zu runs, %g sd after %zu: %d of 1000\n",
			      cases[i].n, cases[i].size, cases[i].at, found);
		assert_true(found >= cases[i].least);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_found_where_it_is),
		cmocka_unit_test(its_levels_are_medians),
		cmocka_unit_test(several_steps_are_found),
		cmocka_unit_test(a_single_odd_run_is_no_step_wherever_it_is),
		cmocka_unit_test(nor_is_one_among_equal_rates),
		cmocka_unit_test(
			equal_rates_have_no_steps_and_a_clean_one_has_one),
		cmocka_unit_test(short_series_have_none),
		cmocka_unit_test(a_step_below_the_threshold_is_left_out),
		cmocka_unit_test(
			small_steps_in_between_do_not_hide_a_larger_one),
		cmocka_unit_test(
			flat_series_have_a_step_as_rarely_as_alpha_says),
		cmocka_unit_test(real_steps_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
