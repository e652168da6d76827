/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/stats.h"

#include <math.h>
#include <stdlib.h>

#define MATHLIB_STANDALONE
#include <Rmath.h>

enum { EXACT_BELOW = 50 }; /* values; from there the normal is as good */

/* Logarithms that differ by less are the same rate: rounding of log(). */
static const double same = 1e-12;

struct moments {
	double mean, variance; /* of the sample: divided by n - 1 */
	bool constant;
};

static struct moments moments(const double *x, size_t n)
{
	struct moments m = { 0 };
	double squares = 0, low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		/* Relative to the first: constant values give themselves. */
		m.mean += (x[i] - x[0]) / (double)n;
		low = fmin(low, x[i]);
		high = fmax(high, x[i]);
	}
	m.mean += n ? x[0] : NAN;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - m.mean) * (x[i] - m.mean);
	m.variance = n > 1 ? squares / (double)(n - 1) : NAN;
	m.constant = n > 0 && high - low <= same;
	return m;
}

double stats_half(double squares, size_t n, double alpha)
{
	if (n < STATS_LEAST)
		return NAN;
	return expm1(qt(1 - alpha / 2, (double)(n - 1), 1, 0) *
		     sqrt(squares / (double)(n - 1) / (double)n));
}

struct stats_center stats_center(const double *logs, size_t n, double alpha)
{
	struct moments m = moments(logs, n);
	struct stats_center c = { .n = n, .rate = exp(m.mean), .half = NAN };

	if (n >= STATS_LEAST && m.constant)
		c.half = 0;
	else if (n >= STATS_LEAST)
		c.half = stats_half(m.variance * (double)(n - 1), n, alpha);
	return c;
}

/* What can be said of samples that are all equal. */
static void test_constant(struct stats_test *test)
{
	test->tested = true;
	test->constant = true;
	test->has_interval = true;
	test->low = test->high = test->difference;
	test->p = fabs(test->difference) <= same ? 1 : 0;
}

double stats_t_p(double t, double degrees)
{
	return 2 * pt(-fabs(t), degrees, 1, 0);
}

static void test_t(struct stats_test *test, double error, double freedom,
		   double alpha)
{
	double half = qt(1 - alpha / 2, freedom, 1, 0) * error;

	test->tested = true;
	test->has_interval = true;
	test->low = test->difference - half;
	test->high = test->difference + half;
	test->p = stats_t_p(test->difference / error, freedom);
}

struct stats_test stats_paired(const double *differences, size_t n,
			       double alpha)
{
	struct moments m = moments(differences, n);
	struct stats_test test = { .n = n, .difference = m.mean };

	if (n < STATS_LEAST)
		return test;
	if (m.constant)
		test_constant(&test);
	else
		test_t(&test, sqrt(m.variance / (double)n), (double)(n - 1),
		       alpha);
	return test;
}

struct stats_test stats_welch(const double *x, size_t nx, const double *base,
			      size_t nbase, double alpha)
{
	struct moments a = moments(x, nx), b = moments(base, nbase);
	struct stats_test test = { .n = nx < nbase ? nx : nbase,
				   .difference = a.mean - b.mean };
	double va, vb, freedom;

	if (test.n < STATS_LEAST)
		return test;
	if (a.constant && b.constant) {
		test_constant(&test);
		return test;
	}
	va = a.variance / (double)nx;
	vb = b.variance / (double)nbase;
	freedom = (va + vb) * (va + vb) /
		  (va * va / (double)(nx - 1) + vb * vb / (double)(nbase - 1));
	test_t(&test, sqrt(va + vb), freedom, alpha);
	return test;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* How many of the sums a[i] + b[j] are at most t; both are sorted. */
static double count_sums(const double *a, size_t na, const double *b, size_t nb,
			 double t)
{
	double count = 0;
	size_t j = nb;

	for (size_t i = 0; i < na; i++) {
		while (j > 0 && a[i] + b[j - 1] > t)
			j--;
		count += (double)j;
	}
	return count;
}

/*
 * The sums of two sorted arrays; `pairs` if they are the same array and each
 * unordered pair, an element with itself included, counts once.
 */
struct sums {
	const double *a, *b;
	size_t na, nb;
	bool pairs;
};

static double sums_count(const struct sums *s, double t)
{
	double count = count_sums(s->a, s->na, s->b, s->nb, t), diagonal = 0;

	if (!s->pairs)
		return count;
	for (size_t i = 0; i < s->na; i++)
		diagonal += s->a[i] + s->a[i] <= t;
	return (count + diagonal) / 2;
}

/*
 * The k-th smallest sum (1-based), by bisection: there may be 10^8 of them,
 * so they are counted and never made.
 */
static double sums_nth(const struct sums *s, double k)
{
	double low = s->a[0] + s->b[0];
	double high = s->a[s->na - 1] + s->b[s->nb - 1];

	if (sums_count(s, low) >= k)
		return low;
	for (;;) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			return high;
		if (sums_count(s, middle) >= k)
			high = middle;
		else
			low = middle;
	}
}

/* Hodges and Lehmann: the k-th smallest and k-th largest of `total` sums. */
static void test_interval(struct stats_test *test, const struct sums *s,
			  double k, double total)
{
	test->has_interval = k >= 1;
	if (!test->has_interval)
		return;
	test->low = sums_nth(s, k);
	test->high = sums_nth(s, total - k + 1);
}

/* A sum of ranks by the normal distribution, with continuity correction. */
static double p_normal(double distance, double variance)
{
	double z;

	if (variance <= 0)
		return 1; /* everything is tied with everything */
	z = fmax(fabs(distance) - 0.5, 0) / sqrt(variance);
	return fmin(2 * pnorm(-z, 0, 1, 1, 0), 1);
}

struct ranks {
	double sum;  /* of the ranks of one side, ties averaged */
	double ties; /* sum of t^3 - t over groups of t equal values */
};

/* `count` equal values, `mine` of them ours, stand behind `before` others. */
static void ranks_add(struct ranks *ranks, size_t before, size_t count,
		      size_t mine)
{
	double t = (double)count;

	ranks->sum += (double)mine * ((double)before + (t + 1) / 2);
	ranks->ties += t * t * t - t;
}

/* `d` is sorted by size and has no zeros: the ranks of the positive ones. */
static struct ranks ranks_of_signs(const double *d, size_t n)
{
	struct ranks ranks = { 0 };

	for (size_t i = 0; i < n;) {
		size_t end = i, mine = 0;

		for (; end < n && fabs(d[end]) - fabs(d[i]) <= same; end++)
			mine += d[end] > 0;
		ranks_add(&ranks, i, end - i, mine);
		i = end;
	}
	return ranks;
}

static double p_signed_rank(const double *d, size_t n, bool zeros)
{
	struct ranks ranks = ranks_of_signs(d, n);
	double count = (double)n, middle = count * (count + 1) / 4;
	double variance = count * (count + 1) * (2 * count + 1) / 24;
	double p;

	if (n >= EXACT_BELOW || zeros || ranks.ties > 0)
		return fmax(p_normal(ranks.sum - middle,
				     variance - ranks.ties / 48),
			    fmin(pow(2, 1 - count), 1));
	p = ranks.sum > middle ? psignrank(ranks.sum - 1, count, 0, 0)
			       : psignrank(ranks.sum, count, 1, 0);
	signrank_free();
	return fmin(2 * p, 1);
}

struct stats_test stats_wilcoxon(double *differences, size_t n, double alpha)
{
	struct stats_test test = { .n = n,
				   .difference = moments(differences, n).mean };
	struct sums sums = { differences, differences, n, n, true };
	double count = (double)n, k;
	size_t zeros = 0;

	if (n < STATS_LEAST)
		return test;
	test.tested = true;
	qsort(differences, n, sizeof(*differences), by_size);
	while (zeros < n && fabs(differences[zeros]) <= same)
		zeros++;
	test.p = p_signed_rank(differences + zeros, n - zeros, zeros > 0);

	if (n < EXACT_BELOW) {
		k = qsignrank(alpha / 2, count, 1, 0);
		signrank_free();
	} else {
		k = floor(count * (count + 1) / 4 -
			  qnorm(1 - alpha / 2, 0, 1, 1, 0) *
				  sqrt(count * (count + 1) * (2 * count + 1) /
				       24));
	}
	/* Averages of two are half their sum, which is exact. */
	qsort(differences, n, sizeof(*differences), by_value);
	test_interval(&test, &sums, k, count * (count + 1) / 2);
	test.low /= 2;
	test.high /= 2;
	return test;
}

/* Both are sorted: the ranks of x among both. */
static struct ranks ranks_of_first(const double *x, size_t nx, const double *y,
				   size_t ny)
{
	struct ranks ranks = { 0 };
	size_t i = 0, j = 0;

	while (i < nx || j < ny) {
		size_t before = i + j, mine = i;
		double value = j == ny || (i < nx && x[i] < y[j]) ? x[i] : y[j];

		while (i < nx && x[i] - value <= same)
			i++;
		while (j < ny && y[j] - value <= same)
			j++;
		ranks_add(&ranks, before, i + j - before, i - mine);
	}
	return ranks;
}

static double p_rank_sum(struct ranks ranks, size_t nx, size_t ny)
{
	double m = (double)nx, n = (double)ny, p;
	double u = ranks.sum - m * (m + 1) / 2;
	double variance =
		m * n / 12 * (m + n + 1 - ranks.ties / ((m + n) * (m + n - 1)));

	if (nx >= EXACT_BELOW || ny >= EXACT_BELOW || ranks.ties > 0)
		return fmax(p_normal(u - m * n / 2, variance),
			    2 / choose(m + n, m));
	p = u > m * n / 2 ? pwilcox(u - 1, m, n, 0, 0) : pwilcox(u, m, n, 1, 0);
	wilcox_free();
	return fmin(2 * p, 1);
}

static double rank_sum_quantile(size_t nx, size_t ny, double alpha)
{
	double m = (double)nx, n = (double)ny, k;

	if (nx >= EXACT_BELOW || ny >= EXACT_BELOW)
		return floor(m * n / 2 -
			     qnorm(1 - alpha / 2, 0, 1, 1, 0) *
				     sqrt(m * n * (m + n + 1) / 12));
	k = qwilcox(alpha / 2, m, n, 1, 0);
	wilcox_free();
	return k;
}

/* Sorted, all signs turned: sorted again. */
static void negate(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = -x[i];
	qsort(x, n, sizeof(*x), by_value);
}

struct stats_test stats_mann_whitney(double *x, size_t nx, double *base,
				     size_t nbase, double alpha)
{
	struct moments a = moments(x, nx), b = moments(base, nbase);
	struct stats_test test = { .n = nx < nbase ? nx : nbase,
				   .difference = a.mean - b.mean };
	struct sums sums = { x, base, nx, nbase, false };

	if (test.n < STATS_LEAST)
		return test;
	test.tested = true;
	qsort(x, nx, sizeof(*x), by_value);
	qsort(base, nbase, sizeof(*base), by_value);
	test.p = p_rank_sum(ranks_of_first(x, nx, base, nbase), nx, nbase);

	negate(base, nbase);
	test_interval(&test, &sums, rank_sum_quantile(nx, nbase, alpha),
		      (double)nx * (double)nbase);
	negate(base, nbase);
	return test;
}

static int by_pointed_value(const void *a, const void *b)
{
	return by_value(*(const double *const *)a, *(const double *const *)b);
}

bool stats_holm(double *p, size_t n)
{
	double **order = calloc(n ? n : 1, sizeof(*order));
	double least = 0;

	if (!order)
		return false;
	for (size_t i = 0; i < n; i++)
		order[i] = &p[i];
	qsort(order, n, sizeof(*order), by_pointed_value);
	for (size_t i = 0; i < n; i++) {
		least = fmin(fmax(least, (double)(n - i) * *order[i]), 1);
		*order[i] = least;
	}
	free(order);
	return true;
}
