/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "reports/csv.h"
#include "tests/unit/unit.h"

/* Every record as "LINE:field|field;", behind each other. */
static bool note_record(void *ctx, struct csv_record *record)
{
	FILE *out = ctx;

	fprintf(out, "%d:", record->line);
	for (size_t i = 0; i < record->count; i++)
		fprintf(out, "%s%s", i > 0 ? "|" : "", record->fields[i]);
	fputc(';', out);
	return true;
}

static bool read_text(const char *text, size_t length, char **noted,
		      struct err *err)
{
	char *copy = malloc(length + 1);
	size_t size;
	FILE *in, *out = open_memstream(noted, &size);
	bool ok;

	assert_non_null(copy);
	memcpy(copy, text, length);
	in = fmemopen(copy, length, "r");
	assert_non_null(in);
	ok = csv_each_record(in, "f.csv", note_record, out, err);
	fclose(in);
	fclose(out);
	free(copy);
	return ok;
}

static void assert_records(const char *text, const char *expected)
{
	struct err err = { 0 };
	char *noted;

	assert_true(read_text(text, strlen(text), &noted, &err));
	assert_string_equal(noted, expected);
	free(noted);
}

static void assert_fault(const char *text, size_t length, int line,
			 const char *expected)
{
	struct err err = { 0 };
	char *noted;

	assert_false(read_text(text, length, &noted, &err));
	assert_string_equal(err.text, expected);
	assert_string_equal(err.source, "f.csv");
	assert_int_equal(err.line, line);
	free(noted);
}

static void records_come_with_the_line_they_start_in(void **state)
{
	(void)state;
	assert_records("a,b\n1,2\n", "1:a|b;2:1|2;");
	assert_records("a,b\r\n1,2\r\n", "1:a|b;2:1|2;");
	assert_records("a\n\n\nb\n", "1:a;4:b;");
	assert_records("\"x\ny\",1\nb,2", "1:x\ny|1;3:b|2;");
	assert_records("\n\"x\n\ny\"\nz\n", "2:x\n\ny;5:z;");
	assert_records(" a , b\n", "1:a|b;");
	assert_records("a,,\n,\n", "1:a||;2:|;");
	assert_records("a\rb\nc\n", "1:a;1:b;2:c;");
}

static void a_byte_order_mark_is_no_part_of_a_name(void **state)
{
	(void)state;
	assert_records("\xef\xbb\xbfos,op\n", "1:os|op;");
}

static void quotes_protect_commas_and_quotes(void **state)
{
	(void)state;
	assert_records("\"a,\"\"b\"\"\",c\n", "1:a,\"b\"|c;");
}

static void what_is_no_csv_is_told_with_its_line(void **state)
{
	(void)state;
	assert_fault("a\nb\"c\n", 6, 2, "a quote is out of place");
	assert_fault("a\n\"b\nc\n", 7, 2, "a quote is opened and not closed");
	assert_fault("a\r\"", 3, 1, "a quote is opened and not closed");
	assert_fault("a\n\r\"b\nc\n", 8, 2, "a quote is opened and not closed");
	assert_fault("a\nb\0c\n", 6, 2, "there is a NUL byte");
}

static bool stop_at_second(void *ctx, struct csv_record *record)
{
	int *seen = ctx;

	(void)record;
	return ++*seen < 2;
}

static void a_callback_can_end_it(void **state)
{
	struct err err = { 0 };
	char text[] = "a\nb\nc\n";
	FILE *in = fmemopen(text, strlen(text), "r");
	int seen = 0;

	(void)state;
	assert_false(csv_each_record(in, "f", stop_at_second, &seen, &err));
	assert_int_equal(seen, 2);
	assert_int_equal(err.code, ERR_NONE);
	fclose(in);
}

static void assert_round_trip(const char *text)
{
	struct err err = { 0 };
	char *written, *noted, *field;
	size_t size;
	FILE *out = open_memstream(&written, &size);

	csv_put_text(text, out);
	fputc('\n', out);
	fclose(out);
	/* written[0] is the quote */
	assert_true(size < 3 || !strchr("=+-@\t", written[1]));
	assert_true(read_text(written, size, &noted, &err));
	noted[strlen(noted) - 1] = '\0';
	field = noted + strlen("1:");
	assert_string_equal(csv_restore(field), text);
	free(written);
	free(noted);
}

static void formulas_are_protected_and_come_back(void **state)
{
	static const char *const texts[] = {
		"plain",  "=1+1",    "+1",     "-1",       "@x",   "'",
		"'=1",    "''",      "a=b",    "",         "a\"b", "x y",
		"=\"q\"", "\\t=tab", "'plain", " spaces ",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_round_trip(texts[i]);
}

static void what_acts_on_a_terminal_is_spelt_out(void **state)
{
	char *written;
	size_t size;
	FILE *out = open_memstream(&written, &size);

	(void)state;
	csv_put_text("\x1b[31m\n", out);
	fclose(out);
	assert_string_equal(written, "\"\\x1b[31m\\x0a\"");
	free(written);
}

static void an_apostrophe_of_the_users_own_stays(void **state)
{
	char own[] = "'quoted'", formula[] = "'=1";

	(void)state;
	assert_string_equal(csv_restore(own), "'quoted'");
	assert_string_equal(csv_restore(formula), "=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_come_with_the_line_they_start_in),
		cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_name),
		cmocka_unit_test(quotes_protect_commas_and_quotes),
		cmocka_unit_test(what_is_no_csv_is_told_with_its_line),
		cmocka_unit_test(a_callback_can_end_it),
		cmocka_unit_test(formulas_are_protected_and_come_back),
		cmocka_unit_test(what_acts_on_a_terminal_is_spelt_out),
		cmocka_unit_test(an_apostrophe_of_the_users_own_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
