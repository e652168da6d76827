/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist - latency histogram with a bounded relative error.
 *
 * Buckets are linear within each power of two (64 per octave), so any value
 * is off by at most 1/64 whatever its size, memory is fixed, and two
 * histograms merge by adding. Percentiles of merged histograms are exact to
 * the bucket; averages of percentiles would not be, so none are offered.
 *
 * Not thread-safe: give each thread its own and merge at the end.
 */
#ifndef CORE_HIST_H
#define CORE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist;

struct hist *hist_new(void); /* NULL when out of memory */
void hist_free(struct hist *h);

void hist_record(struct hist *h, uint64_t ns);
/* As `count` times hist_record(): a stored bucket's bound finds it again. */
void hist_record_many(struct hist *h, uint64_t ns, uint64_t count);
void hist_merge(struct hist *into, const struct hist *from);

uint64_t hist_count(const struct hist *h);
uint64_t hist_max(const struct hist *h); /* exact; 0 when empty */

/*
 * Smallest bucket bound that at least `percent` of the values do not exceed,
 * or the largest value if that is less.
 * `percent` is in (0, 100]. Returns 0 when nothing was recorded.
 */
uint64_t hist_percentile(const struct hist *h, double percent);

struct hist_bucket {
	uint64_t bound_ns; /* the largest value that falls into it */
	uint64_t count;
};

/*
 * The next bucket that is not empty, in rising order; `cursor` starts at 0.
 * False, with `bucket` untouched, after the last.
 */
bool hist_next(const struct hist *h, size_t *cursor,
	       struct hist_bucket *bucket);

#endif
