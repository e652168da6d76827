/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
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

/* Bases in the order of what cells must match in, then of their runs. */
struct bases {
	const struct compare_work *work;
	const struct matching *m;
	bool filesystem; /* is among what must match */
	size_t *cells;   /* owned; of each run only the first that matches */
	size_t count;
};

static int by_match(const struct bases *bases, const struct dataset_cell *x,
		    const struct dataset_cell *y)
{
	static const enum dataset_dimension host[] = { DATASET_OS,
						       DATASET_HOST };
	const struct matching *m = bases->m;
	enum dataset_dimension dimensions[3];
	size_t count = 0;
	int order = 0;

	if (m->volume)
		dimensions[count++] = DATASET_VOLUME;
	if (m->workload)
		dimensions[count++] = DATASET_WORKLOAD;
	if (bases->filesystem)
		dimensions[count++] = DATASET_FILESYSTEM;
	if (m->host)
		order = alike_names(x->names, y->names, host, 2);
	if (m->host && order == 0)
		order = alike_pointers(x->machine, y->machine);
	return order ? order
		     : alike_names(x->names, y->names, dimensions, count);
}

static int by_match_and_run(const void *a, const void *b, void *ctx)
{
	const struct bases *bases = ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct dataset_cell *cells = bases->work->data->cells;
	int order = by_match(bases, &cells[x], &cells[y]);

	if (order == 0)
		order = (cells[x].run > cells[y].run) -
			(cells[x].run < cells[y].run);
	return order ? order : (x > y) - (x < y);
}

/* How many bases are before one of this run that matches the cell. */
static size_t bases_before(const struct bases *bases,
			   const struct dataset_cell *cell, int64_t run)
{
	const struct dataset_cell *cells = bases->work->data->cells;
	size_t from = 0, to = bases->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct dataset_cell *base = &cells[bases->cells[middle]];
		int order = by_match(bases, base, cell);

		if (order < 0 || (order == 0 && base->run < run))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
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

/* The nearest base in one order; COMPARE_NONE. */
static size_t nearest_of(const struct bases *bases, size_t cell)
{
	const struct dataset_cell *cells = bases->work->data->cells;
	size_t at = bases_before(bases, &cells[cell], cells[cell].run);

	if (at < bases->count &&
	    cells[bases->cells[at]].run == cells[cell].run &&
	    by_match(bases, &cells[bases->cells[at]], &cells[cell]) == 0)
		return bases->cells[at];
	at = bases_before(bases, &cells[cell], INT64_MAX);
	if (at > 0 &&
	    by_match(bases, &cells[bases->cells[at - 1]], &cells[cell]) == 0)
		return bases->cells[at - 1];
	return COMPARE_NONE;
}

/*
 * A directory brings its own filesystem: where volumes are compared, it
 * matches any, and any matches it.
 */
enum bases_kind {
	BASES_VOLUMES,     /* with a filesystem; all where none is left out */
	BASES_DIRECTORIES, /* the others */
	BASES_ALL,         /* for a cell that is a directory */
	BASES_KINDS,
};

static size_t find_base(const struct compare_work *work,
			const struct bases all[BASES_KINDS], size_t cell)
{
	const struct dataset_cell *cells = work->data->cells;
	size_t best, other;

	if (all->m->base == DATASET_VOLUME && cells[cell].directory)
		return nearest_of(&all[BASES_ALL], cell);
	best = nearest_of(&all[BASES_VOLUMES], cell);
	other = nearest_of(&all[BASES_DIRECTORIES], cell);
	if (best == COMPARE_NONE || other == COMPARE_NONE)
		return best == COMPARE_NONE ? other : best;
	if (is_nearer(&cells[cell], &cells[other], &cells[best]))
		return other;
	if (is_nearer(&cells[cell], &cells[best], &cells[other]))
		return best;
	return best < other ? best : other;
}

/* Sort those that are there, and keep what nearest_of() may find. */
static void sort_bases(struct bases *bases)
{
	const struct dataset_cell *cells = bases->work->data->cells;
	size_t kept = 0;

	qsort_r(bases->cells, bases->count, sizeof(*bases->cells),
		by_match_and_run, bases);
	for (size_t i = 0; i < bases->count; i++) {
		const struct dataset_cell *base = &cells[bases->cells[i]];
		const struct dataset_cell *last =
			kept > 0 ? &cells[bases->cells[kept - 1]] : NULL;

		if (!last || last->run != base->run ||
		    by_match(bases, last, base) != 0)
			bases->cells[kept++] = bases->cells[i];
	}
	bases->count = kept;
}

static void free_bases(struct bases all[BASES_KINDS])
{
	for (size_t k = 0; k < BASES_KINDS; k++)
		free(all[k].cells);
}

/*
 * The cells that have the base's name, of those that are kept or of the
 * others. False when out of memory.
 */
static bool list_bases(const struct compare_work *work,
		       const struct matching *m, bool kept,
		       struct bases all[BASES_KINDS])
{
	const struct dataset *data = work->data;

	for (size_t k = 0; k < BASES_KINDS; k++) {
		all[k] = (struct bases){
			.work = work,
			.m = m,
			.filesystem = m->filesystem && k == BASES_VOLUMES,
			.cells = calloc(data->count + 1, sizeof(size_t)),
		};
		if (!all[k].cells)
			return false;
	}
	for (size_t i = 0; i < data->count; i++) {
		const struct dataset_cell *cell = &data->cells[i];
		size_t kind = BASES_VOLUMES;

		if ((work->group_of[i] != COMPARE_NONE) != kept ||
		    strcmp(cell->names[m->base], work->options->base) != 0)
			continue;
		if (m->base == DATASET_VOLUME) {
			if (cell->directory)
				kind = BASES_DIRECTORIES;
			all[BASES_ALL].cells[all[BASES_ALL].count++] = i;
		}
		all[kind].cells[all[kind].count++] = i;
	}
	for (size_t k = 0; k < BASES_KINDS; k++)
		sort_bases(&all[k]);
	return true;
}

static bool fail_no_base(const struct compare_work *work, struct err *err)
{
	const struct compare_options *options = work->options;
	struct choices choices = { 0 };

	compare_choices(work, options->base_dimension, &choices);
	compare_fail_value(options->base_dimension, false, options->base,
			   &choices, err);
	choices_done(&choices);
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

/* There is nothing beside the base. */
static bool fail_alone(const struct compare_options *options, struct err *err)
{
	enum dataset_dimension d = options->base_dimension;
	const char *name = dataset_dimension_name(d);

	if (d == DATASET_RUN || d == DATASET_LABEL)
		return err_set(err, ERR_INPUT,
			       "nothing to compare with %s=%s: no %s is named "
			       "beside it (compare --base %s=%s RUN...)",
			       name, options->base,
			       d == DATASET_RUN ? "other run"
						: "run of another label",
			       name, options->base);
	return err_set(err, ERR_INPUT,
		       "nothing to compare with %s=%s: there is no other %s",
		       name, options->base, name);
}

static bool fail_nearest(const struct compare_work *work,
			 const struct matching *m, struct err *err)
{
	const struct dataset *data = work->data;
	size_t *bases = calloc(data->count + 1, sizeof(*bases));
	size_t count = 0, all = 0;
	char *nearest;

	if (!bases)
		return err_nomem(err);
	for (size_t i = 0; i < data->count; i++) {
		bool grouped = work->group_of[i] != COMPARE_NONE;

		all += grouped;
		if (grouped && strcmp(data->cells[i].names[m->base],
				      work->options->base) == 0)
			bases[count++] = i;
	}
	if (count == all) {
		free(bases);
		return fail_alone(work->options, err);
	}
	nearest = find_nearest(work, m, bases, count);
	fail_no_match(work->options, nearest, err);
	free(nearest);
	free(bases);
	return false;
}

static bool find_named_bases(struct compare_work *work,
			     const struct bases all[BASES_KINDS],
			     struct err *err)
{
	const struct compare_options *options = work->options;
	const struct matching *m = all->m;
	const struct dataset *data = work->data;
	size_t found = 0;

	if (all[BASES_VOLUMES].count + all[BASES_DIRECTORIES].count == 0)
		return fail_no_base(work, err);
	for (size_t i = 0; i < data->count; i++) {
		const char *name = data->cells[i].names[m->base];

		if (work->group_of[i] == COMPARE_NONE ||
		    strcmp(name, options->base) == 0)
			continue;
		work->base_of[i] = find_base(work, all, i);
		found += work->base_of[i] != COMPARE_NONE;
	}
	work->out->has_base = true;
	work->out->base_dimension = m->base;
	if (found > 0)
		return true;
	return fail_nearest(work, m, err);
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

/* Which cells have no base because the filters leave it out. */
static bool find_left_out(struct compare_work *work, const struct matching *m)
{
	struct bases all[BASES_KINDS] = { 0 };
	bool ok = true;

	if (work->options->filter_count == 0)
		return true;
	work->left_out = calloc(work->data->count + 1, sizeof(bool));
	ok = work->left_out && list_bases(work, m, false, all);
	for (size_t i = 0; ok && i < work->data->count; i++)
		work->left_out[i] = work->group_of[i] != COMPARE_NONE &&
				    work->base_of[i] == COMPARE_NONE &&
				    find_base(work, all, i) != COMPARE_NONE;
	free_bases(all);
	return ok;
}

bool compare_find_bases(struct compare_work *work, struct err *err)
{
	const struct matching *m = matching_of(work->options->base_dimension);
	struct bases all[BASES_KINDS] = { 0 };
	bool ok;

	if (!work->options->has_base) {
		find_own_bases(work);
		return true;
	}
	ok = list_bases(work, m, true, all);
	ok = ok ? find_named_bases(work, all, err) : err_nomem(err);
	free_bases(all);
	return ok && (find_left_out(work, m) || err_nomem(err));
}

enum dataset_dimension compare_differs_in(const struct compare_options *options,
					  const struct compare_row *row,
					  const struct compare_row *base)
{
	if (options->has_base)
		return options->base_dimension;
	return differs_in(row->names, base->names);
}
