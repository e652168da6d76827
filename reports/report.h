/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report - from runs in the store to a comparison on a FILE: load, compare,
 * render, in one call.
 */
#ifndef REPORTS_REPORT_H
#define REPORTS_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "reports/compare.h"
#include "reports/render.h"

struct store;

/* What is asked for; everything is borrowed. */
struct report {
	const int64_t *runs;
	size_t run_count;
	enum dataset_metric metric;
	const struct compare_options *options;
	const struct render *render;
	const struct render_view *view;
	const struct compare_gate *gates; /* --fail-if */
	size_t gate_count;
};

/*
 * Print the comparison on `out` and its warnings, a line each, on `warnings`.
 * False with ERR_FAILED when a gate failed; the comparison is printed then.
 */
MUST_USE bool report_print(struct store *store, const struct report *report,
			   FILE *out, FILE *warnings, struct err *err);

/*
 * The comparison of one run against its own baseline, as the text table.
 * Warnings go to `warnings`, a line each.
 */
MUST_USE bool report_print_run(struct store *store, int64_t run,
			       const struct render_view *view, FILE *out,
			       FILE *warnings, struct err *err);

#endif
