/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/render_layout.h"

#include <stdlib.h>
#include <string.h>

#include "reports/fit.h"
#include "reports/render_private.h"

enum {
	LONG_NAME = 12,    /* names are cut to this before any must go */
	SHORT_NAME = 8,    /* to this if that makes one block of the table */
	SHORTER_NAME = 6,  /* likewise */
	SHORTEST_NAME = 3, /* to this where figures have no room beside them */
};

bool render_layout_has_status(const struct grid *grid, size_t row,
			      size_t column)
{
	return grid->rows[row].status == column;
}

static void measure(struct render_layout *l)
{
	const struct grid *grid = l->grid;

	for (size_t j = 0; j < grid->column_count; j++) {
		size_t *width = &l->columns[j].width;

		/* Marks that nobody has take their place all the same. */
		*width = fit_width(grid->columns[j].title);
		*width = *width ? *width : 1;
		for (size_t i = 0; i < grid->row_count; i++) {
			size_t w = fit_width(l->cells[i][j]);

			if (!render_layout_has_status(grid, i, j) && w > *width)
				*width = w;
		}
	}
}

size_t render_layout_width(const struct render_layout *l, size_t column)
{
	size_t width = l->columns[column].width;
	size_t padded = l->grid->columns[column].width;

	return l->padded && padded > width ? padded : width;
}

bool render_layout_is_fixed(const struct render_layout *l, size_t column)
{
	enum grid_kind kind = l->grid->columns[column].kind;

	return kind == GRID_OP ||
	       (kind == GRID_NAME && !l->columns[column].hoisted);
}

/* A mark goes where its figure goes. */
size_t render_layout_last(const struct render_layout *l, size_t column)
{
	while (column + 1 < l->grid->column_count &&
	       l->grid->columns[column + 1].kind == GRID_MARK)
		column++;
	return column;
}

/* Of the columns from..to, with a space before each. */
size_t render_layout_between(const struct render_layout *l, size_t from,
			     size_t to)
{
	size_t width = 0;

	for (size_t j = from; j <= to; j++)
		width += 1 + render_layout_width(l, j);
	return width;
}

size_t render_layout_fixed(const struct render_layout *l)
{
	size_t width = 0;

	for (size_t j = 0; j < l->grid->column_count; j++) {
		if (render_layout_is_fixed(l, j))
			width += 1 + render_layout_width(l, j);
	}
	return width;
}

/* Of one block with all of the columns; the first has no space before it. */
static size_t total_width(const struct render_layout *l)
{
	size_t width = render_layout_fixed(l);

	for (size_t j = 0; j < l->grid->column_count; j++) {
		if (l->grid->columns[j].kind >= GRID_FIGURE)
			width += 1 + render_layout_width(l, j);
	}
	return width > 0 ? width - 1 : 0;
}

static bool fits(const struct render_layout *l)
{
	return total_width(l) <= render_columns(l->view);
}

/* Names that take more than half of the view leave none for figures. */
static bool names_fit(const struct render_layout *l)
{
	return render_layout_fixed(l) <= render_columns(l->view) / 2;
}

/* Whether two names of the column look the same when cut to `width`. */
static bool confuses(const struct render_layout *l, size_t column, size_t width)
{
	bool confused = false;

	for (size_t i = 1; i < l->grid->row_count && !confused; i++) {
		char *a, *b;

		/* Rows stand in groups: neighbours are what is mixed up. */
		if (strcmp(l->cells[i][column], l->cells[i - 1][column]) == 0)
			continue;
		a = fit_shorten(l->cells[i][column], width, l->view->utf8);
		b = fit_shorten(l->cells[i - 1][column], width, l->view->utf8);
		confused = !a || !b || strcmp(a, b) == 0;
		free(a);
		free(b);
	}
	return confused;
}

/* How far names may be cut. */
struct cutting {
	bool (*enough)(const struct render_layout *l);
	size_t least; /* columns */
	bool may_confuse;
};

/* Cut the widest names, step by step. */
static void shorten_names(struct render_layout *l, const struct cutting *how)
{
	while (!how->enough(l)) {
		size_t widest = SIZE_MAX;

		for (size_t j = 0; j < l->grid->column_count; j++) {
			size_t width = l->columns[j].width;

			if (l->grid->columns[j].kind != GRID_NAME ||
			    l->columns[j].hoisted || width <= how->least ||
			    (!how->may_confuse && confuses(l, j, width - 1)))
				continue;
			if (widest == SIZE_MAX ||
			    width > l->columns[widest].width)
				widest = j;
		}
		if (widest == SIZE_MAX)
			return;
		l->columns[widest].width--;
	}
}

static bool is_constant(const struct render_layout *l, size_t column)
{
	for (size_t i = 1; i < l->grid->row_count; i++) {
		if (strcmp(l->cells[i][column], l->cells[0][column]) != 0)
			return false;
	}
	return l->grid->row_count > 0;
}

static void hoist(struct render_layout *l)
{
	for (size_t j = 0; j < l->grid->column_count && !fits(l); j++) {
		if (l->grid->columns[j].kind == GRID_NAME && is_constant(l, j))
			l->columns[j].hoisted = true;
	}
}

/* Cut names if that makes it fit; else leave them as they were. */
static bool try_shorter(struct render_layout *l, size_t least)
{
	const struct cutting how = { fits, least, false };
	const size_t count = l->grid->column_count;
	struct render_layout_column *before =
		calloc(count + 1, sizeof(*before));
	bool ok = before;

	if (ok) {
		memcpy(before, l->columns, count * sizeof(*before));
		shorten_names(l, &how);
		if (!fits(l))
			memcpy(l->columns, before, count * sizeof(*before));
	}
	free(before);
	return ok;
}

bool render_layout_make(struct render_layout *l)
{
	static const struct cutting somewhat = { fits, LONG_NAME, false };
	static const struct cutting far[] = {
		{ names_fit, SHORTER_NAME, false },
		{ names_fit, SHORTEST_NAME, true },
	};

	measure(l);
	l->padded = true;
	if (fits(l))
		return true;
	l->padded = false;
	hoist(l);
	shorten_names(l, &somewhat);
	if (!try_shorter(l, SHORT_NAME) || !try_shorter(l, SHORTER_NAME))
		return false;
	if (!fits(l)) {
		shorten_names(l, &far[0]);
		shorten_names(l, &far[1]);
	}
	return true;
}
