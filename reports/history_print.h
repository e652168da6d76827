/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_print - a history as text, one const table entry per format.
 */
#ifndef REPORTS_HISTORY_PRINT_H
#define REPORTS_HISTORY_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/err.h"
#include "reports/render.h"

struct history;

struct history_view {
	const struct render_view *view;
	bool runs;    /* a row for each run, too */
	size_t limit; /* of such rows, the newest; 0: all */
};

struct history_format {
	const char *name; /* as in --format */
	bool all_runs;    /* wants the names of all runs */
	/* A failed write shows in ferror(out); false: out of memory. */
	bool (*print)(const struct history *history,
		      const struct history_view *view, FILE *out,
		      struct err *err);
};

/* ERR_INPUT that names the known ones. */
MUST_USE const struct history_format *history_format_find(const char *name,
							  struct err *err);

#endif
