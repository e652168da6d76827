/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload - how the core writes and reads. Plain values; no invariant is
 * kept here, the matrix reader checks them.
 */
#ifndef CORE_WORKLOAD_H
#define CORE_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#define WORKLOAD_BLOCK_BYTES      (UINT64_C(512) << 10)
#define WORKLOAD_BLOCK_MAX        (UINT64_C(1) << 30)
#define WORKLOAD_SIZE_BYTES       (UINT64_C(480) << 20)
#define WORKLOAD_FILE_LIMIT_BYTES (UINT64_C(4095) << 20)
#define WORKLOAD_DEPTH_MAX        1024
#define WORKLOAD_STREAMS_MAX      256

enum workload_io {
	WORKLOAD_BUFFERED,
	WORKLOAD_DIRECT, /* refused by the filesystem: buffered, said so */
	WORKLOAD_DIRECT_STRICT, /* refused by the filesystem: the phase fails */
};

enum workload_read { WORKLOAD_COLD, WORKLOAD_WARM };

/* What a read compares with what was written. */
enum workload_verify {
	WORKLOAD_VERIFY_BYTES,  /* every byte */
	WORKLOAD_VERIFY_STAMPS, /* the first DATA_STAMP_BYTES of each 4 KiB */
};

struct workload {
	uint64_t block_bytes;
	uint64_t size_bytes;       /* per sample, all streams; 0: until full */
	uint64_t duration_ns;      /* end of the write phase; 0: no such end */
	uint64_t file_limit_bytes; /* a longer file goes on in a next one */
	uint64_t reserve_bytes;    /* a write leaves so much free; 0: nothing */
	enum workload_io io;
	enum workload_read read;
	enum workload_verify verify;
	unsigned int depth;   /* requests in flight; 1: the sync engine */
	unsigned int streams; /* files written and read at the same time */
};

#endif
