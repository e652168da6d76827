/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often a comparison is right, over thousands of synthetic tables: rates
 * with log-normal noise, on a machine that drifts while the cells of a round
 * are measured in random order.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/sampling.h"

enum { TABLES = 2000, ROUNDS = 5, MOST_CELLS = 8 };

struct machine {
	int cells;    /* of a round; the first is the base */
	double noise; /* standard deviation of the logarithm of a rate */
	double drift; /* of the logarithm, over the whole run */
	double gain;  /* true ratio of the last cell to the base */
};

struct found {
	int rows, rows_before; /* compared; with p below alpha */
	int tables, tables_any, tables_gain, tables_gains;
};

/* Marsaglia's xorshift64*; the same tables every time. */
static uint64_t state = 88172645463325252;

static double uniform(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return ((double)((state * 2685821657736338717u) >> 11) + 0.5) /
	       9007199254740992;
}

/* Box and Muller's. */
static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static void shuffle(int *order, int count)
{
	for (int i = 0; i < count; i++)
		order[i] = i;
	for (int i = count - 1; i > 0; i--) {
		int j = (int)(uniform() * (i + 1)), kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
}

static void measure(struct dataset *data, const struct machine *machine,
		    int cell, int round, double drift)
{
	struct record_result row = sampling_row(1, cell + 1, 1);
	char name[] = { 'a', '\0' };

	name[0] = (char)('a' + cell);
	row.filesystem = name;
	row.round = round + 1;
	for (int op = 0; op < 2; op++) {
		double gain = cell == machine->cells - 1 ? machine->gain : 1;

		row.op = "WR"[op];
		row.kb_per_s =
			1e5 * gain * exp(machine->noise * normal() + drift);
		sampling_add(data, row);
	}
}

static void fill(struct dataset *data, const struct machine *machine)
{
	int order[MOST_CELLS], all = machine->cells * ROUNDS;

	for (int round = 0; round < ROUNDS; round++) {
		shuffle(order, machine->cells);
		for (int i = 0; i < machine->cells; i++)
			measure(data, machine, order[i], round,
				machine->drift * (round * machine->cells + i) /
					all);
	}
}

static void count(struct found *found, const struct comparison *comparison,
		  const struct machine *machine)
{
	int any = 0, gains = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		bool significant = row->verdict == COMPARE_SIGNIFICANT;

		if (row->base == COMPARE_NONE)
			continue;
		found->rows++;
		found->rows_before += row->p < comparison->options->alpha;
		any |= significant;
		gains += significant && row->ratio > 1 &&
			 row->names[DATASET_FILESYSTEM][0] ==
				 'a' + machine->cells - 1;
	}
	found->tables++;
	found->tables_any += any;
	found->tables_gain += gains > 0;
	found->tables_gains += gains == 2;
}

static struct found simulate(const struct machine *machine)
{
	struct compare_options options;
	struct found found = { 0 };

	compare_options_init(&options);
	for (int i = 0; i < TABLES; i++) {
		struct dataset data = { 0 };
		struct comparison *comparison;

		fill(&data, machine);
		comparison = sampling_compare(&data, &options);
		count(&found, comparison, machine);
		compare_free(comparison);
		dataset_done(&data);
	}
	compare_options_done(&options);
	return found;
}

static double percent(int part, int of)
{
	return 100.0 * part / of;
}

static void say(const char *what, const struct machine *machine, double value)
{
	print_message("%s, %d comparisons: %.2f %%\n", what,
		      2 * (machine->cells - 1), value);
}

static void one_row_of_twenty_differs_by_chance_before_correction(void **unused)
{
	(void)unused;
	for (int cells = 2; cells <= MOST_CELLS; cells += 3) {
		struct machine equal = { cells, 0.02, 0.01, 1 };
		struct found found = simulate(&equal);
		double rows = percent(found.rows_before, found.rows);

		say("rows of equals with p < 0.05", &equal, rows);
		assert_true(rows >= 4 && rows <= 6);
	}
}

static void few_tables_of_equals_show_any_difference(void **unused)
{
	(void)unused;
	for (int cells = 2; cells <= MOST_CELLS; cells += 3) {
		struct machine equal = { cells, 0.02, 0.01, 1 };
		struct found found = simulate(&equal);
		double tables = percent(found.tables_any, found.tables);

		say("tables of equals with a difference", &equal, tables);
		assert_true(tables <= 5.5);
	}
}

/* Of one pair, as in the main job, in writes and in reads. */
static void five_percent_is_found(void **unused)
{
	struct machine faster = { 2, 0.01, 0.01, 1.05 };
	struct found found = simulate(&faster);
	double tables = percent(found.tables_gains, found.tables);

	(void)unused;
	say("tables in which +5 % is found twice", &faster, tables);
	assert_true(tables >= 99);
}

/* The more is compared, the more it takes to be sure. */
static void five_percent_among_equals_is_found_in_one_phase(void **unused)
{
	struct machine faster = { 5, 0.01, 0.01, 1.05 };
	struct found found = simulate(&faster);
	double tables = percent(found.tables_gain, found.tables);

	(void)unused;
	say("tables in which +5 % is found", &faster, tables);
	assert_true(tables >= 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			one_row_of_twenty_differs_by_chance_before_correction),
		cmocka_unit_test(few_tables_of_equals_show_any_difference),
		cmocka_unit_test(five_percent_is_found),
		cmocka_unit_test(
			five_percent_among_equals_is_found_in_one_phase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
