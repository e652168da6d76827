/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/series.h"

#include <stdlib.h>
#include <string.h>

struct series {
	uint64_t interval_ns;
	/* the interval that the last bytes fell into */
	size_t current;
	uint64_t current_start_ns, current_end_ns;
	size_t count;
	uint64_t bytes[SERIES_MAX];
};

struct series *series_new(void)
{
	struct series *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->interval_ns = SERIES_FIRST_NS;
	s->current_end_ns = SERIES_FIRST_NS;
	return s;
}

void series_free(struct series *s)
{
	free(s);
}

static void double_interval(struct series *s)
{
	for (size_t i = 0; i < SERIES_MAX / 2; i++)
		s->bytes[i] = s->bytes[2 * i] + s->bytes[2 * i + 1];
	memset(s->bytes + SERIES_MAX / 2, 0,
	       sizeof(s->bytes[0]) * (SERIES_MAX / 2));
	s->interval_ns *= 2;
	s->count = (s->count + 1) / 2;
}

/* Make the interval that holds `at_ns` the current one. */
static void move_to(struct series *s, uint64_t at_ns)
{
	while (at_ns / s->interval_ns >= SERIES_MAX)
		double_interval(s);
	s->current = (size_t)(at_ns / s->interval_ns);
	s->current_start_ns = s->current * s->interval_ns;
	s->current_end_ns = s->current_start_ns + s->interval_ns;
}

static void add_to_current(struct series *s, uint64_t bytes)
{
	s->bytes[s->current] += bytes;
	if (bytes && s->current >= s->count)
		s->count = s->current + 1;
}

/* part / whole of `bytes`, cut to an integer */
static uint64_t share(uint64_t bytes, uint64_t part, uint64_t whole)
{
	return (uint64_t)((unsigned __int128)bytes * part / whole);
}

static void spread(struct series *s, uint64_t from_ns, uint64_t to_ns,
		   uint64_t bytes)
{
	uint64_t given = 0, until;

	move_to(s, to_ns); /* makes room before places are counted */
	move_to(s, from_ns);
	while (s->current_end_ns <= to_ns) {
		until = share(bytes, s->current_end_ns - from_ns,
			      to_ns - from_ns);
		add_to_current(s, until - given);
		given = until;
		if (s->current_end_ns == to_ns)
			break; /* the end of an interval still belongs to it */
		move_to(s, s->current_end_ns);
	}
	add_to_current(s, bytes - given);
}

void series_add(struct series *s, uint64_t from_ns, uint64_t to_ns,
		uint64_t bytes)
{
	if (from_ns >= s->current_start_ns && to_ns < s->current_end_ns)
		add_to_current(s, bytes);
	else if (from_ns < to_ns)
		spread(s, from_ns, to_ns, bytes);
	else {
		move_to(s, to_ns);
		add_to_current(s, bytes);
	}
}

void series_merge(struct series *into, const struct series *from)
{
	struct series other = *from;

	while (other.interval_ns < into->interval_ns)
		double_interval(&other);
	while (into->interval_ns < other.interval_ns)
		double_interval(into);
	for (size_t i = 0; i < other.count; i++)
		into->bytes[i] += other.bytes[i];
	if (other.count > into->count)
		into->count = other.count;
	move_to(into, 0);
}

uint64_t series_interval_ns(const struct series *s)
{
	return s->interval_ns;
}

size_t series_count(const struct series *s)
{
	return s->count;
}

uint64_t series_bytes(const struct series *s, size_t i)
{
	return s->bytes[i];
}

uint64_t series_total(const struct series *s)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->count; i++)
		total += s->bytes[i];
	return total;
}

/* Bytes until `at_ns`, those of the interval it lies in proportionally. */
static uint64_t bytes_until(const struct series *s, uint64_t at_ns)
{
	size_t whole = (size_t)(at_ns / s->interval_ns);
	uint64_t total = 0;

	for (size_t i = 0; i < whole && i < s->count; i++)
		total += s->bytes[i];
	if (whole < s->count)
		total += share(s->bytes[whole], at_ns % s->interval_ns,
			       s->interval_ns);
	return total;
}

/*
 * With S the sum of the five, all in integers: max - min <= 20 % of S / 5,
 * and the fitted slope (-2a - b + d + 2e) / 10 times 4 <= 10 % of S / 5.
 */
static bool is_steady(const uint64_t slice[SERIES_STEADY_SLICES], uint64_t sum)
{
	uint64_t max = slice[0], min = slice[0];
	__int128 slope;

	for (int i = 1; i < SERIES_STEADY_SLICES; i++) {
		if (slice[i] > max)
			max = slice[i];
		if (slice[i] < min)
			min = slice[i];
	}
	slope = 2 * ((__int128)slice[4] - (__int128)slice[0]) +
		((__int128)slice[3] - (__int128)slice[1]);
	if (slope < 0)
		slope = -slope;
	return sum > 0 && (unsigned __int128)(max - min) * 25 <= sum &&
	       slope * 20 <= (__int128)sum;
}

bool series_steady(const struct series *s, uint64_t duration_ns,
		   uint64_t *bytes_per_second)
{
	const uint64_t first = SERIES_SLICES - SERIES_STEADY_SLICES;
	uint64_t slice[SERIES_STEADY_SLICES], sum = 0, start_ns, at_ns, before;

	if (duration_ns / SERIES_SLICES < SERIES_SLICE_LEAST_NS ||
	    duration_ns / SERIES_SLICES < s->interval_ns)
		return false;
	start_ns = share(duration_ns, first, SERIES_SLICES);
	before = bytes_until(s, start_ns);
	for (size_t i = 0; i < SERIES_STEADY_SLICES; i++) {
		at_ns = share(duration_ns, first + i + 1, SERIES_SLICES);
		slice[i] = bytes_until(s, at_ns) - before;
		before += slice[i];
		sum += slice[i];
	}
	if (!is_steady(slice, sum))
		return false;
	*bytes_per_second =
		share(sum, UINT64_C(1000000000), duration_ns - start_ns);
	return true;
}
