/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence - what shows where a phase's bytes really came from and went to.
 *
 * A field that could not be known is EVIDENCE_UNKNOWN, never 0.
 */
#ifndef CORE_EVIDENCE_H
#define CORE_EVIDENCE_H

#include <stdint.h>

#define EVIDENCE_UNKNOWN INT64_MIN

/* The mode really in force, whatever was asked for. */
enum evidence_io {
	EVIDENCE_IO_UNKNOWN,
	EVIDENCE_IO_BUFFERED,
	EVIDENCE_IO_DIRECT,
	EVIDENCE_IO_DIRECT_REFUSED, /* open or first transfer refused O_DIRECT
				     */
	EVIDENCE_IO_DIRECT_IN_NAME, /* accepted, but the page cache served it */
};

struct evidence {
	int64_t resident_bytes; /* of the files, in the page cache, before */
	int64_t device_bytes;   /* the backing disk transferred in the phase */
	int64_t process_bytes;  /* /proc/self/io read_bytes or write_bytes */
	enum evidence_io io;
	uint32_t alignment_bytes; /* direct: what offset and memory obeyed */
};

#endif
