/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures were made with R 4.2.2 from the same numbers: the mean of log(x / b)
 * of each host, and t.test() of these means.
 */
#include "tests/unit/compare_fixture.h"

struct host {
	const char *name, *machine;
	double base[5], own[5];
};

static const struct host alpha = { "alpha",
				   "m-1",
				   { 11885, 11700, 12010, 11850, 11990 },
				   { 12075, 11900, 12150, 12100, 11950 } };
static const struct host beta = { "beta",
				  "m-2",
				  { 20100, 20500, 19900, 20200, 20400 },
				  { 22100, 22300, 21800, 22600, 22250 } };
static const struct host gamma_ = { "gamma",
				    "m-3",
				    { 5100, 5050, 5200, 5000, 5150 },
				    { 5000, 5060, 5010, 4990, 4950 } };

static void assert_close(double value, double expected)
{
	if (!(fabs(value - expected) <= fabs(expected) * 1e-12))
		fail_msg("%.15g is not %.15g", value, expected);
}

/* A run of FAT, the base, and exFAT on the host. */
static void add_run(struct fixture *f, const struct host *host, size_t rounds)
{
	int64_t run = ++f->runs, base = run * 10;
	struct record_result fat = sampling_row(run, base, base);
	struct record_result exfat = sampling_row(run, base + 1, base);

	fat.host = exfat.host = host->name;
	fat.machine_id = exfat.machine_id = host->machine;
	fat.filesystem = "FAT";
	exfat.filesystem = "exFAT";
	sampling_add_rates(&f->data, fat, 'W', host->base, rounds);
	sampling_add_rates(&f->data, exfat, 'W', host->own, rounds);
}

static void one_machine_is_no_fleet(void **state)
{
	struct fixture *f = *state;

	add_run(f, &alpha, 5);
	add_run(f, &alpha, 5);
	assert_int_equal(make(f)->fleet_count, 0);
	assert_int_equal(f->comparison->fleet.count, 0);
}

static void it_is_the_geometric_mean_of_what_hosts_say(void **state)
{
	struct fixture *f = *state;
	const struct compare_fleet *fleet;

	add_run(f, &alpha, 5);
	add_run(f, &beta, 5);
	add_run(f, &gamma_, 5);
	assert_int_equal(make(f)->fleet_count, 1);
	fleet = f->comparison->fleets;
	assert_int_equal(fleet->count, 3);
	assert_int_equal(fleet->op, 'W');
	assert_close(fleet->hosts[0].ratio, 1.012464053871212);
	assert_close(fleet->hosts[1].ratio, 1.098402494715280);
	assert_close(fleet->hosts[2].ratio, 0.980854010310196);
	/* That of a host is what its row says. */
	for (size_t i = 0; i < 3; i++)
		assert_close(fleet->hosts[i].ratio,
			     f->comparison->rows[2 * i + 1].ratio);
	assert_close(fleet->ratio, 1.02939447258185);
	assert_true(fleet->tested);
	assert_close(fleet->low, 0.890409850464653);
	assert_close(fleet->high, 1.190073289990110);
	assert_close(fleet->p, 0.480681537289039);
}

static void hosts_that_disagree_are_named(void **state)
{
	struct fixture *f = *state;
	const struct compare_fleet *fleet;

	add_run(f, &alpha, 5);
	add_run(f, &beta, 5);
	add_run(f, &gamma_, 5);
	fleet = make(f)->fleets;
	assert_int_equal(fleet->disagree, 1);
	assert_false(fleet->hosts[0].disagrees);
	assert_true(fleet->hosts[2].disagrees);
	assert_int_equal(f->comparison->fleet.count, 2);
	assert_string_equal(f->comparison->fleet.items[1],
			    "fleet: exFAT against FAT on sda1, seq: W +2.9% "
			    "[-11.0, +19.0] over 3 hosts, but -1.9% on gamma");
}

static void a_host_with_two_runs_counts_once(void **state)
{
	static const struct host again = {
		"beta", "m-2", { 20000, 20100, 20200 }, { 23000, 23100, 22900 }
	};
	struct fixture *f = *state;
	const struct compare_fleet *fleet;

	add_run(f, &alpha, 5);
	add_run(f, &beta, 5);
	add_run(f, &gamma_, 5);
	add_run(f, &again, 3);
	fleet = make(f)->fleets;
	assert_int_equal(fleet->count, 3);
	assert_close(fleet->hosts[1].ratio, 1.1211070095153);
	assert_close(fleet->ratio, 1.03643885146261);
}

static void two_hosts_are_no_test(void **state)
{
	struct fixture *f = *state;
	const struct compare_fleet *fleet;

	add_run(f, &alpha, 5);
	add_run(f, &beta, 5);
	fleet = make(f)->fleets;
	assert_int_equal(fleet->count, 2);
	assert_false(fleet->tested);
	assert_non_null(strstr(f->comparison->fleet.items[1],
			       "over 2 hosts (n=2: no test)"));
}

/* What only one of them has is nobody else's. */
static void a_host_alone_is_said_to_be(void **state)
{
	struct fixture *f = *state;
	struct record_result xfs = sampling_row(1, 12, 10);

	add_run(f, &alpha, 5);
	add_run(f, &beta, 5);
	xfs.host = "alpha";
	xfs.machine_id = "m-1";
	xfs.filesystem = "XFS";
	sampling_add_rates(&f->data, xfs, 'W', beta.own, 5);
	assert_int_equal(make(f)->fleet_count, 2);
	assert_int_equal(f->comparison->fleets[1].count, 1);
	assert_non_null(
		strstr(f->comparison->fleet.items[2], " on alpha alone"));
}

/* They have nothing but a name in common: one is no base of the other's. */
static void machines_of_one_name_are_not_one(void **state)
{
	struct fixture *f = *state;
	struct host other = beta;
	struct err err = { 0 };

	add_run(f, &alpha, 5);
	other.name = "alpha";
	add_run(f, &other, 5);
	assert_int_equal(make(f)->fleets->count, 2);
	assert_true(compare_parse_base(&f->options, "run=1", &err));
	assert_null(compare_new(&f->data, &f->options, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.text, "nothing to compare with run=1"));
}

/*
 * Rows of both machines together: a machine without a base has a rate, but
 * what it is to the base of the other is nothing.
 */
static void pooled_rows_take_no_ratio_across_hosts(void **state)
{
	struct fixture *f = *state;
	struct record_result fat = sampling_row(1, 10, 10);
	struct record_result exfat = sampling_row(2, 21, 10);
	struct record_result other = sampling_row(3, 31, 0);
	struct err err = { 0 };

	fat.filesystem = "FAT";
	exfat.filesystem = other.filesystem = "exFAT";
	sampling_add_rates(&f->data, fat, 'W', alpha.base, 5);
	/* Of another run: no rounds are shared. */
	sampling_add_rates(&f->data, exfat, 'W', alpha.own, 5);
	other.host = "beta";
	sampling_add_rates(&f->data, other, 'W', beta.own, 5);
	assert_true(compare_parse_base(&f->options, "filesystem=FAT", &err));
	assert_true(compare_parse_rows(&f->options, "filesystem", &err));
	make(f);
	assert_int_equal(f->comparison->count, 2);
	assert_int_equal(f->comparison->rows[1].n, 10);
	assert_false(f->comparison->rows[1].paired);
	assert_close(f->comparison->rows[1].ratio, 1.012464053871212);
}

static void a_comparison_of_systems_is_none_of_a_fleet(void **state)
{
	struct fixture *f = *state;
	struct record_result nt = sampling_row(9, 90, 90);
	struct err err = { 0 };

	add_run(f, &alpha, 5);
	nt.os = "NT";
	nt.machine_id = "m-9";
	nt.filesystem = "FAT";
	sampling_add_rates(&f->data, nt, 'W', beta.own, 5);
	assert_true(compare_parse_base(&f->options, "os=NT", &err));
	assert_int_equal(make(f)->fleet_count, 0);
	assert_true(f->comparison->rows[0].has_ratio);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_machine_is_no_fleet),
		TEST(it_is_the_geometric_mean_of_what_hosts_say),
		TEST(hosts_that_disagree_are_named),
		TEST(a_host_with_two_runs_counts_once),
		TEST(two_hosts_are_no_test),
		TEST(a_host_alone_is_said_to_be),
		TEST(machines_of_one_name_are_not_one),
		TEST(pooled_rows_take_no_ratio_across_hosts),
		TEST(a_comparison_of_systems_is_none_of_a_fleet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
