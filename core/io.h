/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io - the system calls and the clocks of a sample, as a table, so that a
 * test can put a simulated device with exact times in their place.
 *
 * Every call returns what it made or moved, or -errno. It decides nothing:
 * EINTR and short counts are the caller's to see.
 */
#ifndef CORE_IO_H
#define CORE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct io_ops {
	/* openat(2); a new file is readable by its owner only */
	int (*open)(void *ctx, int dir, const char *name, int flags);
	int (*close)(void *ctx, int fd);
	int64_t (*pwrite)(void *ctx, int fd, const void *buf, size_t len,
			  uint64_t offset);
	int64_t (*pread)(void *ctx, int fd, void *buf, size_t len,
			 uint64_t offset);
	int (*fsync)(void *ctx, int fd);
	int (*syncfs)(void *ctx, int fd);
	int (*truncate)(void *ctx, int fd, uint64_t bytes);
	int (*size)(void *ctx, int fd, uint64_t *bytes); /* st_size */
	/* what a user without privileges may still write there */
	int (*available)(void *ctx, int fd, uint64_t *bytes);
	/* what tells one mount from another; as good as statx(2) knows it */
	int (*mount)(void *ctx, int fd, uint64_t *id);
	int (*dontneed)(void *ctx, int fd); /* the whole file's pages */
	int (*unlink)(void *ctx, int dir, const char *name);
	int (*set_direct)(void *ctx, int fd, bool on); /* O_DIRECT */
	/*
	 * What O_DIRECT asks of offsets, lengths and memory, in bytes; a power
	 * of two. -EOPNOTSUPP when the filesystem says it cannot do it.
	 */
	int (*alignment)(void *ctx, int fd, uint32_t *bytes);
	/* Of the file's first `bytes`, those in the page cache. */
	int (*resident)(void *ctx, int fd, uint64_t bytes, uint64_t *cached);
	uint64_t (*now)(void *ctx);      /* CLOCK_MONOTONIC, ns */
	uint64_t (*boottime)(void *ctx); /* CLOCK_BOOTTIME: sees a suspend */
};

struct io {
	const struct io_ops *ops;
	void *ctx;
};

/* The machine's own; its ctx is NULL. */
extern const struct io_ops io_system;

#endif
