/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/samples.h"
#include "runner/command.h"
#include "runner/selection.h"
#include "schema/store.h"

struct export
{
	struct store *store;
	const struct samples_format *format;
	const struct record_run_info *run; /* while its rows are written */
	const char *baseline;              /* of that run */
	bool any, ok;
	struct err *err;
};

static bool put(struct export *ex, const struct record_result *result)
{
	struct samples_row row = { .result = result, .baseline = ex->baseline };

	ex->ok = ex->format->put(&row, !ex->any, stdout, ex->err);
	ex->any = true;
	/* When the reader has gone, main says so; there is no use in more. */
	return ex->ok && !ferror(stdout);
}

static bool put_result(void *ctx, const struct record_result *result)
{
	return put(ctx, result);
}

/* A cell that was never measured is a row too, without figures. */
static bool put_cell(void *ctx, const struct record_cell_info *info)
{
	struct export *ex = ctx;
	const struct record_run_info *run = ex->run;
	const struct record_cell *cell = &info->cell;
	struct record_result row = {
		.run = run->id,
		.cell = info->id,
		.run_uuid = run->run.uuid,
		.label = run->run.label,
		.matrix = run->run.matrix,
		.source = run->run.source,
		.host_uuid = run->host.uuid,
		.host = run->host.name,
		.os = run->host.os,
		.volume = cell->volume,
		.volume_kind = cell->volume_kind,
		.filesystem = cell->filesystem ? cell->filesystem : cell->type,
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

	return info->samples > 0 || put(ex, &row);
}

static bool export_run(void *ctx, const struct record_run_info *info)
{
	struct export *ex = ctx;
	const struct record_run *run = &info->run;
	char *baseline = NULL;
	bool ok;

	if (run->baseline &&
	    asprintf(&baseline, "%s=%s", run->baseline_dimension,
		     run->baseline) < 0) {
		ex->ok = err_nomem(ex->err);
		return false;
	}
	ex->run = info;
	ex->baseline = baseline ? baseline : "";
	ok = store_run_cells(ex->store, info->id, put_cell, ex, ex->err) &&
	     ex->ok &&
	     store_each_result(ex->store, &info->id, 1, put_result, ex,
			       ex->err);
	ex->ok = ex->ok && ok;
	free(baseline);
	return ex->ok;
}

static bool export_runs(struct store *store, const struct selection *runs,
			const struct samples_format *format, struct err *err)
{
	struct export ex = {
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

static bool select_runs(struct store *store, int argc, char **argv,
			struct selection *runs, struct err *err)
{
	for (int i = optind; i < argc; i++) {
		if (!selection_run(store, argv[i], runs, err))
			return false;
	}
	return optind < argc || selection_last(store, false, runs, err);
}

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 },
	};
	const struct samples_format *format = samples_find("csv", err);
	struct selection runs = { 0 };
	struct store *store;
	int option;
	bool ok;

	while ((option = command_getopt(argc, argv, "", options, err)) != -1) {
		format = option == 'f' ? samples_find(optarg, err) : NULL;
		if (!format)
			return false;
	}
	store = store_open(command_database(), STORE_READ, err);
	ok = store && select_runs(store, argc, argv, &runs, err) &&
	     export_runs(store, &runs, format, err);
	store_close(store);
	selection_done(&runs);
	return ok;
}

const struct command cmd_export = {
	.name = "export",
	.synopsis = "[--format FORMAT] [RUN]...",
	.brief = "print every sample of a run, for other programs or an import",
	.options =
		"  RUN                 a number, a uuid, a label, or \"last\" "
		"(the default)\n"
		"      --format NAME   csv (the default) or json\n",
	.run = run,
};
