/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data - what is written: incompressible, unlike anything written before, and
 * known again byte by byte when it is read.
 *
 * A pool of random bytes is made once per run, before any clock starts. The
 * content of a file at an offset is the pool at that offset (modulo its
 * size), and each 4 KiB of it begins with a stamp of run, sample, file and
 * offset, written into the buffer just before the write, so no two 4 KiB
 * blocks are equal.
 *
 * Threads: `struct data` is only read once made; a window belongs to one
 * thread.
 */
#ifndef CORE_DATA_H
#define CORE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The pool stays in a core's L2 cache, and is longer than what a filesystem
 * compresses in one piece (btrfs 128 KiB, bcachefs 256 KiB).
 */
#define DATA_POOL_BYTES  ((size_t)512 << 10)
#define DATA_STAMP_UNIT  4096
#define DATA_STAMP_BYTES 32
#define DATA_ALIGNMENT   ((size_t)64 << 10) /* of any window's first byte */

struct data;

/* NULL when out of memory. `seed` need not be secret, only new. */
struct data *data_new(uint64_t seed);
void data_free(struct data *data);

/* Whose content; made by data_key(). */
struct data_key {
	uint64_t sample, file;
	uint64_t hash; /* of run, sample and file */
};

/*
 * `sample` is unlike that of any other sample of the run, `file` unlike that
 * of any other file of the sample.
 */
struct data_key data_key(const struct data *data, uint64_t sample,
			 uint64_t file);

/*
 * Memory in which any block of up to `block_bytes` at any offset is one
 * piece. Blocks that are less than `apart_bytes` from each other (from the
 * first byte of the one to the last of the other) do not overlap, so they may
 * be in flight at the same time; 0 if only one is. A window that only checks
 * needs no block (0). NULL: out of memory.
 */
struct data_window;
/* How much memory a window of these takes, all of it touched. */
uint64_t data_window_bytes(uint64_t block_bytes, uint64_t apart_bytes);
struct data_window *data_window_new(const struct data *data,
				    uint64_t block_bytes, uint64_t apart_bytes);
void data_window_free(struct data_window *window);

/* The window's memory, for registering it with the kernel. */
void *data_window_memory(const struct data_window *window, size_t *bytes);

/*
 * The content of [offset, offset + length), stamped; the window's, until the
 * next call. It is aligned as `offset` is, up to DATA_ALIGNMENT.
 */
void *data_window_fill(struct data_window *window, const struct data_key *key,
		       uint64_t offset, size_t length);

/*
 * Compare what was read with what should be there. False: *at is the place of
 * the first byte that differs, counted from `buf`.
 */
bool data_window_check(struct data_window *window, const struct data_key *key,
		       uint64_t offset, const void *buf, size_t length,
		       size_t *at);

/*
 * As data_window_check(), but of the stamps alone: what is another file's or
 * another place's, or was never written, is found; a byte that differs
 * elsewhere is not.
 */
bool data_check_stamps(const struct data_key *key, uint64_t offset,
		       const void *buf, size_t length, size_t *at);

#endif
