/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence - what shows where a phase's bytes really came from and went to.
 *
 * A field that could not be known is EVIDENCE_UNKNOWN, never 0. All of it is
 * gathered before a phase's clock starts and after it stopped.
 */
#ifndef CORE_EVIDENCE_H
#define CORE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#define EVIDENCE_UNKNOWN INT64_MIN

/* The mode really in force, whatever was asked for. */
enum evidence_io {
	EVIDENCE_IO_UNKNOWN,
	EVIDENCE_IO_BUFFERED,
	EVIDENCE_IO_DIRECT,
	/* the open or the first transfer refused O_DIRECT: buffered */
	EVIDENCE_IO_DIRECT_REFUSED,
	/* accepted, but the bytes went through a page cache all the same */
	EVIDENCE_IO_DIRECT_IN_NAME,
};

struct evidence {
	int64_t resident_bytes; /* of the files, in the page cache, before */
	int64_t device_bytes;   /* the backing disk transferred in the phase,
				   but no more than the device that is mounted
				   was asked for: others use the disk, too */
	int64_t process_bytes;  /* /proc/self/io read_bytes or write_bytes */
	enum evidence_io io;
	uint32_t alignment_bytes; /* direct: what offset and memory obeyed */
};

/*
 * Whether memory served a read of `bytes`: the disk transferred less than
 * 90 % of them; or 90 % were resident before and the read was not direct,
 * whatever others had the disk transfer meanwhile; or, where no disk can be
 * watched, more than 10 % were. False when nothing is known.
 */
bool evidence_is_cached(const struct evidence *evidence, uint64_t bytes);

/* What was found about a phase for which O_DIRECT was accepted. */
struct evidence_probe {
	int64_t grown_bytes;     /* of the page cache of its files */
	int64_t dirtied_bytes;   /* by a write, in any page cache */
	bool accepts_misaligned; /* a read that obeys no alignment works */
	bool moves_nothing;      /* a proper read needed no disk */
};

/*
 * Whether it was not honoured. Not if the page cache grew by what was moved
 * (tmpfs); nor, where any alignment will do, if a read moves nothing from a
 * disk (a FUSE server that buffers), or if as much was dirtied as was written
 * (btrfs, where it keeps checksums).
 */
bool evidence_is_in_name(const struct evidence_probe *probe, uint64_t bytes);

/* Counters at one moment, in bytes. */
struct evidence_counters {
	int64_t device_read, device_written;
	int64_t mounted_read, mounted_written;
	int64_t process_read, process_written;
	int64_t dirtied; /* in any page cache of the machine */
};

/*
 * The paths of stat files in sysfs, or "": of the disk that holds the bytes
 * in the end, and of the block device that is mounted.
 */
struct evidence_counters evidence_count(const char *device_stat,
					const char *mounted_stat);

/* What was counted between two moments. */
struct evidence_counters evidence_between(const struct evidence_counters *from,
					  const struct evidence_counters *to);

/*
 * What the disk can have transferred for us of what was counted: at most what
 * the mounted device was asked for. EVIDENCE_UNKNOWN where no disk can be
 * watched: memory may be what is below.
 */
int64_t evidence_device_bytes(const struct evidence_counters *moved,
			      bool writes);

#endif
