/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/compare.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
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
	free(comparison->members);
	free(comparison->means);
	compare_fleet_done(comparison);
	compare_lines_done(&comparison->bases);
	compare_lines_done(&comparison->sentences);
	compare_lines_done(&comparison->untested);
	compare_lines_done(&comparison->notes);
	compare_lines_done(&comparison->warnings);
	free(comparison);
}

const char *compare_said_name(const char *const *names,
			      enum dataset_dimension dimension,
			      char text[COMPARE_NAME_SIZE])
{
	const char *name = names[dimension];
	bool numbered = dimension == DATASET_RUN ||
			(dimension == DATASET_LABEL && !*name);

	if (!numbered)
		return name;
	/* Several runs without a label have no number in common. */
	if (!*names[DATASET_RUN])
		return COMPARE_NO_LABEL;
	snprintf(text, COMPARE_NAME_SIZE, "run %s", names[DATASET_RUN]);
	return text;
}

const char *compare_shown_name(const char *const *names,
			       enum dataset_dimension dimension,
			       char text[COMPARE_NAME_SIZE])
{
	return dimension == DATASET_LABEL
		       ? compare_said_name(names, dimension, text)
		       : names[dimension];
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

static int by_table(const void *a, const void *b, void *ctx)
{
	const struct comparison *const *of = ctx, *comparison = *of;

	return alike_names(comparison->rows[*(const size_t *)a].names,
			   comparison->rows[*(const size_t *)b].names,
			   comparison->apart, comparison->apart_count);
}

size_t *compare_tables(const struct comparison *comparison)
{
	return alike_firsts(comparison->count, by_table, &comparison);
}

/* Cells that make the same row; what is filtered out makes none. */
static int by_row(const void *a, const void *b, void *ctx)
{
	const struct compare_work *work = ctx;
	const struct comparison *out = work->out;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	bool x_out = work->group_of[x] == COMPARE_NONE;
	bool y_out = work->group_of[y] == COMPARE_NONE;

	if (x_out != y_out)
		return x_out ? 1 : -1;
	return alike_names(work->data->cells[x].names,
			   work->data->cells[y].names, out->shown,
			   out->shown_count);
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

static bool has_rate(const struct compare_work *work, size_t cell, char op)
{
	const struct dataset_samples *samples =
		dataset_op(&work->data->cells[cell], op);

	for (size_t i = 0; i < samples->count; i++) {
		if (compare_counts(&samples->items[i]))
			return true;
	}
	return false;
}

/*
 * Cells of a group may have bases in several: one that was not measured may
 * stand in a row of its own. The first with a rate is the one to tell of.
 */
static size_t base_row(const struct compare_work *work, size_t g, size_t op)
{
	const struct compare_group *group = &work->groups[g];
	size_t found = COMPARE_NONE;

	for (size_t i = 0; i < group->count; i++) {
		size_t base = work->base_of[work->members[group->first + i]];
		size_t at;

		if (base == COMPARE_NONE || work->group_of[base] == g)
			continue;
		at = compare_row_at(work, work->group_of[base], op);
		if (has_rate(work, base, work->ops[op]))
			return at;
		if (found == COMPARE_NONE)
			found = at;
	}
	return found;
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
			row->first_cell = work->groups[g].first;
			row->cells = work->groups[g].count;
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

static bool fail_no_cell(const struct compare_work *work, struct err *err)
{
	const struct compare_options *options = work->options;

	for (size_t i = 0; i < options->filter_count; i++) {
		const struct compare_filter *filter = &options->filters[i];
		struct compare_options alone = { .filters =
							 options->filters + i,
						 .filter_count = 1 };
		bool any = filter->is_op;
		struct choices choices = { 0 };

		for (size_t j = 0; !any && j < work->data->count; j++)
			any = compare_keeps(&alone, &work->data->cells[j]);
		if (any)
			continue;
		compare_choices(work, filter->dimension, &choices);
		compare_fail_value(filter->dimension, filter->negated,
				   filter->values[0], &choices, err);
		choices_done(&choices);
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

	work->any_kept = true;
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
	size_t *firsts = NULL;

	if (work->options->row_dimensions > 0) {
		firsts = alike_firsts(work->data->count, by_row, work);
		if (!firsts)
			return false;
	}
	for (size_t i = 0; i < work->data->count; i++) {
		if (work->group_of[i] == COMPARE_NONE)
			continue;
		work->group_of[i] = firsts && firsts[i] < i
					    ? work->group_of[firsts[i]]
					    : work->group_count++;
	}
	free(firsts);
	return list_members(work);
}

static bool make(struct compare_work *work, struct err *err)
{
	if (!select_cells(work, err) || !compare_find_bases(work, err))
		return false;
	compare_choose_columns(work);
	if (!make_groups(work) || !make_rows(work))
		return err_nomem(err);
	mark_bases(work);
	if (!compare_judge(work, err) || !compare_say(work, err))
		return false;
	if (!compare_fleet(work))
		return err_nomem(err);
	return compare_arrange(work->out) || err_nomem(err);
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
	out->data = data;
	out->options = options;
	out->metric = data->metric;
	ok = make(&work, err);
	free(work.group_of);
	free(work.base_of);
	free(work.left_out);
	out->members = work.members;
	free(work.groups);
	if (!ok) {
		compare_free(out);
		out = NULL;
	}
	return out;
}
