/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"

/* What is asked of each cell of a row that has no Change. */
struct asking {
	struct compare_work *work;
	const struct dataset_cell *cell;
	size_t at; /* of the cell */
	char op;
};

/* Owned; NULL: out of memory. */
static char *of_directory(enum dataset_dimension dimension, const char *base)
{
	const char *word = dataset_dimension_name(dimension);
	char *text;

	if (asprintf(&text,
		     "no Change: a directory brings its own filesystem, so "
		     "that the base, %s %s, is not there (--base volume=... "
		     "compares with another volume)",
		     word, base) < 0)
		return NULL;
	return text;
}

static char *not_measured(const char *dimension, const char *base,
			  const char *where)
{
	char *text;

	if (asprintf(&text, "no Change: the base, %s %s, was not measured %s",
		     dimension, base, where) < 0)
		return NULL;
	return text;
}

/* Of a cell that has a base. */
static char *of_base(const struct asking *a)
{
	const struct dataset_cell *cells = a->work->data->cells;
	size_t base = a->work->base_of[a->at];

	return strdup(dataset_op(&cells[base], a->op)->count == 0
			      ? "no Change: its base has no sample"
			      : "no Change: its base has no valid figure");
}

/* Of a run's cells on the volume, and of a workload of theirs (NULL: any). */
static bool has_filesystems(const struct asking *a, const char *volume,
			    const char *workload)
{
	const struct dataset *data = a->work->data;

	for (size_t i = 0; i < data->count; i++) {
		const struct dataset_cell *other = &data->cells[i];

		if (other->run == a->cell->run && !other->directory &&
		    strcmp(other->names[DATASET_VOLUME], volume) == 0 &&
		    (!workload || other->names[DATASET_WORKLOAD] == workload))
			return true;
	}
	return false;
}

/*
 * Whether another cell of the run could be the base but for its filesystem,
 * which a directory does not choose. Where there are directories only, and
 * there may be very many, one look at all of them is enough.
 */
static bool base_has_filesystems(const struct asking *a, const char *base)
{
	struct compare_baseline *known = &a->work->baseline;

	if (!known->asked || known->run != a->cell->run)
		*known = (struct compare_baseline){
			.run = a->cell->run,
			.asked = true,
			.has_filesystems = has_filesystems(a, base, NULL),
		};
	return known->has_filesystems &&
	       has_filesystems(a, base, a->cell->names[DATASET_WORKLOAD]);
}

/* Of a cell whose run was planned without a base for it. */
static char *of_plan(const struct asking *a)
{
	const struct dataset_plan *plan =
		dataset_plan(a->work->data, a->cell->run);
	enum dataset_dimension dimension;
	struct err ignored = { 0 };

	if (!plan || !*plan->baseline ||
	    !dataset_dimension_parse(plan->dimension, &dimension, &ignored))
		return strdup(a->work->out->has_base
				      ? "no Change: its run has no baseline"
				      : "");
	if (a->cell->directory && (dimension == DATASET_FILESYSTEM ||
				   (dimension == DATASET_VOLUME &&
				    base_has_filesystems(a, plan->baseline))))
		return of_directory(dimension, plan->baseline);
	return not_measured(plan->dimension, plan->baseline,
			    plan->imported ? "there"
					   : "there (include, exclude)");
}

/* Where there is no base at all that is not far away: on another machine. */
static const char *find_distance(const struct compare_work *work,
				 const struct dataset_cell *cell)
{
	const struct compare_options *options = work->options;
	bool machine = false, os = false;

	for (size_t i = 0; !os && i < work->data->count; i++) {
		const struct dataset_cell *other = &work->data->cells[i];

		if (work->group_of[i] == COMPARE_NONE ||
		    other->machine != cell->machine ||
		    strcmp(other->names[options->base_dimension],
			   options->base) != 0)
			continue;
		machine = true;
		os = other->names[DATASET_OS] == cell->names[DATASET_OS];
	}
	if (!machine)
		return "on its machine";
	return os ? "there" : "under its OS";
}

/* Cells of one machine stand together, and there may be very many. */
static const char *how_far(const struct asking *a)
{
	struct compare_distance *known = &a->work->distance;

	if (a->work->options->base_dimension == DATASET_OS)
		return "there";
	if (!known->where || known->machine != a->cell->machine ||
	    known->os != a->cell->names[DATASET_OS])
		*known = (struct compare_distance){
			.machine = a->cell->machine,
			.os = a->cell->names[DATASET_OS],
			.where = find_distance(a->work, a->cell),
		};
	return known->where;
}

/* Of a cell for which nothing with the name that was asked for was found. */
static char *of_name(const struct asking *a)
{
	const struct compare_options *options = a->work->options;
	enum dataset_dimension dimension = options->base_dimension;
	const char *far;

	if (a->work->left_out && a->work->left_out[a->at])
		return strdup("no Change: --filter leaves its base out");
	far = how_far(a);
	if (strcmp(far, "there") == 0 && a->cell->directory &&
	    dimension == DATASET_FILESYSTEM)
		return of_directory(dimension, options->base);
	return not_measured(dataset_dimension_name(dimension), options->base,
			    far);
}

/* "": it needs none. */
static char *of_cell(const struct asking *a)
{
	if (a->work->base_of[a->at] != COMPARE_NONE)
		return of_base(a);
	if (a->work->options->has_base)
		return of_name(a);
	if (a->cell->base == a->cell->id)
		return strdup("");
	if (a->cell->base)
		return strdup("no Change: --filter leaves its base out");
	return of_plan(a);
}

static bool has_figure(const struct asking *a)
{
	const struct dataset_samples *samples = dataset_op(a->cell, a->op);

	for (size_t i = 0; i < samples->count; i++) {
		if (compare_counts(&samples->items[i]))
			return true;
	}
	return false;
}

/*
 * What is true of all cells that make the row's rate. Where each has a reason
 * of its own none of them is that of the row.
 */
char *compare_no_change(struct compare_work *work, size_t g,
			const struct compare_row *row)
{
	const struct compare_group *group = &work->groups[g];
	char *text = NULL;

	if (row->has_ratio || row->n == 0 || work->options->as_article ||
	    (row->is_base && row->base == COMPARE_NONE))
		return strdup("");
	for (size_t i = 0; i < group->count; i++) {
		size_t at = work->members[group->first + i];
		struct asking a = { work, &work->data->cells[at], at, row->op };
		char *other;

		if (!has_figure(&a))
			continue;
		other = of_cell(&a);
		if (!other || (text && strcmp(text, other) != 0)) {
			free(text);
			free(other);
			return other ? strdup("no Change: none of its cells "
					      "has a base with a figure")
				     : NULL;
		}
		free(text);
		text = other;
	}
	return text ? text : strdup("");
}
