/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/settings.h"
#include "tests/unit/unit.h"

static const struct workload usual = {
	.block_bytes = 64 << 10,
	.size_bytes = 16 << 20,
	.file_limit_bytes = WORKLOAD_FILE_LIMIT_BYTES,
	.io = WORKLOAD_DIRECT,
	.read = WORKLOAD_COLD,
	.depth = 1,
	.streams = 1,
	.verify = WORKLOAD_VERIFY_BYTES,
};

/* Everything but the size is otherwise, and with a duration. */
static struct workload unusual(void)
{
	struct workload w = usual;

	w.block_bytes = 1 << 20;
	w.duration_ns = 10000000000;
	w.file_limit_bytes = 1 << 30;
	w.io = WORKLOAD_BUFFERED;
	w.read = WORKLOAD_WARM;
	w.depth = 8;
	w.streams = 2;
	w.verify = WORKLOAD_VERIFY_STAMPS;
	return w;
}

/* Without the first comma; the caller's. */
static char *parts_of(const struct workload *w, unsigned int parts)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	settings_put_parts(w, parts, out);
	assert_int_equal(fclose(out), 0);
	memmove(text, text + 2, strlen(text) - 1);
	return text;
}

static void what_is_as_usual_is_left_out(void **state)
{
	const struct workload other = unusual();
	char text[SETTINGS_SIZE];

	(void)state;
	settings_text(&usual, text);
	assert_string_equal(text, "64KiB, 16MiB, direct, cold");
	settings_text(&other, text);
	assert_string_equal(text, "1MiB, 16MiB, 10s, buffered, warm, depth 8, "
				  "streams 2, files of 1GiB, stamps verified");
}

static void the_text_and_each_part_that_is_printed_is_meant(void **state)
{
	const struct workload both[] = { usual, unusual() };
	unsigned int all = settings_difference(&both[0], &both[1]);

	(void)state;
	assert_int_equal(all | SETTINGS_AMOUNT, 2 * SETTINGS_VERIFY - 1);
	for (size_t i = 0; i < 2; i++) {
		char text[SETTINGS_SIZE], other[SETTINGS_SIZE], *parts;

		settings_text(&both[i], text);
		settings_text(&both[!i], other);
		assert_true(settings_match(text, text));
		assert_false(settings_match(text, other));
		for (unsigned int part = 1; part <= SETTINGS_VERIFY;
		     part *= 2) {
			parts = parts_of(&both[i], part);
			assert_true(settings_match(text, parts));
			assert_int_equal(settings_match(other, parts),
					 part == SETTINGS_AMOUNT);
			free(parts);
		}
		parts = parts_of(&both[i], all);
		assert_true(settings_match(text, parts));
		assert_false(settings_match(other, parts));
		free(parts);
	}
}

static void what_is_no_part_is_not_meant(void **state)
{
	static const char *const texts[] = {
		"16MiB", "block 16MiB",      "size 64KiB", "dir",
		"",      "size 16MiB, warm", ",",          "depth 8",
		"size",  "size 16MiB2",      "full",       "not known",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (settings_match("64KiB, 16MiB, direct, cold", texts[i]))
			fail_msg("\"%s\" is meant", texts[i]);
	}
	assert_true(settings_match("64KiB, 16MiB, direct, cold",
				   "SIZE 16mib, Direct"));
	assert_true(settings_match("", "not known"));
	assert_false(settings_match("", "no duration"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_as_usual_is_left_out),
		cmocka_unit_test(
			the_text_and_each_part_that_is_printed_is_meant),
		cmocka_unit_test(what_is_no_part_is_not_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
