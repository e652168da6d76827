/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <uuid/uuid.h>

#include "core/text.h"
#include "runner/cellrecord.h"
#include "runner/command.h"
#include "runner/conditions.h"
#include "runner/diskfacts.h"
#include "runner/holder.h"
#include "runner/hostfacts.h"
#include "runner/misfit.h"
#include "runner/running.h"
#include "runner/signals.h"
#include "runner/timestamp.h"

static const struct option options[] = {
	{ "rounds", required_argument, NULL, 'r' },
	{ "seed", required_argument, NULL, 's' },
	{ "label", required_argument, NULL, 'l' },
	{ "budget", required_argument, NULL, 'b' },
	{ "until", required_argument, NULL, 'u' },
	{ "notify-cmd", required_argument, NULL, 'n' },
	{ 0 },
};

static bool parse(struct running *r, int argc, char **argv, const char **label,
		  struct err *err)
{
	int found;

	while ((found = command_getopt(argc, argv, "", options, err)) != -1) {
		if (found == 'l')
			*label = optarg;
		else if (!planning_option(&r->planning, found, err) &&
			 !running_option(r, found, optarg, err))
			return false;
	}
	if (*label && (!**label || !text_is_utf8(*label)))
		return err_usage(err, "--label: not a UTF-8 text");
	if (*label && !store_check_label(*label, err))
		return false;
	return command_arguments(argc, argv, 1, 1, "MATRIX", err);
}

static bool add_host(struct running *r, int64_t *id, struct err *err)
{
	struct hostfacts facts;
	struct record_host host;

	hostfacts_read_here(&facts);
	host = hostfacts_record(&facts);
	return store_add_host(r->store, &host, id, err);
}

static bool add_run(struct running *r, const char *label, struct err *err)
{
	const struct matrix *matrix = r->planning.matrix;
	char *path = realpath(matrix->source, NULL);
	char started[TIMESTAMP_SIZE];
	char holder[HOLDER_SIZE];
	struct conditions conditions;
	struct record_run run = {
		.source = "run",
		.matrix = matrix->name,
		.matrix_text = matrix->text,
		.matrix_path = path,
		.label = label,
		.seed = r->planning.plan->seed,
		.rounds = r->planning.plan->rounds,
		.baseline_dimension =
			matrix_dimension_name(matrix->baseline_dimension),
		.baseline = matrix->baseline,
		.program = PROGRAM " " FSMATRIX_VERSION,
		.started_at = started,
		.holder = holder,
	};
	int64_t host;
	uuid_t uuid;
	bool ok;

	uuid_generate(uuid);
	uuid_unparse_lower(uuid, run.uuid);
	timestamp_now(started);
	holder_own(holder);
	conditions_read("", &conditions);
	run.conditions = conditions_record(&conditions);
	if (conditions.power == RECORD_POWER_BATTERY)
		command_warn("this machine runs on battery, which can make it "
			     "slow");
	ok = add_host(r, &host, err) &&
	     store_add_run(r->store, host, &run, &r->run, err);
	free(path);
	return ok;
}

static bool add_all_cells(struct running *r, struct err *err)
{
	const struct plan *plan = r->planning.plan;
	const struct matrix_volume *of = NULL; /* whose disk `facts` has */
	struct cellrecord record = { 0 };
	struct record_disk disk = { 0 };
	struct diskfacts facts;
	bool ok = true;

	for (size_t i = 0; ok && i < plan->cell_count; i++) {
		const struct plan_cell *cell = &plan->cells[i];

		if (cell->volume != of) {
			of = cell->volume;
			diskfacts_of_volume(of, &facts);
			disk = diskfacts_record(&facts);
		}
		ok = cellrecord_make(&record, cell) || err_nomem(err);
		record.record.disk = disk.name ? &disk : NULL;
		ok = ok && store_add_cell(r->store, r->run, &record.record,
					  &r->cells[i], err);
	}
	cellrecord_done(&record);
	return ok;
}

/* In the plan's order, so that resume finds them by it. */
static bool add_cells(struct running *r, struct err *err)
{
	const struct plan *plan = r->planning.plan;

	r->cells = calloc(plan->cell_count, sizeof(*r->cells));
	if (!r->cells)
		return err_nomem(err);
	if (!add_all_cells(r, err))
		return false;
	for (size_t i = 0; i < plan->cell_count; i++) {
		size_t base = plan->cells[i].base;

		if (base != PLAN_NO_BASE &&
		    !store_set_base(r->store, r->cells[i], r->cells[base], err))
			return false;
	}
	return true;
}

/* A run is there with all its cells, or not at all. */
static bool begin_run(struct running *r, const char *label, struct err *err)
{
	bool ok;

	if (!store_begin(r->store, err))
		return false;
	ok = add_run(r, label, err) && add_cells(r, err) &&
	     store_commit(r->store, err);
	store_rollback(r->store);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	struct running r = { 0 };
	const char *label = NULL;
	bool ok = false;

	signals_begin();
	if (!parse(&r, argc, argv, &label, err) ||
	    !planning_load(&r.planning, argv[optind], err))
		goto out;
	misfit_warn(r.planning.matrix);
	if (!running_prepare(&r, err))
		goto out;
	misfit_warn_of_room(r.planning.matrix, r.planning.plan);
	ok = running_open(&r, err) && begin_run(&r, label, err) &&
	     running_measure(&r, err);
out:
	running_finish(&r, err);
	return ok;
}

const struct command cmd_run = {
	.name = "run",
	.synopsis = "[OPTION]... MATRIX",
	.brief = "measure every cell of a matrix and print the comparison",
	.options =
		"      --rounds N      rounds instead of the matrix's\n"
		"      --seed N        the order of the cells (default: "
		"drawn)\n"
		"      --label TEXT    a name for this run (not \"last\", no "
		"number)\n" RUNNING_OPTIONS "\n"
		"During a write phase the key r (SIGUSR1 without a terminal) "
		"means \"read now\":\nthe write ends there, the read follows, "
		"and the sample is marked shortened.\nCtrl-C, SIGTERM and "
		"SIGHUP stop cleanly; `resume` goes on.\n\n",
	.run = run,
};
