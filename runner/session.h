/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session - walks a plan: round by round, cell by cell, one sample at a time,
 * each committed before the next begins.
 *
 * A cell that fails, is skipped or runs out of time is a stored sample like
 * any other and never ends the session; a store that cannot be written does.
 */
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"
#include "core/measure.h"
#include "runner/budget.h"
#include "runner/plan.h"
#include "runner/progress.h"
#include "runner/timelimit.h"
#include "schema/store.h"

struct session_spec {
	const struct matrix *matrix;
	const struct plan *plan;
	struct store *store;
	const int64_t *cells; /* the store's id of each of the plan's cells */
	struct measure_control *control;
	struct guard *guard;      /* borrowed; NULL: nothing is recorded */
	const uint64_t *reserves; /* borrowed; of each volume */
	const dev_t *homes;       /* borrowed; of each volume: see sample.h */
	struct progress *progress;
	struct budget *budget; /* borrowed; learns how long the cells take */
	struct timelimit limit;
	bool resumed; /* samples that are stored are not measured again */
};

struct session_totals {
	uint64_t ok, failed, skipped;
	bool stopped; /* control->stop ended it; the last sample is not kept */
	bool out_of_time; /* what did not fit into the limit is not measured */
};

/*
 * Adds to `totals`. False with `err` set when the store failed or memory ran
 * out. control->stop ends it cleanly within a block's time and the clean-up.
 */
MUST_USE bool session_run(const struct session_spec *spec,
			  struct session_totals *totals, struct err *err);

#endif
