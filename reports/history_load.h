/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_load - the history of cells out of the store.
 */
#ifndef REPORTS_HISTORY_LOAD_H
#define REPORTS_HISTORY_LOAD_H

#include "reports/history.h"

struct store;

/* What a history can be filtered by. */
#define HISTORY_FILTERS                                                        \
	"host, volume (or drive), filesystem (or fs), workload, settings "     \
	"and op"

struct history_request {
	const struct compare_options *options; /* its filters are used */
	const char *since;                     /* "": from the beginning */
	int64_t last;  /* the newest so many runs of each; 0: all */
	bool all_runs; /* names of all runs are wanted, not of a few */
	size_t shown;  /* of how many newest points a run's name is wanted */
};

/*
 * Into an initialised history, and judged. ERR_INPUT when nothing matches, or
 * when a filter is by what changes from run to run.
 */
MUST_USE bool history_load(struct store *store,
			   const struct history_request *request,
			   struct history *history, struct err *err);

#endif
