/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/data.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/memory.h"

/* As much as is compared at a time: small, so that both sides stay in L2. */
enum { CHECK_BYTES = 64 << 10 };

struct data {
	uint64_t seed;
	unsigned char pool[DATA_POOL_BYTES];
};

struct data_window {
	/* the memory repeats the pool: a power of two, for a cheap modulo */
	size_t ring_bytes;
	size_t bytes; /* ring_bytes and a block more */
	unsigned char *memory;
};

/* SplitMix64: one pass over 64 bits that no compressor can shorten. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

struct data *data_new(uint64_t seed)
{
	struct data *data = malloc(sizeof(*data));
	uint64_t state = seed, word;

	if (!data)
		return NULL;
	data->seed = seed;
	for (size_t i = 0; i < DATA_POOL_BYTES; i += sizeof(word)) {
		word = next_random(&state);
		memcpy(data->pool + i, &word, sizeof(word));
	}
	return data;
}

void data_free(struct data *data)
{
	free(data);
}

static uint64_t ring_of(uint64_t apart_bytes)
{
	uint64_t bytes = DATA_POOL_BYTES;

	while (bytes < apart_bytes)
		bytes *= 2;
	return bytes;
}

uint64_t data_window_bytes(uint64_t block_bytes, uint64_t apart_bytes)
{
	return ring_of(apart_bytes) +
	       (block_bytes < CHECK_BYTES ? CHECK_BYTES : block_bytes);
}

struct data_window *data_window_new(const struct data *data,
				    uint64_t block_bytes, uint64_t apart_bytes)
{
	struct data_window *window = calloc(1, sizeof(*window));
	size_t left;

	if (!window)
		return NULL;
	window->ring_bytes = (size_t)ring_of(apart_bytes);
	window->bytes = (size_t)data_window_bytes(block_bytes, apart_bytes);
	window->memory = memory_new(window->bytes, (size_t)block_bytes);
	if (!window->memory) {
		free(window);
		return NULL;
	}
	for (size_t i = 0; i < window->bytes; i += DATA_POOL_BYTES) {
		left = window->bytes - i;
		memcpy(window->memory + i, data->pool,
		       left < DATA_POOL_BYTES ? left : DATA_POOL_BYTES);
	}
	return window;
}

void data_window_free(struct data_window *window)
{
	if (!window)
		return;
	memory_free(window->memory);
	free(window);
}

void *data_window_memory(const struct data_window *window, size_t *bytes)
{
	*bytes = window->bytes;
	return window->memory;
}

struct stamp {
	uint64_t sample, file, offset;
	uint64_t hash; /* of the offset, seeded with the key's hash */
};

_Static_assert(sizeof(struct stamp) == DATA_STAMP_BYTES, "a stamp is packed");

struct data_key data_key(const struct data *data, uint64_t sample,
			 uint64_t file)
{
	const uint64_t both[] = { sample, file };

	return (struct data_key){
		.sample = sample,
		.file = file,
		.hash = XXH3_64bits_withSeed(both, sizeof(both), data->seed),
	};
}

/*
 * Each member goes to its place (of any alignment) by itself: a stamp that is
 * put together first and copied then would have to wait for its own parts.
 */
static void put_stamp(unsigned char *to, const struct data_key *key,
		      uint64_t offset)
{
	const uint64_t hash =
		XXH3_64bits_withSeed(&offset, sizeof(offset), key->hash);

	memcpy(to + offsetof(struct stamp, sample), &key->sample,
	       sizeof(key->sample));
	memcpy(to + offsetof(struct stamp, file), &key->file,
	       sizeof(key->file));
	memcpy(to + offsetof(struct stamp, offset), &offset, sizeof(offset));
	memcpy(to + offsetof(struct stamp, hash), &hash, sizeof(hash));
}

/*
 * What of the stamp at `unit` lies in the block [offset, offset + length): its
 * first byte's place is *from; a block of an odd size may hold only a part.
 */
static size_t part_of_stamp(uint64_t unit, uint64_t offset, size_t length,
			    uint64_t *from)
{
	uint64_t to = unit + DATA_STAMP_BYTES;

	*from = unit > offset ? unit : offset;
	if (to > offset + length)
		to = offset + length;
	return *from < to ? (size_t)(to - *from) : 0;
}

/* Put into the block at `block` what of the stamp at `unit` lies in it. */
static void put_part(const struct data_key *key, uint64_t unit,
		     unsigned char *block, uint64_t offset, size_t length)
{
	unsigned char stamp[DATA_STAMP_BYTES];
	uint64_t from;
	size_t part = part_of_stamp(unit, offset, length, &from);

	if (part == 0)
		return;
	put_stamp(stamp, key, unit);
	memcpy(block + (from - offset), stamp + (from - unit), part);
}

void *data_window_fill(struct data_window *window, const struct data_key *key,
		       uint64_t offset, size_t length)
{
	unsigned char *block =
		window->memory + (offset & (window->ring_bytes - 1));
	uint64_t unit = offset - offset % DATA_STAMP_UNIT;

	for (; unit < offset + length; unit += DATA_STAMP_UNIT)
		if (unit >= offset &&
		    unit + DATA_STAMP_BYTES <= offset + length)
			put_stamp(block + (unit - offset), key, unit);
		else
			put_part(key, unit, block, offset, length);
	return block;
}

static size_t first_difference(const unsigned char *a, const unsigned char *b)
{
	size_t i = 0;

	while (a[i] == b[i])
		i++;
	return i;
}

bool data_window_check(struct data_window *window, const struct data_key *key,
		       uint64_t offset, const void *buf, size_t length,
		       size_t *at)
{
	const unsigned char *found = buf;
	const unsigned char *expected;
	size_t part, left;

	for (size_t done = 0; done < length; done += part) {
		left = length - done;
		part = left < CHECK_BYTES ? left : CHECK_BYTES;
		expected = data_window_fill(window, key, offset + done, part);
		if (memcmp(found + done, expected, part) != 0) {
			*at = done + first_difference(found + done, expected);
			return false;
		}
	}
	return true;
}

bool data_check_stamps(const struct data_key *key, uint64_t offset,
		       const void *buf, size_t length, size_t *at)
{
	const unsigned char *found = buf;
	unsigned char stamp[DATA_STAMP_BYTES];
	uint64_t unit = offset - offset % DATA_STAMP_UNIT, from;
	const unsigned char *expected;
	size_t part;

	for (; unit < offset + length; unit += DATA_STAMP_UNIT) {
		part = part_of_stamp(unit, offset, length, &from);
		put_stamp(stamp, key, unit);
		expected = stamp + (from - unit);
		if (part > 0 &&
		    memcmp(found + (from - offset), expected, part) != 0) {
			*at = (size_t)(from - offset) +
			      first_difference(found + (from - offset),
					       expected);
			return false;
		}
	}
	return true;
}
