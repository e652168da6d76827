/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "runner/command.h"
#include "runner/usage.h"
#include "tests/unit/unit.h"

enum { MOST = 16 };

static void an_entry_is_its_head_and_its_text(void **state)
{
	const char *rest = "  -n, --limit N       the newest N\n"
			   "      --base DIM=VALUE\n"
			   "                      against which,\n"
			   "                      and more\n"
			   "  RUN                 a number\n"
			   "\nProse.\n";
	struct usage_entry entry;

	(void)state;
	assert_true(usage_next(&rest, &entry));
	assert_string_equal(entry.head, "-n, --limit N");
	assert_string_equal(entry.text, "the newest N");
	assert_true(usage_next(&rest, &entry));
	assert_string_equal(entry.head, "--base DIM=VALUE");
	assert_string_equal(entry.text, "against which, and more");
	assert_true(usage_next(&rest, &entry));
	assert_string_equal(entry.head, "RUN");
	assert_false(usage_next(&rest, &entry));
	assert_string_equal(rest, "\nProse.\n");
}

static void a_head_is_its_names_and_the_value_of_each(void **state)
{
	const char *head = "-n, --limit N", *list = "--rows DIM[,DIM]";
	struct usage_entry entry = { .head = "-n, --limit N" };
	char value[USAGE_WORD_MAX];
	struct usage_name name;

	(void)state;
	assert_true(usage_name_next(&head, &name));
	assert_string_equal(name.name, "-n");
	assert_string_equal(name.value, "");
	assert_true(usage_name_next(&head, &name));
	assert_string_equal(name.name, "--limit");
	assert_string_equal(name.value, "N");
	assert_false(usage_name_next(&head, &name));
	assert_true(usage_name_next(&list, &name));
	assert_string_equal(name.value, "DIM[,DIM]");
	usage_value(&entry, value);
	assert_string_equal(value, "N");
}

static void expect_choices(const char *text, const char *joined)
{
	char words[MOST][USAGE_WORD_MAX], all[256] = "";
	size_t count = usage_choices(text, words, MOST);

	for (size_t i = 0; i < count; i++) {
		size_t used = strlen(all);

		snprintf(all + used, sizeof(all) - used, "%s ", words[i]);
	}
	assert_string_equal(all, joined);
}

static void a_list_of_words_is_found_in_a_sentence(void **state)
{
	(void)state;
	expect_choices("text, md, csv or json", "text md csv json ");
	expect_choices("csv (the default) or json", "csv json ");
	expect_choices("what W is: durable, app or sustained",
		       "durable app sustained ");
	expect_choices("t, mwu (Mann-Whitney) or wilcoxon", "t mwu wilcoxon ");
	expect_choices("order, change or rate; -KEY: reversed",
		       "order change rate ");
	expect_choices("KB (1024 bytes), KiB, MiB", "KB KiB MiB ");
	expect_choices("its values beside each other", "");
	expect_choices("", "");
}

/* Each name as getopt would see it, with nothing cut off. */
static void the_options_of_every_command_can_be_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; command_table[i]; i++) {
		const char *rest = command_table[i]->options;
		struct usage_entry entry;

		while (usage_next(&rest, &entry)) {
			const char *head = entry.head;
			struct usage_name name;

			assert_in_range(strlen(entry.head), 1,
					USAGE_HEAD_MAX - 2);
			assert_in_range(strlen(entry.text), 1,
					USAGE_TEXT_MAX - 2);
			while (usage_name_next(&head, &name)) {
				assert_in_range(strlen(name.name), 2,
						USAGE_WORD_MAX - 2);
				if (name.name[0] == '-' && name.name[1] != '-')
					assert_int_equal(strlen(name.name), 2);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_is_its_head_and_its_text),
		cmocka_unit_test(a_head_is_its_names_and_the_value_of_each),
		cmocka_unit_test(a_list_of_words_is_found_in_a_sentence),
		cmocka_unit_test(
			the_options_of_every_command_can_be_taken_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
