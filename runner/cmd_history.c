/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "reports/compare.h"
#include "reports/figure.h"
#include "reports/history_load.h"
#include "reports/history_print.h"
#include "runner/command.h"
#include "runner/since.h"
#include "runner/view.h"
#include "schema/store.h"

enum { LIMIT = 20 }; /* rows of runs, without --limit */

enum {
	OPTION_ALPHA = 256,
	OPTION_FILTER,
	OPTION_FORMAT,
	OPTION_LAST,
	OPTION_RUNS,
	OPTION_SINCE,
	OPTION_THRESHOLD,
	OPTION_UNIT,
};

static const struct option long_options[] = {
	{ "alpha", required_argument, NULL, OPTION_ALPHA },
	{ "filter", required_argument, NULL, OPTION_FILTER },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "last", required_argument, NULL, OPTION_LAST },
	{ "limit", required_argument, NULL, 'n' },
	{ "runs", no_argument, NULL, OPTION_RUNS },
	{ "since", required_argument, NULL, OPTION_SINCE },
	{ "threshold", required_argument, NULL, OPTION_THRESHOLD },
	{ "unit", required_argument, NULL, OPTION_UNIT },
	{ 0 },
};

struct asked {
	struct compare_options options;
	const struct history_format *format;
	struct render_view terminal;
	struct history_view view;
	char since[TIMESTAMP_SIZE];
	unsigned long long last, limit;
	double alpha, threshold;
};

/* A number in (0, most), without or with a sign of percent. */
static bool parse_number(const char *option, const char *text, double most,
			 double *value, struct err *err)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || (*end == '%' ? end[1] : *end) ||
	    !(number > 0 && number < most))
		return err_usage(err, "%s: not a number between 0 and %g: %s",
				 option, most, text);
	*value = number;
	return true;
}

static bool take(struct asked *asked, int option, struct err *err)
{
	switch (option) {
	case OPTION_ALPHA:
		return parse_number("--alpha", optarg, 1, &asked->alpha, err);
	case OPTION_FILTER:
		return compare_parse_filter(&asked->options, optarg, err);
	case OPTION_FORMAT:
		asked->format = history_format_find(optarg, err);
		return asked->format;
	case OPTION_LAST:
		return command_number("--last", optarg, 1, INT32_MAX,
				      &asked->last, err);
	case 'n':
		return command_number("--limit", optarg, 0, INT32_MAX,
				      &asked->limit, err);
	case OPTION_RUNS:
		asked->view.runs = true;
		return true;
	case OPTION_SINCE:
		return since_parse(optarg, time(NULL), asked->since, err);
	case OPTION_THRESHOLD:
		if (!parse_number("--threshold", optarg, 100, &asked->threshold,
				  err))
			return false;
		asked->threshold /= 100;
		return true;
	case OPTION_UNIT:
		asked->terminal.unit = optarg;
		return figure_unit(optarg, err);
	default:
		return false;
	}
}

static bool parse(struct asked *asked, int argc, char **argv, struct err *err)
{
	int option;

	while ((option = command_getopt(argc, argv, "n:", long_options, err)) !=
	       -1) {
		if (!take(asked, option, err))
			return false;
	}
	for (int i = optind; i < argc; i++) {
		if (!strpbrk(argv[i], "=:"))
			return err_set(err, ERR_INPUT,
				       "%s: not DIMENSION=VALUE[|VALUE], such "
				       "as fs=ext4",
				       argv[i]);
		if (!compare_parse_filter(&asked->options, argv[i], err))
			return false;
	}
	return true;
}

/* Of one cell, which may be written and read, all runs are of interest. */
static bool is_one_cell(const struct history *history)
{
	return history->count == 1 ||
	       (history->count == 2 &&
		history->trends[0].id == history->trends[1].id);
}

static bool print(struct asked *asked, struct err *err)
{
	struct history history;
	struct history_request request = {
		.options = &asked->options,
		.since = asked->since,
		.last = (int64_t)asked->last,
		.all_runs = asked->format->all_runs,
		.shown = asked->limit ? (size_t)asked->limit : SIZE_MAX,
	};
	struct store *store = store_open(command_database(), STORE_READ, err);
	bool ok;

	history_init(&history);
	history.alpha = asked->alpha;
	history.threshold = asked->threshold;
	ok = store && history_load(store, &request, &history, err);
	asked->view.runs = asked->view.runs || is_one_cell(&history);
	asked->view.limit = (size_t)asked->limit;
	ok = ok && asked->format->print(&history, &asked->view, stdout, err);
	history_done(&history);
	store_close(store);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	struct asked asked = {
		.terminal = view_of(stdout),
		.limit = LIMIT,
		.alpha = STEPS_ALPHA,
		.threshold = STEPS_THRESHOLD,
		.format = history_format_find("text", err),
	};
	bool ok;

	asked.view.view = &asked.terminal;
	compare_options_init(&asked.options);
	asked.options.filter_names = HISTORY_FILTERS;
	ok = asked.format && parse(&asked, argc, argv, err) &&
	     print(&asked, err);
	compare_options_done(&asked.options);
	return ok;
}

const struct command cmd_history = {
	.name = "history",
	.synopsis = "[OPTION]... [TERM]...",
	.brief = "print how the rate of each cell developed over runs",
	.options =
		"  TERM                only cells with DIM=VALUE[|VALUE], or "
		"DIM!=VALUE; DIM is\n"
		"                      host, volume (or drive), filesystem "
		"(or fs), workload,\n"
		"                      settings (as printed, or parts of "
		"them) or op (W or R)\n"
		"      --filter TERM[,TERM]\n"
		"                      the same; DIM is host, volume, "
		"filesystem, workload,\n"
		"                      settings or op\n"
		"      --since WHEN    " SINCE_HELP
		"      --last N        only the newest N runs of each cell\n"
		"      --runs          a row for each run, too (as of one "
		"cell)\n"
		"  -n, --limit N       of such rows, the newest N (20); 0: all "
		"of them\n"
		"      --alpha P       chance of a step where there is none "
		"(0.01)\n"
		"      --threshold N   percent that a step has at least (2)\n"
		"      --unit UNIT     KB (1024 bytes), KiB, MiB, GiB, kB, MB, "
		"GB; csv and\n"
		"                      json are always in KB\n"
		"      --format NAME   text, md, csv, json or html\n",
	.run = run,
};
