/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "core/text.h"
#include "tests/unit/unit.h"

static void assert_safe(const char *text, const char *expected)
{
	char *safe = text_safe(text);

	assert_non_null(safe);
	assert_string_equal(safe, expected);
	free(safe);
}

static void plain_text_and_utf8_pass_unchanged(void **state)
{
	(void)state;
	assert_safe("a b|<c>", "a b|<c>");
	assert_safe("Gr\xc3\xb6\xc3\x9f"
		    "e \xe2\x82\xac",
		    "Gr\xc3\xb6\xc3\x9f"
		    "e \xe2\x82\xac");
}

static void what_acts_on_a_terminal_is_spelt_out(void **state)
{
	(void)state;
	assert_safe("\x1b[31mred\n", "\\x1b[31mred\\x0a");
	assert_safe("\x7f", "\\x7f");
	assert_safe("\xc2\x9b"
		    "2J",
		    "\\u{9b}2J");
	assert_safe("a\xe2\x80\xae"
		    "b",
		    "a\\u{202e}b");
	assert_false(text_is_safe("a\n"));
	assert_false(text_is_safe("\xc2\x9b"));
	assert_false(text_is_safe("\xff"));
	assert_true(text_is_safe("Gr\xc3\xb6\xc3\x9f"));
	assert_true(text_is_safe(""));
}

static void bytes_that_are_not_utf8_are_spelt_out(void **state)
{
	(void)state;
	assert_safe("\xff", "\\xff");
	assert_safe("\xc0\xaf", "\\xc0\\xaf");          /* overlong */
	assert_safe("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* surrogate */
	assert_safe("\xe2\x82", "\\xe2\\x82");          /* cut short */
	assert_false(text_is_utf8("\xf8\x88\x80\x80\x80"));
	assert_true(text_is_utf8("\xf0\x9f\x92\xbe"));
}

static void a_slip_of_the_fingers_finds_the_nearest_name(void **state)
{
	static const char *const known[] = { "mkfs", "mount",  "name",
					     "type", "driver", NULL };
	static const char *const types[] = { "vfat", "ntfs", "btrfs", NULL };

	(void)state;
	assert_string_equal(text_nearest("mkf", known), "mkfs");
	assert_string_equal(text_nearest("mounts", known), "mount");
	assert_string_equal(text_nearest("drivre", known), "driver");
	assert_string_equal(text_nearest("brtfs", types), "btrfs");
	assert_string_equal(text_nearest("tnfs", types), "ntfs");
	assert_string_equal(text_nearest("name", known), "name");
	assert_string_equal(text_nearest("DRIVER", known), "driver");
	assert_null(text_nearest("compression", known));
	assert_null(text_nearest("x", known));
	assert_null(text_nearest("", known));
}

static void an_equal_name_is_nearer_than_one_of_other_letters(void **state)
{
	static const char *const known[] = { "FAT", "fat", "fats", NULL };

	(void)state;
	assert_string_equal(text_nearest("fat", known), "fat");
	assert_string_equal(text_nearest("Fat", known), "FAT");
	assert_string_equal(text_nearest("FATS", known), "fats");
}

static void the_only_name_that_begins_so_is_nearer_than_others(void **state)
{
	static const char *const known[] = { "name", "baseline", "include",
					     "inclusive", NULL };

	(void)state;
	assert_string_equal(text_nearest("base", known), "baseline");
	assert_string_equal(text_nearest("BAS", known), "baseline");
	assert_null(text_nearest("ba", known));
	assert_null(text_nearest("incl", known));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_and_utf8_pass_unchanged),
		cmocka_unit_test(what_acts_on_a_terminal_is_spelt_out),
		cmocka_unit_test(bytes_that_are_not_utf8_are_spelt_out),
		cmocka_unit_test(a_slip_of_the_fingers_finds_the_nearest_name),
		cmocka_unit_test(
			an_equal_name_is_nearer_than_one_of_other_letters),
		cmocka_unit_test(
			the_only_name_that_begins_so_is_nearer_than_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
