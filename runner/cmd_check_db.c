/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>

#include "core/text.h"
#include "reports/compare.h"
#include "reports/load.h"
#include "reports/verify.h"
#include "runner/command.h"
#include "runner/selection.h"
#include "schema/store.h"
#include "schema/store_upkeep.h"

enum { FAULTS_MAX = 100 }; /* more would say nothing new */

static const struct option options[] = {
	{ "quick", no_argument, NULL, 'q' },
	{ 0 },
};

struct checking {
	struct store *store;
	int64_t faults;
	struct selection runs;
	struct err *err;
	bool ok;
	/* Of the run in turn. */
	const struct verify *verify;
	size_t seen;
	int64_t run;
};

static bool report(void *ctx, const char *text)
{
	struct checking *c = ctx;

	text_fputs_safe(text, stdout);
	putchar('\n');
	return ++c->faults < FAULTS_MAX;
}

static bool note_run(void *ctx, const struct record_run_info *info)
{
	struct checking *c = ctx;

	c->ok = selection_add(&c->runs, info->id, c->err);
	return c->ok;
}

static bool check_row(void *ctx, const struct record_compared *row)
{
	struct checking *c = ctx;
	char fault[512], text[600];

	verify_row(c->verify, row, &c->seen, fault, sizeof(fault));
	if (!*fault)
		return true;
	snprintf(text, sizeof(text), "run %" PRId64 ": %s", c->run, fault);
	return report(c, text);
}

static bool check_comparison(struct checking *c, const struct dataset *data)
{
	struct compare_options compare;
	struct comparison *comparison;
	struct verify *verify = NULL;
	char text[128];
	bool ok;

	compare_options_init(&compare);
	comparison = compare_new(data, &compare, c->err);
	if (comparison)
		verify = verify_new(comparison, c->err);
	c->verify = verify;
	c->seen = 0;
	ok = verify &&
	     store_each_compared(c->store, c->run, check_row, c, c->err);
	/* Cells that were never measured are in the comparison only. */
	for (size_t i = 0; ok && i < comparison->count; i++)
		c->seen += comparison->rows[i].samples == 0;
	if (ok && c->faults < FAULTS_MAX && c->seen < comparison->count) {
		snprintf(text, sizeof(text),
			 "run %" PRId64 ": %zu rows of the comparison are not "
			 "in the view",
			 c->run, comparison->count - c->seen);
		report(c, text);
	}
	verify_free(verify);
	compare_free(comparison);
	compare_options_done(&compare);
	return ok;
}

static bool check_run(struct checking *c, int64_t run)
{
	struct dataset data = { .metric = DATASET_DURABLE };
	bool ok = load_runs(c->store, &run, 1, &data, c->err);

	c->run = run;
	/* One without cells has nothing to compare. */
	ok = ok && (data.count == 0 || check_comparison(c, &data));
	dataset_done(&data);
	return ok;
}

static bool check_views(struct checking *c)
{
	bool ok = store_each_run(c->store, note_run, c, c->err) && c->ok;

	for (size_t i = 0; ok && i < c->runs.count && c->faults < FAULTS_MAX;
	     i++)
		ok = check_run(c, c->runs.runs[i]);
	if (ok && c->faults == 0)
		printf("the views say of %zu run%s what the program says\n",
		       c->runs.count, c->runs.count == 1 ? "" : "s");
	return ok;
}

static bool check_all(struct checking *c, bool quick)
{
	if (!store_check(c->store, report, c, c->err))
		return false;
	if (c->faults == 0)
		puts("the file is whole, and so are its references and "
		     "points");
	if (!quick && !check_views(c))
		return false;
	if (c->faults == 0)
		return true;
	err_set(c->err, ERR_FAILED, "%" PRId64 " fault%s%s", c->faults,
		c->faults == 1 ? "" : "s",
		c->faults < FAULTS_MAX ? "" : " or more");
	err_at(c->err, command_database(), 0, 0);
	return false;
}

static bool run(int argc, char **argv, struct err *err)
{
	struct checking c = { .err = err, .ok = true };
	bool quick = false, ok;
	int found;

	while ((found = command_getopt(argc, argv, "", options, err)) != -1) {
		if (found != 'q')
			return false;
		quick = true;
	}
	if (!command_arguments(argc, argv, 0, 0, "argument", err))
		return false;
	c.store = store_open(command_database(), STORE_READ, err);
	ok = c.store && check_all(&c, quick);
	selection_done(&c.runs);
	store_close(c.store);
	return ok;
}

const struct command cmd_check_db = {
	.name = "check-db",
	.synopsis = "[--quick]",
	.brief = "look whether the database is whole and its views are right",
	.options = "      --quick         without the views, which is every "
		   "sample\n",
	.run = run,
};
