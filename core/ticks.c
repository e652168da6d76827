/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/ticks.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CALIBRATION_NS     UINT64_C(2000000)
#define CALIBRATION_MAX_NS UINT64_C(1000000000)
#define CALIBRATION_TRIES  3
#define WINDOW_NS          UINT64_C(1000000)
/* How far apart a time and the counter may be read. */
#define APART_NS UINT64_C(150)

/* Whether the kernel found the counter fit to keep time by. */
static bool is_kernels_clock(void)
{
	char name[16] = "";
	FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/"
			   "current_clocksource",
			   "re");

	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	(void)fclose(file);
	return strcmp(name, "tsc\n") == 0;
}

static uint64_t system_clock(const struct ticks *t)
{
	return t->io.ops->now(t->io.ctx);
}

/*
 * Anchored to the counter's value after the clock was read, a time can only
 * be late, and by no more than the reading took.
 */
uint64_t ticks_anchor(struct ticks *t)
{
	uint64_t before, ns;

	if (t->window_max == 0)
		return system_clock(t);
	before = ticks_counter();
	ns = system_clock(t);
	t->anchor = ticks_counter();
	t->anchor_ns = ns;
	/* interrupted in between: right now, but nothing to count from */
	t->window = t->window_max;
	if ((t->anchor - before) * t->ns_per_count >> 32 > APART_NS)
		t->window = 0;
	return ns;
}

/* Reads both; the best of some tries. */
static void read_both(const struct ticks *t, uint64_t *count, uint64_t *ns)
{
	uint64_t before, after, at, best = UINT64_MAX;

	for (int i = 0; i < 8; i++) {
		before = ticks_counter();
		at = system_clock(t);
		after = ticks_counter();
		if (after - before >= best)
			continue;
		best = after - before;
		*count = after;
		*ns = at;
	}
}

/*
 * False when it was held meanwhile, for so long that it says nothing of the
 * counter (and that a time is too much to be shifted by 32).
 */
static bool calibrate(struct ticks *t)
{
	uint64_t from = 0, from_ns = 0, to = 0, to_ns = 0;

	read_both(t, &from, &from_ns);
	while (system_clock(t) - from_ns < CALIBRATION_NS)
		continue;
	read_both(t, &to, &to_ns);
	if (to <= from || to_ns - from_ns > CALIBRATION_MAX_NS)
		return false;
	t->ns_per_count = ((to_ns - from_ns) << 32) / (to - from);
	/* too slow by 61 ppm, which is more than the two readings are off by */
	t->ns_per_count -= t->ns_per_count >> 14;
	return t->ns_per_count > 0;
}

void ticks_init(struct ticks *t, const struct io *io)
{
	bool ok = false;

	*t = (struct ticks){ .io = *io };
	if (!TICKS_HAVE_COUNTER || io->ops != &io_system || !is_kernels_clock())
		return;
	for (int i = 0; i < CALIBRATION_TRIES && !ok; i++)
		ok = calibrate(t);
	if (!ok)
		return;
	t->window_max = (WINDOW_NS << 32) / t->ns_per_count;
	(void)ticks_anchor(t);
}
