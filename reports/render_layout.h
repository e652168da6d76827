/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render_layout - how wide each column of a table may be, so that it fits.
 *
 * It knows widths. It refuses to know how anything is printed.
 */
#ifndef REPORTS_RENDER_LAYOUT_H
#define REPORTS_RENDER_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "reports/grid.h"
#include "reports/render.h"

struct render_style;

struct render_layout_column {
	size_t width; /* that its cells may take */
	bool hoisted; /* said above the table instead */
};

struct render_layout {
	const struct grid *grid;
	const struct render_view *view;
	const struct render_style *style;
	char ***cells; /* owned: as the grid's, safe to print */
	struct render_layout_column *columns; /* owned */
	bool padded;
	bool headed; /* names stand above their rows, in lines of their own */
	FILE *out;
};

/*
 * Decide: padding, how far names are cut, which names go above the table.
 * False: out of memory.
 */
MUST_USE bool render_layout_make(struct render_layout *l);

/* Of a column, as decided. */
size_t render_layout_width(const struct render_layout *l, size_t column);

/* Whether this cell is a status, which takes no part in its column's width. */
bool render_layout_has_status(const struct grid *grid, size_t row,
			      size_t column);

/* Whether its cells are cut to the column's width. */
bool render_layout_is_cut(const struct render_layout *l, size_t column);
/* Whether its cells stand above their rows. */
bool render_layout_is_heading(const struct render_layout *l, size_t column);
/* Names and the op are in every block, as far as the table is split. */
bool render_layout_is_fixed(const struct render_layout *l, size_t column);
/* What each block has its share of. */
bool render_layout_is_figure(const struct render_layout *l, size_t column);
/* Of the fixed ones, with a space behind each. */
size_t render_layout_fixed(const struct render_layout *l);

/* The last column that must stay beside this one: a mark goes with a figure. */
size_t render_layout_last(const struct render_layout *l, size_t column);
/* Of the columns from..to, with a space before each. */
size_t render_layout_between(const struct render_layout *l, size_t from,
			     size_t to);

#endif
