/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/words.h"
#include "tests/unit/unit.h"

static void assert_words(double ratio, const char *expected)
{
	char words[64];

	words_ratio(ratio, words, sizeof(words));
	assert_string_equal(words, expected);
}

static void percentages_are_cut_and_never_rounded_up(void **state)
{
	(void)state;
	assert_words(6567.0 / 3697.0, "about 77% faster"); /* 1.7763 */
	assert_words(5599.0 / 4439.0, "about 26% faster"); /* 1.2613 */
	assert_words(1.9999, "about 99% faster");
	assert_words(0.8301, "about 16% slower");
}

static void a_digit_that_binary_falls_short_of_is_kept(void **state)
{
	(void)state;
	assert_words(1.29, "about 29% faster");
	assert_words(1.07, "about 7% faster");
	assert_words(0.71, "about 29% slower");
	assert_words(1.999999999999999, "2.0 times as fast");
	assert_words(2.3, "2.3 times as fast");
}

static void a_ratio_of_two_or_more_is_said_in_times(void **state)
{
	(void)state;
	assert_words(2, "2.0 times as fast");
	assert_words(2.89, "2.8 times as fast");
}

static void less_than_one_percent_is_not_called_zero(void **state)
{
	(void)state;
	assert_words(1.0099, "less than 1% faster");
	assert_words(0.995, "less than 1% slower");
}

static void equal_rates_are_neither_faster_nor_slower(void **state)
{
	(void)state;
	assert_words(1, "as fast");
	assert_words(1 + 1e-13, "as fast");
	assert_words(1 + 1e-9, "less than 1% faster");
	assert_true(words_take_as(1) && words_take_as(2.5));
	assert_false(words_take_as(1.5) || words_take_as(0.5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentages_are_cut_and_never_rounded_up),
		cmocka_unit_test(a_digit_that_binary_falls_short_of_is_kept),
		cmocka_unit_test(a_ratio_of_two_or_more_is_said_in_times),
		cmocka_unit_test(less_than_one_percent_is_not_called_zero),
		cmocka_unit_test(equal_rates_are_neither_faster_nor_slower),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
