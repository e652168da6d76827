/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats - is it faster, by how much, and is that more than noise?
 *
 * Pure functions on arrays of logarithms of rates, so that a difference is a
 * ratio and an interval is relative. It knows numbers only: no units, no
 * names, no rows. The distributions are libRmath's: t tests and corrections
 * agree with R's t.test() and p.adjust(), rank tests with its wilcox.test()
 * where that is exact. With ties or differences of 0 R goes over to the normal
 * distribution; here p is then no less than the rarest order has, and the
 * interval is the exact one. The difference is the mean, not the rank tests'
 * own estimate.
 *
 * Where all samples are equal a t test has no spread to test with; then
 * nothing is NaN: the interval is the difference itself, and p is 1 when there
 * is no difference and 0 when there is one. `constant` says that this
 * happened. Rank tests need no spread.
 *
 * Not thread-safe: libRmath keeps tables of the rank distributions.
 */
#ifndef REPORTS_STATS_H
#define REPORTS_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"

/* Fewer values than this are not tested at all. */
#define STATS_LEAST 3

struct stats_center {
	size_t n;
	double rate; /* geometric mean; NaN when n is 0 */
	double half; /* upper half of its Student interval, as a part of the
			rate: 0.013 is from rate / 1.013 to rate x 1.013;
			NaN when n < STATS_LEAST */
};

struct stats_test {
	size_t n;    /* pairs, or the values of the smaller side */
	bool tested; /* n >= STATS_LEAST; else only `difference` is set */
	bool constant;
	bool has_interval; /* rank tests of few values may have none */
	double difference, low, high; /* of logarithms */
	double p;                     /* two-sided */
};

/* `alpha` is 0.05 for an interval of 95 %; 0 < alpha < 1 everywhere. */
struct stats_center stats_center(const double *logs, size_t n, double alpha);

/*
 * The upper half of the interval of a geometric mean, as stats_center() has
 * it, from what is known of the n logarithms: the sum of their squared
 * differences from their mean.
 */
double stats_half(double squares, size_t n, double alpha);

/* How likely chance alone makes |t| as large; two-sided, Student's t. */
double stats_t_p(double t, double degrees);

/* Student's t on the differences of pairs, n - 1 degrees of freedom. */
struct stats_test stats_paired(const double *differences, size_t n,
			       double alpha);

/* Welch's t of x against base. */
struct stats_test stats_welch(const double *x, size_t nx, const double *base,
			      size_t nbase, double alpha);

/*
 * Wilcoxon's signed-rank test of paired differences, and Mann-Whitney's test
 * of x against base. Exact below 50 values without ties (and zeros), else by
 * the normal distribution with tie and continuity correction, but never less
 * likely than the rarest of all orders is. `difference` is
 * that of the means, as above; the interval is Hodges and Lehmann's, missing
 * when so few values cannot give one at this alpha. The arrays are sorted in
 * place.
 */
struct stats_test stats_wilcoxon(double *differences, size_t n, double alpha);
struct stats_test stats_mann_whitney(double *x, size_t nx, double *base,
				     size_t nbase, double alpha);

/* Holm's correction, in place. False when out of memory; then unchanged. */
MUST_USE bool stats_holm(double *p, size_t n);

#endif
