/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "reports/figure.h"
#include "tests/unit/unit.h"

static void assert_rate(double kb_per_s, const char *unit, bool grouped,
			const char *expected)
{
	struct err err = { 0 };
	char text[FIGURE_SIZE];

	figure_rate(kb_per_s, figure_unit(unit, &err), grouped, text);
	assert_string_equal(text, expected);
}

static void rates_have_three_digits_and_commas(void **state)
{
	(void)state;
	assert_rate(5599, "KB", true, "5,599");
	assert_rate(5599, "KB", false, "5599");
	assert_rate(999.6, "KB", true, "1,000");
	assert_rate(123456789, "KB", true, "123,456,789");
	assert_rate(99.96, "KB", true, "100");
	assert_rate(99.94, "KB", true, "99.9");
	assert_rate(9.994, "KB", true, "9.99");
	assert_rate(9.996, "KB", true, "10.0");
	assert_rate(0.9996, "KB", true, "1.00");
	assert_rate(0.9994, "KB", true, "0.999");
	assert_rate(1000, "GiB", true, "0.000954");
	assert_rate(0.004, "KB", true, "0.00400");
	assert_rate(1e-12, "KB", true, "0.000000000");
	assert_rate(0, "KB", true, "0.00");
	assert_rate(INFINITY, "KB", true, "999,999,999,999,999,983,222,784");
}

static void units_are_by_1024_or_by_1000(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_rate(1024 * 5.0, "MiB", true, "5.00");
	assert_rate(1000, "kB", true, "1,024");
	assert_rate(1000 * 1000 / 1024.0, "MB", true, "1.00");
	assert_null(figure_unit("mb", &err));
	assert_int_equal(err.code, ERR_INPUT);
}

static void assert_change(double ratio, const char *expected)
{
	char text[FIGURE_SIZE];

	figure_change(ratio, text);
	assert_string_equal(text, expected);
}

static void changes_have_a_sign_unless_they_are_none(void **state)
{
	(void)state;
	assert_change(1.016, "+1.6%");
	assert_change(0.9951, "-0.5%");
	assert_change(1, "0.0%");
	assert_change(1.0004, "0.0%");
	assert_change(0.9996, "0.0%");
	assert_change(1.0006, "+0.1%");
	assert_change(2.5, "+150.0%");
	assert_change(10.99, "+999.0%");
	assert_change(12.345, "+1134%");
}

static void nothing_is_as_slow_as_not_at_all(void **state)
{
	(void)state;
	assert_change(0.001, "-99.9%");
	assert_change(0.0004, "<-99.9%");
	assert_change(1e-300, "<-99.9%");
	assert_change(1000.9, "+99990%");
	assert_change(1001, ">+99999%");
	assert_change(1e300, ">+99999%");
}

static void a_half_width_has_no_sign(void **state)
{
	char text[FIGURE_SIZE];

	(void)state;
	figure_half(0.0134, text);
	assert_string_equal(text, "1.3%");
	figure_half(0.9994, text);
	assert_string_equal(text, "99.9%");
	figure_half(1, text);
	assert_string_equal(text, "100%");
}

static void beyond_twice_the_rate_an_interval_says_only_that(void **state)
{
	char text[FIGURE_SIZE];

	(void)state;
	assert_false(figure_half_is_wide(1));
	assert_true(figure_half_is_wide(1.001));
	figure_half(1.001, text);
	assert_string_equal(text, ">100%");
	figure_half(5e8, text);
	assert_string_equal(text, ">100%");
	assert_ptr_equal(strstr(figure_half_note, text), figure_half_note);
}

static void assert_p(double p, const char *expected)
{
	char text[FIGURE_SIZE];

	figure_p(p, 0.05, text);
	assert_string_equal(text, expected);
}

static void a_p_beside_alpha_has_a_digit_more(void **state)
{
	char text[FIGURE_SIZE];

	(void)state;
	assert_p(0.0503, ".0503");
	assert_p(0.0497, ".0497");
	assert_p(0.05, ".050");
	figure_p(0.0012, 0.001, text);
	assert_string_equal(text, ".0012");
	figure_p(0.00001, 0.0004, text);
	assert_string_equal(text, "<.0001");
}

static void a_p_is_never_zero_and_never_one(void **state)
{
	(void)state;
	assert_p(0, "<.001");
	assert_p(0.0009999, "<.001");
	assert_p(0.001, ".001");
	assert_p(0.1014, ".101");
	assert_p(0.999, ".999");
	assert_p(0.9996, ">.999");
	assert_p(1, ">.999");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_have_three_digits_and_commas),
		cmocka_unit_test(units_are_by_1024_or_by_1000),
		cmocka_unit_test(changes_have_a_sign_unless_they_are_none),
		cmocka_unit_test(nothing_is_as_slow_as_not_at_all),
		cmocka_unit_test(a_half_width_has_no_sign),
		cmocka_unit_test(
			beyond_twice_the_rate_an_interval_says_only_that),
		cmocka_unit_test(a_p_beside_alpha_has_a_digit_more),
		cmocka_unit_test(a_p_is_never_zero_and_never_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
