/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render - a comparison as text, one const table entry per format.
 *
 * Names in a comparison are data: each renderer escapes them for what it
 * writes. None writes a byte that acts on a terminal.
 */
#ifndef REPORTS_RENDER_H
#define REPORTS_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/err.h"

struct comparison;

/* What the reader's end of `out` can show, and how rates are to be said. */
struct render_view {
	size_t columns;    /* width; 0: 80; less than 40 counts as 40 */
	bool utf8;         /* else only ASCII is written */
	bool proportional; /* spaces line nothing up */
	const char *unit;  /* "KB", "MB", ...; NULL: KB */
};

struct render {
	const char *name; /* as in --format */
	bool detailed;    /* wants a detailed dataset behind the comparison */
	/* A failed write shows in ferror(out); false: out of memory. */
	bool (*print)(const struct comparison *comparison,
		      const struct render_view *view, FILE *out,
		      struct err *err);
};

/* ERR_INPUT that names the known ones. */
MUST_USE const struct render *render_find(const char *name, struct err *err);

#endif
