/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * series - bytes per interval of a phase, in fixed memory.
 *
 * When the phase outgrows the intervals there are, pairs of them are added
 * up and each lasts twice as long; so nothing is allocated while the clock
 * runs, a series has at most SERIES_MAX intervals, and they always add up to
 * exactly the bytes put in.
 *
 * Not thread-safe: give each thread its own and merge at the end.
 */
#ifndef CORE_SERIES_H
#define CORE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIES_MAX      1024
#define SERIES_FIRST_NS UINT64_C(1000000) /* the interval it begins with */

/* Steady state is looked for in the last ones of this many equal slices. */
#define SERIES_SLICES         25
#define SERIES_STEADY_SLICES  5
#define SERIES_SLICE_LEAST_NS UINT64_C(100000000)

struct series;

struct series *series_new(void); /* NULL when out of memory */
void series_free(struct series *s);

/*
 * Add what a call moved between two times since the phase began. The bytes
 * are spread evenly over that time, so that a call longer than an interval
 * does not look like silence with a burst behind it.
 */
void series_add(struct series *s, uint64_t from_ns, uint64_t to_ns,
		uint64_t bytes);

/* Both began at the same time. */
void series_merge(struct series *into, const struct series *from);

uint64_t series_interval_ns(const struct series *s);
size_t series_count(const struct series *s); /* up to the last not empty */
uint64_t series_bytes(const struct series *s, size_t i);
uint64_t series_total(const struct series *s);

/*
 * Whether a phase of `duration_ns` ended in a steady state, and its rate
 * then. The definition is that of SNIA's Solid State Storage Performance
 * Test Specification (steady state over a window of five rounds), its rounds
 * being slices of the phase's time: among the last five of 25 slices
 * the largest and the smallest differ by at most 20 % of their mean, and the
 * line fitted to them by least squares rises or falls by at most 10 % of it
 * from the first to the fifth. Five slices further from the end do not count:
 * what came after them was different.
 * A phase too short for slices of SERIES_SLICE_LEAST_NS reached none: below
 * that a single call that was held up would look like a steady rate.
 */
bool series_steady(const struct series *s, uint64_t duration_ns,
		   uint64_t *bytes_per_second);

#endif
