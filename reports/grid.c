/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
#include "reports/compare.h"
#include "reports/figure.h"
#include "reports/fit.h"
#include "reports/render.h"

enum { TITLE_MAX = 16 }; /* columns of a value's name above its rates */

struct making {
	struct grid_build b;
	const struct comparison *from;
	const struct render_view *view;
	const struct figure_unit *unit;
	int bound_width; /* of the figures in an interval */
};

static const char *const titles[DATASET_DIMENSIONS] = {
	[DATASET_OS] = "OS",
	[DATASET_HOST] = "Host",
	[DATASET_RUN] = "Run",
	[DATASET_LABEL] = "Label",
	[DATASET_MATRIX] = "Matrix",
	[DATASET_VOLUME] = "Drive",
	[DATASET_FILESYSTEM] = "FS",
	[DATASET_DRIVER] = "Driver",
	[DATASET_WORKLOAD] = "Workload",
	[DATASET_SETTINGS] = "Settings",
};

const char *grid_title(enum dataset_dimension dimension)
{
	return titles[dimension];
}

static double confidence(const struct making *m)
{
	return (1 - m->from->options->alpha) * 100;
}

/* Where the columns of the ordinary table are; SIZE_MAX: not there. */
struct places {
	size_t names[DATASET_DIMENSIONS]; /* in the order shown */
	size_t op, rate, flags, half;
	size_t change, mark, interval, p;
};

static bool any_flags(const struct comparison *from)
{
	for (size_t i = 0; i < from->count; i++) {
		if (from->rows[i].flags)
			return true;
	}
	return false;
}

static void add_rate_columns(struct making *m, struct places *at)
{
	char title[64];

	at->op = grid_add_column(&m->b, GRID_OP, false, 0, "Op");
	snprintf(title, sizeof(title), "%s/Sec", m->unit->name);
	at->rate = grid_add_column(&m->b, GRID_FIGURE, true, 9, title);
	at->flags = SIZE_MAX;
	if (any_flags(m->from))
		at->flags = grid_add_column(&m->b, GRID_MARK, false, 0, "");
	snprintf(title, sizeof(title), "%s%g%%",
		 m->view->utf8 ? "\xc2\xb1" : "+-", confidence(m));
	at->half = grid_add_column(&m->b, GRID_FIGURE, true, 5, title);
}

static void add_change_columns(struct making *m, struct places *at)
{
	char title[64];

	at->change = SIZE_MAX;
	if (!m->from->has_base)
		return;
	at->change = grid_add_column(&m->b, GRID_FIGURE, true, 8, "Change");
	at->mark = grid_add_column(&m->b, GRID_MARK, false, 0, "");
	snprintf(title, sizeof(title), "%g%% interval", confidence(m));
	at->interval = grid_add_column(&m->b, GRID_FIGURE, false, 0, title);
	at->p = grid_add_column(&m->b, GRID_FIGURE, true, 7, "p");
}

static void set_rate(struct making *m, size_t row, size_t column, double rate)
{
	char text[FIGURE_SIZE];

	figure_rate(rate, m->unit, true, text);
	grid_set(&m->b, row, column, isnan(rate) ? "n/a" : text);
}

static void set_flags(struct making *m, size_t row, size_t column,
		      unsigned int flags)
{
	char text[8];

	snprintf(text, sizeof(text), "%s%s%s%s",
		 flags & DATASET_CACHED ? "c" : "",
		 flags & DATASET_SHORTENED ? "s" : "",
		 flags & DATASET_BUFFERED ? "b" : "",
		 flags & DATASET_FILES ? "f" : "");
	grid_set(&m->b, row, column, text);
}

static void set_interval(struct making *m, size_t at, size_t column,
			 const struct compare_row *row)
{
	char low[FIGURE_SIZE], high[FIGURE_SIZE], text[3 * FIGURE_SIZE] = "";

	if (!row->tested) {
		snprintf(text, sizeof(text), "n=%zu: no test", row->test_n);
	} else if (row->has_interval) {
		figure_bound(row->low, low);
		figure_bound(row->high, high);
		snprintf(text, sizeof(text), "[%*s, %*s]", m->bound_width, low,
			 m->bound_width, high);
	}
	grid_set(&m->b, at, column, text);
}

static void set_change(struct making *m, size_t at, const struct places *places,
		       const struct compare_row *row)
{
	char text[FIGURE_SIZE];

	if (!row->has_ratio) {
		grid_set(&m->b, at, places->change,
			 row->base == COMPARE_NONE && row->is_base ? "base"
								   : "n/a");
		return;
	}
	figure_change(row->ratio, text);
	grid_set(&m->b, at, places->change, text);
	grid_set(&m->b, at, places->mark, row->mark);
	set_interval(m, at, places->interval, row);
	if (!row->tested)
		return;
	figure_p(row->p, m->from->options->alpha, text);
	grid_set(&m->b, at, places->p, text);
}

static void set_row(struct making *m, const struct places *places,
		    const struct compare_row *row)
{
	size_t at = grid_add_row(&m->b);
	char op[2] = { row->op, '\0' }, text[FIGURE_SIZE];
	char name[COMPARE_NAME_SIZE];

	for (size_t i = 0; i < m->from->shown_count; i++)
		grid_set(&m->b, at, places->names[i],
			 compare_shown_name(row->names, m->from->shown[i],
					    name));
	grid_set(&m->b, at, places->op, op);
	if (row->status) {
		grid_set(&m->b, at, places->rate, row->status);
		if (!m->b.failed)
			m->b.grid->rows[at].status = places->rate;
		return;
	}
	set_rate(m, at, places->rate, row->kb_per_s);
	if (places->flags != SIZE_MAX)
		set_flags(m, at, places->flags, row->flags);
	if (!isnan(row->half)) {
		figure_half(row->half, text);
		grid_set(&m->b, at, places->half, text);
	}
	if (places->change != SIZE_MAX)
		set_change(m, at, places, row);
}

/* "geomean" stands in place of the first name that it is over. */
static void set_mean_names(struct making *m, const struct places *places,
			   const struct compare_mean *mean, size_t at)
{
	const struct comparison *from = m->from;
	bool said = false;

	for (size_t i = 0; i < from->shown_count; i++) {
		enum dataset_dimension d = from->shown[i];
		const char *name = "";
		char text[COMPARE_NAME_SIZE];

		if (!mean->over[d])
			name = compare_shown_name(mean->names, d, text);
		else if (!said)
			name = "geomean";
		said |= mean->over[d];
		grid_set(&m->b, at, places->names[i], name);
	}
}

static void set_mean(struct making *m, const struct places *places,
		     const struct compare_mean *mean)
{
	size_t at = grid_add_row(&m->b);
	char op[2] = { mean->op, '\0' }, text[FIGURE_SIZE];

	if (m->b.failed)
		return;
	m->b.grid->rows[at].is_mean = true;
	set_mean_names(m, places, mean, at);
	grid_set(&m->b, at, places->op, op);
	set_rate(m, at, places->rate, mean->kb_per_s);
	if (mean->valid > 0) {
		figure_change(mean->ratio, text);
		grid_set(&m->b, at, places->change, text);
	}
	snprintf(text, sizeof(text), "%zu of %zu rows", mean->valid, mean->of);
	grid_set(&m->b, at, places->interval, text);
}

static int widest_bound(const struct comparison *from)
{
	size_t widest = strlen("+75.5");

	for (size_t i = 0; i < from->count; i++) {
		const struct compare_row *row = &from->rows[i];
		char low[FIGURE_SIZE], high[FIGURE_SIZE];

		if (!row->has_interval)
			continue;
		figure_bound(row->low, low);
		figure_bound(row->high, high);
		if (strlen(low) > widest)
			widest = strlen(low);
		if (strlen(high) > widest)
			widest = strlen(high);
	}
	return (int)widest;
}

static void make_ordinary(struct making *m)
{
	const struct comparison *from = m->from;
	struct places places = { 0 };

	m->bound_width = m->view->proportional ? 0 : widest_bound(from);
	for (size_t i = 0; i < from->shown_count; i++)
		places.names[i] = grid_add_column(&m->b, GRID_NAME, false, 0,
						  titles[from->shown[i]]);
	add_rate_columns(m, &places);
	add_change_columns(m, &places);
	for (size_t i = 0; i < from->count && !m->b.failed; i++)
		set_row(m, &places, &from->rows[i]);
	for (size_t i = 0; i < from->mean_count && !m->b.failed; i++)
		set_mean(m, &places, &from->means[i]);
}

/* One value of the dimension whose values stand beside each other. */
struct pivot_value {
	const char *name;
	char text[COMPARE_NAME_SIZE]; /* where it is one that is made */
	bool several_runs;
	/* columns; flags SIZE_MAX: none has one; change SIZE_MAX: a base */
	size_t rate, flags, change, mark, p;
};

struct pivot {
	struct pivot_value *values; /* owned */
	size_t count;
	/* By row of the comparison: of its values, and of the grid; owned. */
	size_t *value_of, *row_of;
};

static int by_value(const void *a, const void *b, void *ctx)
{
	const struct comparison *const *of = ctx, *from = *of;

	return alike_names(from->rows[*(const size_t *)a].names,
			   from->rows[*(const size_t *)b].names,
			   &from->options->columns, 1);
}

/* Rows that stand in one row of the grid. */
static int by_rest(const void *a, const void *b, void *ctx)
{
	const struct comparison *const *of = ctx, *from = *of;
	const struct compare_row *x = &from->rows[*(const size_t *)a];
	const struct compare_row *y = &from->rows[*(const size_t *)b];
	int order = (x->op > y->op) - (x->op < y->op);

	for (size_t k = 0; order == 0 && k < from->shown_count; k++) {
		if (from->shown[k] != from->options->columns)
			order = alike_names(x->names, y->names, &from->shown[k],
					    1);
	}
	return order;
}

/* Runs without a label stand in one column; if they are several it has none. */
static const char *name_of_value(const struct pivot_value *value)
{
	return value->several_runs && value->name == value->text
		       ? COMPARE_NO_LABEL
		       : value->name;
}

static void add_pivot_columns(struct making *m, struct pivot *pivot)
{
	for (size_t i = 0; i < pivot->count; i++) {
		struct pivot_value *value = &pivot->values[i];
		char *title = fit_safe(name_of_value(value), m->view->utf8);
		char *cut = title ? fit_shorten(title, TITLE_MAX, m->view->utf8)
				  : NULL;

		m->b.failed |= !cut;
		value->rate = grid_add_column(&m->b, GRID_FIGURE, true, 9,
					      cut ? cut : "");
		free(title);
		free(cut);
		value->flags = SIZE_MAX;
		if (any_flags(m->from))
			value->flags =
				grid_add_column(&m->b, GRID_MARK, false, 0, "");
		if (value->change == SIZE_MAX)
			continue;
		value->change = grid_add_following(&m->b, 8, "Change");
		value->mark = grid_add_column(&m->b, GRID_MARK, false, 0, "");
		value->p = grid_add_following(&m->b, 5, "p");
	}
}

static bool find_values(struct making *m, struct pivot *pivot)
{
	const struct comparison *from = m->from;
	enum dataset_dimension d = from->options->columns;

	pivot->values = calloc(from->count + 1, sizeof(*pivot->values));
	pivot->value_of = alike_firsts(from->count, by_value, &m->from);
	pivot->row_of = alike_firsts(from->count, by_rest, &m->from);
	if (!pivot->values || !pivot->value_of || !pivot->row_of)
		return false;
	for (size_t i = 0; i < from->count; i++) {
		const struct compare_row *row = &from->rows[i];
		size_t first = pivot->value_of[i];
		struct pivot_value *value = &pivot->values[pivot->count];

		if (first == i) {
			pivot->value_of[i] = pivot->count++;
			value->name =
				compare_shown_name(row->names, d, value->text);
			value->change = SIZE_MAX;
		} else {
			pivot->value_of[i] = pivot->value_of[first];
			value = &pivot->values[pivot->value_of[i]];
			if (row->names[DATASET_RUN] !=
			    from->rows[first].names[DATASET_RUN])
				value->several_runs = true;
		}
		if (row->base != COMPARE_NONE)
			value->change = 0;
	}
	return true;
}

/* The row of the grid that a row of the comparison is the first in. */
static size_t add_pivot_row(struct making *m, const struct compare_row *row)
{
	const struct comparison *from = m->from;
	enum dataset_dimension d = from->options->columns;
	char op[2] = { row->op, '\0' };
	size_t column = 0, at = grid_add_row(&m->b);

	for (size_t k = 0; k < from->shown_count; k++) {
		char text[COMPARE_NAME_SIZE];

		if (from->shown[k] != d)
			grid_set(&m->b, at, column++,
				 compare_shown_name(row->names, from->shown[k],
						    text));
	}
	grid_set(&m->b, at, column, op);
	return at;
}

static void set_pivot_cell(struct making *m, size_t at,
			   const struct pivot_value *value,
			   const struct compare_row *row)
{
	char text[FIGURE_SIZE];

	if (row->status)
		grid_set(&m->b, at, value->rate, row->status);
	else
		set_rate(m, at, value->rate, row->kb_per_s);
	if (value->flags != SIZE_MAX)
		set_flags(m, at, value->flags, row->flags);
	if (!row->has_ratio)
		return;
	figure_change(row->ratio, text);
	grid_set(&m->b, at, value->change, text);
	grid_set(&m->b, at, value->mark, row->mark);
	figure_p(row->p, m->from->options->alpha, text);
	if (!row->tested)
		snprintf(text, sizeof(text), "n=%zu", row->test_n);
	grid_set(&m->b, at, value->p, text);
}

static void make_pivot(struct making *m)
{
	const struct comparison *from = m->from;
	enum dataset_dimension d = from->options->columns;
	struct pivot pivot = { 0 };

	m->b.failed |= !find_values(m, &pivot);
	for (size_t i = 0; i < from->shown_count; i++) {
		if (from->shown[i] != d)
			grid_add_column(&m->b, GRID_NAME, false, 0,
					titles[from->shown[i]]);
	}
	grid_add_column(&m->b, GRID_OP, false, 0, "Op");
	if (!m->b.failed)
		add_pivot_columns(m, &pivot);
	for (size_t i = 0; i < from->count && !m->b.failed; i++) {
		const struct compare_row *row = &from->rows[i];
		size_t first = pivot.row_of[i];

		pivot.row_of[i] = first == i ? add_pivot_row(m, row)
					     : pivot.row_of[first];
		if (!m->b.failed)
			set_pivot_cell(m, pivot.row_of[i],
				       &pivot.values[pivot.value_of[i]], row);
	}
	free(pivot.values);
	free(pivot.value_of);
	free(pivot.row_of);
}

bool grid_make(const struct comparison *comparison,
	       const struct render_view *view, struct grid *grid,
	       struct err *err)
{
	struct making m = { .b = { grid, false },
			    .from = comparison,
			    .view = view };

	*grid = (struct grid){ 0 };
	m.unit = figure_unit(view->unit ? view->unit : "KB", err);
	if (!m.unit)
		return false;
	if (comparison->options->has_columns)
		make_pivot(&m);
	else
		make_ordinary(&m);
	return grid_finish(&m.b, err);
}

static void set_article_row(struct making *m, const struct compare_row *row)
{
	size_t at = grid_add_row(&m->b);
	char op[2] = { row->op, '\0' }, rate[FIGURE_SIZE];

	figure_rate(row->kb_per_s, m->unit, false, rate);
	grid_set(&m->b, at, 0, row->names[DATASET_OS]);
	grid_set(&m->b, at, 1, row->names[DATASET_FILESYSTEM]);
	grid_set(&m->b, at, 2, op);
	grid_set(&m->b, at, 3, row->status ? row->status : rate);
	if (row->status && !m->b.failed)
		m->b.grid->rows[at].status = 3;
}

bool grid_make_article(const struct comparison *comparison, size_t first,
		       const size_t *next, const struct render_view *view,
		       struct grid *grid, struct err *err)
{
	struct making m = { .b = { grid, false },
			    .from = comparison,
			    .view = view };
	char title[64];

	*grid = (struct grid){ 0 };
	m.unit = figure_unit(view->unit ? view->unit : "KB", err);
	if (!m.unit)
		return false;
	grid_add_column(&m.b, GRID_NAME, false, 0, "OS");
	grid_add_column(&m.b, GRID_NAME, true, 0, "Drive");
	grid_add_column(&m.b, GRID_OP, true, 0, "Op");
	snprintf(title, sizeof(title), "%s/Sec", m.unit->name);
	grid_add_column(&m.b, GRID_FIGURE, false, 0, title);
	for (size_t i = first; i != COMPARE_NONE && !m.b.failed; i = next[i])
		set_article_row(&m, &comparison->rows[i]);
	return grid_finish(&m.b, err);
}
