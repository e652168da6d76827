/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "core/text.h"
#include "runner/command.h"
#include "runner/misfit.h"
#include "runner/plan.h"
#include "schema/matrix.h"

static void print_count(const char *before, size_t count, const char *noun)
{
	printf("%s%zu %s%s", before, count, noun, count == 1 ? "" : "s");
}

static void print_verdict(const char *path, const struct matrix *matrix)
{
	size_t cells = matrix_cell_count(matrix);

	text_fputs_safe(path, stdout);
	print_count(": valid: ", cells, "cell");
	print_count(", ", matrix->rounds, "round");
	print_count(", ", cells * matrix->rounds, "sample");
	putchar('\n');
}

/* What is valid, and cannot be meant. */
static bool warn(const struct matrix *matrix, struct err *err)
{
	struct plan *plan = plan_new(matrix, 1, 0, err);

	if (!plan)
		return false;
	misfit_warn(matrix);
	misfit_warn_of_room(matrix, plan);
	misfit_note_places(matrix);
	plan_free(plan);
	return true;
}

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option options[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ NULL, 0, NULL, 0 },
	};
	struct matrix *matrix;
	bool quiet = false, valid;
	int option;

	while ((option = command_getopt(argc, argv, "q", options, err)) != -1) {
		if (option != 'q')
			return false;
		quiet = true;
	}
	if (!command_arguments(argc, argv, 1, 1, "MATRIX", err))
		return false;
	matrix = command_matrix(argv[optind], err);
	valid = matrix != NULL;
	if (valid && !quiet) {
		print_verdict(argv[optind], matrix);
		valid = warn(matrix, err);
	}
	matrix_free(matrix);
	return valid;
}

const struct command cmd_check = {
	.name = "check",
	.synopsis = "[-q] MATRIX",
	.brief = "check a matrix without running it; tells every fault at once",
	.options =
		"  -q, --quiet         print nothing if the matrix is valid; "
		"else warnings, and\n"
		"                      which of its places this machine has "
		"not\n\n"
		"Whether what it writes fits is looked at once it has no fault "
		"any more.\n\n",
	.run = run,
};
