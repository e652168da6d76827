/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grid - rows and columns of text, not yet laid out; that of a comparison too.
 *
 * What the text, Markdown and classic tables have in common: which columns
 * there are, and what stands in them. Names are as the user wrote them:
 * whoever prints one escapes it.
 */
#ifndef REPORTS_GRID_H
#define REPORTS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "reports/dataset.h"

struct comparison;
struct render_view;

enum grid_kind {
	GRID_NAME, /* may be shortened; is blank where it repeats */
	GRID_OP,
	GRID_FIGURE, /* never cut */
	GRID_MARK,   /* one character beside the figure before it */
	GRID_DETAIL, /* may be shortened; a row is found without it */
};

struct grid_column {
	enum grid_kind kind;
	bool right;
	bool follows; /* says more of the figure before it: beside that, if
			 there is room for both */
	size_t width; /* at least, if there is room */
	char *title;  /* owned */
};

struct grid_row {
	char **cells;  /* owned, one a column; never NULL */
	bool is_mean;  /* a geometric mean over other rows */
	size_t status; /* the column of a status, which reaches over all to
			  its right; SIZE_MAX: there is none */
};

struct grid {
	struct grid_column *columns;
	size_t column_count;
	struct grid_row *rows;
	size_t row_count;
};

/* A grid being made; `failed` is set once memory ran out, and stays. */
struct grid_build {
	struct grid *grid; /* zero-initialised */
	bool failed;
};

/* All columns must be there before the first row. Their numbers. */
size_t grid_add_column(struct grid_build *b, enum grid_kind kind, bool right,
		       size_t width, const char *title);
/* A figure that follows the one before it. */
size_t grid_add_following(struct grid_build *b, size_t width,
			  const char *title);
/* SIZE_MAX: out of memory; grid_set() takes that for nothing to do. */
size_t grid_add_row(struct grid_build *b);
void grid_set(struct grid_build *b, size_t row, size_t column,
	      const char *text);
/* Columns that no cell was set in go; numbers of columns change. */
void grid_drop_blank(struct grid_build *b);
/* Cells that were not set are "". False: the grid is done with already. */
MUST_USE bool grid_finish(struct grid_build *b, struct err *err);

/* The columns of the comparison; with --cols its values beside each other. */
MUST_USE bool grid_make(const struct comparison *comparison,
			const struct render_view *view, struct grid *grid,
			struct err *err);
/*
 * The article's four columns: the row `first` of the comparison, and those
 * that are in one table with it: `next` says of each row which comes after
 * it, COMPARE_NONE for the last.
 */
MUST_USE bool grid_make_article(const struct comparison *comparison,
				size_t first, const size_t *next,
				const struct render_view *view,
				struct grid *grid, struct err *err);
/* What stands above the names of a dimension: "Drive". */
const char *grid_title(enum dataset_dimension dimension);
void grid_done(struct grid *grid);

#endif
