/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdatomic.h>

#include "core/measure.h"
#include "tests/unit/unit.h"

static void a_reset_forgets_all_of_a_sample_but_not_the_stop(void **state)
{
	struct measure_control c = { .stop = true,
				     .read_now = true,
				     .continued = true,
				     .deadline_ns = 1,
				     .read_bytes = 2,
				     .phase = 'R',
				     .phase_ns = 3,
				     .write_ns = 4,
				     .done_bytes = 5,
				     .paused_ns = 6 };

	(void)state;
	measure_control_reset(&c);
	assert_true(c.stop);
	assert_false(c.read_now);
	assert_false(c.continued);
	assert_int_equal(c.deadline_ns, 0);
	assert_int_equal(c.read_bytes, 0);
	assert_int_equal(c.phase, 0);
	assert_int_equal(c.phase_ns, 0);
	assert_int_equal(c.write_ns, 0);
	assert_int_equal(c.done_bytes, 0);
	assert_int_equal(c.paused_ns, 0);
}

static void between_phases_and_before_its_clock_there_is_no_figure(void **state)
{
	struct measure_control c = { 0 };
	struct phase_result r;

	(void)state;
	assert_false(measure_control_partial(&c, 100, &r));
	measure_control_enter(&c, 'P', 10);
	assert_false(measure_control_partial(&c, 100, &r));
	measure_control_enter(&c, 'W', 0);
	assert_false(measure_control_partial(&c, 100, &r));
}

static void a_phase_that_was_killed_knows_its_bytes_and_its_time(void **state)
{
	struct measure_control c = { .done_bytes = 99, .paused_ns = 98 };
	struct phase_result r;

	(void)state;
	measure_control_enter(&c, 'W', 0);
	c.phase_ns = 1000;
	assert_true(measure_control_partial(&c, 5000, &r));
	assert_int_equal(r.bytes, 0);
	assert_int_equal(r.app_ns, 4000);
	c.done_bytes = 7;
	c.paused_ns = 300;
	assert_true(measure_control_partial(&c, 5000, &r));
	assert_int_equal(r.bytes, 7);
	assert_int_equal(r.app_ns, 3700);
	assert_int_equal(r.flush_ns, 0);
	c.write_ns = 3600;
	measure_control_enter(&c, 'F', 5000);
	assert_true(measure_control_partial(&c, 5010, &r));
	assert_int_equal(r.bytes, 7);
	assert_int_equal(r.app_ns, 3600);
	assert_int_equal(r.flush_ns, 10);
}

static void what_else_there_is_of_it_is_unknown(void **state)
{
	struct measure_control c = { .phase = 'R', .phase_ns = 1 };
	struct phase_result r;

	(void)state;
	assert_true(measure_control_partial(&c, 5, &r));
	assert_false(r.counted);
	assert_true(r.evidence.resident_bytes == EVIDENCE_UNKNOWN);
	assert_true(r.evidence.device_bytes == EVIDENCE_UNKNOWN);
	assert_true(r.evidence.process_bytes == EVIDENCE_UNKNOWN);
	assert_int_equal(r.evidence.io, EVIDENCE_IO_UNKNOWN);
	assert_null(r.series);
	assert_null(r.latency);
	assert_false(evidence_is_cached(&r.evidence, r.bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_reset_forgets_all_of_a_sample_but_not_the_stop),
		cmocka_unit_test(
			between_phases_and_before_its_clock_there_is_no_figure),
		cmocka_unit_test(
			a_phase_that_was_killed_knows_its_bytes_and_its_time),
		cmocka_unit_test(what_else_there_is_of_it_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
