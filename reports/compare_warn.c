/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "reports/alike.h"
#include "reports/compare_private.h"

enum { TOLD_MAX = 3 }; /* volumes, and filesystems, that are warned of */

/* Settings have commas of their own. */
static char *values_text(const struct choices *choices,
			 enum dataset_dimension dimension)
{
	return choices_text(choices,
			    dimension == DATASET_SETTINGS ? "; " : ", ");
}

bool compare_fail_value(enum dataset_dimension dimension, bool negated,
			const char *value, const struct choices *choices,
			struct err *err)
{
	char *values = values_text(choices, dimension);

	err_set(err, ERR_INPUT, "no cell has %s%s%s; there are: %s",
		dataset_dimension_name(dimension), negated ? "!=" : "=", value,
		values ? values : "?");
	free(values);
	return false;
}

void compare_choices(const struct compare_work *work,
		     enum dataset_dimension dimension, struct choices *choices)
{
	for (size_t i = 0; i < work->data->count; i++) {
		if (!work->any_kept || work->group_of[i] != COMPARE_NONE)
			choices_add(choices,
				    work->data->cells[i].names[dimension]);
	}
}

static int by_look(const void *a, const void *b, void *ctx)
{
	const struct compare_work *work = ctx;
	const struct comparison *out = work->out;
	const struct dataset_cell *x = &work->data->cells[*(const size_t *)a];
	const struct dataset_cell *y = &work->data->cells[*(const size_t *)b];
	int order =
		alike_names(x->names, y->names, out->shown, out->shown_count);

	return order ? order
		     : alike_names(x->names, y->names, out->apart,
				   out->apart_count);
}

/* Find the dimensions in which cells differ that look alike in the table. */
static bool find_hidden(struct compare_work *work,
			bool hidden[DATASET_DIMENSIONS])
{
	const struct dataset *data = work->data;
	size_t *cells = calloc(data->count + 1, sizeof(*cells)), count = 0;

	if (!cells)
		return false;
	for (size_t i = 0; i < data->count; i++) {
		if (work->group_of[i] != COMPARE_NONE)
			cells[count++] = i;
	}
	qsort_r(cells, count, sizeof(*cells), by_look, work);
	for (size_t i = 1; i < count; i++) {
		if (by_look(&cells[i - 1], &cells[i], work) != 0)
			continue;
		for (size_t d = 0; d < DATASET_DIMENSIONS; d++)
			hidden[d] |= data->cells[cells[i - 1]].names[d] !=
				     data->cells[cells[i]].names[d];
	}
	free(cells);
	return true;
}

static bool warn_hidden(struct compare_work *work)
{
	static const enum dataset_dimension dimensions[] = {
		DATASET_OS,     DATASET_HOST,       DATASET_MATRIX,
		DATASET_VOLUME, DATASET_WORKLOAD,   DATASET_SETTINGS,
		DATASET_DRIVER, DATASET_FILESYSTEM, DATASET_RUN,
	};
	const char *how = work->options->row_dimensions > 0
				  ? "; its values are pooled (add it to --rows)"
				  : "";
	bool hidden[DATASET_DIMENSIONS] = { false };

	if (!find_hidden(work, hidden))
		return false;
	for (size_t i = 0; i < sizeof(dimensions) / sizeof(*dimensions); i++) {
		enum dataset_dimension d = dimensions[i];
		struct choices choices = { 0 };
		char *values;
		bool ok;

		/* Rows that labels tell apart are of one run each. */
		if (!hidden[d] ||
		    (d == DATASET_RUN && work->options->row_dimensions == 0 &&
		     compare_shows(work->out, DATASET_LABEL)))
			continue;
		compare_choices(work, d, &choices);
		values = values_text(&choices, d);
		choices_done(&choices);
		ok = values &&
		     compare_lines_add(&work->out->warnings,
				       "%s varies and is not shown: %s%s",
				       dataset_dimension_name(d), values, how);
		free(values);
		if (!ok)
			return false;
	}
	return true;
}

/* A workload of the same name that does something else is no comparison. */
static bool warn_settings(struct compare_work *work)
{
	const struct dataset_cell *cells = work->data->cells;

	if (work->out->base_dimension == DATASET_WORKLOAD)
		return true;
	for (size_t i = 0; i < work->data->count; i++) {
		const char *own, *its;

		if (work->base_of[i] == COMPARE_NONE)
			continue;
		own = cells[i].names[DATASET_SETTINGS];
		its = cells[work->base_of[i]].names[DATASET_SETTINGS];
		if (own == its || !*own || !*its)
			continue;
		return compare_lines_add(
			&work->out->warnings,
			"what is compared has different settings: workload %s "
			"is %s in run %" PRId64 " and %s in run %" PRId64,
			cells[i].names[DATASET_WORKLOAD], own, cells[i].run,
			its, cells[work->base_of[i]].run);
	}
	return true;
}

/* What of a site makes cells of the same names unlike each other. */
struct aspect {
	enum dataset_dimension of;
	const char *what;  /* "what is compared ..." */
	const char *named; /* "volume x is ..." */
	bool (*differs)(const struct site *a, const struct site *b);
	void (*put)(const struct site *site, FILE *out);
};

static const struct aspect aspects[] = {
	{ DATASET_VOLUME, "lies in different places", "volume",
	  site_is_elsewhere, site_put_place },
	{ DATASET_FILESYSTEM, "is made or mounted by different commands",
	  "filesystem", site_is_made_otherwise, site_put_making },
};

/* With those that were told of already, which are few. */
struct telling {
	struct compare_work *work;
	const struct aspect *aspect;
	const struct dataset_cell *told[TOLD_MAX];
	size_t count;
};

static bool is_told(const struct telling *telling,
		    const struct dataset_cell *cell)
{
	enum dataset_dimension of = telling->aspect->of;

	for (size_t i = 0; i < telling->count; i++) {
		const struct dataset_cell *told = telling->told[i];

		if (told->machine == cell->machine &&
		    told->names[of] == cell->names[of])
			return true;
	}
	return false;
}

static bool warn_pair(struct telling *telling, const struct dataset_cell *own,
		      const struct dataset_cell *its, const char *pair)
{
	const struct aspect *aspect = telling->aspect;
	char *text = NULL;
	size_t size;
	FILE *out;
	bool ok;

	if (own->machine != its->machine ||
	    own->names[aspect->of] != its->names[aspect->of] ||
	    !aspect->differs(&own->site, &its->site) || is_told(telling, own) ||
	    telling->count == TOLD_MAX)
		return true;
	out = open_memstream(&text, &size);
	if (!out)
		return false;
	telling->told[telling->count++] = own;
	fprintf(out, "%s %s is ", aspect->named, own->names[aspect->of]);
	aspect->put(&own->site, out);
	fprintf(out, " in run %" PRId64 " and ", own->run);
	aspect->put(&its->site, out);
	fprintf(out, " in run %" PRId64, its->run);
	ok = fclose(out) == 0 &&
	     compare_lines_add(&telling->work->out->warnings,
			       "what is %s %s: %s", pair, aspect->what, text);
	free(text);
	return ok;
}

static bool warn_aspect(struct compare_work *work, const struct aspect *aspect)
{
	const struct dataset_cell *cells = work->data->cells;
	struct telling telling = { .work = work, .aspect = aspect };
	bool ok = true;

	for (size_t i = 0; ok && i < work->data->count; i++) {
		if (work->base_of[i] != COMPARE_NONE)
			ok = warn_pair(&telling, &cells[i],
				       &cells[work->base_of[i]], "compared");
	}
	for (size_t g = 0; ok && g < work->group_count; g++) {
		const size_t *members = &work->members[work->groups[g].first];

		for (size_t k = 1; ok && k < work->groups[g].count; k++)
			ok = warn_pair(&telling, &cells[members[k]],
				       &cells[members[k - 1]], "pooled");
	}
	return ok;
}

/* The same names may have come to mean something else. */
static bool warn_sites(struct compare_work *work)
{
	bool ok = true;

	for (size_t i = 0; ok && i < sizeof(aspects) / sizeof(*aspects); i++)
		ok = warn_aspect(work, &aspects[i]);
	return ok;
}

/* The article had one drive and one workload; what has more makes tables. */
static bool set_apart(struct compare_work *work)
{
	static const enum dataset_dimension dimensions[] = {
		DATASET_VOLUME, DATASET_WORKLOAD, DATASET_HOST, DATASET_RUN
	};
	struct comparison *out = work->out;

	for (size_t i = 0; i < sizeof(dimensions) / sizeof(*dimensions); i++) {
		bool hidden[DATASET_DIMENSIONS] = { false };

		if (!find_hidden(work, hidden))
			return false;
		if (hidden[dimensions[i]])
			out->apart[out->apart_count++] = dimensions[i];
	}
	return true;
}

bool compare_warn(struct compare_work *work)
{
	if (work->options->as_article && !set_apart(work))
		return false;
	return warn_hidden(work) && warn_settings(work) && warn_sites(work);
}
