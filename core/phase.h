/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase - what one phase of a sample was: its bytes, times and evidence.
 *
 * A plain record. All times are nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef CORE_PHASE_H
#define CORE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/evidence.h"

struct hist;
struct series;

enum phase_op { PHASE_WRITE, PHASE_READ };

/*
 * Why a phase ended, from good to bad: of several streams the last in this
 * order says it for all. The words are phase_end_word()'s.
 */
enum phase_end {
	PHASE_END_NONE,     /* it never began */
	PHASE_END_SIZE,     /* all of the wanted bytes */
	PHASE_END_FULL,     /* ENOSPC, wanted: the volume is full */
	PHASE_END_QUOTA,    /* EDQUOT, wanted: the quota is full */
	PHASE_END_LIMIT,    /* EFBIG at a file's start: no larger files here */
	PHASE_END_DURATION, /* the workload's duration passed */
	PHASE_END_READ_NOW, /* "shortened": the user asked for the read phase */
	PHASE_END_STOPPED,  /* the run is to end; the figures are not valid */
	PHASE_END_TIMEOUT,  /* the cell's deadline passed; not valid */
	PHASE_END_ERROR,    /* an errno; the figures until then are kept */
	PHASE_END_CORRUPT,  /* what was read is not what was written */
};

/* SNIA's steady state over the phase's series (see series_steady()). */
struct phase_sustained {
	bool reached;
	uint64_t bytes_per_second; /* mean of the five slices, if reached */
};

struct phase_result {
	enum phase_end end;
	uint64_t bytes;
	/*
	 * From the first call until the last returned. Of a read of what is
	 * in the page cache, and of a direct one with one request at a time,
	 * less what went into checking the bytes: nothing is read meanwhile.
	 */
	uint64_t app_ns;
	uint64_t flush_ns; /* fsync of each file and syncfs; 0 for a read */
	bool counted; /* these were; of a phase that was killed they are not: */
	uint64_t user_ns, system_ns; /* CPU, of flush and checking too */
	uint64_t voluntary_switches, involuntary_switches;
	unsigned int files;
	int errnum; /* of PHASE_END_ERROR; positive, else 0 */
	struct phase_sustained sustained;
	struct evidence evidence;
	struct hist *latency;  /* owned; of each write or read call */
	struct series *series; /* owned; its bytes add up to `bytes` */
};

/* Nothing is known of the phase: all of the evidence says so. */
void phase_result_init(struct phase_result *result);
/* Frees what the result owns and zeroes it. */
void phase_result_done(struct phase_result *result);

/* "size", "full", "quota", ...: the words stored; never NULL. */
const char *phase_end_word(enum phase_end end);

/* Whether the figures of a phase that ended so are a valid result. */
bool phase_end_is_valid(enum phase_end end);

#endif
