/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "reports/compare_private.h"

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
	const struct compare_options *options = work->options;
	/* Runs that are asked for by number need no labels. */
	bool numbered =
		(options->has_columns && options->columns == DATASET_RUN) ||
		(options->has_base && options->base_dimension == DATASET_RUN);

	show(out, DATASET_OS);
	if (options->as_article) {
		show(out, DATASET_FILESYSTEM);
		return;
	}
	if (tells_apart(work, DATASET_HOST, host, 1))
		show(out, DATASET_HOST);
	if (tells_apart(work, DATASET_RUN, run, 2))
		show(out, numbered || tells_apart(work, DATASET_RUN, label, 3)
				  ? DATASET_RUN
				  : DATASET_LABEL);
	if (options->has_base)
		show(out, options->base_dimension);
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

void compare_choose_columns(struct compare_work *work)
{
	struct comparison *out = work->out;

	if (work->options->row_dimensions > 0) {
		show_what_was_asked(work);
		return;
	}
	show_what_is_needed(work);
	qsort(out->shown, out->shown_count, sizeof(*out->shown), by_dimension);
}
