/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "reports/alike.h"
#include "reports/compare_private.h"
#include "reports/stats.h"

bool compare_counts(const struct dataset_sample *sample)
{
	return sample->status == RECORD_OK && isfinite(sample->kb_per_s) &&
	       sample->kb_per_s > 0;
}

struct logs {
	double *values; /* owned */
	size_t count;
};

/* The mean of what one cell has in one round: as a rule one value. */
struct round {
	int64_t number;
	double log;
};

/* Each side of a row's test, and the differences inside shared rounds. */
struct sides {
	struct logs own, compared, base, pairs; /* compared: with a base */
};

static void sides_done(struct sides *sides)
{
	free(sides->own.values);
	free(sides->compared.values);
	free(sides->base.values);
	free(sides->pairs.values);
}

static bool reserve(struct logs *logs, size_t more)
{
	size_t room = logs->count + more + 1;
	double *values = reallocarray(logs->values, room, sizeof(*values));

	if (values)
		logs->values = values;
	return values;
}

static bool take_logs(struct logs *logs, const struct dataset_samples *samples)
{
	if (!reserve(logs, samples->count))
		return false;
	for (size_t i = 0; i < samples->count; i++) {
		if (compare_counts(&samples->items[i]))
			logs->values[logs->count++] =
				log(samples->items[i].kb_per_s);
	}
	return true;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = ((const struct round *)a)->number;
	int64_t y = ((const struct round *)b)->number;

	return (x > y) - (x < y);
}

/* One entry a known round, sorted; the caller's. NULL when out of memory. */
static struct round *rounds_of(const struct dataset_samples *samples,
			       size_t *count)
{
	struct round *rounds = calloc(samples->count + 1, sizeof(*rounds));
	size_t all = 0, at = 0;

	if (!rounds)
		return NULL;
	for (size_t i = 0; i < samples->count; i++) {
		const struct dataset_sample *sample = &samples->items[i];

		if (compare_counts(sample) && sample->round > 0)
			rounds[all++] = (struct round){ sample->round,
							log(sample->kb_per_s) };
	}
	qsort(rounds, all, sizeof(*rounds), by_number);
	for (size_t i = 0, end; i < all; i = end) {
		struct round round = { .number = rounds[i].number };

		for (end = i; end < all && rounds[end].number == round.number;
		     end++)
			round.log += rounds[end].log;
		round.log /= (double)(end - i);
		rounds[at++] = round;
	}
	*count = at;
	return rounds;
}

static bool take_pairs(struct logs *pairs, const struct dataset_samples *own,
		       const struct dataset_samples *base)
{
	size_t nx = 0, nb = 0, j = 0;
	struct round *x = rounds_of(own, &nx), *b = rounds_of(base, &nb);
	bool ok = x && b && reserve(pairs, nx);

	for (size_t i = 0; ok && i < nx; i++) {
		while (j < nb && b[j].number < x[i].number)
			j++;
		if (j < nb && b[j].number == x[i].number)
			pairs->values[pairs->count++] = x[i].log - b[j].log;
	}
	free(x);
	free(b);
	return ok;
}

/* The base's samples, once each however many cells are compared with it. */
static bool take_base(const struct compare_work *work, size_t g, size_t i,
		      char op, struct sides *sides)
{
	const struct compare_group *group = &work->groups[g];
	const size_t *members = &work->members[group->first];
	size_t base = work->base_of[members[i]];
	const struct dataset_cell *cell = &work->data->cells[members[i]];
	const struct dataset_cell *base_cell = &work->data->cells[base];

	if (cell->run == base_cell->run &&
	    !take_pairs(&sides->pairs, dataset_op(cell, op),
			dataset_op(base_cell, op)))
		return false;
	for (size_t j = 0; j < i; j++) {
		if (work->base_of[members[j]] == base)
			return true;
	}
	return take_logs(&sides->base, dataset_op(base_cell, op));
}

static bool take_sides(const struct compare_work *work, size_t g, char op,
		       struct sides *sides)
{
	const struct compare_group *group = &work->groups[g];

	for (size_t i = 0; i < group->count; i++) {
		size_t at = work->members[group->first + i];

		if (!take_logs(&sides->own,
			       dataset_op(&work->data->cells[at], op)))
			return false;
		if (work->base_of[at] == COMPARE_NONE)
			continue;
		if (!take_logs(&sides->compared,
			       dataset_op(&work->data->cells[at], op)) ||
		    !take_base(work, g, i, op, sides))
			return false;
	}
	return true;
}

static struct stats_test test_sides(const struct compare_options *options,
				    struct sides *sides, bool paired)
{
	struct logs *own = &sides->compared, *base = &sides->base;
	struct logs *pairs = &sides->pairs;

	if (paired && options->test == COMPARE_T)
		return stats_paired(pairs->values, pairs->count,
				    options->alpha);
	if (paired)
		return stats_wilcoxon(pairs->values, pairs->count,
				      options->alpha);
	if (options->test == COMPARE_T)
		return stats_welch(own->values, own->count, base->values,
				   base->count, options->alpha);
	return stats_mann_whitney(own->values, own->count, base->values,
				  base->count, options->alpha);
}

static void judge_row(const struct compare_options *options,
		      struct compare_row *row, struct sides *sides)
{
	struct stats_center center = stats_center(
		sides->own.values, sides->own.count, options->alpha);
	struct stats_test test;

	row->n = center.n;
	row->kb_per_s = center.rate;
	row->half = center.half;
	if (row->base == COMPARE_NONE || sides->compared.count == 0 ||
	    sides->base.count == 0)
		return;
	row->paired =
		sides->pairs.count > 0 && options->test != COMPARE_MANN_WHITNEY;
	test = test_sides(options, sides, row->paired);
	row->has_ratio = true;
	row->ratio = exp(test.difference);
	row->test_n = test.n;
	row->tested = test.tested;
	row->constant = test.constant;
	row->has_interval = test.has_interval;
	row->low = exp(test.low);
	row->high = exp(test.high);
	row->p = row->p_holm = test.p;
}

bool compare_cell_difference(const struct compare_work *work, size_t cell,
			     char op, double *difference, bool *known)
{
	const struct dataset_cell *own = &work->data->cells[cell];
	const struct dataset_cell *base =
		&work->data->cells[work->base_of[cell]];
	struct compare_row row = { .base = work->base_of[cell] };
	struct sides sides = { 0 };
	bool ok = take_logs(&sides.compared, dataset_op(own, op)) &&
		  take_logs(&sides.base, dataset_op(base, op)) &&
		  (own->run != base->run ||
		   take_pairs(&sides.pairs, dataset_op(own, op),
			      dataset_op(base, op)));

	if (ok)
		judge_row(work->options, &row, &sides);
	*known = row.has_ratio;
	*difference = row.has_ratio ? log(row.ratio) : NAN;
	sides_done(&sides);
	return ok;
}

/* What was measured, and whether something was odd about it. */
static void count_samples(const struct compare_work *work, size_t g,
			  struct compare_row *row)
{
	const struct compare_group *group = &work->groups[g];
	double logs = 0;
	size_t known = 0;

	for (size_t i = 0; i < group->count; i++) {
		size_t at = work->members[group->first + i];
		const struct dataset_samples *samples =
			dataset_op(&work->data->cells[at], row->op);

		row->samples += samples->count;
		for (size_t j = 0; j < samples->count; j++) {
			const struct dataset_sample *sample =
				&samples->items[j];

			if (!compare_counts(sample))
				continue;
			row->flags |= sample->flags;
			row->brief = row->brief || sample->brief;
			if (!(sample->app_kb_per_s > 0))
				continue;
			logs += log(sample->app_kb_per_s);
			known++;
		}
	}
	row->app_kb_per_s = known > 0 ? exp(logs / (double)known) : NAN;
}

static bool judge_rows(struct compare_work *work)
{
	for (size_t g = 0; g < work->group_count; g++) {
		for (size_t op = 0; work->ops[op]; op++) {
			struct compare_row *row =
				&work->out->rows[compare_row_at(work, g, op)];
			struct sides sides = { 0 };
			bool ok = take_sides(work, g, row->op, &sides);

			if (ok)
				judge_row(work->options, row, &sides);
			sides_done(&sides);
			if (!ok)
				return false;
			count_samples(work, g, row);
		}
	}
	return true;
}

/* Every p of the table is corrected for all of them. */
static bool correct(struct comparison *out)
{
	double *p = calloc(out->count + 1, sizeof(*p));
	size_t count = 0;
	bool ok;

	if (!p)
		return false;
	for (size_t i = 0; i < out->count; i++) {
		if (out->rows[i].tested)
			p[count++] = out->rows[i].p;
	}
	ok = stats_holm(p, count);
	out->comparisons = count;
	count = 0;
	for (size_t i = 0; ok && i < out->count; i++) {
		if (out->rows[i].tested)
			out->rows[i].p_holm = p[count++];
	}
	free(p);
	return ok;
}

static bool is_inside(const struct compare_options *options, double low,
		      double high)
{
	return low > 1 - options->threshold && high < 1 + options->threshold;
}

static void give_verdict(const struct compare_options *options,
			 struct compare_row *row)
{
	if (!row->tested)
		return;
	if (row->p_holm < options->alpha) {
		row->verdict =
			options->has_threshold && is_inside(options, row->ratio,
							    row->ratio)
				? COMPARE_SAME
				: COMPARE_SIGNIFICANT;
		return;
	}
	row->mark = row->p < options->alpha ? "?" : "~";
	row->verdict =
		row->has_interval && is_inside(options, row->low, row->high)
			? COMPARE_SAME
			: COMPARE_UNCLEAR;
}

/* With --only-changed: what is neither changed nor a base of what is. */
static void leave_out(struct comparison *out)
{
	for (size_t i = 0; i < out->count; i++)
		out->rows[i].left_out = out->options->only_changed &&
					!compare_is_significant(&out->rows[i]);
	for (size_t i = 0; i < out->count; i++) {
		const struct compare_row *row = &out->rows[i];

		if (compare_is_significant(row))
			out->rows[row->base].left_out = false;
	}
}

/* Which names a mean has: those of what is compared, of the host, the run. */
static bool is_of_mean(enum dataset_dimension d, enum dataset_dimension base)
{
	if (d == base)
		return true;
	if (base == DATASET_OS)
		return false;
	return d == DATASET_OS || d == DATASET_HOST ||
	       ((d == DATASET_RUN || d == DATASET_LABEL) &&
		base != DATASET_LABEL);
}

/* Runs without a label have nothing in common: each has a mean of its own. */
static bool is_apart(enum dataset_dimension d, const char *const *names)
{
	return d == DATASET_RUN && !*names[DATASET_LABEL];
}

/* Rows of one mean; those without a base are of none. */
static int by_mean(const void *a, const void *b, void *ctx)
{
	const struct comparison *out = ctx;
	const struct compare_row *x = &out->rows[*(const size_t *)a];
	const struct compare_row *y = &out->rows[*(const size_t *)b];
	bool x_out = x->base == COMPARE_NONE, y_out = y->base == COMPARE_NONE;
	int order = 0;

	if (x_out != y_out)
		return x_out ? 1 : -1;
	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	for (size_t i = 0; order == 0 && i < DATASET_DIMENSIONS; i++) {
		enum dataset_dimension d = (enum dataset_dimension)i;

		if (is_of_mean(d, out->base_dimension) ||
		    (out->base_dimension == DATASET_LABEL &&
		     is_apart(d, x->names) && is_apart(d, y->names)))
			order = alike_names(x->names, y->names, &d, 1);
	}
	return order;
}

static struct compare_mean *add_mean(struct comparison *out,
				     const struct compare_row *row)
{
	struct compare_mean *mean = &out->means[out->mean_count++];

	mean->op = row->op;
	for (size_t d = 0; d < DATASET_DIMENSIONS; d++) {
		mean->over[d] = !is_of_mean((enum dataset_dimension)d,
					    out->base_dimension);
		mean->names[d] = mean->over[d] ? "" : row->names[d];
	}
	if (out->base_dimension == DATASET_LABEL &&
	    is_apart(DATASET_RUN, row->names))
		mean->names[DATASET_RUN] = row->names[DATASET_RUN];
	return mean;
}

/* Sums of logs become means; a mean of one row would say nothing new. */
static void end_means(struct comparison *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->mean_count; i++) {
		struct compare_mean mean = out->means[i];
		double n = (double)mean.valid;

		if (mean.of < 2)
			continue;
		mean.kb_per_s = exp(mean.kb_per_s / n);
		mean.base_kb_per_s = exp(mean.base_kb_per_s / n);
		mean.ratio = exp(mean.ratio / n);
		out->means[kept++] = mean;
	}
	out->mean_count = kept;
}

/* `means`: that of the first row of each. */
static void sum_means(struct comparison *out, const size_t *firsts,
		      struct compare_mean **means)
{
	for (size_t i = 0; i < out->count; i++) {
		const struct compare_row *row = &out->rows[i];
		struct compare_mean *mean;

		if (row->base == COMPARE_NONE)
			continue;
		if (firsts[i] == i)
			means[i] = add_mean(out, row);
		mean = means[firsts[i]];
		mean->of++;
		if (!row->has_ratio)
			continue;
		mean->valid++;
		mean->ratio += log(row->ratio);
		mean->kb_per_s += log(row->kb_per_s);
		mean->base_kb_per_s += log(out->rows[row->base].kb_per_s);
	}
}

static bool make_means(struct comparison *out)
{
	size_t *firsts = alike_firsts(out->count, by_mean, out);
	struct compare_mean **means = calloc(out->count + 1, sizeof(*means));
	bool ok;

	out->means = calloc(out->count + 1, sizeof(*out->means));
	ok = firsts && means && out->means;
	if (ok) {
		sum_means(out, firsts, means);
		end_means(out);
	}
	free(firsts);
	free(means);
	return ok;
}

bool compare_judge(struct compare_work *work, struct err *err)
{
	struct comparison *out = work->out;

	if (!judge_rows(work) || !correct(out) || !make_means(out))
		return err_nomem(err);
	for (size_t i = 0; i < out->count; i++) {
		struct compare_row *row = &out->rows[i];
		size_t op = row->op == 'R';

		give_verdict(work->options, row);
		out->compared[op] += row->base != COMPARE_NONE;
		out->tested[op] += row->tested;
		out->any_paired |= row->tested && row->paired;
		out->any_unpaired |= row->tested && !row->paired;
	}
	leave_out(out);
	return true;
}
