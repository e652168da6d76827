/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/render_layout.h"

#include <stdlib.h>
#include <string.h>

#include "reports/fit.h"
#include "reports/render_private.h"

enum {
	LONG_NAME = 12,   /* names are cut to this before any must go */
	SHORT_NAME = 8,   /* to this if that makes one block of the table */
	LONG_DETAIL = 20, /* in a table of several blocks */
};

bool render_layout_has_status(const struct grid *grid, size_t row,
			      size_t column)
{
	return grid->rows[row].status == column;
}

static void measure_column(struct render_layout *l, size_t column)
{
	const struct grid *grid = l->grid;
	size_t *width = &l->columns[column].width;

	/* Marks that nobody has take their place all the same. */
	*width = fit_width(grid->columns[column].title);
	*width = *width ? *width : 1;
	for (size_t i = 0; i < grid->row_count; i++) {
		size_t w = fit_width(l->cells[i][column]);

		if (!render_layout_has_status(grid, i, column) && w > *width)
			*width = w;
	}
}

size_t render_layout_width(const struct render_layout *l, size_t column)
{
	size_t width = l->columns[column].width;
	size_t padded = l->grid->columns[column].width;

	return l->padded && padded > width ? padded : width;
}

bool render_layout_is_cut(const struct render_layout *l, size_t column)
{
	enum grid_kind kind = l->grid->columns[column].kind;

	return (kind == GRID_NAME && !l->headed) || kind == GRID_DETAIL;
}

bool render_layout_is_heading(const struct render_layout *l, size_t column)
{
	return l->headed && l->grid->columns[column].kind == GRID_NAME &&
	       !l->columns[column].hoisted;
}

bool render_layout_is_fixed(const struct render_layout *l, size_t column)
{
	enum grid_kind kind = l->grid->columns[column].kind;

	return kind == GRID_OP ||
	       (kind == GRID_NAME && !l->headed && !l->columns[column].hoisted);
}

bool render_layout_is_figure(const struct render_layout *l, size_t column)
{
	return l->grid->columns[column].kind >= GRID_FIGURE &&
	       !l->columns[column].hoisted;
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

static size_t with_marks(const struct render_layout *l, size_t column)
{
	while (column + 1 < l->grid->column_count &&
	       l->grid->columns[column + 1].kind == GRID_MARK)
		column++;
	return column;
}

/* A mark goes where its figure goes; what follows that, if they fit. */
size_t render_layout_last(const struct render_layout *l, size_t column)
{
	size_t last = with_marks(l, column), all = last;

	while (all + 1 < l->grid->column_count &&
	       l->grid->columns[all + 1].follows)
		all = with_marks(l, all + 1);
	return render_layout_fixed(l) + render_layout_between(l, column, all) <=
			       render_columns(l->view) + 1
		       ? all
		       : last;
}

/* Of one block with all of the columns; the first has no space before it. */
static size_t total_width(const struct render_layout *l)
{
	size_t width = render_layout_fixed(l);

	for (size_t j = 0; j < l->grid->column_count; j++) {
		if (render_layout_is_figure(l, j))
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

/* Whether the widest of the figures fits beside what is in every block. */
static bool figures_fit(const struct render_layout *l)
{
	size_t room = render_columns(l->view), fixed = render_layout_fixed(l);

	for (size_t j = 0; j < l->grid->column_count; j++) {
		size_t last = render_layout_last(l, j);

		if (render_layout_is_figure(l, j) &&
		    fixed + render_layout_between(l, j, last) > room + 1)
			return false;
		j = last;
	}
	return true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The different names of a column, in their order; owned array, or NULL. */
static char **different_names(const struct render_layout *l, size_t column,
			      size_t *count)
{
	size_t rows = l->grid->row_count;
	char **names = calloc(rows + 1, sizeof(*names));

	*count = 0;
	if (!names)
		return NULL;
	for (size_t i = 0; i < rows; i++)
		names[i] = l->cells[i][column];
	qsort(names, rows, sizeof(*names), by_text);
	for (size_t i = 0; i < rows; i++) {
		if (*count == 0 || strcmp(names[*count - 1], names[i]) != 0)
			names[(*count)++] = names[i];
	}
	return names;
}

/* Whether two names of the column look the same when cut to `width`. */
static bool confuses(const struct render_layout *l, size_t column, size_t width)
{
	size_t count, cut = 0;
	char **names = different_names(l, column, &count);
	bool confused = !names;

	for (; cut < count; cut++) {
		names[cut] = fit_shorten(names[cut], width, l->view->utf8);
		if (!names[cut])
			break;
	}
	confused |= cut < count;
	qsort(names, cut, sizeof(*names), by_text);
	for (size_t i = 1; i < cut && !confused; i++)
		confused = strcmp(names[i - 1], names[i]) == 0;
	for (size_t i = 0; i < cut; i++)
		free(names[i]);
	free(names);
	return confused;
}

/* How far names may be cut. */
struct cutting {
	bool (*enough)(const struct render_layout *l);
	size_t least; /* columns */
	bool details; /* these too */
};

/* Cut the widest names, step by step. */
static void shorten_names(struct render_layout *l, const struct cutting *how)
{
	while (!how->enough(l)) {
		size_t widest = SIZE_MAX;

		for (size_t j = 0; j < l->grid->column_count; j++) {
			size_t width = l->columns[j].width;

			if (!render_layout_is_cut(l, j) ||
			    l->columns[j].hoisted || width <= how->least ||
			    (!how->details &&
			     l->grid->columns[j].kind == GRID_DETAIL) ||
			    (widest != SIZE_MAX &&
			     width <= l->columns[widest].width) ||
			    confuses(l, j, width - 1))
				continue;
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
		if (render_layout_is_cut(l, j) && is_constant(l, j))
			l->columns[j].hoisted = true;
	}
}

/* Cut names if that makes it fit; else leave them as they were. */
static bool try_shorter(struct render_layout *l, size_t least)
{
	const struct cutting how = { fits, least, true };
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

/* In a table of several blocks details have room enough. */
static void widen_details(struct render_layout *l)
{
	size_t fixed = render_layout_fixed(l), room = render_columns(l->view);
	size_t most = room > fixed ? room - fixed : 1;

	if (most > LONG_DETAIL)
		most = LONG_DETAIL;
	for (size_t j = 0; j < l->grid->column_count; j++) {
		if (l->grid->columns[j].kind != GRID_DETAIL)
			continue;
		measure_column(l, j);
		while (l->columns[j].width > most)
			l->columns[j].width--;
	}
}

bool render_layout_make(struct render_layout *l)
{
	static const struct cutting somewhat = { fits, LONG_NAME, true };
	static const struct cutting far = { names_fit, SHORT_NAME, false };

	for (size_t j = 0; j < l->grid->column_count; j++)
		measure_column(l, j);
	l->padded = true;
	if (fits(l))
		return true;
	l->padded = false;
	hoist(l);
	shorten_names(l, &somewhat);
	if (!try_shorter(l, SHORT_NAME))
		return false;
	if (fits(l))
		return true;
	widen_details(l);
	shorten_names(l, &far);
	l->headed = !names_fit(l) || !figures_fit(l);
	return true;
}
