/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim - a filesystem in memory whose calls take exactly as long as a test
 * says, and fail where it says.
 *
 * Not thread-safe.
 */
#ifndef TESTS_UNIT_SIM_H
#define TESTS_UNIT_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/io.h"
#include "core/measure.h"

enum { SIM_FILES = 64, SIM_DIR = 1000, SIM_DEVICE = 1001 };

struct sim_file {
	bool exists;
	char name[32];
	unsigned char *content; /* owned */
	size_t size, room;
};

/* Zero: calls take no time, and nothing fails. */
struct sim {
	uint64_t open_ns, close_ns, write_ns, read_ns, fsync_ns, syncfs_ns;
	uint64_t device_fsync_ns;
	/*
	 * What the caller does with what it read takes so long, after it looked
	 * at the clock once.
	 */
	uint64_t check_ns;

	size_t most_per_call;       /* short counts; 0: none */
	unsigned int interruptions; /* EINTR before each transfer */
	uint64_t capacity_bytes;    /* then fail_with; 0: endless */
	uint64_t available_ns;      /* to look at what is left of it */
	uint64_t unusable_bytes;    /* said to be left beside that */
	unsigned int look_fails;    /* which look at it (1-based) is EIO */
	int fail_with;              /* ENOSPC, EDQUOT, EIO, ... */
	uint64_t file_limit_bytes;  /* then EFBIG; 0: none */
	uint64_t read_fails_at;     /* byte, with EIO; 0: never */
	bool flips;                 /* a bit of byte flip_at of flip_file */
	unsigned int flip_file;
	uint64_t flip_at;
	uint64_t lost_bytes; /* st_size says so much too little */
	int device_fsync_fails;
	int fsync_fails, syncfs_fails, close_fails, create_fails;
	bool refuses_direct_open, refuses_direct_transfer;
	int alignment_fails;
	uint32_t alignment_bytes;
	bool ignores_alignment;     /* of O_DIRECT */
	uint64_t resident_bytes;    /* of each file after it was written */
	unsigned int mount_changes; /* from this file on (1-based); 0: never */
	uint64_t suspended_at_ns, suspended_ns;

	/* At a time, set a flag of the control. */
	struct measure_control *control;
	uint64_t stop_at_ns, read_now_at_ns;

	/* What happened. */
	uint64_t clock_ns, written_bytes;
	unsigned int opened, open_files, writes, reads, fsyncs, syncfs;
	unsigned int device_fsyncs;
	unsigned int looks; /* at what is available */
	unsigned int buffered_switches, refused_misaligned;
	int interrupted;
	enum { SIM_IDLE, SIM_HAS_READ, SIM_CHECKS } reader;
	struct sim_file files[SIM_FILES];
	struct {
		bool open, direct;
		int file;
		bool foreign; /* on another mount */
	} fds[SIM_FILES];
};

extern const struct io_ops sim_io;

/* Frees the files; they must all be closed. */
void sim_done(struct sim *sim);

#endif
