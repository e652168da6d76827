/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/units.h"
#include "reports/fit.h"
#include "runner/budget.h"
#include "runner/command.h"
#include "runner/estimate.h"
#include "runner/plan.h"
#include "runner/planning.h"
#include "runner/safety.h"
#include "runner/target.h"
#include "runner/view.h"

static const struct option options[] = {
	{ "rounds", required_argument, NULL, 'r' },
	{ "seed", required_argument, NULL, 's' },
	{ 0 },
};

enum { INDENT = 8 };

/* Lines for people; what does not fit goes on below. */
#define SAY(indent, ...)                                                       \
	view_say(stdout, view_width(stdout), indent, __VA_ARGS__)

/*
 * Bytes of a command for a line of `room` columns: up to a blank that no quote
 * is around; all of it where there is none.
 */
static size_t command_bytes(const char *text, size_t room)
{
	size_t bytes = strlen(text);
	bool quoted = false;

	if (fit_head(text, room + 2) == bytes)
		return bytes;
	bytes = 0;
	for (size_t i = 0; text[i]; i++) {
		if (text[i] == '\'')
			quoted = !quoted;
		if (text[i] != ' ' || quoted || i == 0)
			continue;
		if (bytes > 0 && fit_head(text, room) < i)
			return bytes;
		bytes = i;
	}
	return bytes > 0 ? bytes : strlen(text);
}

/* It is still the same command for a shell when it takes several lines. */
static void print_command(const char *command)
{
	size_t width = view_width(stdout), indent = INDENT;

	while (*command) {
		size_t room = width > 0 ? width - indent - 2 : SIZE_MAX - 2;
		size_t bytes = command_bytes(command, room);

		printf("%*s%.*s%s\n", (int)indent, "", (int)bytes, command,
		       command[bytes] ? " \\" : "");
		command += bytes + (command[bytes] == ' ');
		indent = INDENT + 4;
	}
}

static void print_commands_of(const char *commands)
{
	while (*commands) {
		size_t length = strcspn(commands, "\n");
		char *line = strndup(commands, length);
		char *safe = line ? fit_safe(line, true) : NULL;

		if (safe)
			print_command(safe);
		free(safe);
		free(line);
		commands += length + (commands[length] == '\n');
	}
}

/* What a look at a volume tells: it is the same for all its cells. */
struct seen {
	const struct matrix_volume *volume;
	char type[64];      /* of a directory's filesystem; "" if unknown */
	bool refused;       /* by target_check() */
	struct err because; /* if so */
};

static void look_at(struct seen *seen, const struct matrix_volume *volume)
{
	if (seen->volume == volume)
		return;
	*seen = (struct seen){ .volume = volume };
	if (volume->kind == MATRIX_DIRECTORY)
		target_directory_type(volume->path, seen->type,
				      sizeof(seen->type));
	seen->refused = !target_check(volume, &seen->because);
}

/* A directory is used as it is: there is nothing to call. */
static void print_directory(const struct seen *seen)
{
	SAY(INDENT + 2, "%*sin %s%s%s", INDENT, "", seen->volume->path,
	    seen->type[0] ? ", which is " : "", seen->type);
}

static void print_foreseen(const char *what, const char *why)
{
	SAY(INDENT + 2, "%*s%s: %s", INDENT, "", what, why);
}

/* More than the volume holds is known before anything is made: false. */
static bool print_misfit(const struct plan_cell *cell)
{
	uint64_t wanted = cell->workload->core.size_bytes;
	char bytes[UNITS_TEXT_MAX], room[UNITS_TEXT_MAX], why[128];

	if (cell->volume->kind != MATRIX_IMAGE ||
	    wanted < cell->volume->size_bytes)
		return true;
	units_format_bytes(wanted, bytes, sizeof(bytes));
	units_format_bytes(cell->volume->size_bytes, room, sizeof(room));
	snprintf(why, sizeof(why), "%s do not fit on a volume of %s", bytes,
		 room);
	print_foreseen("will fail", why);
	return false;
}

/* False: it will give no result, as far as can be foreseen. */
static bool print_commands(const struct plan_cell *cell, struct seen *seen)
{
	struct err err = { 0 };
	char *commands = NULL;
	enum target_outcome outcome =
		target_plan(cell->volume, cell->filesystem, &commands, &err);
	bool fits;

	look_at(seen, cell->volume);
	if (commands)
		print_commands_of(commands);
	if (cell->volume->kind == MATRIX_DIRECTORY)
		print_directory(seen);
	if (outcome == TARGET_SKIPPED)
		print_foreseen("will be skipped", err.text);
	else if (outcome == TARGET_FAILED)
		print_foreseen("will fail", err.text);
	else if (seen->refused)
		print_foreseen("run will refuse", seen->because.text);
	fits = print_misfit(cell);
	free(commands);
	return fits && !seen->refused && outcome != TARGET_SKIPPED &&
	       outcome != TARGET_FAILED;
}

static void print_workload(const struct workload *w, FILE *out)
{
	static const char *const io[] = {
		[WORKLOAD_BUFFERED] = "buffered",
		[WORKLOAD_DIRECT] = "direct",
		[WORKLOAD_DIRECT_STRICT] = "direct!",
	};
	char size[32] = "until full", block[32];

	if (w->size_bytes)
		units_format_bytes(w->size_bytes, size, sizeof(size));
	units_format_bytes(w->block_bytes, block, sizeof(block));
	fprintf(out, "%s in blocks of %s, %s, %s read", size, block, io[w->io],
		w->read == WORKLOAD_COLD ? "cold" : "warm");
	if (w->depth > 1)
		fprintf(out, ", depth %u", w->depth);
	if (w->streams > 1)
		fprintf(out, ", %u streams", w->streams);
	if (w->verify == WORKLOAD_VERIFY_STAMPS)
		fputs(", stamps verified", out);
	if (w->duration_ns) {
		char duration[32];

		units_format_duration(w->duration_ns, duration,
				      sizeof(duration));
		fprintf(out, ", at most %s", duration);
	}
}

static void print_cell_line(const struct plan *plan, size_t i)
{
	const struct plan_cell *cell = &plan->cells[i];
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return;
	fprintf(line, "%4zu  %s %s %s: ", i + 1, cell->volume->name,
		cell->filesystem ? cell->filesystem->name
				 : "(its own filesystem)",
		cell->workload->name);
	print_workload(&cell->workload->core, line);
	fputs(cell->base == i ? " (baseline)" : "", line);
	if (fclose(line) == 0)
		SAY(INDENT - 2, "%s", text);
	free(text);
}

static bool print_cell(const struct plan *plan, size_t i,
		       const struct budget *budget, struct seen *seen)
{
	uint64_t ns = budget_estimate(budget, i);
	char text[UNITS_TEXT_MAX];
	bool hopeful;

	print_cell_line(plan, i);
	hopeful = print_commands(&plan->cells[i], seen);
	if (ns > 0) {
		units_format_duration(ns, text, sizeof(text));
		SAY(INDENT, "%*stime from history: %s", INDENT, "", text);
	}
	return hopeful;
}

static void print_round(const struct plan *plan, unsigned int round,
			const size_t *order)
{
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return;
	fprintf(line, "  round %u:", round);
	for (size_t i = 0; i < plan->cell_count; i++)
		fprintf(line, " %zu", order[i] + 1);
	if (fclose(line) == 0)
		SAY(4, "%s", text);
	free(text);
}

static bool print_order(const struct planning *planning, struct err *err)
{
	const struct plan *plan = planning->plan;
	size_t *order = calloc(plan->cell_count, sizeof(*order));

	if (!order)
		return err_nomem(err);
	putchar('\n');
	SAY(2, "order of seed %" PRIu64 "%s:", plan->seed,
	    planning->seeded ? "" : " (a run draws its own; --seed fixes it)");
	for (unsigned int round = 1; round <= plan->rounds; round++) {
		plan_order(plan, round, order);
		print_round(plan, round, order);
	}
	free(order);
	return true;
}

/* What all samples write, as far as it is known before they are measured. */
struct amount {
	uint64_t bytes;
	bool devices, directories; /* some of these are filled besides */
};

/* A "full" write is as large as an image; of others nobody knows. */
static void add_cell(struct amount *amount, const struct plan_cell *cell,
		     unsigned int rounds)
{
	const struct workload *w = &cell->workload->core;
	uint64_t bytes = w->size_bytes;

	if (!bytes) {
		bytes = cell->volume->size_bytes;
		amount->devices |= cell->volume->kind == MATRIX_DEVICE;
		amount->directories |= cell->volume->kind == MATRIX_DIRECTORY;
	}
	if (__builtin_mul_overflow(bytes, rounds, &bytes) ||
	    __builtin_add_overflow(amount->bytes, bytes, &amount->bytes))
		amount->bytes = UINT64_MAX;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

static void print_head(const struct matrix *matrix, const struct plan *plan)
{
	static const char *const filled[] = {
		"",
		" and what fits on the devices that are filled",
		" and what fits on the directories that are filled",
		" and what fits on the devices and directories that are filled",
	};
	struct amount amount = { 0 };
	char total[32];

	for (size_t i = 0; i < plan->cell_count; i++)
		add_cell(&amount, &plan->cells[i], plan->rounds);
	units_format_bytes(amount.bytes, total, sizeof(total));
	SAY(2, "%s: %zu cell%s x %u round%s = %zu sample%s, %s%s to be written",
	    matrix->name, plan->cell_count, plural(plan->cell_count),
	    plan->rounds, plural(plan->rounds), plan->cell_count * plan->rounds,
	    plural(plan->cell_count * plan->rounds), total,
	    filled[amount.devices + 2 * amount.directories]);
}

/* The head counts every cell. */
static void print_cells(const struct plan *plan, const struct budget *budget)
{
	struct seen seen = { 0 };
	size_t hopeless = 0;

	for (size_t i = 0; i < plan->cell_count; i++)
		hopeless += !print_cell(plan, i, budget, &seen);
	if (hopeless) {
		putchar('\n');
		SAY(2,
		    "%zu of %zu cell%s will give no result; less will be "
		    "written than is said above",
		    hopeless, plan->cell_count, plural(plan->cell_count));
	}
}

/* Of all rounds, as far as history knows. */
static void print_total_time(const struct plan *plan,
			     const struct budget *budget)
{
	uint64_t sum = 0;
	size_t known = 0;
	char text[UNITS_TEXT_MAX];

	for (size_t i = 0; i < plan->cell_count; i++) {
		sum += budget_estimate(budget, i);
		known += budget_estimate(budget, i) > 0;
	}
	if (known == 0) {
		puts("time: not known before a first run");
		return;
	}
	units_format_duration(sum * plan->rounds, text, sizeof(text));
	if (known < plan->cell_count)
		SAY(2, "time from history: %s for %zu of %zu cells", text,
		    known, plan->cell_count);
	else
		SAY(2, "time from history: %s", text);
}

static void print_timeout(const struct matrix *matrix)
{
	char text[UNITS_TEXT_MAX];

	if (matrix->timeout_ns == 0)
		return;
	units_format_duration(matrix->timeout_ns, text, sizeof(text));
	SAY(2, "timeout of a sample: %s", text);
}

/* What of the matrix as a whole stops a run before its first sample. */
static bool print_refusal(const struct matrix *matrix, struct err *err)
{
	uint64_t *reserves = calloc(matrix->volume_count, sizeof(*reserves));
	struct err why = { 0 };

	if (!reserves)
		return err_nomem(err);
	if (!safety_check(matrix, command_database(), reserves, &why))
		SAY(2, "run will refuse: %s", why.text);
	free(reserves);
	return true;
}

/* A plan is a plan without a history, too. */
static struct budget *ask_history(const struct plan *plan, struct err *err)
{
	struct budget *budget = budget_new(plan->cell_count);
	struct err why = { 0 };
	struct store *store;

	if (!budget) {
		err_nomem(err);
		return NULL;
	}
	if (access(command_database(), F_OK) != 0)
		return budget;
	store = store_open(command_database(), STORE_READ, &why);
	if (!store || !estimate_from_history(store, plan, budget, &why))
		command_warn("no time from history: %s: %s", command_database(),
			     why.text);
	store_close(store);
	return budget;
}

static bool print_plan(const struct planning *planning, struct err *err)
{
	const struct plan *plan = planning->plan;
	struct budget *budget = ask_history(plan, err);
	bool ok;

	if (!budget)
		return false;
	print_head(planning->matrix, plan);
	print_total_time(plan, budget);
	print_timeout(planning->matrix);
	ok = print_refusal(planning->matrix, err);
	putchar('\n');
	print_cells(plan, budget);
	ok = ok && print_order(planning, err);
	budget_free(budget);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	struct planning planning = { 0 };
	bool ok = false;
	int found;

	while ((found = command_getopt(argc, argv, "", options, err)) != -1) {
		if (!planning_option(&planning, found, err))
			goto out;
	}
	if (!command_arguments(argc, argv, 1, 1, "MATRIX", err) ||
	    !planning_load(&planning, argv[optind], err))
		goto out;
	ok = print_plan(&planning, err);
out:
	planning_done(&planning);
	return ok;
}

const struct command cmd_plan = {
	.name = "plan",
	.synopsis = "[--rounds N] [--seed N] MATRIX",
	.brief =
		"show the cells, their order and the commands, without running",
	.options = "      --rounds N      rounds instead of the matrix's\n"
		   "      --seed N        the order that `run --seed N` will "
		   "take\n",
	.run = run,
};
