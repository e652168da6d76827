/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"

/* In which names, beside its own, a cell and its base must agree. */
struct matching {
	enum dataset_dimension base;
	bool host; /* OS and host, and that it is the same machine */
	bool volume, filesystem, workload;
};

static const struct matching matchings[] = {
	{ DATASET_FILESYSTEM, .host = true, .volume = true, .workload = true },
	{ DATASET_VOLUME, .host = true, .filesystem = true, .workload = true },
	{ DATASET_WORKLOAD, .host = true, .volume = true, .filesystem = true },
	{ DATASET_RUN, true, true, true, true },
	{ DATASET_LABEL, true, true, true, true },
	{ DATASET_OS, false, true, true, true },
};

static const struct matching *matching_of(enum dataset_dimension base)
{
	for (size_t i = 0; i < sizeof(matchings) / sizeof(*matchings); i++) {
		if (matchings[i].base == base)
			return &matchings[i];
	}
	return NULL;
}

static bool agree(const struct dataset_cell *a, const struct dataset_cell *b,
		  enum dataset_dimension dimension)
{
	return a->names[dimension] == b->names[dimension];
}

static bool matches(const struct matching *m, const struct dataset_cell *cell,
		    const struct dataset_cell *base)
{
	/* A directory brings its own filesystem. */
	bool filesystem =
		m->filesystem && !(m->base == DATASET_VOLUME &&
				   (cell->directory || base->directory));

	return (!m->host || (agree(cell, base, DATASET_OS) &&
			     agree(cell, base, DATASET_HOST) &&
			     cell->machine == base->machine)) &&
	       (!m->volume || agree(cell, base, DATASET_VOLUME)) &&
	       (!filesystem || agree(cell, base, DATASET_FILESYSTEM)) &&
	       (!m->workload || agree(cell, base, DATASET_WORKLOAD));
}

/* Inside one run rounds are shared; else the newest run is meant. */
static bool is_nearer(const struct dataset_cell *cell,
		      const struct dataset_cell *base,
		      const struct dataset_cell *best)
{
	if ((base->run == cell->run) != (best->run == cell->run))
		return base->run == cell->run;
	return base->run > best->run;
}

/* `bases`: the cells that have the base's name. */
static size_t find_base(const struct compare_work *work,
			const struct matching *m, size_t cell,
			const size_t *bases, size_t count)
{
	const struct dataset_cell *cells = work->data->cells;
	size_t best = COMPARE_NONE;

	for (size_t i = 0; i < count; i++) {
		if (matches(m, &cells[cell], &cells[bases[i]]) &&
		    (best == COMPARE_NONE ||
		     is_nearer(&cells[cell], &cells[bases[i]], &cells[best])))
			best = bases[i];
	}
	return best;
}

static bool fail_no_base(const struct compare_work *work, struct err *err)
{
	const struct compare_options *options = work->options;
	char *values = compare_values(work, options->base_dimension);

	err_set(err, ERR_INPUT, "no cell has %s=%s; there are: %s",
		dataset_dimension_name(options->base_dimension), options->base,
		values ? values : "?");
	free(values);
	return false;
}

/* In how many of the names that must agree they differ; and which. */
static size_t list_differences(const struct matching *m,
			       const struct dataset_cell *a,
			       const struct dataset_cell *b,
			       enum dataset_dimension list[DATASET_DIMENSIONS])
{
	const struct {
		enum dataset_dimension dimension;
		bool asked;
	} all[] = {
		{ DATASET_OS, m->host },
		{ DATASET_HOST, m->host },
		{ DATASET_VOLUME, m->volume },
		{ DATASET_FILESYSTEM, m->filesystem },
		{ DATASET_WORKLOAD, m->workload },
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i].asked && !agree(a, b, all[i].dimension))
			list[count++] = all[i].dimension;
	}
	return count;
}

/* "; run 10 differs in host: vm (9bd9a7) against vm (1c00d2)"; owned. */
static char *tell_difference(const struct dataset_cell *cell,
			     const struct dataset_cell *base,
			     const enum dataset_dimension *list, size_t count)
{
	bool named_alike =
		cell->host == base->host && cell->machine != base->machine;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "; the nearest, of run %s, differs in",
		cell->names[DATASET_RUN]);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s %s: %s against %s", i > 0 ? "," : "",
			dataset_dimension_name(list[i]), cell->names[list[i]],
			base->names[list[i]]);
	if (named_alike)
		fputs(", which are two machines of one name", out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* What keeps the nearest cell from being compared; owned; NULL: nothing. */
static char *find_nearest(const struct compare_work *work,
			  const struct matching *m, const size_t *bases,
			  size_t base_count)
{
	const struct dataset_cell *cells = work->data->cells;
	enum dataset_dimension list[DATASET_DIMENSIONS];
	size_t least = DATASET_DIMENSIONS, cell = 0, base = 0;

	for (size_t i = 0; i < work->data->count; i++) {
		if (work->group_of[i] == COMPARE_NONE ||
		    agree(&cells[i], &cells[bases[0]], m->base))
			continue;
		for (size_t j = 0; j < base_count && least > 1; j++) {
			size_t count = list_differences(m, &cells[i],
							&cells[bases[j]], list);

			if (count > 0 && count < least) {
				least = count;
				cell = i;
				base = bases[j];
			}
		}
	}
	if (least == DATASET_DIMENSIONS)
		return NULL;
	list_differences(m, &cells[cell], &cells[base], list);
	return tell_difference(&cells[cell], &cells[base], list, least);
}

static bool fail_no_match(const struct compare_options *options,
			  const char *nearest, struct err *err)
{
	static const char *const alike[DATASET_DIMENSIONS] = {
		[DATASET_FILESYSTEM] = "filesystem has the same os, host, "
				       "volume and workload",
		[DATASET_VOLUME] = "volume has the same os, host, filesystem "
				   "and workload",
		[DATASET_WORKLOAD] = "workload has the same os, host, volume "
				     "and filesystem",
		[DATASET_RUN] = "run has the same os, host, volume, filesystem "
				"and workload (--base os=... compares hosts)",
		[DATASET_LABEL] = "label has the same os, host, volume, "
				  "filesystem and workload (--base os=... "
				  "compares hosts)",
		[DATASET_OS] = "os has the same volume, filesystem and "
			       "workload",
	};

	return err_set(
		err, ERR_INPUT, "nothing to compare with %s=%s: no other %s%s",
		dataset_dimension_name(options->base_dimension), options->base,
		alike[options->base_dimension], nearest ? nearest : "");
}

static bool find_named_bases(struct compare_work *work, size_t *bases,
			     struct err *err)
{
	const struct compare_options *options = work->options;
	const struct matching *m = matching_of(options->base_dimension);
	const struct dataset *data = work->data;
	size_t count = 0, found = 0;
	char *nearest;

	for (size_t i = 0; i < data->count; i++) {
		const char *name = data->cells[i].names[m->base];

		if (work->group_of[i] != COMPARE_NONE &&
		    strcmp(name, options->base) == 0)
			bases[count++] = i;
	}
	if (count == 0)
		return fail_no_base(work, err);
	for (size_t i = 0; i < data->count; i++) {
		const char *name = data->cells[i].names[m->base];

		if (work->group_of[i] == COMPARE_NONE ||
		    name == data->cells[bases[0]].names[m->base])
			continue;
		work->base_of[i] = find_base(work, m, i, bases, count);
		found += work->base_of[i] != COMPARE_NONE;
	}
	work->out->has_base = true;
	work->out->base_dimension = m->base;
	if (found > 0)
		return true;
	nearest = find_nearest(work, m, bases, count);
	fail_no_match(options, nearest, err);
	free(nearest);
	return false;
}

/* The dimension in which two names sets differ, seen from the baseline. */
static enum dataset_dimension differs_in(const char *const *names,
					 const char *const *base)
{
	static const enum dataset_dimension order[] = { DATASET_VOLUME,
							DATASET_FILESYSTEM };

	for (size_t i = 0; i < 2; i++) {
		if (names[order[i]] != base[order[i]])
			return order[i];
	}
	return DATASET_WORKLOAD;
}

/* As each run was planned, without those that a filter took away. */
static void find_own_bases(struct compare_work *work)
{
	const struct dataset *data = work->data;

	work->out->base_dimension = DATASET_FILESYSTEM;
	for (size_t i = 0; i < data->count; i++) {
		const struct dataset_cell *cell = &data->cells[i];
		const struct dataset_cell *base;
		size_t at;

		if (work->group_of[i] == COMPARE_NONE || cell->base == 0)
			continue;
		if (cell->base == cell->id) {
			work->out->has_base = true;
			continue;
		}
		base = dataset_find(data, cell->base);
		at = base ? (size_t)(base - data->cells) : COMPARE_NONE;
		if (!base || work->group_of[at] == COMPARE_NONE)
			continue;
		work->base_of[i] = at;
		work->out->has_base = true;
		work->out->base_dimension =
			differs_in(cell->names, base->names);
	}
}

bool compare_find_bases(struct compare_work *work, struct err *err)
{
	size_t *bases;
	bool ok;

	if (!work->options->has_base) {
		find_own_bases(work);
		return true;
	}
	bases = calloc(work->data->count + 1, sizeof(*bases));
	if (!bases)
		return err_nomem(err);
	ok = find_named_bases(work, bases, err);
	free(bases);
	return ok;
}

enum dataset_dimension compare_differs_in(const struct compare_options *options,
					  const struct compare_row *row,
					  const struct compare_row *base)
{
	if (options->has_base)
		return options->base_dimension;
	return differs_in(row->names, base->names);
}
