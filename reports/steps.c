/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/stats.h"

/* Of a normal distribution: its standard deviation by its median deviation. */
#define MAD_SCALE 1.4826
#define CLIP      3.0

enum {
	SHORTEST = 2 * STEPS_RUNS, /* that has a step */
	NEAR = 25,                 /* values on either side that must show it */
};

struct finding {
	const double *logs;
	double alpha;
	/* Owned; as long as the series, and one more. */
	double *values, *scratch, *sums, *squares;
	size_t *bounds; /* owned: 0, the steps, n; in order */
	size_t count;   /* of bounds */
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* `scratch` holds n values. */
static double median(const double *values, size_t n, double *scratch)
{
	memcpy(scratch, values, n * sizeof(*values));
	qsort(scratch, n, sizeof(*scratch), by_value);
	return n % 2 ? scratch[n / 2]
		     : (scratch[n / 2] + scratch[n / 2 - 1]) / 2;
}

/*
 * Values that are too far out are brought in, and all are centred, so that
 * their squares lose no digits.
 */
static void bring_in(const double *logs, size_t n, double *values,
		     double *scratch)
{
	double center = median(logs, n, scratch), most;

	for (size_t i = 0; i < n; i++)
		values[i] = fabs(logs[i] - center);
	most = CLIP * MAD_SCALE * median(values, n, scratch);
	/* Most are equal: there is no noise to measure the others by. */
	if (most == 0)
		most = INFINITY;
	for (size_t i = 0; i < n; i++)
		values[i] = fmax(-most, fmin(most, logs[i] - center));
}

/*
 * Sums of the values before each place, so that those of any part of them are
 * a difference.
 */
static void sum_up(struct finding *f, size_t n)
{
	f->sums[0] = f->squares[0] = 0;
	for (size_t i = 0; i < n; i++) {
		f->sums[i + 1] = f->sums[i] + f->values[i];
		f->squares[i + 1] = f->squares[i] + f->values[i] * f->values[i];
	}
}

/* |t| of the difference between the values in [from, at) and [at, to). */
static double t_of(const struct finding *f, size_t from, size_t at, size_t to)
{
	double n = (double)(at - from), m = (double)(to - at);
	double first = (f->sums[at] - f->sums[from]) / n;
	double second = (f->sums[to] - f->sums[at]) / m;
	double squares = f->squares[to] - f->squares[from];
	double within = squares - n * first * first - m * second * second;
	double difference = fabs(first - second), error;

	/* What is left of rounding is neither noise nor a difference. */
	if (within < 1e-13 * squares)
		return difference * difference * (n + m) > 1e-12 * squares
			       ? INFINITY
			       : 0;
	error = sqrt(within / (n + m - 2) * (1 / n + 1 / m));
	return error > 0 ? difference / error : 0;
}

/* A place to split at, and how likely chance made it look like one. */
struct split {
	size_t at;
	double p;
};

static struct split best_of(const struct finding *f, size_t from, size_t to)
{
	struct split best = { from, 1 };
	double most = 0;

	for (size_t at = from + STEPS_RUNS; at + STEPS_RUNS <= to; at++) {
		double t = t_of(f, from, at, to);

		if (t > most) {
			most = t;
			best.at = at;
		}
	}
	if (most > 0)
		best.p = stats_t_p(most, (double)(to - from - 2));
	return best;
}

static double places(size_t n)
{
	return n < SHORTEST ? 0 : (double)(n - SHORTEST + 1);
}

/*
 * Windows of falling lengths, each half over the one before it: what goes up
 * and comes down again shows in one of them though not in the whole.
 */
static struct split best_window(const struct finding *f, size_t n)
{
	struct split best = { 0, 1 };
	double tried = 0;

	/* Each shorter by about the square root of 2. */
	for (size_t size = n * 5 / 7; size >= SHORTEST; size = size * 5 / 7) {
		for (size_t from = 0; from < n; from += (size + 1) / 2) {
			size_t to = from + size < n ? from + size : n;
			struct split split = best_of(f, from, to);

			tried += places(to - from);
			if (split.p < best.p)
				best = split;
			if (to == n)
				break;
		}
	}
	best.p = tried > 0 ? best.p * tried : 1;
	return best;
}

static void look_at(struct finding *f, size_t from, size_t to)
{
	bring_in(f->logs + from, to - from, f->values, f->scratch);
	sum_up(f, to - from);
}

/* Where to split [from, to); p is 1 or more where it is not to be. */
static struct split find_split(struct finding *f, size_t from, size_t to)
{
	size_t n = to - from;
	struct split split = { from, 1 }, window;

	if (n < SHORTEST)
		return split;
	look_at(f, from, to);
	split = best_of(f, 0, n);
	/* Each of the two ways gets half of alpha. */
	split.p *= 2 * places(n);
	if (split.p > f->alpha) {
		window = best_window(f, n);
		window.p *= 2;
		if (window.p < split.p)
			split = window;
	}
	split.at += from;
	return split;
}

static double level(struct finding *f, size_t from, size_t to)
{
	return median(f->logs + from, to - from, f->scratch);
}

static size_t smallest(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Whether the values next to it make the step, and not one of them. */
static bool is_step(struct finding *f, size_t from, size_t at, size_t to)
{
	size_t beside = smallest(NEAR, smallest(at - from, to - at));
	double change = level(f, at, to) - level(f, from, at);
	double near = level(f, at, at + beside) - level(f, at - beside, at);

	return change > 0 ? near >= change / 2
			  : change < 0 && near <= change / 2;
}

static void insert_bound(struct finding *f, size_t at)
{
	size_t i = f->count++;

	for (; f->bounds[i - 1] > at; i--)
		f->bounds[i] = f->bounds[i - 1];
	f->bounds[i] = at;
}

static void remove_bound(struct finding *f, size_t i)
{
	f->count--;
	memmove(&f->bounds[i], &f->bounds[i + 1],
		(f->count - i) * sizeof(*f->bounds));
}

/* Segments that were looked at in vain are behind; so the walk ends. */
static void split_all(struct finding *f)
{
	size_t i = 0;

	while (i + 1 < f->count) {
		size_t from = f->bounds[i], to = f->bounds[i + 1];
		struct split split = find_split(f, from, to);

		if (split.p <= f->alpha && is_step(f, from, split.at, to))
			insert_bound(f, split.at);
		else
			i++;
	}
}

/* The best place for the step at bound `i` between its neighbours. */
static struct split place_again(struct finding *f, size_t i)
{
	size_t from = f->bounds[i - 1], to = f->bounds[i + 1];
	struct split split;

	look_at(f, from, to);
	split = best_of(f, 0, to - from);
	split.at += from;
	split.p = fmin(1, split.p * places(to - from));
	return split;
}

/* Where it is, between its neighbours. */
static double p_of(struct finding *f, size_t i)
{
	size_t from = f->bounds[i - 1], to = f->bounds[i + 1];
	double t;

	look_at(f, from, to);
	t = t_of(f, 0, f->bounds[i] - from, to - from);
	return fmin(1,
		    stats_t_p(t, (double)(to - from - 2)) * places(to - from));
}

/* The size of the step at bound `i`. */
static double size_of(struct finding *f, size_t i)
{
	return fabs(level(f, f->bounds[i], f->bounds[i + 1]) -
		    level(f, f->bounds[i - 1], f->bounds[i]));
}

static bool is_real(struct finding *f, size_t i)
{
	struct split split = place_again(f, i);

	if (split.p > f->alpha ||
	    !is_step(f, f->bounds[i - 1], split.at, f->bounds[i + 1]))
		return false;
	f->bounds[i] = split.at;
	return true;
}

/*
 * The smallest step that is not real, or, of steps that are, smaller than
 * `least`; 0: there is none.
 */
static size_t find_fallen(struct finding *f, double least)
{
	size_t fallen = 0;
	double weakest = INFINITY;

	for (size_t i = 1; i + 1 < f->count; i++) {
		bool falls = least > 0 ? size_of(f, i) < least : !is_real(f, i);

		if (falls && size_of(f, i) < weakest) {
			weakest = size_of(f, i);
			fallen = i;
		}
	}
	return fallen;
}

/* In this order: a step that is too small may be what divides larger ones. */
static void drop_fallen(struct finding *f, double least)
{
	size_t fallen;

	while ((fallen = find_fallen(f, 0)) > 0)
		remove_bound(f, fallen);
	while (least > 0 && (fallen = find_fallen(f, least)) > 0)
		remove_bound(f, fallen);
}

static bool report(struct finding *f, struct steps *steps)
{
	size_t count = f->count - 2;
	struct step *items = calloc(count + 1, sizeof(*items));

	if (!items)
		return false;
	for (size_t i = 0; i < count; i++) {
		const size_t *bound = &f->bounds[i];

		items[i] = (struct step){
			.at = bound[1],
			.before = level(f, bound[0], bound[1]),
			.after = level(f, bound[1], bound[2]),
			.p = p_of(f, i + 1),
		};
	}
	*steps = (struct steps){ .items = items, .count = count };
	return true;
}

bool steps_find(const double *logs, size_t n, double alpha, double threshold,
		struct steps *steps, struct err *err)
{
	struct finding f = {
		.logs = logs,
		.alpha = alpha,
		.values = calloc(n + 1, sizeof(double)),
		.scratch = calloc(n + 1, sizeof(double)),
		.sums = calloc(n + 1, sizeof(double)),
		.squares = calloc(n + 1, sizeof(double)),
		.bounds = calloc(n / STEPS_RUNS + 3, sizeof(size_t)),
		.count = 2,
	};
	bool ok = f.values && f.scratch && f.sums && f.squares && f.bounds;

	if (ok) {
		f.bounds[1] = n;
		split_all(&f);
		drop_fallen(&f, log1p(threshold));
		ok = report(&f, steps);
	}
	free(f.values);
	free(f.scratch);
	free(f.sums);
	free(f.squares);
	free(f.bounds);
	return ok || err_nomem(err);
}

void steps_done(struct steps *steps)
{
	free(steps->items);
	*steps = (struct steps){ 0 };
}
