/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs_private - what the files that print runs share.
 */
#ifndef REPORTS_RUNS_PRIVATE_H
#define REPORTS_RUNS_PRIVATE_H

#include "reports/jsonvalue.h"
#include "reports/runs.h"

/* The members of a run. False: out of memory. */
bool runs_put_json(json_t *object, const struct record_listed *run);

/* The next of the array that runs_begin() opened. */
MUST_USE bool runs_print_json(struct runs *runs,
			      const struct record_listed *run, struct err *err);

#endif
