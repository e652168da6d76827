/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "core/series.h"
#include "reports/detail.h"
#include "tests/unit/unit.h"

#define MS UINT64_C(1000000)

static uint64_t bytes[SERIES_MAX];

/* cmocka's own compares floats. */
static void assert_near(double value, double expected, double most)
{
	assert_true(fabs(value - expected) <= most);
}

static struct detail thinned(char op, double seconds, size_t count)
{
	struct record_result row = { .op = op,
				     .seconds = seconds + 1,
				     .flush_seconds = 1,
				     .latency = { .count = -1 } };
	struct record_series series = { .interval_ns = MS,
					.bytes = bytes,
					.count = count };
	struct detail detail;

	if (op == 'R') {
		row.seconds = seconds;
		row.flush_seconds = NAN;
	}
	detail = detail_of(&row);
	assert_true(detail_set_series(&detail, &series));
	return detail;
}

static double total_of(const struct detail *detail)
{
	double total = 0;

	for (size_t i = 0; i < detail->count; i++)
		total += (double)detail->points[i] * 1024 *
			 (i + 1 < detail->count ? detail->point_seconds
						: detail->last_seconds);
	return total;
}

static void rate_times_time_adds_up_to_the_bytes(void **state)
{
	(void)state;
	for (size_t count = 1; count <= SERIES_MAX; count++) {
		double total = 0;
		struct detail detail;

		bytes[count - 1] = count * 1000003 % 8191 + 1;
		for (size_t i = 0; i < count; i++)
			total += (double)bytes[i];
		detail = thinned('W', (double)count * 1e-3 - 3e-4, count);
		assert_true(detail.count <= DETAIL_POINTS);
		assert_near(total_of(&detail) / total, 1, 1e-5);
		detail_done(&detail);
	}
}

static void a_short_series_keeps_its_intervals(void **state)
{
	struct detail detail;

	(void)state;
	bytes[0] = 1024;
	bytes[1] = 3072;
	detail = thinned('R', 2e-3, 2);
	assert_int_equal(detail.count, 2);
	assert_near(detail.point_seconds, 1e-3, 1e-12);
	assert_near((double)detail.points[0], 1000, 1e-3);
	assert_near((double)detail.points[1], 3000, 1e-3);
	detail_done(&detail);
}

static void a_write_that_ends_within_an_interval_is_not_slower_there(
	void **state)
{
	struct detail detail;

	(void)state;
	bytes[0] = 1024;
	bytes[1] = 512;
	detail = thinned('W', 1.5e-3, 2);
	assert_near(detail.last_seconds, 0.5e-3, 1e-9);
	assert_near((double)detail.points[1], 1000, 1e-2);
	detail_done(&detail);
}

/* Checking what was read takes time that its seconds do not count. */
static void a_read_has_the_time_of_its_series(void **state)
{
	struct detail detail;

	(void)state;
	bytes[0] = 1024;
	bytes[1] = 1024;
	detail = thinned('R', 1.1e-3, 2);
	assert_near(detail.last_seconds, 1e-3, 1e-12);
	assert_near((double)detail.points[1], 1000, 1e-3);
	detail_done(&detail);
}

static void without_a_series_there_are_no_points(void **state)
{
	struct detail detail;

	(void)state;
	detail = thinned('W', 1, 0);
	assert_null(detail.points);
	assert_int_equal(detail.count, 0);
	detail_done(&detail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rate_times_time_adds_up_to_the_bytes),
		cmocka_unit_test(a_short_series_keeps_its_intervals),
		cmocka_unit_test(
			a_write_that_ends_within_an_interval_is_not_slower_there),
		cmocka_unit_test(a_read_has_the_time_of_its_series),
		cmocka_unit_test(without_a_series_there_are_no_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
