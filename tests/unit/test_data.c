/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/data.h"
#include "tests/unit/unit.h"

static struct data_key key_of(const struct data *data)
{
	return data_key(data, 5, 9);
}

/* `length` bytes of content from 0 on, made in blocks of `block`. */
static unsigned char *content(const struct data *data, size_t length,
			      size_t block, uint64_t apart)
{
	struct data_window *window = data_window_new(data, block, apart);
	const struct data_key key = key_of(data);
	unsigned char *all = malloc(length);
	size_t part;

	assert_non_null(window);
	assert_non_null(all);
	for (size_t o = 0; o < length; o += part) {
		part = length - o < block ? length - o : block;
		memcpy(all + o, data_window_fill(window, &key, o, part), part);
	}
	data_window_free(window);
	return all;
}

static void content_is_the_same_whatever_the_block_size(void **state)
{
	static const size_t blocks[] = { 1,     17,   512,     4096,
					 65536, 4097, 1000003, 3 << 20 };
	const size_t length = 2 * DATA_POOL_BYTES + 12345;
	struct data *data = data_new(42);
	unsigned char *expected = content(data, length, 8192, 0), *all;

	(void)state;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		all = content(data, length, blocks[i], i * 700000);
		assert_memory_equal(all, expected, length);
		free(all);
	}
	free(expected);
	data_free(data);
}

static void no_two_blocks_are_equal(void **state)
{
	const size_t length = 3 * DATA_POOL_BYTES;
	struct data *data = data_new(42);
	unsigned char *all = content(data, length, 65536, 0);

	(void)state;
	for (size_t a = 0; a < length; a += DATA_STAMP_UNIT)
		for (size_t b = 0; b < a; b += DATA_STAMP_UNIT)
			assert_memory_not_equal(all + a, all + b,
						DATA_STAMP_BYTES);
	free(all);
	data_free(data);
}

static void any_flipped_bit_is_found_at_its_place(void **state)
{
	const size_t length = 3 * DATA_STAMP_UNIT + 100;
	const uint64_t offset = DATA_POOL_BYTES - 5000;
	struct data *data = data_new(1);
	struct data_window *window = data_window_new(data, length, 0);
	const struct data_key key = key_of(data);
	unsigned char *buf = malloc(length);
	size_t at;

	(void)state;
	memcpy(buf, data_window_fill(window, &key, offset, length), length);
	assert_true(data_window_check(window, &key, offset, buf, length, &at));
	for (size_t i = 0; i < length; i++) {
		buf[i] ^= (unsigned char)(1 << (i % 8));
		assert_false(data_window_check(window, &key, offset, buf,
					       length, &at));
		assert_int_equal(at, i);
		buf[i] ^= (unsigned char)(1 << (i % 8));
	}
	free(buf);
	data_window_free(window);
	data_free(data);
}

/* Whether byte i of a block that begins at `offset` is one of a stamp. */
static bool is_of_a_stamp(uint64_t offset, size_t i)
{
	return (offset + i) % DATA_STAMP_UNIT < DATA_STAMP_BYTES;
}

static void stamps_alone_tell_a_flipped_bit_of_theirs(void **state)
{
	static const struct {
		uint64_t offset;
		size_t length;
	} blocks[] = { { 0, 4096 },    { 4096, 512 }, { 4608, 512 },
		       { 5, 12 },      { 8200, 20 },  { 10, 12288 },
		       { 4095, 4099 }, { 4127, 1 },   { 4128, 1 } };
	struct data *data = data_new(1);
	const struct data_key key = key_of(data);
	struct data_window *w = data_window_new(data, 16384, 0);
	unsigned char *buf;
	size_t at;

	(void)state;
	for (size_t b = 0; b < sizeof(blocks) / sizeof(blocks[0]); b++) {
		const uint64_t offset = blocks[b].offset;
		const size_t length = blocks[b].length;

		buf = data_window_fill(w, &key, offset, length);
		assert_true(data_check_stamps(&key, offset, buf, length, &at));
		for (size_t i = 0; i < length; i++) {
			buf[i] ^= 4;
			assert_int_equal(data_check_stamps(&key, offset, buf,
							   length, &at),
					 !is_of_a_stamp(offset, i));
			if (is_of_a_stamp(offset, i))
				assert_int_equal(at, i);
			buf[i] ^= 4;
		}
	}
	data_window_free(w);
	data_free(data);
}

struct place {
	uint64_t seed, sample, file, offset;
};

static void assert_not_mistaken(const struct place *other)
{
	struct data *ours = data_new(1), *others = data_new(other->seed);
	struct data_window *a = data_window_new(ours, 4096, 0);
	struct data_window *b = data_window_new(others, 4096, 0);
	const struct data_key key = data_key(ours, 5, 9);
	const struct data_key key_b =
		data_key(others, other->sample, other->file);
	const void *theirs = data_window_fill(b, &key_b, other->offset, 4096);
	size_t at;

	assert_false(data_window_check(a, &key, 4096, theirs, 4096, &at));
	assert_false(data_check_stamps(&key, 4096, theirs, 4096, &at));
	data_window_free(a);
	data_window_free(b);
	data_free(ours);
	data_free(others);
}

static void data_of_another_run_sample_file_or_place_is_not_ours(void **state)
{
	(void)state;
	assert_not_mistaken(&(struct place){ 2, 5, 9, 4096 });
	assert_not_mistaken(&(struct place){ 1, 6, 9, 4096 });
	assert_not_mistaken(&(struct place){ 1, 5, 8, 4096 });
	assert_not_mistaken(&(struct place){ 1, 5, 9, 4096 + DATA_POOL_BYTES });
}

static void blocks_in_flight_at_once_do_not_overlap(void **state)
{
	const size_t block = 100000, depth = 32;
	struct data *data = data_new(1);
	struct data_window *w = data_window_new(data, block, depth * block);
	struct data_window *check = data_window_new(data, 0, 0);
	const struct data_key key = key_of(data);
	void *blocks[32];
	size_t at;

	(void)state;
	for (size_t first = 0; first < 200; first++) {
		for (size_t i = 0; i < depth; i++)
			blocks[i] = data_window_fill(
				w, &key, (first + i) * block, block);
		for (size_t i = 0; i < depth; i++)
			assert_true(data_window_check(check, &key,
						      (first + i) * block,
						      blocks[i], block, &at));
	}
	data_window_free(check);
	data_window_free(w);
	data_free(data);
}

static void an_aligned_offset_is_aligned_in_memory(void **state)
{
	struct data *data = data_new(1);
	struct data_window *w = data_window_new(data, 4096, 0);
	const struct data_key key = key_of(data);
	uint64_t offset;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++) {
		offset = i * 4096;
		assert_int_equal(
			(uintptr_t)data_window_fill(w, &key, offset, 4096) %
				DATA_ALIGNMENT,
			offset % DATA_ALIGNMENT);
	}
	data_window_free(w);
	data_free(data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(content_is_the_same_whatever_the_block_size),
		cmocka_unit_test(no_two_blocks_are_equal),
		cmocka_unit_test(any_flipped_bit_is_found_at_its_place),
		cmocka_unit_test(stamps_alone_tell_a_flipped_bit_of_theirs),
		cmocka_unit_test(
			data_of_another_run_sample_file_or_place_is_not_ours),
		cmocka_unit_test(blocks_in_flight_at_once_do_not_overlap),
		cmocka_unit_test(an_aligned_offset_is_aligned_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
