/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <time.h>

#include "runner/timelimit.h"
#include "tests/unit/unit.h"

/* Central Europe, spelt out: no zone files are needed. */
static const char zone[] = "CET-1CEST,M3.5.0,M10.5.0/3";

static int setup(void **state)
{
	(void)state;
	setenv("TZ", zone, 1);
	tzset();
	return 0;
}

static time_t utc(int year, int month, int day, int hour, int minute)
{
	struct tm tm = { .tm_year = year - 1900,
			 .tm_mon = month - 1,
			 .tm_mday = day,
			 .tm_hour = hour,
			 .tm_min = minute };

	return timegm(&tm);
}

static void expect(const char *text, time_t now, time_t wanted)
{
	time_t until = 0;

	if (!timelimit_parse_until(text, now, &until))
		fail_msg("%s is refused", text);
	assert_int_equal(until, wanted);
}

static void a_time_of_day_is_the_next_one(void **state)
{
	(void)state;
	/* 22:00 here, and 06:30 of the next morning is 05:30 UTC */
	expect("06:30", utc(2026, 11, 30, 21, 0), utc(2026, 12, 1, 5, 30));
	expect("06:30", utc(2026, 12, 1, 5, 29), utc(2026, 12, 1, 5, 30));
	expect("06:30", utc(2026, 12, 1, 5, 30), utc(2026, 12, 2, 5, 30));
	expect("06:30:15", utc(2026, 12, 1, 5, 30),
	       utc(2026, 12, 1, 5, 30) + 15);
	expect("00:00", utc(2026, 12, 31, 12, 0), utc(2026, 12, 31, 23, 0));
}

static void clocks_may_be_put_forward_or_back_at_night(void **state)
{
	(void)state;
	/* to summer time on 29 March 2026, back on 25 October */
	expect("06:30", utc(2026, 3, 28, 21, 0), utc(2026, 3, 29, 4, 30));
	expect("06:30", utc(2026, 10, 24, 20, 0), utc(2026, 10, 25, 5, 30));
}

static void a_date_may_be_local_or_say_its_zone(void **state)
{
	time_t now = utc(2026, 11, 30, 21, 0);

	(void)state;
	expect("2026-12-24T06:30", now, utc(2026, 12, 24, 5, 30));
	expect("2026-12-24 06:30:00", now, utc(2026, 12, 24, 5, 30));
	expect("2027-07-01T06:30", now, utc(2027, 7, 1, 4, 30));
	expect("2026-12-24T06:30Z", now, utc(2026, 12, 24, 6, 30));
	expect("2026-12-24T06:30+05:30", now, utc(2026, 12, 24, 1, 0));
	expect("2026-12-24T06:30:00-08:00", now, utc(2026, 12, 24, 14, 30));
	expect("2028-02-29T00:00Z", now, utc(2028, 2, 29, 0, 0));
}

static void anything_else_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"6:30",
		"06",
		"06:3",
		"06:30 ",
		" 06:30",
		"24:00",
		"06:60",
		"06:30pm",
		"06:30Z",
		"-6:30",
		"06:30:",
		"tomorrow",
		"2026-12-24",
		"2026-12-24T",
		"2026-02-29T06:30",
		"2026-13-01T06:30",
		"2026-12-24T06:30+1",
		"2026-12-24T06:30+01:00:00",
		"26-12-24T06:30",
		"2026-11-30T21:00Z", /* it is just that */
		"1999-12-31T23:59Z",
	};
	time_t now = utc(2026, 11, 30, 21, 0), until = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (timelimit_parse_until(texts[i], now, &until))
			fail_msg("\"%s\" is taken", texts[i]);
	}
}

static void what_is_left_is_the_shorter_of_both(void **state)
{
	struct timelimit limit = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_true(timelimit_left_ns(&limit) == UINT64_MAX);
	assert_true(timelimit_option(&limit, 'b', "2h", &err));
	assert_in_range(timelimit_left_ns(&limit), UINT64_C(7100000000000),
			UINT64_C(7200000000000));
	limit.until = time(NULL) + 60;
	assert_in_range(timelimit_left_ns(&limit), UINT64_C(50000000000),
			UINT64_C(60000000000));
	limit.budget_end_ns = 0;
	limit.until = INT64_C(1) << 40; /* more nanoseconds than are counted */
	assert_true(timelimit_left_ns(&limit) > UINT64_MAX / 2);
	limit.until = time(NULL) - 1;
	assert_int_equal(timelimit_left_ns(&limit), 0);
}

static void bad_values_name_their_option(void **state)
{
	struct timelimit limit = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_false(timelimit_option(&limit, 'b', "0", &err));
	assert_string_equal(err.text,
			    "--budget: not a time such as 7h or 90min: 0");
	assert_int_equal(err.code, ERR_INPUT);
	err = (struct err){ 0 };
	assert_false(timelimit_option(&limit, 'u', "25:00", &err));
	assert_string_equal(err.text,
			    "--until: not a time to come, such as 06:30 or "
			    "2030-12-24T06:30: 25:00");
	err = (struct err){ 0 };
	assert_false(timelimit_option(&limit, 'x', "", &err));
	assert_int_equal(err.code, ERR_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_of_day_is_the_next_one),
		cmocka_unit_test(clocks_may_be_put_forward_or_back_at_night),
		cmocka_unit_test(a_date_may_be_local_or_say_its_zone),
		cmocka_unit_test(anything_else_is_refused),
		cmocka_unit_test(what_is_left_is_the_shorter_of_both),
		cmocka_unit_test(bad_values_name_their_option),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
