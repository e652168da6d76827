/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure_private - what the files of the measure module share.
 */
#ifndef CORE_MEASURE_PRIVATE_H
#define CORE_MEASURE_PRIVATE_H

#include "core/measure.h"
#include "core/streams.h"
#include "core/ticks.h"

struct evidence_counters;

struct measure {
	struct measure_spec spec;
	struct ticks ticks;
	struct stream *streams; /* owned */
	unsigned int stream_count;
	int64_t asleep_ns; /* boot time minus monotonic, when it began */
	bool suspended;
};

/* A fault behind a phase; what ended the phase itself comes first. */
void measure_end_in_error(struct phase_result *out, int ret);

/*
 * What is done with each file of the sample that is open as `fd`. Returns 0
 * or -errno.
 */
struct measure_visit {
	struct measure *m;
	int dir;
	int (*fn)(struct measure_visit *v, const struct stream *s,
		  unsigned int file, int fd);
	const char *doing; /* for the words of a fault */
	struct err *err;
	uint64_t sum; /* what fn counts */
};

/* All are visited; the first fault is worded and returned as -errno. */
int measure_visit(struct measure_visit *v);

/* Every file, then the filesystem and its device. 0 or -errno, in words. */
int measure_flush(struct measure *m, int dir, struct err *err);

/* Whether the sum of what the writes returned is what the files hold. */
void measure_check_sizes(struct measure *m, int dir, struct phase_result *out,
			 struct err *err);
void measure_close_files(struct measure *m, struct phase_result *out,
			 struct err *err);

/* Bytes of all files in the page cache; EVIDENCE_UNKNOWN if not known. */
int64_t measure_resident(struct measure *m, int dir);

/*
 * Fill in what was transferred since `before`, and the mode that was really
 * in force; after the clock, with the phase's other figures known.
 */
void measure_judge(struct measure *m, const struct stream_phase *phase,
		   const struct evidence_counters *before,
		   struct phase_result *out);

#endif
