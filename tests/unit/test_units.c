/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core/units.h"
#include "tests/unit/unit.h"

#define KI UINT64_C(1024)

struct value {
	const char *text;
	uint64_t value;
};

static void sizes_are_read_in_all_their_units(void **state)
{
	static const struct value sizes[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "007", 7 },
		{ "7B", 7 },
		{ "64K", 64 * KI },
		{ "512KiB", 512 * KI },
		{ "512 KiB", 512 * KI },
		{ "3M", 3 * KI * KI },
		{ "3MiB", 3 * KI * KI },
		{ "2G", 2 * KI * KI * KI },
		{ "2GiB", 2 * KI * KI * KI },
		{ "1T", KI * KI * KI * KI },
		{ "1TiB", KI * KI * KI * KI },
		{ "9kB", 9000 },
		{ "10MB", 10000000 },
		{ "10GB", UINT64_C(10000000000) },
		{ "10TB", UINT64_C(10000000000000) },
		{ "0KiB", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		uint64_t bytes = 1;

		assert_true(units_parse_bytes(sizes[i].text, &bytes));
		assert_int_equal(bytes, sizes[i].value);
	}
}

static void a_fraction_counts_if_it_is_whole_bytes(void **state)
{
	static const struct value sizes[] = {
		{ "1.5KiB", 1536 },
		{ "1.50KiB", 1536 },
		{ "0.5K", 512 },
		{ "1.5 GiB", 3 * KI * KI * KI / 2 },
		{ "0.0009765625MiB", 1024 },
		{ "0.0009765625KiB", 1 },
		{ "0.001kB", 1 },
		{ "1.000000000000000000000000KiB", 1024 },
	};
	uint64_t bytes = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_true(units_parse_bytes(sizes[i].text, &bytes));
		assert_int_equal(bytes, sizes[i].value);
	}
	bytes = 77;
	assert_false(units_parse_bytes("0.3B", &bytes));
	assert_false(units_parse_bytes("1.0B", &bytes));
	assert_false(units_parse_bytes("1.5", &bytes));
	assert_false(units_parse_bytes("0.1KiB", &bytes));
	assert_false(units_parse_bytes("1.0001kB", &bytes));
	assert_false(units_parse_bytes("0.00000000000000000001TiB", &bytes));
	assert_int_equal(bytes, 77);
}

static void sizes_end_at_64_bits(void **state)
{
	uint64_t bytes = 77;

	(void)state;
	assert_true(units_parse_bytes("18446744073709551615", &bytes));
	assert_true(bytes == UINT64_MAX);
	assert_true(units_parse_bytes("16777215TiB", &bytes));
	bytes = 77;
	assert_false(units_parse_bytes("18446744073709551616", &bytes));
	assert_false(units_parse_bytes("99999999999999999999999", &bytes));
	assert_false(units_parse_bytes("16777216TiB", &bytes));
	assert_false(units_parse_bytes("18014398509481983.9999999K", &bytes));
	assert_int_equal(bytes, 77);
}

static void what_is_no_size_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",       " ",      "-1",    "+1",         "1e9",    "0x10",
		"NaN",    "inf",    "KiB",   ".5KiB",      "1.KiB",  "1.",
		"1,5KiB", " 1KiB",  "1KiB ", "1  KiB",     "1\tKiB", "1 ",
		"1kib",   "1KIB",   "1KB",   "1kb",        "1k",     "1m",
		"1mb",    "1Kib",   "1PiB",  "1b",         "1KiBs",  "1 KiB 1",
		"1K1",    "1.5.5K", "full",  "1\xc2\xa0K", "1Ki",    "1_000",
	};
	uint64_t bytes = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (units_parse_bytes(wrong[i], &bytes))
			fail_msg("\"%s\" was read as a size", wrong[i]);
	}
	assert_int_equal(bytes, 77);
}

static void durations_are_read_in_all_their_units(void **state)
{
	static const struct value durations[] = {
		{ "0", 0 },
		{ "5", UINT64_C(5000000000) },
		{ "1.5", UINT64_C(1500000000) },
		{ "250ms", UINT64_C(250000000) },
		{ "0.000001ms", 1 },
		{ "90s", UINT64_C(90000000000) },
		{ "90 s", UINT64_C(90000000000) },
		{ "30min", UINT64_C(1800000000000) },
		{ "30m", UINT64_C(1800000000000) },
		{ "1.5h", UINT64_C(5400000000000) },
		{ "7h", UINT64_C(25200000000000) },
		{ "1d", UINT64_C(86400000000000) },
		{ "1h30min", UINT64_C(5400000000000) },
		{ "1h30m", UINT64_C(5400000000000) },
		{ "2h 05min", UINT64_C(7500000000000) },
		{ "1d2h3min4s5ms", UINT64_C(93784005000000) },
		{ "1 d 2 h", UINT64_C(93600000000000) },
		{ "213503d", UINT64_C(18446659200000000000) },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		uint64_t ns = 77;

		assert_true(units_parse_duration(durations[i].text, &ns));
		assert_true(ns == durations[i].value);
	}
}

static void what_is_no_duration_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",
		" ",
		"-1s",
		"1e3",
		"h",
		"1H",
		"1S",
		"1 min 2",
		"5min1h",
		"1h1h",
		"1m1min",
		"1h  5min",
		"1h ",
		" 1h",
		"1h,5min",
		"1.h",
		"0.0000001ms",
		"213504d",
		"1us",
		"1w",
		"18446744074",
		"213503d23h35min",
		"1hour",
		"1 ",
		"5 5s",
		"1\n",
		"06:30",
		"NaN",
		"0x1s",
		"1mins",
	};
	uint64_t ns = 77;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		if (units_parse_duration(wrong[i], &ns))
			fail_msg("\"%s\" was read as a duration", wrong[i]);
	}
	assert_int_equal(ns, 77);
}

static void sizes_are_written_exactly_or_in_three_digits(void **state)
{
	static const struct value sizes[] = {
		{ "0B", 0 },
		{ "1B", 1 },
		{ "1000B", 1000 },
		{ "1025B", 1025 },
		{ "512KiB", 512 * KI },
		{ "1.5GiB", 1536 * KI * KI },
		{ "1.25KiB", 1280 },
		{ "4095MiB", 4095 * KI * KI },
		{ "480MiB", 480 * KI * KI },
		{ "1.18MiB", 1234567 },
		{ "1.00MiB", KI * KI + 1 },
		{ "58.6GiB", UINT64_C(62914560000) },
		{ "9.54MiB", 10000000 },
		{ "10.0MiB", 10 * KI * KI - 1 },
		{ "100MiB", 100 * KI * KI - 1 },
		{ "4194304TiB", UINT64_C(1) << 62 },
		{ "16777216TiB", UINT64_MAX },
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		units_format_bytes(sizes[i].value, text, sizeof(text));
		assert_string_equal(text, sizes[i].text);
	}
}

static void durations_are_written_in_their_two_largest_units(void **state)
{
	static const struct value durations[] = {
		{ "0s", 0 },
		{ "<1ms", 499999 },
		{ "1ms", 500000 },
		{ "40ms", 40000000 },
		{ "99ms", 99499999 },
		{ "0.1s", 99500000 },
		{ "0.4s", 400000000 },
		{ "9.9s", UINT64_C(9949999999) },
		{ "10s", UINT64_C(9950000000) },
		{ "12s", UINT64_C(12000000000) },
		{ "59s", UINT64_C(59499999999) },
		{ "1min 00s", UINT64_C(59500000000) },
		{ "3min 20s", UINT64_C(200000000000) },
		{ "1h 00min", UINT64_C(3599900000000) },
		{ "2h 05min", UINT64_C(7500000000000) },
		{ "1d 00h", UINT64_C(86399000000000) },
		{ "213503d 23h", UINT64_C(18446741999000000000) },
		{ "213504d 00h", UINT64_MAX },
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(durations) / sizeof(*durations); i++) {
		units_format_duration(durations[i].value, text, sizeof(text));
		assert_string_equal(text, durations[i].text);
	}
}

static void limits_are_written_as_they_were_set(void **state)
{
	static const struct value limits[] = {
		{ "2ms", 2000000 },
		{ "250ms", 250000000 },
		{ "0.3s", 300000000 },
		{ "1250ms", UINT64_C(1250000000) },
		{ "1.5s", UINT64_C(1500000000) },
		{ "12s", UINT64_C(12000000000) },
		{ "30min 00s", UINT64_C(1800000000000) },
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		units_format_limit(limits[i].value, text, sizeof(text));
		assert_string_equal(text, limits[i].text);
	}
}

static void other_spellings_lead_to_the_one_that_counts(void **state)
{
	static const char *const sizes[][2] = {
		{ "64MIB", "64MiB" },      { "64mb", "64MB" },
		{ "512KB", "512KiB" },     { "1.5 gigabytes", "1.5GiB" },
		{ "4096 bytes", "4096B" }, { "64MB ", "64MB" },
		{ "480Mb", "480MB" },      { " 4096 ", "4096" },
		{ "1tib", "1TiB" },
	};
	static const char *const times[][2] = {
		{ "30 minutes", "30min" }, { "1 hour 30 mins", "1h30min" },
		{ "90Sec", "90s" },        { "2 days", "2d" },
		{ "30 ", "30" },
	};
	static const char *const nothing[] = {
		"", "big", "12 parsecs", "MiB", "1.5.2MIB", "64 MIB per file"
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_true(units_near_bytes(sizes[i][0], text, sizeof(text)));
		assert_string_equal(text, sizes[i][1]);
	}
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		assert_true(
			units_near_duration(times[i][0], text, sizeof(text)));
		assert_string_equal(text, times[i][1]);
	}
	for (size_t i = 0; i < sizeof(nothing) / sizeof(*nothing); i++) {
		assert_false(units_near_bytes(nothing[i], text, sizeof(text)));
		assert_false(
			units_near_duration(nothing[i], text, sizeof(text)));
	}
	assert_false(units_near_bytes("64MIB", text, 4));
}

/* Within what rounding takes: 1 % of a size, 5 % of a duration. */
static void what_is_written_can_be_read_back(void **state)
{
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (uint64_t n = 1; n < UINT64_MAX / 3; n = n * 3 + 1) {
		uint64_t back, slack = n / 100;

		/* The rounded text of some sizes is no whole bytes. */
		units_format_bytes(n, text, sizeof(text));
		if (units_parse_bytes(text, &back))
			assert_in_range(back, n - slack, n + slack);
		units_format_duration(n, text, sizeof(text));
		if (*text == '<')
			continue;
		assert_true(units_parse_duration(text, &back));
		if (n > UINT64_C(100000000))
			assert_in_range(back, n - 5 * slack, n + 5 * slack);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_read_in_all_their_units),
		cmocka_unit_test(a_fraction_counts_if_it_is_whole_bytes),
		cmocka_unit_test(sizes_end_at_64_bits),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(durations_are_read_in_all_their_units),
		cmocka_unit_test(what_is_no_duration_is_refused),
		cmocka_unit_test(sizes_are_written_exactly_or_in_three_digits),
		cmocka_unit_test(
			durations_are_written_in_their_two_largest_units),
		cmocka_unit_test(limits_are_written_as_they_were_set),
		cmocka_unit_test(what_is_written_can_be_read_back),
		cmocka_unit_test(other_spellings_lead_to_the_one_that_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
