/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress - what a person sees while a run goes on.
 *
 * On a terminal one line that is rewritten (cell, phase, percent, rate, time
 * left) and, above it, a line for each sample that ended; elsewhere only the
 * latter, which is what a log wants. It draws from a thread of its own that
 * reads the measurement's counters and, on a terminal, the key `r`; the timed
 * path never waits for it.
 */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "core/measure.h"

struct progress;

/*
 * `out` is borrowed (stderr); it is a terminal or not. `control` is what the
 * measurement counts in, and what the key `r` sets. NULL: no memory.
 */
struct progress *progress_new(FILE *out, struct measure_control *control,
			      uint64_t sample_count);
/* Takes the line away and puts the terminal back. */
void progress_free(struct progress *p);

/*
 * A sample begins. `name` (copied) is its cell and round; `write_bytes` what
 * is wanted of its write phase, 0 if not known. `left_ns` is the estimate of
 * the run's time from here on, 0 if there is none.
 */
void progress_begin(struct progress *p, uint64_t number, const char *name,
		    uint64_t write_bytes, uint64_t left_ns);

/* One line about the sample that ended. */
void progress_end(struct progress *p, const char *fmt, ...) PRINTF(2, 3);
/* One line about something else. */
void progress_say(struct progress *p, const char *fmt, ...) PRINTF(2, 3);

#endif
