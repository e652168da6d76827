/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs - a list of runs, as a table for people or as JSON.
 *
 * Rows come one by one; JSON leaves as they come. It refuses to know where
 * they come from.
 */
#ifndef REPORTS_RUNS_H
#define REPORTS_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "reports/grid.h"
#include "reports/machines.h"
#include "reports/render.h"
#include "schema/record.h"

/* Zero-initialise, set the first three; runs_done() ends it. */
struct runs {
	const struct render_view *view; /* borrowed */
	FILE *out;                      /* a failed write shows in ferror() */
	bool json;

	struct grid grid; /* owned */
	struct grid_build build;
	struct machines machines; /* owned */
	size_t *machine_of;       /* of each row; owned */
	int64_t count;
};

MUST_USE bool runs_begin(struct runs *runs, struct err *err);
MUST_USE bool runs_add(struct runs *runs, const struct record_listed *run,
		       struct err *err);
/* `total`: how many there are, of which these were added. */
MUST_USE bool runs_end(struct runs *runs, int64_t total, struct err *err);
void runs_done(struct runs *runs);

#endif
