/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * skips - why samples were skipped, each reason told once.
 *
 * What cannot be made or mounted here is skipped in every round, and often
 * for many cells: the first is told, the others are counted. It knows
 * reasons; it refuses to know what they are about.
 */
#ifndef RUNNER_SKIPS_H
#define RUNNER_SKIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/progress.h"

/* Zero-initialise; skips_done() ends the contents. */
struct skips {
	struct skip *items; /* owned */
	size_t count;
};

/* Whether the reason is new, so that the sample is to be told. */
bool skips_is_new(struct skips *skips, const char *reason);
/* A line for each reason that more than one sample had. */
void skips_tell(const struct skips *skips, struct progress *progress);
void skips_done(struct skips *skips);

#endif
