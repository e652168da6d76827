/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps - where the level of a series really changed.
 *
 * Pure functions on logarithms of rates, in order of time; it knows neither
 * runs nor cells.
 *
 * The method: binary segmentation by the largest two-sample t statistic over
 * all places where a series can be split in two (the likelihood-ratio test
 * for a shift of a normal mean whose variance is unknown: Hawkins, "Testing a
 * sequence of observations for a shift in location", JASA 72, 1977), its
 * p-value multiplied by the number of places (Bonferroni's bound, which
 * Worsley, JASA 74, 1979, found close for short series). Where the whole
 * shows nothing, windows of falling lengths are tried, since what goes up and
 * comes down again hides in the whole (Kovacs et al., "Seeded binary
 * segmentation", Biometrika 110, 2023), again with Bonferroni; each way has
 * half of alpha. It is deterministic and needs no estimate of the noise from
 * elsewhere, so it holds for short series too. Three things keep odd values
 * from being taken for steps:
 *
 * - values farther from a segment's median than three times its (scaled)
 *   median absolute deviation count as being that far, so that no value
 *   weighs more than the noise allows;
 * - a level has at least STEPS_RUNS values, and the medians of as many values
 *   next to a step as both sides have, up to 25, differ by at least half of
 *   it: one value alone cannot make them;
 * - when all is split, each step is placed and tested again between its
 *   neighbours only, and those that do not stand, or are smaller than the
 *   threshold, go, the smallest first.
 *
 * A slow drift is a series of steps to it; values that depend on the one
 * before (an autocorrelation of 0.3) give false steps up to five times as
 * often as alpha says.
 */
#ifndef REPORTS_STEPS_H
#define REPORTS_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

#define STEPS_ALPHA     0.01 /* chance of a step in a series without one */
#define STEPS_THRESHOLD 0.02 /* smaller changes are of no interest */

enum { STEPS_RUNS = 3 };

struct step {
	size_t at;            /* the first value of the new level */
	double before, after; /* the levels: medians of their logarithms */
	double p;             /* after Bonferroni */
};

/* Zero-initialise; steps_done() frees what it owns. */
struct steps {
	struct step *items; /* owned; in order of time */
	size_t count;
};

/*
 * `threshold` is a part: 0.02 is 2 %. Fewer than twice STEPS_RUNS values have
 * no steps. False: out of memory.
 */
MUST_USE bool steps_find(const double *logs, size_t n, double alpha,
			 double threshold, struct steps *steps,
			 struct err *err);
void steps_done(struct steps *steps);

#endif
