/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "runner/budget.h"
#include "tests/unit/unit.h"

#define MINUTE   UINT64_C(60000000000)
#define NO_LIMIT UINT64_MAX

enum { CELLS = 3, ROUNDS_MAX = 10 };

/* A run on a clock that only samples move on. */
struct sim {
	uint64_t takes_ns[CELLS]; /* how long a sample really takes */
	uint64_t left_ns;
	int measured[ROUNDS_MAX][CELLS];
	struct budget *budget;
};

static const size_t order[CELLS] = { 0, 1, 2 };

static size_t measure_round(struct sim *sim, int round, const size_t *missing,
			    size_t count)
{
	size_t measured = 0;

	for (size_t i = 0; i < count; i++) {
		size_t cell = missing[i];
		uint64_t ns = sim->takes_ns[cell];

		if (!budget_allows_cell(sim->budget, cell, sim->left_ns))
			continue;
		sim->measured[round][cell]++;
		sim->left_ns -= ns < sim->left_ns ? ns : sim->left_ns;
		budget_learn(sim->budget, cell, ns);
		measured++;
	}
	return measured;
}

/* How many rounds were complete. */
static int run(struct sim *sim, int rounds)
{
	int complete = 0;

	for (int round = 0; round < rounds; round++) {
		size_t measured;

		if (!budget_allows_round(sim->budget, order, CELLS,
					 complete > 0, sim->left_ns))
			break;
		measured = measure_round(sim, round, order, CELLS);
		complete += measured == CELLS;
		if (measured == 0)
			break;
	}
	return complete;
}

static int setup(void **state)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	sim->budget = budget_new(CELLS);
	for (int i = 0; i < CELLS; i++)
		sim->takes_ns[i] = 10 * MINUTE;
	*state = sim;
	return 0;
}

static int teardown(void **state)
{
	struct sim *sim = *state;

	budget_free(sim->budget);
	free(sim);
	return 0;
}

static void without_a_limit_every_round_is_measured(void **state)
{
	struct sim *sim = *state;

	sim->left_ns = NO_LIMIT;
	assert_int_equal(run(sim, 5), 5);
}

static void a_round_that_would_not_fit_is_not_begun(void **state)
{
	struct sim *sim = *state;

	sim->left_ns = 80 * MINUTE;
	assert_int_equal(run(sim, 5), 2);
	for (size_t i = 0; i < CELLS; i++)
		assert_int_equal(sim->measured[2][i], 0);
	assert_int_equal(sim->left_ns, 20 * MINUTE);
}

static void a_round_that_just_fits_is_begun(void **state)
{
	struct sim *sim = *state;

	sim->left_ns = 90 * MINUTE;
	assert_int_equal(run(sim, 5), 3);
	assert_int_equal(sim->left_ns, 0);
}

static void of_the_first_round_those_cells_are_measured_that_fit(void **state)
{
	struct sim *sim = *state;

	sim->takes_ns[1] = 300 * MINUTE;
	for (size_t i = 0; i < CELLS; i++)
		budget_expect(sim->budget, i, sim->takes_ns[i]);
	sim->left_ns = 25 * MINUTE;
	assert_int_equal(run(sim, 5), 0);
	assert_int_equal(sim->measured[0][0], 1);
	assert_int_equal(sim->measured[0][1], 0);
	assert_int_equal(sim->measured[0][2], 1);
	assert_int_equal(sim->measured[1][0], 0);
}

static void cells_that_fit_go_on_while_no_round_is_complete(void **state)
{
	struct sim *sim = *state;

	sim->takes_ns[1] = 300 * MINUTE;
	budget_expect(sim->budget, 1, 300 * MINUTE);
	sim->left_ns = 50 * MINUTE;
	assert_int_equal(run(sim, 5), 0);
	assert_int_equal(sim->measured[1][0], 1);
	assert_int_equal(sim->measured[1][2], 1);
	assert_int_equal(sim->measured[2][0], 1);
	assert_int_equal(sim->measured[2][2], 0);
}

static void a_cell_without_an_estimate_may_begin(void **state)
{
	struct sim *sim = *state;

	assert_true(budget_allows_cell(sim->budget, 0, 1));
	assert_false(budget_allows_cell(sim->budget, 0, 0));
	assert_true(budget_allows_round(sim->budget, order, CELLS, true, 1));
	assert_false(budget_allows_round(sim->budget, order, CELLS, false, 0));
}

static void what_was_measured_outweighs_history(void **state)
{
	struct sim *sim = *state;

	budget_expect(sim->budget, 0, 500 * MINUTE);
	assert_int_equal(budget_estimate(sim->budget, 0), 500 * MINUTE);
	budget_learn(sim->budget, 0, 10 * MINUTE);
	budget_learn(sim->budget, 0, 20 * MINUTE);
	assert_int_equal(budget_estimate(sim->budget, 0), 15 * MINUTE);
}

static void a_round_that_turns_out_longer_ends_in_its_middle(void **state)
{
	struct sim *sim = *state;

	sim->left_ns = 55 * MINUTE;
	sim->takes_ns[0] = 20 * MINUTE;
	for (size_t i = 0; i < CELLS; i++)
		budget_expect(sim->budget, i, MINUTE);
	/* 40 minutes went into the first round; the second needs as much */
	assert_int_equal(run(sim, 5), 1);
	assert_int_equal(sim->measured[1][0], 0);
}

static void cells_without_an_estimate_count_as_the_mean_of_others(void **state)
{
	struct sim *sim = *state;
	size_t known;

	assert_int_equal(budget_sum(sim->budget, order, CELLS, &known), 0);
	assert_int_equal(known, 0);
	budget_expect(sim->budget, 0, 10 * MINUTE);
	budget_expect(sim->budget, 1, 20 * MINUTE);
	assert_int_equal(budget_sum(sim->budget, order, CELLS, &known),
			 45 * MINUTE);
	assert_int_equal(known, 2);
	assert_int_equal(budget_sum(sim->budget, order + 2, 1, &known),
			 15 * MINUTE);
	assert_int_equal(budget_sum(sim->budget, order, 0, &known), 0);
}

static void sums_do_not_wrap(void **state)
{
	struct sim *sim = *state;
	size_t known;

	for (size_t i = 0; i < CELLS; i++)
		budget_expect(sim->budget, i, UINT64_MAX - 1);
	assert_true(budget_sum(sim->budget, order, CELLS, &known) ==
		    UINT64_MAX);
	assert_false(budget_allows_round(sim->budget, order, CELLS, true,
					 UINT64_MAX - 2));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_limit_every_round_is_measured),
		TEST(a_round_that_would_not_fit_is_not_begun),
		TEST(a_round_that_just_fits_is_begun),
		TEST(of_the_first_round_those_cells_are_measured_that_fit),
		TEST(cells_that_fit_go_on_while_no_round_is_complete),
		TEST(a_cell_without_an_estimate_may_begin),
		TEST(what_was_measured_outweighs_history),
		TEST(a_round_that_turns_out_longer_ends_in_its_middle),
		TEST(cells_without_an_estimate_count_as_the_mean_of_others),
		TEST(sums_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
