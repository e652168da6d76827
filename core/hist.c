/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/hist.h"

#include <stdlib.h>

enum {
	SUB_BITS = 6,
	SUB_COUNT = 1 << SUB_BITS, /* buckets per octave */
	/* values below SUB_COUNT have a bucket each, then 58 octaves follow */
	BUCKET_COUNT = SUB_COUNT + (64 - SUB_BITS) * SUB_COUNT,
};

struct hist {
	uint64_t count, max_ns;
	uint64_t buckets[BUCKET_COUNT];
};

struct hist *hist_new(void)
{
	return calloc(1, sizeof(struct hist));
}

void hist_free(struct hist *h)
{
	free(h);
}

static size_t bucket_of(uint64_t ns)
{
	unsigned int shift;

	if (ns < SUB_COUNT)
		return (size_t)ns;
	shift = 63 - (unsigned int)__builtin_clzll(ns) - SUB_BITS;
	/* the leading bit adds one octave, the SUB_BITS below it choose */
	return ((size_t)shift << SUB_BITS) + (size_t)(ns >> shift);
}

static uint64_t bound_of(size_t bucket)
{
	size_t shift;

	if (bucket < SUB_COUNT)
		return bucket;
	shift = (bucket >> SUB_BITS) - 1;
	return (((bucket & (SUB_COUNT - 1)) + SUB_COUNT + 1) << shift) - 1;
}

void hist_record_many(struct hist *h, uint64_t ns, uint64_t count)
{
	if (count == 0)
		return;
	h->buckets[bucket_of(ns)] += count;
	h->count += count;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

void hist_record(struct hist *h, uint64_t ns)
{
	hist_record_many(h, ns, 1);
}

void hist_merge(struct hist *into, const struct hist *from)
{
	for (size_t i = 0; i < BUCKET_COUNT; i++)
		into->buckets[i] += from->buckets[i];
	into->count += from->count;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

uint64_t hist_count(const struct hist *h)
{
	return h->count;
}

uint64_t hist_max(const struct hist *h)
{
	return h->max_ns;
}

/*
 * How many values the percentile covers, rounded up. In millionths, because
 * 99.9 % of 1000 in binary fractions is a little more than 999.
 */
static uint64_t rank_of(uint64_t count, double percent)
{
	const uint64_t whole = UINT64_C(100) * 1000 * 1000;
	uint64_t part = (uint64_t)(percent * 1e6 + 0.5);
	unsigned __int128 rank;

	rank = ((unsigned __int128)count * part + whole - 1) / whole;
	if (rank < 1)
		return 1;
	return rank > count ? count : (uint64_t)rank;
}

uint64_t hist_percentile(const struct hist *h, double percent)
{
	struct hist_bucket bucket = { 0 };
	uint64_t seen = 0, rank = rank_of(h->count, percent);
	size_t cursor = 0;

	while (seen < rank && hist_next(h, &cursor, &bucket))
		seen += bucket.count;
	/* The last bucket ends beyond the largest value. */
	return bucket.bound_ns < h->max_ns ? bucket.bound_ns : h->max_ns;
}

bool hist_next(const struct hist *h, size_t *cursor, struct hist_bucket *bucket)
{
	while (*cursor < BUCKET_COUNT && h->buckets[*cursor] == 0)
		(*cursor)++;
	if (*cursor >= BUCKET_COUNT)
		return false;
	bucket->bound_ns = bound_of(*cursor);
	bucket->count = h->buckets[*cursor];
	(*cursor)++;
	return true;
}
