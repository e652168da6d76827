/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_html - what the files of the HTML renderer share.
 */
#ifndef REPORTS_RENDER_HTML_H
#define REPORTS_RENDER_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/err.h"

struct compare_lines;
struct compare_row;
struct comparison;
struct dataset;
struct grid;
struct render_view;

/* "up" or "down" of a change that is real; else "". */
const char *render_html_way(const struct compare_row *row);

/* A list, if there is any line. False when out of memory. */
MUST_USE bool render_html_lines(const struct compare_lines *lines,
				const char *class, FILE *out);

/* The grid of the comparison. False when out of memory. */
MUST_USE bool render_html_table(const struct comparison *comparison,
				const struct grid *grid, FILE *out);

/* Where and when it was measured, as a table. False when out of memory. */
MUST_USE bool render_html_runs(const struct dataset *data, FILE *out);

/*
 * The figures that the charts are drawn from: rows by column, under the names
 * that the JSON format gives them, and their samples.
 */
MUST_USE bool render_html_data(const struct comparison *comparison,
			       const struct render_view *view, FILE *out,
			       struct err *err);

#endif
