/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/runs.h"
#include "runner/command.h"
#include "runner/holder.h"
#include "runner/since.h"
#include "runner/view.h"
#include "schema/store.h"
#include "schema/store_list.h"

enum { LIMIT = 20 }; /* without --limit */

static const struct option options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "limit", required_argument, NULL, 'n' },
	{ "since", required_argument, NULL, 's' },
	{ 0 },
};

struct listing {
	struct runs runs;
	char since[TIMESTAMP_SIZE];
	struct err *err;
	bool ok;
};

static bool add_run(void *ctx, const struct record_listed *run)
{
	struct listing *listing = ctx;
	struct record_listed listed = *run;

	listed.status = holder_status(run->status, run->holder);
	listing->ok = runs_add(&listing->runs, &listed, listing->err);
	return listing->ok;
}

static bool print(struct listing *listing, unsigned long long limit,
		  struct err *err)
{
	struct store *store = store_open(command_database(), STORE_READ, err);
	int64_t total = 0;
	bool ok;

	if (store)
		holder_settle(store);
	ok = store && store_count_runs(store, listing->since, &total, err) &&
	     runs_begin(&listing->runs, err) &&
	     store_list_runs(store, listing->since, (int64_t)limit, add_run,
			     listing, err) &&
	     listing->ok && runs_end(&listing->runs, total, err);
	store_close(store);
	if (ok && total == 0)
		command_warn("%s: no run in it %s", command_database(),
			     *listing->since ? "since then" : "yet");
	return ok;
}

static bool take(struct listing *listing, int option, unsigned long long *limit,
		 struct err *err)
{
	switch (option) {
	case 'j':
		listing->runs.json = true;
		return true;
	case 'n':
		return command_number("--limit", optarg, 0, INT32_MAX, limit,
				      err);
	case 's':
		return since_parse(optarg, time(NULL), listing->since, err);
	default:
		return false;
	}
}

static bool run(int argc, char **argv, struct err *err)
{
	const struct render_view view = view_of(stdout);
	struct listing listing = {
		.runs = { .view = &view, .out = stdout },
		.err = err,
		.ok = true,
	};
	unsigned long long limit = LIMIT;
	int found;
	bool ok;

	while ((found = command_getopt(argc, argv, "n:", options, err)) != -1) {
		if (!take(&listing, found, &limit, err))
			return false;
	}
	if (!command_arguments(argc, argv, 0, 0, "argument", err))
		return false;
	ok = print(&listing, limit, err);
	runs_done(&listing.runs);
	return ok;
}

const struct command cmd_list = {
	.name = "list",
	.synopsis = "[-n N] [--since WHEN] [--json]",
	.brief = "list the runs, newest first",
	.options = "  -n, --limit N       the newest N (20); 0: all of them\n"
		   "      --since WHEN    " SINCE_HELP
		   "      --json          as JSON\n\n"
		   "A run is running, done, interrupted (asked to stop), "
		   "stopped (its time was up),\nfailed (it could not go "
		   "on), or broken off: killed, or the machine went down;\n"
		   "`resume` goes on. With samples that failed it is done "
		   "all the same. What was\nimported is an import.\n"
		   "Cells 5/6: 5 of its 6 cells have a valid sample. Samples "
		   "28/30: 28 of the 30\nplanned are valid (how many were "
		   "planned is not known of an import). Failed:\nsamples "
		   "that are neither valid nor skipped. Tags: baseline or "
		   "ignored, by `tag`.\n"
		   "Time is what its samples took together: the pause before "
		   "a resume is not in it.\n\n",
	.run = run,
};
