/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "reports/graph.h"
#include "tests/unit/unit.h"

static void assert_graph(const double *logs, size_t n, size_t width, bool utf8,
			 const char *expected)
{
	char *text = graph_line(logs, n, NULL, 0, width, utf8);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void the_lowest_is_lowest_and_the_highest_highest(void **state)
{
	static const double logs[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

	(void)state;
	assert_graph(logs, 8, 10, true, "▁▂▃▄▅▆▇█");
	assert_graph(logs, 8, 10, false, "_.-:=+*#");
}

static void noise_stays_in_the_middle(void **state)
{
	static const double logs[] = { 9.00, 9.01, 9.00, 9.01 };

	(void)state;
	assert_graph(logs, 4, 10, true, "▄▅▄▅");
	assert_graph(logs, 1, 10, true, "▅");
}

static void more_than_fits_is_averaged(void **state)
{
	static const double logs[] = { 0, 0, 0, 0, 4, 4, 8, 8, 8, 8 };

	(void)state;
	assert_graph(logs, 10, 5, false, "__=##");
}

static void nothing_is_an_empty_line(void **state)
{
	(void)state;
	assert_graph(NULL, 0, 10, true, "");
}

static void a_bar_stands_before_each_break(void **state)
{
	static const double logs[] = { 0, 0, 4, 4, 8, 8 };
	static const size_t breaks[] = { 2, 4 };
	char *text;

	(void)state;
	text = graph_line(logs, 6, breaks, 2, 10, true);
	assert_string_equal(text, "▁▁│▅▅│██");
	free(text);
	text = graph_line(logs, 6, breaks, 2, 3, false);
	assert_string_equal(text, "_/=/#");
	free(text);
	text = graph_line(logs, 6, breaks, 2, 1, false);
	assert_string_equal(text, "//=");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_is_lowest_and_the_highest_highest),
		cmocka_unit_test(noise_stays_in_the_middle),
		cmocka_unit_test(more_than_fits_is_averaged),
		cmocka_unit_test(nothing_is_an_empty_line),
		cmocka_unit_test(a_bar_stands_before_each_break),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
