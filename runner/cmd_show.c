/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/sheet.h"
#include "runner/command.h"
#include "runner/holder.h"
#include "runner/view.h"
#include "schema/store.h"
#include "schema/store_list.h"

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ 0 },
};

/* What the store's callbacks work on; the first thing that fails stays. */
struct showing {
	struct store *store;
	struct sheet *sheet;
	const struct record_run_info *info;
	struct err *err;
	bool ok;
};

static bool show_setup(void *ctx, const struct record_setup *setup)
{
	struct showing *s = ctx;

	s->ok = s->ok && sheet_setup(s->sheet, setup, s->err);
	return s->ok;
}

static bool show_result(void *ctx, const struct record_result *result)
{
	struct showing *s = ctx;

	s->ok = s->ok && sheet_result(s->sheet, result, s->err);
	return s->ok;
}

static bool show_cell(void *ctx, const struct record_cell_info *cell)
{
	struct showing *s = ctx;

	s->ok = s->ok && sheet_cell(s->sheet, cell, s->err) &&
		store_each_setup(s->store, cell->id, show_setup, s, s->err) &&
		s->ok &&
		store_each_cell_result(s->store, cell->id, show_result, s,
				       s->err) &&
		s->ok && sheet_cell_end(s->sheet, s->err);
	return s->ok;
}

static bool show_listed(void *ctx, const struct record_listed *listed)
{
	struct showing *s = ctx;
	struct record_listed shown = *listed;

	shown.status = holder_status(listed->status, listed->holder);
	s->ok = sheet_run(s->sheet, s->info, &shown, s->err);
	return s->ok;
}

static bool show_run(void *ctx, const struct record_run_info *info)
{
	struct showing *s = ctx;

	s->info = info;
	s->ok = store_list_run(s->store, info->id, show_listed, s, s->err) &&
		s->ok &&
		store_run_cells(s->store, info->id, show_cell, s, s->err) &&
		s->ok && sheet_end(s->sheet, s->err);
	return s->ok;
}

static bool show(const char *which, const struct sheet_view *view,
		 struct err *err)
{
	struct showing s = { .err = err, .ok = true };
	int64_t id;
	bool ok = false;

	s.sheet = sheet_new(view, err);
	if (s.sheet)
		s.store = store_open(command_database(), STORE_READ, err);
	if (s.store) {
		holder_settle(s.store);
		ok = store_find_run(s.store, which, &id, err) &&
		     store_run_info(s.store, id, show_run, &s, err) && s.ok;
	}
	store_close(s.store);
	sheet_free(s.sheet);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	const struct render_view terminal = view_of(stdout);
	struct sheet_view view = { .view = &terminal, .out = stdout };
	int found;

	while ((found = command_getopt(argc, argv, "", options, err)) != -1) {
		if (found != 'j')
			return false;
		view.json = true;
	}
	if (!command_arguments(argc, argv, 0, 1, "RUN", err))
		return false;
	return show(argv[optind], &view, err);
}

const struct command cmd_show = {
	.name = "show",
	.synopsis = "[--json] [RUN]",
	.brief = "show one run in full: its environment and every sample",
	.options = "  RUN                 a number, a uuid, a label, or "
		   "\"last\" (the default)\n"
		   "      --json          as JSON\n",
	.run = run,
};
