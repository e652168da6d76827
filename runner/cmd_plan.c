/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/units.h"
#include "reports/fit.h"
#include "runner/budget.h"
#include "runner/command.h"
#include "runner/estimate.h"
#include "runner/misfit.h"
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

/* What can be foreseen of a cell. */
struct outlook {
	char *commands;   /* owned; NULL: none */
	const char *what; /* "will fail", ...; NULL: it will give a result */
	struct err why;
	char misfit[PATH_MAX + 256]; /* "": it fits, as far as is known */
};

static void foresee(const struct plan_cell *cell, struct seen *seen,
		    struct outlook *out)
{
	enum target_outcome outcome;

	*out = (struct outlook){ 0 };
	outcome = target_plan(cell->volume, cell->filesystem, &out->commands,
			      &out->why);
	look_at(seen, cell->volume);
	if (outcome == TARGET_SKIPPED) {
		out->what = "will be skipped";
	} else if (outcome == TARGET_FAILED) {
		out->what = "will fail";
	} else if (seen->refused) {
		out->what = "run will refuse";
		out->why = seen->because;
	}
	if (!misfit_cell(cell, out->misfit, sizeof(out->misfit)))
		out->misfit[0] = '\0';
}

static bool is_hopeful(const struct plan_cell *cell, struct seen *seen)
{
	struct outlook outlook;

	foresee(cell, seen, &outlook);
	free(outlook.commands);
	return !outlook.what && !outlook.misfit[0];
}

static void print_commands(const struct plan_cell *cell, struct seen *seen)
{
	struct outlook outlook;

	foresee(cell, seen, &outlook);
	if (outlook.commands)
		print_commands_of(outlook.commands);
	if (cell->volume->kind == MATRIX_DIRECTORY)
		print_directory(seen);
	if (outlook.what)
		print_foreseen(outlook.what, outlook.why.text);
	if (outlook.misfit[0])
		print_foreseen("will fail", outlook.misfit);
	free(outlook.commands);
}

static void print_workload(const struct workload *w, FILE *out)
{
	char size[32] = "until full", block[32];

	if (w->size_bytes)
		units_format_bytes(w->size_bytes, size, sizeof(size));
	units_format_bytes(w->block_bytes, block, sizeof(block));
	fprintf(out, "%s in blocks of %s, %s, %s read", size, block,
		record_io_name(w->io),
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

static void print_cell(const struct plan *plan, size_t i,
		       const struct budget *budget, struct seen *seen)
{
	uint64_t ns = budget_estimate(budget, i);
	char text[UNITS_TEXT_MAX];

	print_cell_line(plan, i);
	print_commands(&plan->cells[i], seen);
	if (ns == 0)
		return;
	units_format_duration(ns, text, sizeof(text));
	SAY(INDENT, "%*stime from history: %s", INDENT, "", text);
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
	size_t cells; /* that will give a result, as far as is known */
	uint64_t bytes, ns;
	size_t timed;              /* cells that history knows the time of */
	bool devices, directories; /* some of these are filled besides */
	uint64_t rough_ns;         /* of all rounds, at ROUGH_BYTES_PER_S */
	bool boundless; /* nobody knows how long some of them write */
};

/*
 * Before a first run nobody knows the rates; this is a disk's or a stick's,
 * and easily scaled by who knows his own.
 */
#define ROUGH_BYTES_PER_S UINT64_C(100000000)

/* A write of so many bytes (0: not known) and the read of them. */
static void add_rough(struct amount *amount, const struct workload *w,
		      uint64_t bytes, unsigned int rounds)
{
	const uint64_t ns_per_byte = 1000000000 / ROUGH_BYTES_PER_S;
	uint64_t ns = UINT64_MAX;

	if (bytes && __builtin_mul_overflow(bytes, ns_per_byte, &ns))
		ns = UINT64_MAX;
	if (w->duration_ns && w->duration_ns < ns)
		ns = w->duration_ns;
	if (__builtin_mul_overflow(ns, 2 * (uint64_t)rounds, &ns) ||
	    __builtin_add_overflow(amount->rough_ns, ns, &amount->rough_ns))
		amount->boundless = true;
}

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
	add_rough(amount, w, bytes, rounds);
	if (__builtin_mul_overflow(bytes, rounds, &bytes) ||
	    __builtin_add_overflow(amount->bytes, bytes, &amount->bytes))
		amount->bytes = UINT64_MAX;
}

static const char *plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* Of cells that will give no result nothing is promised. */
static struct amount amount_of(const struct plan *plan,
			       const struct budget *budget)
{
	struct amount amount = { 0 };
	struct seen seen = { 0 };

	for (size_t i = 0; i < plan->cell_count; i++) {
		uint64_t ns = budget_estimate(budget, i);

		if (!is_hopeful(&plan->cells[i], &seen))
			continue;
		amount.cells++;
		amount.ns += ns;
		amount.timed += ns > 0;
		add_cell(&amount, &plan->cells[i], plan->rounds);
	}
	return amount;
}

static void print_head(const struct matrix *matrix, const struct plan *plan,
		       const struct amount *amount)
{
	static const char *const filled[] = {
		"",
		" and what fits on the devices that are filled",
		" and what fits on the directories that are filled",
		" and what fits on the devices and directories that are filled",
	};
	char total[32];

	units_format_bytes(amount->bytes, total, sizeof(total));
	SAY(2, "%s: %zu cell%s x %u round%s = %zu sample%s, %s%s to be written",
	    matrix->name, plan->cell_count, plural(plan->cell_count),
	    plan->rounds, plural(plan->rounds), plan->cell_count * plan->rounds,
	    plural(plan->cell_count * plan->rounds), total,
	    filled[amount->devices + 2 * amount->directories]);
	if (amount->cells < plan->cell_count)
		SAY(2,
		    "%zu of %zu cell%s will give no result: what %s would "
		    "write is not counted",
		    plan->cell_count - amount->cells, plan->cell_count,
		    plural(plan->cell_count),
		    plan->cell_count - amount->cells == 1 ? "it" : "they");
}

static void print_cells(const struct plan *plan, const struct budget *budget)
{
	struct seen seen = { 0 };

	for (size_t i = 0; i < plan->cell_count; i++)
		print_cell(plan, i, budget, &seen);
}

static void print_rough_time(const struct amount *amount)
{
	static const char unknown[] = "time: not known before a first run";
	char text[UNITS_TEXT_MAX];

	units_format_duration(amount->rough_ns, text, sizeof(text));
	if (amount->boundless)
		puts(unknown);
	else
		SAY(2, "%s; to write and read that at 100 MB a second takes %s",
		    unknown, text);
}

/* Of all rounds, as far as history knows. */
static void print_total_time(const struct plan *plan,
			     const struct amount *amount)
{
	char text[UNITS_TEXT_MAX];

	if (amount->cells == 0)
		return;
	if (amount->timed == 0) {
		print_rough_time(amount);
		return;
	}
	units_format_duration(amount->ns * plan->rounds, text, sizeof(text));
	if (amount->timed < amount->cells)
		SAY(2, "time from history: %s for %zu of %zu cells", text,
		    amount->timed, amount->cells);
	else
		SAY(2, "time from history: %s", text);
}

static void print_timeout(const struct matrix *matrix)
{
	char text[UNITS_TEXT_MAX];

	if (matrix->timeout_ns == 0)
		return;
	units_format_limit(matrix->timeout_ns, text, sizeof(text));
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
	for (size_t i = 0; i < matrix->volume_count; i++) {
		struct err because = { 0 };

		if (!target_check(&matrix->volumes[i], &because))
			SAY(2, "run will refuse: %s", because.text);
	}
	misfit_warn(matrix);
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
	struct amount amount;
	bool ok;

	if (!budget)
		return false;
	amount = amount_of(plan, budget);
	print_head(planning->matrix, plan, &amount);
	print_total_time(plan, &amount);
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
