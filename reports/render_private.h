/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_private - what the renderers share.
 */
#ifndef REPORTS_RENDER_PRIVATE_H
#define REPORTS_RENDER_PRIVATE_H

#include "reports/compare.h"
#include "reports/grid.h"
#include "reports/render.h"

extern const struct render render_text, render_classic, render_md, render_csv,
	render_json, render_html;

struct render_style {
	bool rules;    /* lines of dashes */
	bool by_cell;  /* a name is blank only if all of the row's names are */
	bool repeated; /* no name is ever blank */
};

/*
 * Print the grid in at most the view's width: first padding goes, then names
 * that are the same in every row (said above), then the middle of long names,
 * and what still does not fit goes into further blocks below.
 */
MUST_USE bool render_table(const struct grid *grid,
			   const struct render_view *view,
			   const struct render_style *style, FILE *out,
			   struct err *err);

/* As Markdown; false: out of memory. Lines are escaped, `before` is not. */
bool render_md_table(const struct grid *grid, FILE *out);
bool render_md_lines(const struct compare_lines *lines, const char *before,
		     FILE *out);

/* The view's width, but at least 40; 80 if it has none. */
size_t render_columns(const struct render_view *view);

/* One line of prose, escaped and folded; its rest is indented by two. */
MUST_USE bool render_prose(const char *text, const struct render_view *view,
			   FILE *out, struct err *err);

/* The same of each line. */
MUST_USE bool render_lines(const struct compare_lines *lines,
			   const struct render_view *view, FILE *out,
			   struct err *err);

/* "c cached: ..." of each flag, in their order. */
#define RENDER_FLAGS 4
extern const char *const render_flag_words[RENDER_FLAGS];

/* What every table needs said below it: marks, unit, base, test, flags. */
MUST_USE bool render_legend(const struct comparison *comparison,
			    const struct render_view *view,
			    struct compare_lines *lines, struct err *err);

#endif
