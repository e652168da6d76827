/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "core/ticks.h"
#include "tests/unit/sim.h"
#include "tests/unit/unit.h"

static uint64_t system_clock(void)
{
	return io_system.now(NULL);
}

static void a_time_is_never_ahead_nor_far_behind(void **state)
{
	const struct io io = { &io_system, NULL };
	const uint64_t begin = system_clock();
	struct ticks t;
	uint64_t now, last = 0, before, after;
	unsigned int close = 0, all = 0;

	(void)state;
	ticks_init(&t, &io);
	while (system_clock() - begin < 50 * UINT64_C(1000000)) {
		before = system_clock();
		now = ticks_now(&t);
		after = system_clock();
		assert_true(now >= last);
		assert_true(now <= after);
		/* unless this program was interrupted in between */
		if (after - before < 1000) {
			all++;
			close += now + 300 >= before;
		}
		last = now;
	}
	assert_int_equal(close, all);
}

static void the_counter_is_not_trusted_over_a_pause(void **state)
{
	const struct io io = { &io_system, NULL };
	const struct timespec pause = { 0, 20000000 };
	struct ticks t;
	uint64_t before, now;

	(void)state;
	ticks_init(&t, &io);
	before = ticks_now(&t);
	assert_int_equal(clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL), 0);
	now = ticks_now(&t);
	assert_true(now - before >= 20 * UINT64_C(1000000));
	t.anchor += UINT64_C(1) << 40; /* a counter set back */
	now = ticks_now(&t);
	assert_true(now <= system_clock());
	assert_true(now + 1000000 >= before);
	assert_true(now >= before);
}

static void any_other_clock_is_read_itself(void **state)
{
	struct sim sim = { .clock_ns = 5 };
	const struct io io = { &sim_io, &sim };
	struct ticks t;

	(void)state;
	ticks_init(&t, &io);
	assert_int_equal(ticks_now(&t), 5);
	sim.clock_ns = 6;
	assert_int_equal(ticks_now(&t), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_is_never_ahead_nor_far_behind),
		cmocka_unit_test(the_counter_is_not_trusted_over_a_pause),
		cmocka_unit_test(any_other_clock_is_read_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
