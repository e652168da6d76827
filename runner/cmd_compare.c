/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/report.h"
#include "runner/changed.h"
#include "runner/command.h"
#include "runner/holder.h"
#include "runner/selection.h"
#include "runner/view.h"
#include "schema/store.h"

/* Everything the command line says, on its way into a struct report. */
struct request {
	struct compare_options options;
	enum dataset_metric metric;
	const char *format;
	bool classic;
	struct render_view view;
	bool fleet;                 /* the newest run of every machine */
	struct compare_gate *gates; /* owned */
	size_t gate_count;
	char base_run[32]; /* --base run=last as the run's number */
};

enum {
	OPTION_ALPHA = 256,
	OPTION_BASE,
	OPTION_CLASSIC,
	OPTION_COLS,
	OPTION_FAIL_IF,
	OPTION_FILTER,
	OPTION_FLEET,
	OPTION_FORMAT,
	OPTION_METRIC,
	OPTION_ONLY_CHANGED,
	OPTION_ROWS,
	OPTION_SORT,
	OPTION_TEST,
	OPTION_THRESHOLD,
	OPTION_UNIT,
};

static const struct option long_options[] = {
	{ "alpha", required_argument, NULL, OPTION_ALPHA },
	{ "base", required_argument, NULL, OPTION_BASE },
	{ "classic", no_argument, NULL, OPTION_CLASSIC },
	{ "cols", required_argument, NULL, OPTION_COLS },
	{ "fail-if", required_argument, NULL, OPTION_FAIL_IF },
	{ "filter", required_argument, NULL, OPTION_FILTER },
	{ "fleet", no_argument, NULL, OPTION_FLEET },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "metric", required_argument, NULL, OPTION_METRIC },
	{ "only-changed", no_argument, NULL, OPTION_ONLY_CHANGED },
	{ "rows", required_argument, NULL, OPTION_ROWS },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "test", required_argument, NULL, OPTION_TEST },
	{ "threshold", required_argument, NULL, OPTION_THRESHOLD },
	{ "unit", required_argument, NULL, OPTION_UNIT },
	{ NULL, 0, NULL, 0 },
};

/* The index of `text` among `names`, which end with NULL. */
static bool parse_word(const char *option, const char *text,
		       const char *const *names, int *index, struct err *err)
{
	char known[128] = "";

	for (int i = 0; names[i]; i++) {
		if (strcmp(text, names[i]) == 0) {
			*index = i;
			return true;
		}
		snprintf(known + strlen(known), sizeof(known) - strlen(known),
			 "%s%s", i > 0 ? ", " : "", names[i]);
	}
	return err_usage(err, "%s: %s is not one of %s", option, text, known);
}

/* A number in [0, most), without or with a sign of percent. */
static bool parse_part(const char *option, const char *text, double most,
		       double *value, struct err *err)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || (*end == '%' ? end[1] : *end) ||
	    !(number >= 0 && number < most))
		return err_usage(err, "%s: not a number from 0 to below %g: %s",
				 option, most, text);
	*value = number;
	return true;
}

static bool parse_alpha(struct request *request, const char *text,
			struct err *err)
{
	double value = 0;

	if (!parse_part("--alpha", text, 1, &value, err))
		return false;
	if (value == 0 || strchr(text, '%'))
		return err_usage(err, "--alpha: not between 0 and 1: %s", text);
	request->options.alpha = value;
	return true;
}

static bool parse_threshold(struct request *request, const char *text,
			    struct err *err)
{
	double percent = 0;

	if (!parse_part("--threshold", text, 100, &percent, err))
		return false;
	request->options.threshold = percent / 100;
	request->options.has_threshold = true;
	return true;
}

/* "W<-5%,R<-5%" */
static bool parse_gates(struct request *request, const char *text,
			struct err *err)
{
	char *copy = strdup(text), *rest = copy, *one;
	bool ok = copy || err_nomem(err);

	while (ok && (one = strsep(&rest, ","))) {
		size_t count = request->gate_count + 1;
		struct compare_gate *gates =
			reallocarray(request->gates, count, sizeof(*gates));

		if (!gates) {
			ok = err_nomem(err);
			break;
		}
		request->gates = gates;
		ok = compare_parse_gate(one, &gates[count - 1], err);
		request->gate_count += ok;
	}
	free(copy);
	return ok;
}

static bool parse_columns(struct request *request, const char *text,
			  struct err *err)
{
	request->options.has_columns = true;
	return dataset_dimension_parse(text, &request->options.columns, err);
}

static bool parse_test(struct request *request, const char *text,
		       struct err *err)
{
	static const char *const names[] = { "t", "mwu", "wilcoxon", NULL };
	int index = 0;

	if (!parse_word("--test", text, names, &index, err))
		return false;
	request->options.test = (enum compare_test)index;
	return true;
}

static bool parse_metric(struct request *request, const char *text,
			 struct err *err)
{
	static const char *const names[] = { "durable", "app", "sustained",
					     NULL };
	int index = 0;

	if (!parse_word("--metric", text, names, &index, err))
		return false;
	request->metric = (enum dataset_metric)index;
	return true;
}

static bool parse_option(struct request *request, int option, struct err *err)
{
	switch (option) {
	case OPTION_ALPHA:
		return parse_alpha(request, optarg, err);
	case OPTION_BASE:
		return compare_parse_base(&request->options, optarg, err);
	case OPTION_CLASSIC:
		request->classic = true;
		return true;
	case OPTION_COLS:
		return parse_columns(request, optarg, err);
	case OPTION_FAIL_IF:
		return parse_gates(request, optarg, err);
	case OPTION_FILTER:
		return compare_parse_filter(&request->options, optarg, err);
	case OPTION_FLEET:
		request->fleet = true;
		return true;
	case OPTION_FORMAT:
		request->format = optarg;
		return true;
	case OPTION_METRIC:
		return parse_metric(request, optarg, err);
	case OPTION_ONLY_CHANGED:
		request->options.only_changed = true;
		return true;
	case OPTION_ROWS:
		return compare_parse_rows(&request->options, optarg, err);
	case OPTION_SORT:
		return compare_parse_sort(&request->options, optarg, err);
	case OPTION_TEST:
		return parse_test(request, optarg, err);
	case OPTION_THRESHOLD:
		return parse_threshold(request, optarg, err);
	case OPTION_UNIT:
		request->view.unit = optarg;
		return figure_unit(optarg, err);
	default:
		return false;
	}
}

static bool parse(struct request *request, int argc, char **argv,
		  struct err *err)
{
	int option;

	while ((option = command_getopt(argc, argv, "", long_options, err)) !=
	       -1) {
		if (!parse_option(request, option, err))
			return false;
	}
	if (request->classic && request->format &&
	    strcmp(request->format, "text") != 0)
		return err_usage(err,
				 "--classic is a text table: it does not "
				 "go with --format %s",
				 request->format);
	if (request->fleet && request->options.has_base &&
	    request->options.base_dimension == DATASET_OS)
		return err_usage(err, "--fleet compares each machine within "
				      "itself: not with --base os=...");
	if (request->fleet && optind < argc)
		return err_usage(err, "--fleet chooses the runs itself: %s",
				 argv[optind]);
	request->options.as_article = request->classic;
	if (request->classic)
		request->format = "classic";
	return true;
}

/* A run may be named as for compare; in the table it has its number. */
static bool resolve_base_run(struct request *request, struct store *store,
			     struct selection *runs, struct err *err)
{
	struct compare_options *options = &request->options;
	int64_t run;

	if (!options->has_base || (options->base_dimension != DATASET_RUN &&
				   options->base_dimension != DATASET_LABEL))
		return true;
	if (!store_find_run(store, options->base, &run, err))
		return false;
	if (options->base_dimension == DATASET_RUN) {
		snprintf(request->base_run, sizeof(request->base_run),
			 "%" PRId64, run);
		options->base = request->base_run;
	}
	return selection_add(runs, run, err);
}

static bool select_runs(struct request *request, struct store *store, int argc,
			char **argv, struct selection *runs, struct err *err)
{
	const struct compare_options *options = &request->options;
	enum selection_hosts hosts = SELECTION_ONE;

	if (options->has_base && options->base_dimension == DATASET_OS)
		hosts = SELECTION_HOSTS;
	else if (request->fleet)
		hosts = SELECTION_MACHINES;
	for (int i = optind; i < argc; i++) {
		if (!selection_run(store, argv[i], runs, err))
			return false;
	}
	if (optind == argc && !selection_last(store, hosts, runs, err))
		return false;
	if (runs->left_out)
		command_warn("not in it, for no run of theirs is of the newest "
			     "run's matrix: %s",
			     runs->left_out);
	return resolve_base_run(request, store, runs, err);
}

static void warn_to_resume(const struct record_run_info *info,
			   const char *status, const char *resume)
{
	int64_t all = info->cells * info->run.rounds;
	const char *text = info->run.matrix_text, *path = info->run.matrix_path;
	struct changed changed;

	if (text && path && changed_since(path, text, &changed))
		command_warn("run %" PRId64 " is not done (%s): %" PRId64
			     " of %" PRId64 " samples, and its matrix changed "
			     "since; `%s` says how",
			     info->id, status, info->samples, all, resume);
	else
		command_warn("run %" PRId64 " is not done (%s): %" PRId64
			     " of %" PRId64 " samples; go on with: %s",
			     info->id, status, info->samples, all, resume);
}

/* A table of a part of a run looks like one of all of it. */
static bool warn_unfinished(void *ctx, const struct record_run_info *info)
{
	const char *status = holder_status(info->status, info->run.holder);
	struct err *err = ctx;
	char *resume;

	if (strcmp(info->run.source, "run") != 0 || strcmp(status, "done") == 0)
		return true;
	if (strcmp(status, "running") == 0) {
		command_warn("run %" PRId64 " goes on: %" PRId64 " of %" PRId64
			     " samples so far",
			     info->id, info->samples,
			     info->cells * info->run.rounds);
		return true;
	}
	resume = command_about_run("resume", info->id, err);
	if (!resume)
		return false;
	warn_to_resume(info, status, resume);
	free(resume);
	return true;
}

/* A run without figures is the last one, too, and hides what there is. */
static bool warn_without_figures(struct store *store, int64_t run,
				 struct err *err)
{
	int64_t newest = 0;
	bool found = false;
	char *compare;

	if (!store_has_figures(store, run, &found, err))
		return false;
	if (found)
		return true;
	if (!store_find_figures(store, &newest, &found, err))
		return false;
	if (!found)
		return true;
	compare = command_about_run("compare", newest, err);
	if (!compare)
		return false;
	command_warn("run %" PRId64 " has no valid figure; the newest run that "
		     "has any: %s",
		     run, compare);
	free(compare);
	return true;
}

static bool warn_of_all(struct store *store, const struct selection *runs,
			struct err *err)
{
	for (size_t i = 0; i < runs->count; i++) {
		int64_t run = runs->runs[i];

		if (!store_run_info(store, run, warn_unfinished, err, err) ||
		    err->code != ERR_NONE ||
		    !warn_without_figures(store, run, err))
			return false;
	}
	return true;
}

static bool print(struct request *request, struct store *store,
		  const struct selection *runs, struct err *err)
{
	struct report report = {
		.runs = runs->runs,
		.run_count = runs->count,
		.metric = request->metric,
		.options = &request->options,
		.view = &request->view,
		.gates = request->gates,
		.gate_count = request->gate_count,
		.render = render_find(
			request->format ? request->format : "text", err),
	};

	return report.render &&
	       report_print(store, &report, stdout, stderr, err);
}

static bool run(int argc, char **argv, struct err *err)
{
	struct request request = { .view = view_of(stdout) };
	struct selection runs = { 0 };
	struct store *store = NULL;
	bool ok;

	compare_options_init(&request.options);
	ok = parse(&request, argc, argv, err);
	if (ok)
		store = store_open(command_database(), STORE_READ, err);
	ok = store && select_runs(&request, store, argc, argv, &runs, err) &&
	     warn_of_all(store, &runs, err) &&
	     print(&request, store, &runs, err);
	store_close(store);
	selection_done(&runs);
	compare_options_done(&request.options);
	free(request.gates);
	return ok;
}

const struct command cmd_compare = {
	.name = "compare",
	.synopsis = "[OPTION]... [RUN]...",
	.brief = "print which is faster, by how much, and whether that is real",
	.options =
		"  RUN                 a number, a uuid, a label, or \"last\" "
		"(the default):\n"
		"                      the newest, with all that one import "
		"brought\n"
		"      --base DIM=VALUE\n"
		"                      what changes are against; DIM is "
		"filesystem, os, volume,\n"
		"                      workload, run or label\n"
		"      --filter TERM[,TERM]\n"
		"                      only cells with DIM=VALUE[|VALUE], or "
		"DIM!=VALUE; DIM is\n"
		"                      os, host, run, label, matrix, volume "
		"(or drive),\n"
		"                      filesystem (or fs), driver, workload, "
		"settings (as\n"
		"                      printed, or parts: \"direct, depth "
		"8\") or op (W or R)\n"
		"      --fleet         of the newest run's matrix the newest "
		"run of every machine,\n"
		"                      each compared within itself, and what "
		"they say together\n"
		"      --rows DIM[,DIM]\n"
		"                      one row for each of these (and W, R); "
		"the rest is\n"
		"                      pooled; any DIM of --filter but op\n"
		"      --cols DIM      its values beside each other; the same\n"
		"      --metric WHICH  what W is: durable, app or sustained\n"
		"      --test WHICH    t, mwu (Mann-Whitney) or wilcoxon\n"
		"      --alpha P       the level of significance (0.05)\n"
		"      --threshold N   a change of less than N percent is "
		"\"about the same\",\n"
		"                      significant or not; without it only "
		"what is not\n"
		"                      significant, and its whole interval "
		"within 2\n"
		"      --only-changed  only what differs significantly, and "
		"what that is\n"
		"                      against; geomean is over all rows\n"
		"      --sort KEY      order, change or rate; -KEY: reversed\n"
		"      --unit UNIT     KB (1024 bytes), KiB, MiB, GiB, kB, MB, "
		"GB; csv and\n"
		"                      json are always in KB\n"
		"      --format NAME   text, md, csv, json, html or classic\n"
		"      --classic       as --format classic: OS, Drive, Op, "
		"KB/Sec and words;\n"
		"                      Drive is the filesystem there, as on "
		"the drives of old\n"
		"      --fail-if GATE  exit 1 if e.g. 'W<-5%' holds "
		"significantly; what cannot\n"
		"                      be tested is warned of\n",
	.run = run,
};
