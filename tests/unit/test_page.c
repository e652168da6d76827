/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page.h"
#include "tests/unit/unit.h"

static char *printed;

static FILE *begin(void)
{
	static size_t size;
	FILE *out = open_memstream(&printed, &size);

	assert_non_null(out);
	return out;
}

static void assert_printed(FILE *out, const char *expected)
{
	assert_int_equal(fclose(out), 0);
	assert_string_equal(printed, expected);
	free(printed);
}

static void assert_number(double value, int digits, const char *expected)
{
	FILE *out = begin();

	page_data_number(value, digits, out);
	assert_printed(out, expected);
}

static void numbers_have_their_digits_and_no_exponent(void **state)
{
	(void)state;
	assert_number(0, 4, "0");
	assert_number(5, 15, "5");
	assert_number(0.101, 15, "0.101");
	assert_number(-75.6061705429, 15, "-75.6061705429");
	assert_number(123.456, 4, "123.5");
	assert_number(9999.6, 4, "10000");
	assert_number(138049, 4, "138000");
	assert_number(-138050, 4, "-138100");
	assert_number(NAN, 15, "null");
	assert_number(INFINITY, 15, "null");
}

static void text_is_no_markup(void **state)
{
	FILE *out = begin();

	(void)state;
	assert_true(page_text("plain, with spaces", out));
	assert_true(page_text("<b a=\"1\" c='2'>&amp;", out));
	assert_true(page_text("\xc3\xa4\n\xff\xe2\x80\xae", out));
	assert_printed(out, "plain, with spaces"
			    "&#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;amp;"
			    "\xc3\xa4\\x0a\\xff\\u{202e}");
}

static void text_in_data_ends_neither_its_string_nor_its_element(void **state)
{
	FILE *out = begin();

	(void)state;
	assert_true(page_data_text("</script>\"\\<!--&", out));
	assert_true(page_data_text("\xc3\xa4\n\xe2\x80\xa9", out));
	assert_printed(out, "\"\\u003c/script\\u003e\\u0022\\u005c\\u003c!--"
			    "\\u0026\""
			    "\"\xc3\xa4\\u005cx0a\\u005cu{2029}\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_their_digits_and_no_exponent),
		cmocka_unit_test(text_is_no_markup),
		cmocka_unit_test(
			text_in_data_ends_neither_its_string_nor_its_element),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
