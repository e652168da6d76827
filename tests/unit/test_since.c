/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "runner/since.h"
#include "tests/unit/unit.h"

/* 2026-12-01T05:00:00Z, on a clock that shows an hour more. */
enum { NOW = 1796101200 };

static int setup(void **state)
{
	(void)state;
	setenv("TZ", "CET-1", 1);
	tzset();
	return 0;
}

static void expect(const char *text, const char *wanted)
{
	char since[TIMESTAMP_SIZE];
	struct err err = { 0 };

	if (!since_parse(text, NOW, since, &err))
		fail_msg("%s", err.text);
	assert_string_equal(since, wanted);
}

static void a_date_is_as_lists_of_runs_print_it(void **state)
{
	(void)state;
	expect("2026", "2026-01-01T00:00:00");
	expect("2026-11", "2026-11-01T00:00:00");
	expect("2026-11-30", "2026-11-30T00:00:00");
	expect("2026-11-30 19:05", "2026-11-30T19:05:00");
	expect("2026-11-30T19:05:47Z", "2026-11-30T19:05:47");
	expect("2026-11-30T19:05:47.123Z", "2026-11-30T19:05:47");
	expect("2026-11-30T00:30:00+01:00", "2026-11-29T23:30:00");
}

static void a_duration_goes_back_from_now(void **state)
{
	(void)state;
	expect("7d", "2026-11-24T05:00:00");
	expect("36h", "2026-11-29T17:00:00");
	expect("1d12h", "2026-11-29T17:00:00");
	expect("0.5h", "2026-12-01T04:30:00");
	expect("0s", "2026-12-01T05:00:00");
}

static void what_is_neither_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"5",
		"0.5",
		"d",
		"yesterday",
		"2026-13",
		"2026-1",
		"2026-02-30",
		"2026-11-30T",
		"2026-11-30 25:00",
		"19:05",
		"99999999d",
		"2026-11-30 19:05 or so",
		"2026-11-30T19:05.5Z",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char since[TIMESTAMP_SIZE];
		struct err err = { 0 };

		if (since_parse(texts[i], NOW, since, &err))
			fail_msg("%s is taken as %s", texts[i], since);
		assert_int_equal(err.code, ERR_INPUT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_date_is_as_lists_of_runs_print_it),
		cmocka_unit_test(a_duration_goes_back_from_now),
		cmocka_unit_test(what_is_neither_is_refused),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
