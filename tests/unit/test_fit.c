/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "reports/fit.h"
#include "tests/unit/unit.h"

#define WIDE  "\xe6\xbc\xa2" /* one character, two columns */
#define ACUTE "e\xcc\x81"    /* two characters, one column */
#define DOTS  "\xe2\x80\xa6" /* an ellipsis */

static int set_up(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

static void assert_short(const char *text, size_t width, bool utf8,
			 const char *expected)
{
	char *cut = fit_shorten(text, width, utf8);

	assert_non_null(cut);
	assert_string_equal(cut, expected);
	assert_true(fit_width(cut) <= width);
	free(cut);
}

static void assert_fold(const char *text, size_t width, const char *expected)
{
	char *folded;
	size_t size;
	FILE *out = open_memstream(&folded, &size);

	fit_fold(text, width, 2, out);
	fclose(out);
	assert_string_equal(folded, expected);
	free(folded);
}

static void a_width_is_columns_and_not_bytes(void **state)
{
	(void)state;
	assert_int_equal(fit_width(""), 0);
	assert_int_equal(fit_width("abc"), 3);
	assert_int_equal(fit_width(WIDE "a"), 3);
	assert_int_equal(fit_width(ACUTE), 1);
}

static void the_middle_goes_and_both_ends_stay(void **state)
{
	(void)state;
	assert_short("abcdefgh", 8, true, "abcdefgh");
	assert_short("abcdefgh", 7, true, "abc" DOTS "fgh");
	assert_short("abcdefgh", 6, true, "abc" DOTS "gh");
	assert_short("abcdefgh", 7, false, "ab...gh");
	assert_short("abcdefgh", 3, false, "abc");
	assert_short("abcdefgh", 1, true, "a");
	assert_short("abcdefgh", 0, true, "");
}

static void wide_characters_are_never_cut_in_two(void **state)
{
	(void)state;
	assert_short(WIDE WIDE WIDE WIDE, 7, true, WIDE DOTS WIDE);
	assert_short(WIDE WIDE WIDE WIDE, 6, true, WIDE DOTS WIDE);
	assert_short(WIDE WIDE, 1, true, "");
}

static void lines_are_broken_at_spaces(void **state)
{
	(void)state;
	assert_fold("", 10, "\n");
	assert_fold("one two three", 13, "one two three\n");
	assert_fold("one two three", 12, "one two\n  three\n");
	assert_fold("one two three", 7, "one two\n  three\n");
	assert_fold("one two three", 6, "one\n  two\n  thre\n  e\n");
	assert_fold("one,two,three", 10, "one,two,\n  three\n");
	assert_fold("abcdefgh ij", 4, "abcd\n  ef\n  gh\n  ij\n");
	assert_fold(WIDE WIDE WIDE, 4, WIDE WIDE "\n  " WIDE "\n");
}

static void without_utf8_everything_is_ascii(void **state)
{
	char *safe;

	(void)state;
	safe = fit_safe("\xc3\xa4 " WIDE " \xf0\x9f\x92\xbe\x1b", false);
	assert_string_equal(safe, "\\u{e4} \\u{6f22} \\u{1f4be}\\x1b");
	free(safe);
	safe = fit_safe("\xd0\x96\xd0\x96\xd0\x96\xd0\x96", false);
	assert_string_equal(safe, "\\u{416}\\u{416}\\u{416}\\u{416}");
	free(safe);
	safe = fit_safe(WIDE, true);
	assert_string_equal(safe, WIDE);
	free(safe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_width_is_columns_and_not_bytes),
		cmocka_unit_test(the_middle_goes_and_both_ends_stay),
		cmocka_unit_test(wide_characters_are_never_cut_in_two),
		cmocka_unit_test(lines_are_broken_at_spaces),
		cmocka_unit_test(without_utf8_everything_is_ascii),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
