/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/samples.h"
#include "runner/command.h"
#include "runner/selection.h"
#include "schema/store.h"

/* A cell that was never measured is a row too, without figures. */
struct cell {
	int64_t id;
	bool measured;
	/* Owned; may be NULL. */
	char *volume, *kind, *filesystem, *type, *workload;
	bool has_settings;
	struct workload settings;
};

struct exporting {
	struct store *store;
	const struct samples_format *format;
	const struct record_run_info *run; /* while its rows are written */
	char *baseline;                    /* of that run; owned */
	struct cell *cells;                /* of that run; owned; by id */
	size_t cell_count, cells_put;
	bool any, ok;
	struct err *err;
};

static void forget_run(struct exporting *ex)
{
	for (size_t i = 0; i < ex->cell_count; i++) {
		free(ex->cells[i].volume);
		free(ex->cells[i].kind);
		free(ex->cells[i].filesystem);
		free(ex->cells[i].type);
		free(ex->cells[i].workload);
	}
	free(ex->cells);
	free(ex->baseline);
	ex->cells = NULL;
	ex->baseline = NULL;
	ex->cell_count = ex->cells_put = 0;
}

static bool put(struct exporting *ex, const struct record_result *result,
		const struct cell *cell)
{
	struct samples_row row = {
		.result = result,
		.baseline = ex->baseline,
		.machine_id = ex->run->host.machine_id,
		.settings = cell->has_settings ? &cell->settings : NULL,
	};

	ex->ok = ex->format->put(&row, !ex->any, stdout, ex->err);
	ex->any = true;
	/* When the reader has gone, main says so; there is no use in more. */
	return ex->ok && !ferror(stdout);
}

static bool put_unmeasured(struct exporting *ex, const struct cell *cell)
{
	const struct record_run_info *run = ex->run;
	struct record_result row = {
		.run = run->id,
		.cell = cell->id,
		.run_uuid = run->run.uuid,
		.label = run->run.label,
		.matrix = run->run.matrix,
		.source = run->run.source,
		.host_uuid = run->host.uuid,
		.host = run->host.name,
		.os = run->host.os,
		.volume = cell->volume,
		.volume_kind = cell->kind,
		.filesystem = cell->filesystem,
		.type = cell->type,
		.workload = cell->workload,
		.bytes = -1,
		.seconds = NAN,
		.flush_seconds = NAN,
		.kb_per_s = NAN,
		.app_kb_per_s = NAN,
		.sustained_kb_per_s = NAN,
		.user_seconds = NAN,
		.system_seconds = NAN,
		.files = -1,
		.resident_bytes = -1,
		.device_bytes = -1,
		.process_bytes = -1,
	};

	return put(ex, &row, cell);
}

/*
 * Those before the cell of this id, so that all stand in the run's order; it
 * is ex->cells[ex->cells_put] then.
 */
static bool put_unmeasured_before(struct exporting *ex, int64_t id)
{
	for (;
	     ex->cells_put < ex->cell_count && ex->cells[ex->cells_put].id < id;
	     ex->cells_put++) {
		const struct cell *cell = &ex->cells[ex->cells_put];

		if (!cell->measured && !put_unmeasured(ex, cell))
			return false;
	}
	return true;
}

static bool put_result(void *ctx, const struct record_result *result)
{
	static const struct cell unknown;
	struct exporting *ex = ctx;

	return put_unmeasured_before(ex, result->cell) &&
	       put(ex, result,
		   ex->cells_put < ex->cell_count ? &ex->cells[ex->cells_put]
						  : &unknown);
}

static bool copy(char **to, const char *text)
{
	*to = text ? strdup(text) : NULL;
	return *to || !text;
}

static bool copy_cell(struct cell *to, const struct record_cell *cell)
{
	const char *filesystem = cell->filesystem;

	return copy(&to->volume, cell->volume) &&
	       copy(&to->kind, cell->volume_kind) &&
	       copy(&to->filesystem, filesystem ? filesystem : cell->type) &&
	       copy(&to->type, cell->type) &&
	       copy(&to->workload, cell->workload);
}

static bool note_cell(void *ctx, const struct record_cell_info *info)
{
	struct exporting *ex = ctx;
	size_t count = ex->cell_count;
	struct cell *cells;

	cells = reallocarray(ex->cells, count + 1, sizeof(*cells));
	if (cells) {
		ex->cells = cells;
		ex->cell_count++;
		cells[count] = (struct cell){
			.id = info->id,
			.measured = info->samples > 0,
			.has_settings = info->cell.settings,
		};
		if (info->cell.settings)
			cells[count].settings = *info->cell.settings;
	}
	ex->ok = (cells && copy_cell(&cells[count], &info->cell)) ||
		 err_nomem(ex->err);
	return ex->ok;
}

static bool note_baseline(struct exporting *ex, const struct record_run *run)
{
	const char *dimension = run->baseline_dimension;

	if (asprintf(&ex->baseline, "%s%s%s", dimension ? dimension : "",
		     dimension ? "=" : "", dimension ? run->baseline : "") >= 0)
		return true;
	ex->baseline = NULL;
	return err_nomem(ex->err);
}

static bool export_run(void *ctx, const struct record_run_info *info)
{
	struct exporting *ex = ctx;
	bool ok;

	ex->run = info;
	ok = note_baseline(ex, &info->run) &&
	     store_run_cells(ex->store, info->id, note_cell, ex, ex->err) &&
	     ex->ok &&
	     store_each_result(ex->store, &info->id, 1, put_result, ex,
			       ex->err) &&
	     ex->ok;
	if (ok && !ferror(stdout))
		put_unmeasured_before(ex, INT64_MAX);
	ex->ok = ex->ok && ok;
	forget_run(ex);
	return ex->ok;
}

static bool export_runs(struct store *store, const struct selection *runs,
			const struct samples_format *format, struct err *err)
{
	struct exporting ex = {
		.store = store, .format = format, .ok = true, .err = err
	};

	format->begin(stdout);
	for (size_t i = 0; i < runs->count && ex.ok; i++) {
		if (!store_run_info(store, runs->runs[i], export_run, &ex, err))
			return false;
	}
	format->end(stdout);
	return ex.ok;
}

/* The sum of what there is: each once, oldest first, with no look for twins. */
struct all {
	struct selection *runs;
	size_t room;
	bool nomem;
};

static bool add_to_all(void *ctx, const struct record_run_info *info)
{
	struct all *all = ctx;
	struct selection *runs = all->runs;

	if (runs->count == all->room) {
		size_t room = all->room ? 2 * all->room : 64;
		int64_t *grown = reallocarray(runs->runs, room, sizeof(*grown));

		all->nomem = !grown;
		if (!grown)
			return false;
		runs->runs = grown;
		all->room = room;
	}
	runs->runs[runs->count++] = info->id;
	return true;
}

static bool select_all(struct store *store, struct selection *runs,
		       struct err *err)
{
	struct all all = { .runs = runs };

	if (!store_each_run(store, add_to_all, &all, err))
		return false;
	if (all.nomem)
		return err_nomem(err);
	return runs->count > 0 ||
	       err_set(err, ERR_INPUT, "%s: no run in it yet",
		       command_database());
}

static bool select_runs(struct store *store, int argc, char **argv,
			struct selection *runs, struct err *err)
{
	for (int i = optind; i < argc; i++) {
		if (!selection_run(store, argv[i], runs, err))
			return false;
	}
	return optind < argc || selection_last(store, SELECTION_ONE, runs, err);
}

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "format", required_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 },
	};
	const struct samples_format *format = samples_find("csv", err);
	struct selection runs = { 0 };
	struct store *store;
	bool all = false, ok;
	int option;

	while ((option = command_getopt(argc, argv, "", options, err)) != -1) {
		all = all || option == 'a';
		if (option == 'f')
			format = samples_find(optarg, err);
		else if (option != 'a')
			return false;
		if (!format)
			return false;
	}
	if (all && optind < argc)
		return err_usage(err, "--all takes no RUN: %s", argv[optind]);
	store = store_open(command_database(), STORE_READ, err);
	ok = store &&
	     (all ? select_all(store, &runs, err)
		  : select_runs(store, argc, argv, &runs, err)) &&
	     export_runs(store, &runs, format, err);
	store_close(store);
	selection_done(&runs);
	return ok;
}

const struct command cmd_export = {
	.name = "export",
	.synopsis = "[--format FORMAT] [RUN]... | --all",
	.brief = "print every sample of a run, for other programs or an import",
	.options =
		"  RUN                 a number, a uuid, a label, or \"last\" "
		"(the default)\n"
		"      --all           every run, the oldest first\n"
		"      --format NAME   csv (the default) or json\n",
	.run = run,
};
