/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"

bool compare_lines_add(struct compare_lines *lines, const char *fmt, ...)
{
	size_t room = lines->room ? 2 * lines->room : 8;
	char **items = lines->items;
	va_list ap;
	int length;

	if (lines->count == lines->room) {
		items = reallocarray(items, room, sizeof(*items));
		if (!items)
			return false;
		lines->items = items;
		lines->room = room;
	}
	va_start(ap, fmt);
	length = vasprintf(&items[lines->count], fmt, ap);
	va_end(ap);
	if (length < 0)
		return false;
	lines->count++;
	return true;
}

void compare_lines_done(struct compare_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->items[i]);
	free(lines->items);
	*lines = (struct compare_lines){ 0 };
}

void compare_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	for (size_t i = 0; i < comparison->count; i++)
		free(comparison->rows[i].status);
	free(comparison->rows);
	free(comparison->means);
	compare_lines_done(&comparison->bases);
	compare_lines_done(&comparison->sentences);
	compare_lines_done(&comparison->untested);
	compare_lines_done(&comparison->notes);
	compare_lines_done(&comparison->warnings);
	free(comparison);
}

bool compare_shows(const struct comparison *comparison,
		   enum dataset_dimension dimension)
{
	for (size_t i = 0; i < comparison->shown_count; i++) {
		if (comparison->shown[i] == dimension)
			return true;
	}
	return false;
}

static void show(struct comparison *out, enum dataset_dimension dimension)
{
	if (!compare_shows(out, dimension))
		out->shown[out->shown_count++] = dimension;
}

/* --rows, and what a base or --cols needs to tell rows apart. */
static void show_what_was_asked(struct compare_work *work)
{
	const struct compare_options *options = work->options;

	for (size_t i = 0; i < options->row_dimensions; i++)
		show(work->out, options->rows[i]);
	if (options->has_columns)
		show(work->out, options->columns);
	if (options->has_base)
		show(work->out, options->base_dimension);
	else
		show(work->out, work->out->base_dimension);
}

static bool same_row(const struct compare_work *work, size_t a, size_t b)
{
	const struct comparison *out = work->out;

	for (size_t i = 0; i < out->shown_count; i++) {
		enum dataset_dimension d = out->shown[i];

		if (work->data->cells[a].names[d] !=
		    work->data->cells[b].names[d])
			return false;
	}
	return true;
}

/* The group of an earlier cell that makes the same row, or a new one. */
static size_t group_for(struct compare_work *work, size_t cell)
{
	if (work->options->row_dimensions > 0) {
		for (size_t i = 0; i < cell; i++) {
			if (work->group_of[i] != COMPARE_NONE &&
			    same_row(work, i, cell))
				return work->group_of[i];
		}
	}
	return work->group_count++;
}

/* Let `members` list the cells group by group. */
static bool list_members(struct compare_work *work)
{
	const struct dataset *data = work->data;
	size_t at = 0;

	work->groups = calloc(work->group_count + 1, sizeof(*work->groups));
	work->members = calloc(data->count + 1, sizeof(*work->members));
	if (!work->groups || !work->members)
		return false;
	for (size_t i = 0; i < data->count; i++) {
		if (work->group_of[i] != COMPARE_NONE)
			work->groups[work->group_of[i]].count++;
	}
	for (size_t g = 0; g < work->group_count; g++) {
		work->groups[g].first = at;
		at += work->groups[g].count;
		work->groups[g].count = 0;
	}
	for (size_t i = 0; i < data->count; i++) {
		struct compare_group *group;

		if (work->group_of[i] == COMPARE_NONE)
			continue;
		group = &work->groups[work->group_of[i]];
		work->members[group->first + group->count++] = i;
	}
	return true;
}

/* Names that all cells of a group share; the others are "". */
static void name_row(const struct compare_work *work, size_t g,
		     struct compare_row *row)
{
	const struct compare_group *group = &work->groups[g];
	const struct dataset_cell *cells = work->data->cells;
	const size_t *members = &work->members[group->first];

	row->directory = cells[members[0]].directory;
	for (size_t d = 0; d < DATASET_DIMENSIONS; d++) {
		row->names[d] = cells[members[0]].names[d];
		for (size_t i = 1; i < group->count; i++) {
			if (cells[members[i]].names[d] != row->names[d])
				row->names[d] = "";
		}
	}
}

static size_t base_row(const struct compare_work *work, size_t g, size_t op)
{
	const struct compare_group *group = &work->groups[g];

	for (size_t i = 0; i < group->count; i++) {
		size_t base = work->base_of[work->members[group->first + i]];

		if (base != COMPARE_NONE && work->group_of[base] != g)
			return compare_row_at(work, work->group_of[base], op);
	}
	return COMPARE_NONE;
}

static bool make_rows(struct compare_work *work)
{
	struct comparison *out = work->out;
	size_t ops = strlen(work->ops);

	out->rows = calloc(work->group_count * ops + 1, sizeof(*out->rows));
	if (!out->rows)
		return false;
	out->count = work->group_count * ops;
	for (size_t g = 0; g < work->group_count; g++) {
		for (size_t op = 0; op < ops; op++) {
			struct compare_row *row =
				&out->rows[compare_row_at(work, g, op)];

			name_row(work, g, row);
			row->op = work->ops[op];
			row->mark = "";
			row->base = base_row(work, g, op);
		}
	}
	for (size_t i = 0; i < out->count; i++) {
		if (out->rows[i].base != COMPARE_NONE)
			out->rows[out->rows[i].base].is_base = true;
	}
	return true;
}

/* Cells are bases by name too, even if nothing is compared with them. */
static void mark_bases(struct compare_work *work)
{
	const struct compare_options *options = work->options;

	for (size_t i = 0; i < work->data->count; i++) {
		const struct dataset_cell *cell = &work->data->cells[i];
		bool is_base = cell->base == cell->id;

		if (work->group_of[i] == COMPARE_NONE)
			continue;
		if (options->has_base)
			is_base = strcmp(cell->names[options->base_dimension],
					 options->base) == 0;
		for (size_t op = 0; is_base && work->ops[op]; op++)
			work->out
				->rows[compare_row_at(work, work->group_of[i],
						      op)]
				.is_base = true;
	}
}

/* The rows `order`, in that order; the others go. Bases are renumbered. */
static bool reorder(struct comparison *out, const size_t *order, size_t count)
{
	struct compare_row *rows = calloc(count + 1, sizeof(*rows));
	size_t *now = malloc((out->count + 1) * sizeof(*now));

	if (!rows || !now) {
		free(rows);
		free(now);
		return false;
	}
	for (size_t i = 0; i < out->count; i++)
		now[i] = COMPARE_NONE;
	for (size_t i = 0; i < count; i++) {
		now[order[i]] = i;
		rows[i] = out->rows[order[i]];
		out->rows[order[i]].status = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].base != COMPARE_NONE)
			rows[i].base = now[rows[i].base];
	}
	for (size_t i = 0; i < out->count; i++)
		free(out->rows[i].status);
	free(out->rows);
	free(now);
	out->rows = rows;
	out->count = count;
	return true;
}

struct sort_key {
	double value; /* NaN: last */
	size_t row;
};

static int by_key(const void *a, const void *b, void *reversed)
{
	const struct sort_key *x = a, *y = b;
	int way = *(const bool *)reversed ? -1 : 1;

	if (isnan(x->value) || isnan(y->value)) {
		if (isnan(x->value) != isnan(y->value))
			return isnan(x->value) ? 1 : -1;
	} else if (x->value != y->value) {
		return way * (x->value < y->value ? 1 : -1);
	}
	return (x->row > y->row) - (x->row < y->row);
}

static double key_of(const struct compare_row *row, size_t at,
		     enum compare_sort sort)
{
	if (sort == COMPARE_BY_CHANGE)
		return row->has_ratio ? row->ratio : NAN;
	if (sort == COMPARE_BY_RATE)
		return row->kb_per_s;
	return -(double)at;
}

/* Sort, and with --only-changed drop what did not change. */
static bool arrange(struct comparison *out)
{
	const struct compare_options *options = out->options;
	struct sort_key *keys = calloc(out->count + 1, sizeof(*keys));
	size_t *order = calloc(out->count + 1, sizeof(*order));
	bool *kept = calloc(out->count + 1, sizeof(*kept));
	bool reversed = options->reversed, ok = false;
	size_t count = 0;

	if (!keys || !order || !kept)
		goto out;
	for (size_t i = 0; i < out->count; i++) {
		if (options->only_changed &&
		    out->rows[i].verdict != COMPARE_SIGNIFICANT)
			continue;
		kept[i] = true;
		if (out->rows[i].base != COMPARE_NONE)
			kept[out->rows[i].base] = true;
	}
	for (size_t i = 0; i < out->count; i++) {
		if (kept[i])
			keys[count++] = (struct sort_key){
				key_of(&out->rows[i], i, options->sort), i
			};
	}
	qsort_r(keys, count, sizeof(*keys), by_key, &reversed);
	for (size_t i = 0; i < count; i++)
		order[i] = keys[i].row;
	ok = reorder(out, order, count);
out:
	free(keys);
	free(order);
	free(kept);
	return ok;
}

static bool fail_no_cell(const struct compare_work *work, struct err *err)
{
	const struct compare_options *options = work->options;

	for (size_t i = 0; i < options->filter_count; i++) {
		const struct compare_filter *filter = &options->filters[i];
		struct compare_options alone = { .filters =
							 options->filters + i,
						 .filter_count = 1 };
		bool any = filter->is_op;
		char *values;

		for (size_t j = 0; !any && j < work->data->count; j++)
			any = compare_keeps(&alone, &work->data->cells[j]);
		if (any)
			continue;
		values = compare_values(work->data, filter->dimension);
		err_set(err, ERR_INPUT, "no cell has %s%s%s; there are: %s",
			dataset_dimension_name(filter->dimension),
			filter->negated ? "!=" : "=", filter->values[0],
			values ? values : "?");
		free(values);
		return false;
	}
	if (options->filter_count > 0)
		return err_set(err, ERR_INPUT,
			       "no cell matches all of the filter");
	return err_set(err, ERR_INPUT, "there is no cell to compare");
}

static void keep_cell(struct compare_work *work, size_t i,
		      const struct dataset_cell *first)
{
	const struct dataset_cell *cell = &work->data->cells[i];

	work->group_of[i] = 0;
	for (size_t d = 0; d < DATASET_DIMENSIONS; d++)
		work->varies[d] |= cell->names[d] != first->names[d];
}

/* A phase that no cell has is none that is missing. */
static void choose_ops(struct compare_work *work)
{
	bool has[2] = { false, false };
	size_t count = 0;

	for (size_t i = 0; i < work->data->count; i++) {
		if (work->group_of[i] == COMPARE_NONE)
			continue;
		has[0] |= work->data->cells[i].writes.count > 0;
		has[1] |= work->data->cells[i].reads.count > 0;
	}
	for (size_t op = 0; op < 2; op++) {
		if ((has[op] || !has[!op]) &&
		    compare_keeps_op(work->options, "WR"[op]))
			work->ops[count++] = "WR"[op];
	}
}

static bool select_cells(struct compare_work *work, struct err *err)
{
	const struct dataset *data = work->data;
	const struct dataset_cell *first = NULL;

	work->group_of = calloc(data->count + 1, sizeof(*work->group_of));
	work->base_of = calloc(data->count + 1, sizeof(*work->base_of));
	if (!work->group_of || !work->base_of)
		return err_nomem(err);
	for (size_t i = 0; i < data->count; i++) {
		work->group_of[i] = COMPARE_NONE;
		work->base_of[i] = COMPARE_NONE;
		if (!compare_keeps(work->options, &data->cells[i]))
			continue;
		first = first ? first : &data->cells[i];
		keep_cell(work, i, first);
	}
	choose_ops(work);
	return (first && work->ops[0]) || fail_no_cell(work, err);
}

static bool make_groups(struct compare_work *work)
{
	for (size_t i = 0; i < work->data->count; i++) {
		if (work->group_of[i] != COMPARE_NONE)
			work->group_of[i] = group_for(work, i);
	}
	return list_members(work);
}

/* Whether two cells that agree in all of `alike` differ in `d`. */
static bool tells_apart(const struct compare_work *work,
			enum dataset_dimension d,
			const enum dataset_dimension *alike, size_t count)
{
	const struct dataset_cell *cells = work->data->cells;
	size_t last = COMPARE_NONE;

	if (!work->varies[d])
		return false;
	for (size_t i = 0; i < work->data->count; i++) {
		if (work->group_of[i] == COMPARE_NONE)
			continue;
		/* Cells come run by run: look at the first of each only. */
		if (last != COMPARE_NONE && cells[last].run == cells[i].run)
			continue;
		last = i;
		for (size_t j = 0; j < i; j++) {
			bool same = work->group_of[j] != COMPARE_NONE &&
				    cells[i].names[d] != cells[j].names[d];

			for (size_t k = 0; same && k < count; k++)
				same = cells[i].names[alike[k]] ==
				       cells[j].names[alike[k]];
			if (same)
				return true;
		}
	}
	return false;
}

/* The columns of the article, and those without which rows look alike. */
static void show_what_is_needed(struct compare_work *work)
{
	static const enum dataset_dimension host[] = { DATASET_OS };
	static const enum dataset_dimension run[] = { DATASET_OS,
						      DATASET_HOST };
	static const enum dataset_dimension label[] = { DATASET_OS,
							DATASET_HOST,
							DATASET_LABEL };
	struct comparison *out = work->out;

	show(out, DATASET_OS);
	if (work->options->as_article) {
		show(out, DATASET_FILESYSTEM);
		return;
	}
	if (tells_apart(work, DATASET_HOST, host, 1))
		show(out, DATASET_HOST);
	if (tells_apart(work, DATASET_RUN, run, 2))
		show(out, tells_apart(work, DATASET_RUN, label, 3)
				  ? DATASET_RUN
				  : DATASET_LABEL);
	if (work->options->has_base)
		show(out, work->options->base_dimension);
	show(out, DATASET_VOLUME);
	show(out, DATASET_FILESYSTEM);
	if (work->varies[DATASET_WORKLOAD])
		show(out, DATASET_WORKLOAD);
}

static int by_dimension(const void *a, const void *b)
{
	return (int)*(const enum dataset_dimension *)a -
	       (int)*(const enum dataset_dimension *)b;
}

static void choose_columns(struct compare_work *work)
{
	struct comparison *out = work->out;

	if (work->options->row_dimensions > 0) {
		show_what_was_asked(work);
		return;
	}
	show_what_is_needed(work);
	qsort(out->shown, out->shown_count, sizeof(*out->shown), by_dimension);
}

static bool make(struct compare_work *work, struct err *err)
{
	if (!select_cells(work, err) || !compare_find_bases(work, err))
		return false;
	choose_columns(work);
	if (!make_groups(work) || !make_rows(work))
		return err_nomem(err);
	mark_bases(work);
	if (!compare_judge(work, err) || !compare_say(work, err))
		return false;
	return arrange(work->out) || err_nomem(err);
}

struct comparison *compare_new(const struct dataset *data,
			       const struct compare_options *options,
			       struct err *err)
{
	struct comparison *out = calloc(1, sizeof(*out));
	struct compare_work work = { .data = data,
				     .options = options,
				     .out = out };
	bool ok;

	if (!out) {
		err_nomem(err);
		return NULL;
	}
	out->options = options;
	out->metric = data->metric;
	ok = make(&work, err);
	free(work.group_of);
	free(work.base_of);
	free(work.members);
	free(work.groups);
	if (!ok) {
		compare_free(out);
		out = NULL;
	}
	return out;
}
