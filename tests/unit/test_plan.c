/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "runner/plan.h"
#include "tests/unit/unit.h"

#define SEED 42

/* The matrix of a JSON text, which must be valid. */
static struct matrix *matrix_of(const char *text)
{
	struct err_list faults = { 0 };
	struct matrix *m =
		matrix_parse(text, strlen(text), "/m/m.json", &faults);

	assert_non_null(m);
	err_list_done(&faults);
	return m;
}

static struct plan *plan_of(const struct matrix *m)
{
	struct err err = { 0 };
	struct plan *plan = plan_new(m, m->rounds, SEED, &err);

	assert_non_null(plan);
	return plan;
}

#define TWO_BY_TWO                                                             \
	"\"volumes\":[{\"name\":\"a\",\"image\":\"a\",\"size\":\"1GiB\"},"     \
	"{\"name\":\"b\",\"image\":\"b\",\"size\":\"1GiB\"}],"                 \
	"\"filesystems\":[{\"name\":\"FAT\",\"type\":\"vfat\"},"               \
	"{\"name\":\"NTFS\",\"type\":\"ntfs\"}]"

static void cells_are_all_combinations_in_the_matrix_order(void **state)
{
	struct matrix *m = matrix_of("{" TWO_BY_TWO "}");
	struct plan *plan = plan_of(m);

	(void)state;
	assert_int_equal(plan->cell_count, 4);
	assert_string_equal(plan->cells[1].volume->name, "a");
	assert_string_equal(plan->cells[1].filesystem->name, "NTFS");
	assert_string_equal(plan->cells[2].volume->name, "b");
	assert_string_equal(plan->cells[2].filesystem->name, "FAT");
	plan_free(plan);
	matrix_free(m);
}

static void each_cell_is_compared_on_its_own_volume(void **state)
{
	struct matrix *m = matrix_of("{" TWO_BY_TWO "}");
	struct plan *plan = plan_of(m);

	(void)state;
	assert_int_equal(plan->cells[0].base, 0);
	assert_int_equal(plan->cells[1].base, 0);
	assert_int_equal(plan->cells[2].base, 2);
	assert_int_equal(plan->cells[3].base, 2);
	plan_free(plan);
	matrix_free(m);
}

static void a_volume_as_baseline_compares_equal_filesystems(void **state)
{
	struct matrix *m =
		matrix_of("{" TWO_BY_TWO ",\"baseline\":{\"volume\":\"b\"}}");
	struct plan *plan = plan_of(m);

	(void)state;
	assert_int_equal(plan->cells[0].base, 2);
	assert_int_equal(plan->cells[1].base, 3);
	assert_int_equal(plan->cells[3].base, 3);
	plan_free(plan);
	matrix_free(m);
}

static void an_excluded_base_leaves_its_cells_without_one(void **state)
{
	struct matrix *m =
		matrix_of("{" TWO_BY_TWO ",\"exclude\":[{\"volume\":\"b\","
			  "\"filesystem\":\"FAT\"}]}");
	struct plan *plan = plan_of(m);

	(void)state;
	assert_int_equal(plan->cell_count, 3);
	assert_int_equal(plan->cells[1].base, 0);
	assert_true(plan->cells[2].base == PLAN_NO_BASE);
	plan_free(plan);
	matrix_free(m);
}

static void a_directory_makes_one_cell_per_workload(void **state)
{
	struct matrix *m =
		matrix_of("{\"volumes\":[{\"name\":\"d\",\"directory\":\"/d\"},"
			  "{\"name\":\"e\",\"directory\":\"/e\"}],"
			  "\"workloads\":[{\"name\":\"x\"},{\"name\":\"y\"}]}");
	struct plan *plan = plan_of(m);

	(void)state;
	assert_int_equal(plan->cell_count, 4);
	assert_null(plan->cells[0].filesystem);
	/* The first volume is the baseline where all are directories. */
	assert_int_equal(plan->cells[2].base, 0);
	assert_int_equal(plan->cells[3].base, 1);
	plan_free(plan);
	matrix_free(m);
}

/* `count` objects that differ by their name. */
static void put_list(FILE *out, const char *name, int count, const char *rest)
{
	fprintf(out, "\"%s\":[", name);
	for (int i = 0; i < count; i++)
		fprintf(out, "%s{\"name\":\"%d\"%s}", i ? "," : "", i, rest);
	fputc(']', out);
}

static long most_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

/* As many as there may be; with them all it would be a hundred million. */
static void filesystems_that_no_cell_has_take_no_memory(void **state)
{
	enum { KIB_MAX = 300 << 10 }; /* a sanitizer's share is in it */
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct matrix *m;
	struct plan *plan;
	long before;

	(void)state;
	fputc('{', out);
	put_list(out, "volumes", 1000, ",\"directory\":\"/d\"");
	fputc(',', out);
	put_list(out, "filesystems", 1000, ",\"type\":\"ext4\"");
	fputc(',', out);
	put_list(out, "workloads", 100, "");
	fputc('}', out);
	fclose(out);
	m = matrix_of(text);
	before = most_kib();
	plan = plan_of(m);
	assert_int_equal(plan->cell_count, 100000);
	assert_int_equal(plan->cells[99999].base, 99);
	assert_true(most_kib() - before < KIB_MAX);
	plan_free(plan);
	matrix_free(m);
	free(text);
}

enum { MANY = 100 };

/* A plan of MANY cells that has only what an order needs. */
static struct plan many(uint64_t seed)
{
	return (struct plan){ .cell_count = MANY, .rounds = 2, .seed = seed };
}

static void every_round_holds_every_cell_once(void **state)
{
	struct plan plan = many(SEED);
	size_t order[MANY];
	int seen[MANY] = { 0 };

	(void)state;
	plan_order(&plan, 1, order);
	for (size_t i = 0; i < MANY; i++)
		seen[order[i]]++;
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(seen[i], 1);
}

static void the_seed_and_the_round_determine_the_order(void **state)
{
	struct plan plan = many(SEED), other = many(SEED + 1);
	size_t a[MANY], b[MANY];

	(void)state;
	plan_order(&plan, 1, a);
	plan_order(&plan, 1, b);
	assert_memory_equal(a, b, sizeof(a));
	plan_order(&plan, 2, b);
	assert_memory_not_equal(a, b, sizeof(a));
	plan_order(&other, 1, b);
	assert_memory_not_equal(a, b, sizeof(a));
	/* Nor is a seed's second round the next seed's first. */
	plan_order(&plan, 2, a);
	assert_memory_not_equal(a, b, sizeof(a));
}

static void an_order_once_given_never_changes(void **state)
{
	struct plan plan = { .cell_count = 6, .rounds = 1, .seed = 1 };
	size_t order[6];
	/* What seed 1 gave when the first runs were stored. */
	static const size_t stored[6] = { 1, 3, 0, 5, 2, 4 };

	(void)state;
	plan_order(&plan, 1, order);
	assert_memory_equal(order, stored, sizeof(stored));
}

static void places_in_the_order_are_even(void **state)
{
	int first[4] = { 0 };
	size_t order[4];

	(void)state;
	for (uint64_t seed = 0; seed < 4000; seed++) {
		struct plan plan = { .cell_count = 4, .seed = seed };

		plan_order(&plan, 1, order);
		first[order[0]]++;
	}
	for (size_t i = 0; i < 4; i++)
		assert_in_range(first[i], 900, 1100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			cells_are_all_combinations_in_the_matrix_order),
		cmocka_unit_test(each_cell_is_compared_on_its_own_volume),
		cmocka_unit_test(
			a_volume_as_baseline_compares_equal_filesystems),
		cmocka_unit_test(an_excluded_base_leaves_its_cells_without_one),
		cmocka_unit_test(a_directory_makes_one_cell_per_workload),
		cmocka_unit_test(filesystems_that_no_cell_has_take_no_memory),
		cmocka_unit_test(every_round_holds_every_cell_once),
		cmocka_unit_test(the_seed_and_the_round_determine_the_order),
		cmocka_unit_test(an_order_once_given_never_changes),
		cmocka_unit_test(places_in_the_order_are_even),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
