/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticks - the monotonic clock for a loop that reads it after every call.
 *
 * Asking the kernel's clock costs some 30 ns, a few percent of a small write
 * into memory. Where the processor's counter is what the kernel itself keeps
 * time by, it is read instead, and the kernel's clock only once a
 * millisecond, to which the counter is then anchored anew. So a time is never
 * ahead of the kernel's clock and at most 0.3 us behind it, whatever the
 * counter does.
 *
 * Elsewhere, and with any clock that is not the system's, every reading is
 * one of the io table's clock.
 *
 * Threads: one of its own for each.
 */
#ifndef CORE_TICKS_H
#define CORE_TICKS_H

#include <stdint.h>

#include "core/io.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#define TICKS_HAVE_COUNTER 1
#else
#define TICKS_HAVE_COUNTER 0
#endif

struct ticks {
	struct io io;
	uint64_t anchor, anchor_ns;
	uint64_t window;       /* counts for which the anchor holds; or 0 */
	uint64_t window_max;   /* 0: the counter is of no use */
	uint64_t ns_per_count; /* times 2^32 */
};

/* Takes some milliseconds. A copy serves another thread. */
void ticks_init(struct ticks *t, const struct io *io);

/* For ticks_now() alone: read the io table's clock, and anchor to it. */
uint64_t ticks_anchor(struct ticks *t);

static inline uint64_t ticks_counter(void)
{
#if TICKS_HAVE_COUNTER
	return __rdtsc();
#else
	return 0;
#endif
}

static inline uint64_t ticks_now(struct ticks *t)
{
	uint64_t since = ticks_counter() - t->anchor;

	if (since < t->window)
		return t->anchor_ns + (since * t->ns_per_count >> 32);
	return ticks_anchor(t);
}

#endif
