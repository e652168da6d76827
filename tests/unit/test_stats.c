/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expected values were made with R 4.2.2; the call stands above each.
 */
#include <math.h>

#include "reports/stats.h"
#include "tests/unit/unit.h"

enum { MOST = 64 };

/* x <- c(23205,23100,23310,22990,23420); b <- c(13223,...); d <- log(x/b) */
static const double x5[] = { 23205, 23100, 23310, 22990, 23420 };
static const double b5[] = { 13223, 13010, 13400, 13150, 13290 };
/* y <- c(...); z <- c(...) */
static const double y4[] = { 12075, 11900, 12230, 12400 };
static const double z6[] = { 11885, 11700, 12010, 11850, 11990, 11640 };

static void assert_within(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.15g is not %.15g", value, expected);
}

static void assert_near(double value, double expected)
{
	assert_within(value, expected, fabs(expected) * 1e-9 + 1e-15);
}

static void take_logs(const double *rates, size_t n, double *logs)
{
	assert_true(n <= MOST);
	for (size_t i = 0; i < n; i++)
		logs[i] = log(rates[i]);
}

static void take_ratios(const double *x, const double *b, size_t n, double *d)
{
	assert_true(n <= MOST);
	for (size_t i = 0; i < n; i++)
		d[i] = log(x[i] / b[i]);
}

static void the_center_is_the_geometric_mean_with_its_interval(void **state)
{
	double logs[MOST];
	struct stats_center c;

	(void)state;
	/* exp(mean(log(z))); exp(qt(.975, 5) * sd(log(z)) / sqrt(6)) - 1 */
	take_logs(z6, 6, logs);
	c = stats_center(logs, 6, 0.05);
	assert_int_equal(c.n, 6);
	assert_near(c.rate, 11845.0371775001);
	assert_near(c.half, 0.0134255034164326);
}

static void a_center_of_one_or_two_has_no_interval(void **state)
{
	double logs[MOST];

	(void)state;
	take_logs(z6, 2, logs);
	assert_near(stats_center(logs, 1, 0.05).rate, 11885);
	assert_true(isnan(stats_center(logs, 1, 0.05).half));
	assert_true(isnan(stats_center(logs, 2, 0.05).half));
	assert_true(isnan(stats_center(logs, 0, 0.05).rate));
}

static void pairs_are_tested_by_students_t_on_log_ratios(void **state)
{
	double d[MOST];
	struct stats_test test;

	(void)state;
	/* t.test(d) */
	take_ratios(x5, b5, 5, d);
	test = stats_paired(d, 5, 0.05);
	assert_true(test.tested && test.has_interval && !test.constant);
	assert_int_equal(test.n, 5);
	assert_near(exp(test.difference), 1.75606170542932);
	assert_near(exp(test.low), 1.73913068297978);
	assert_near(exp(test.high), 1.77315755708001);
	assert_near(test.p, 8.84718078058882e-09);
	/* t.test(d, conf.level = 0.99) */
	test = stats_paired(d, 5, 0.01);
	assert_near(exp(test.low), 1.72807469707084);
	assert_near(exp(test.high), 1.78450197697033);
}

static void sides_without_shared_rounds_are_tested_by_welch(void **state)
{
	double y[MOST], z[MOST];
	struct stats_test test;

	(void)state;
	/* t.test(log(y), log(z)) */
	take_logs(y4, 4, y);
	take_logs(z6, 6, z);
	test = stats_welch(y, 4, z, 6, 0.05);
	assert_true(test.tested && test.has_interval && !test.constant);
	assert_int_equal(test.n, 4);
	assert_near(exp(test.difference), 1.0257325386827221);
	assert_near(exp(test.low), 0.9992816559085148);
	assert_near(exp(test.high), 1.0528835736066240);
	assert_near(test.p, 0.0545260835288655);
}

static void fewer_than_three_are_not_tested(void **state)
{
	double d[] = { 0.1, 0.2, 0.3 }, e[] = { 0, 0.1, 0.2 };
	struct stats_test test = stats_paired(d, 2, 0.05);

	(void)state;
	assert_false(test.tested);
	assert_false(test.has_interval);
	assert_int_equal(test.n, 2);
	assert_near(test.difference, 0.15);
	assert_false(stats_welch(d, 3, e, 2, 0.05).tested);
	assert_false(stats_welch(d, 1, e, 3, 0.05).tested);
	assert_false(stats_wilcoxon(d, 2, 0.05).tested);
	assert_false(stats_mann_whitney(d, 3, e, 2, 0.05).tested);
	assert_near(stats_mann_whitney(d, 1, e, 1, 0.05).difference, 0.1);
}

static void equal_samples_give_a_collapsed_interval_and_no_nan(void **state)
{
	double same[] = { 7, 7, 7, 7 }, more[] = { 7.5, 7.5, 7.5 };
	double zero[] = { 0, 0, 0 };
	struct stats_test test = stats_welch(more, 3, same, 4, 0.05);

	(void)state;
	assert_true(test.tested && test.constant && test.has_interval);
	assert_true(test.low == 0.5 && test.high == 0.5 && test.p == 0);
	test = stats_welch(same, 4, same, 4, 0.05);
	assert_true(test.constant && test.low == 0 && test.p == 1);
	test = stats_paired(zero, 3, 0.05);
	assert_true(test.constant && test.high == 0 && test.p == 1);
	test = stats_paired(more, 3, 0.05);
	assert_true(test.constant && test.p == 0 && test.low == 7.5);
	assert_true(stats_center(same, 4, 0.05).half == 0);
	test = stats_wilcoxon(zero, 3, 0.05);
	assert_true(!test.constant && test.p == 1);
	test = stats_mann_whitney(same, 4, same, 4, 0.05);
	assert_true(!test.constant && test.p == 1);
}

static void one_constant_side_is_still_tested_by_welch(void **state)
{
	double flat[] = { 1, 1, 1 }, other[] = { 1.1, 1.2, 1.4 };
	struct stats_test test = stats_welch(other, 3, flat, 3, 0.05);

	(void)state;
	/* t.test(c(1.1,1.2,1.4), c(1,1,1)) */
	assert_false(test.constant);
	assert_near(test.p, 0.118082896311803);
}

static void mann_whitney_is_exact_for_few_untied_values(void **state)
{
	double y[MOST], z[MOST];
	struct stats_test test;

	(void)state;
	/* wilcox.test(log(y), log(z), conf.int = TRUE) */
	take_logs(y4, 4, y);
	take_logs(z6, 6, z);
	test = stats_mann_whitney(y, 4, z, 6, 0.05);
	assert_near(test.p, 0.0380952380952381);
	assert_true(test.has_interval);
	assert_near(exp(test.low), 1.0012620950778295);
	assert_near(exp(test.high), 1.0506872852233673);
}

static void mann_whitney_corrects_for_ties(void **state)
{
	double y[] = { 3, 3, 4, 5, 6, 6 }, z[] = { 1, 2, 3, 3, 4, 2, 1 };

	(void)state;
	/* wilcox.test(y, z, exact = FALSE) */
	assert_near(stats_mann_whitney(y, 6, z, 7, 0.05).p, 0.0197543958980954);
}

/* The rarest of the 20 orders of three and three, and of the 8 signs. */
static void ties_make_nothing_rarer_than_it_can_be(void **state)
{
	double x[] = { 1, 1, 1 }, y[] = { 2, 2, 2 }, d[] = { 1, 1, 1 };

	(void)state;
	assert_near(stats_mann_whitney(x, 3, y, 3, 0.05).p, 0.1);
	assert_near(stats_wilcoxon(d, 3, 0.05).p, 0.25);
}

static void signed_ranks_are_exact_for_few_untied_values(void **state)
{
	static const double x[] = { 110, 120, 131, 142, 155, 166, 178 };
	static const double b[] = { 100, 121, 120, 129, 130, 140, 150 };
	double d[MOST];
	struct stats_test test;

	(void)state;
	/* wilcox.test(log(x / b), conf.int = TRUE) */
	take_ratios(x, b, 7, d);
	test = stats_wilcoxon(d, 7, 0.05);
	assert_near(test.p, 0.03125);
	assert_true(test.has_interval);
	assert_near(exp(test.low), 1.04446593573419);
	assert_near(exp(test.high), 1.18900641871113);
}

static void five_pairs_cannot_give_a_signed_rank_interval_of_95(void **state)
{
	double d[MOST];
	struct stats_test test;

	(void)state;
	take_ratios(x5, b5, 5, d);
	test = stats_wilcoxon(d, 5, 0.05);
	assert_near(test.p, 0.0625);
	assert_false(test.has_interval);
	assert_true(stats_wilcoxon(d, 5, 0.10).has_interval);
}

static void signed_ranks_correct_for_ties_and_zeros(void **state)
{
	double d[] = { 1, 1, 1, -1, 1, 0, 2 };

	(void)state;
	/* wilcox.test(d, exact = FALSE) */
	assert_near(stats_wilcoxon(d, 7, 0.05).p, 0.119813814205544);
}

static void many_values_go_by_the_normal_distribution(void **state)
{
	double x[MOST], b[MOST], d[MOST];
	struct stats_test test;

	(void)state;
	/* i <- 1:60; x <- 100 + (i*37) %% 61; b <- 103.5 + (i*17) %% 61 */
	for (int i = 1; i <= 60; i++) {
		x[i - 1] = 100 + i * 37 % 61;
		b[i - 1] = 103.5 + i * 17 % 61;
		d[i - 1] = i * 37 % 61 - 27.25;
	}
	/* wilcox.test(x, b, exact = FALSE, conf.int = TRUE) */
	test = stats_mann_whitney(x, 60, b, 60, 0.05);
	assert_near(test.p, 0.285476308851882);
	assert_within(test.low, -10.5, 1e-4);
	assert_within(test.high, 3.5, 1e-4);
	/* wilcox.test((i*37) %% 61 - 27.25, exact = FALSE, conf.int = TRUE) */
	test = stats_wilcoxon(d, 60, 0.05);
	assert_near(test.p, 0.172071657641006);
	assert_within(test.low, -1.75, 1e-4);
	assert_within(test.high, 8.25, 1e-4);
}

static void holm_is_in_place_and_keeps_the_order(void **state)
{
	double p[] = { .01, .04, .03, .005, .9 }, q[] = { .04, .04, .6 };

	(void)state;
	/* p.adjust(p, "holm") */
	assert_true(stats_holm(p, 5));
	assert_near(p[0], 0.04);
	assert_near(p[1], 0.09);
	assert_near(p[2], 0.09);
	assert_near(p[3], 0.025);
	assert_near(p[4], 0.9);
	assert_true(stats_holm(q, 3));
	assert_near(q[0], 0.12);
	assert_near(q[1], 0.12);
	assert_near(q[2], 0.60);
	assert_true(stats_holm(q, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_center_is_the_geometric_mean_with_its_interval),
		cmocka_unit_test(a_center_of_one_or_two_has_no_interval),
		cmocka_unit_test(pairs_are_tested_by_students_t_on_log_ratios),
		cmocka_unit_test(
			sides_without_shared_rounds_are_tested_by_welch),
		cmocka_unit_test(fewer_than_three_are_not_tested),
		cmocka_unit_test(
			equal_samples_give_a_collapsed_interval_and_no_nan),
		cmocka_unit_test(one_constant_side_is_still_tested_by_welch),
		cmocka_unit_test(mann_whitney_is_exact_for_few_untied_values),
		cmocka_unit_test(mann_whitney_corrects_for_ties),
		cmocka_unit_test(ties_make_nothing_rarer_than_it_can_be),
		cmocka_unit_test(signed_ranks_are_exact_for_few_untied_values),
		cmocka_unit_test(
			five_pairs_cannot_give_a_signed_rank_interval_of_95),
		cmocka_unit_test(signed_ranks_correct_for_ties_and_zeros),
		cmocka_unit_test(many_values_go_by_the_normal_distribution),
		cmocka_unit_test(holm_is_in_place_and_keeps_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
