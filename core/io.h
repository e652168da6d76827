/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io - the system calls and the clock that the timed path uses, as a table,
 * so that a test can put a simulated device with exact times in their place.
 *
 * Every call returns what it made or moved, or -errno.
 */
#ifndef CORE_IO_H
#define CORE_IO_H

#include <stddef.h>
#include <stdint.h>

struct io_ops {
	int (*open)(void *ctx, int dir, const char *name, int flags);
	int (*close)(void *ctx, int fd);
	int64_t (*pwrite)(void *ctx, int fd, const void *buf, size_t len,
			  uint64_t offset);
	int64_t (*pread)(void *ctx, int fd, void *buf, size_t len,
			 uint64_t offset);
	int (*fsync)(void *ctx, int fd);
	int (*syncfs)(void *ctx, int fd);
	int (*size)(void *ctx, int fd, uint64_t *bytes); /* st_size */
	int (*dontneed)(void *ctx,
			int fd); /* POSIX_FADV_DONTNEED, whole file */
	int (*unlink)(void *ctx, int dir, const char *name);
	uint64_t (*now)(void *ctx); /* CLOCK_MONOTONIC, ns */
	uint64_t (*boottime)(
		void *ctx); /* CLOCK_BOOTTIME, ns: sees a suspend */
};

struct io {
	const struct io_ops *ops;
	void *ctx;
};

/* The machine's own; its ctx is NULL. */
extern const struct io_ops io_system;

#endif
