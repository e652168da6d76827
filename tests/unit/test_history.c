/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "reports/history.h"
#include "tests/unit/unit.h"

static void add_trend(struct history *history, const char *filesystem, char op)
{
	const struct record_trend trend = {
		.id = 7,
		.host = "alpha",
		.volume = "disk",
		.filesystem = filesystem,
	};
	struct err err = { 0 };

	assert_true(history_add_trend(history, &trend, op, &err));
}

static struct record_point point(int64_t run, double rate)
{
	return (struct record_point){
		.run = run,
		.started_at = "2026-01-01T00:00:00.000Z",
		.n = 5,
		.mean_ln = log(rate),
		.m2_ln = 4e-4,
		.min_kb_per_s = rate * 0.99,
		.max_kb_per_s = rate * 1.01,
	};
}

static void add(struct history *history, int64_t run, double rate)
{
	struct record_point p = point(run, rate);
	struct err err = { 0 };

	assert_true(history_add_point(history, &p, &err));
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) < 1e-9))
		fail_msg("%.17g is not %.17g", value, expected);
}

static void changes_are_against_the_run_before_and_the_base(void **state)
{
	struct history history;
	struct record_point base = point(1, 100);
	struct err err = { 0 };
	const struct history_trend *trend;

	(void)state;
	history_init(&history);
	add_trend(&history, "FAT", 'W');
	add(&history, 3, 110);
	add(&history, 2, 99);
	assert_true(history_set_base(&history, &base, &err));
	assert_true(history_judge(&history, &err));
	trend = &history.trends[0];
	assert_true(isnan(trend->points[0].change));
	assert_near(trend->points[1].change, 0.9);
	assert_near(trend->points[0].base_change, 1.1);
	assert_near(trend->points[1].base_change, 0.99);
	assert_int_equal(trend->steps.count, 0);
	history_done(&history);
}

static void without_a_base_there_is_no_change_against_it(void **state)
{
	struct history history;
	struct err err = { 0 };

	(void)state;
	history_init(&history);
	add_trend(&history, "FAT", 'W');
	add(&history, 1, 100);
	assert_true(history_judge(&history, &err));
	assert_true(isnan(history.trends[0].points[0].base_change));
	history_done(&history);
}

static void a_step_is_found_in_its_trend_only(void **state)
{
	struct history history;
	struct err err = { 0 };

	(void)state;
	history_init(&history);
	add_trend(&history, "FAT", 'W');
	for (int i = 0; i < 8; i++)
		add(&history, i, 100 + i % 2);
	add_trend(&history, "FAT", 'R');
	for (int i = 0; i < 8; i++)
		add(&history, i, (i < 5 ? 100 : 130) + i % 2);
	assert_true(history_judge(&history, &err));
	assert_int_equal(history.trends[0].steps.count, 0);
	assert_int_equal(history.trends[1].steps.count, 1);
	assert_int_equal(history.trends[1].steps.items[0].at, 5);
	history_done(&history);
}

static void the_interval_is_student_s(void **state)
{
	struct history history;

	(void)state;
	history_init(&history);
	add_trend(&history, "FAT", 'W');
	add(&history, 1, 100);
	/* R: exp(qt(.975, 4) * sqrt(4e-4 / 4 / 5)) - 1 */
	assert_near(history_half(&history.trends[0].points[0]),
		    0.0124940465007775);
	history.trends[0].points[0].n = 2;
	assert_true(isnan(history_half(&history.trends[0].points[0])));
	history_done(&history);
}

static void runs_are_found_whatever_order_they_came_in(void **state)
{
	static const int64_t ids[] = { 5, 1, 9, 5, 3, 7 };
	struct history history;
	struct err err = { 0 };

	(void)state;
	history_init(&history);
	for (size_t i = 0; i < 6; i++) {
		struct record_run_name name = { .id = ids[i], .label = "x" };

		assert_true(history_add_run(&history, &name, &err));
	}
	assert_int_equal(history.run_count, 5);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(history_run(&history, ids[i])->id, ids[i]);
	assert_null(history_run(&history, 4));
	assert_null(history_run(&history, 10));
	history_done(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			changes_are_against_the_run_before_and_the_base),
		cmocka_unit_test(without_a_base_there_is_no_change_against_it),
		cmocka_unit_test(a_step_is_found_in_its_trend_only),
		cmocka_unit_test(the_interval_is_student_s),
		cmocka_unit_test(runs_are_found_whatever_order_they_came_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
