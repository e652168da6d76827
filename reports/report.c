/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/report.h"

#include "core/text.h"
#include "reports/compare.h"
#include "reports/load.h"
#include "reports/stats.h"

static void print_warning(const char *text, FILE *warnings)
{
	fputs("fsmatrix: warning: ", warnings);
	text_fputs_safe(text, warnings);
	fputc('\n', warnings);
}

static void print_warnings(const struct comparison *comparison, FILE *warnings)
{
	for (size_t i = 0; i < comparison->warnings.count; i++)
		print_warning(comparison->warnings.items[i], warnings);
}

static void warn_untested(size_t untested, size_t rows, FILE *warnings)
{
	char text[160];

	if (rows == 0)
		snprintf(text, sizeof(text),
			 "--fail-if decided nothing: no row is compared with "
			 "a base");
	else if (untested == rows)
		snprintf(text, sizeof(text),
			 "--fail-if decided nothing: of %zu row%s none has "
			 "the %d samples on both sides that a test needs",
			 rows, rows == 1 ? "" : "s", STATS_LEAST);
	else
		snprintf(text, sizeof(text),
			 "%zu of %zu rows that --fail-if is about could not "
			 "be tested",
			 untested, rows);
	print_warning(text, warnings);
}

static bool try_gates(const struct comparison *comparison,
		      const struct report *report, FILE *warnings,
		      struct err *err)
{
	for (size_t i = 0; i < report->gate_count; i++) {
		const struct compare_gate *gate = &report->gates[i];
		size_t rows, tested;

		if (!compare_gate(comparison, gate, err))
			return false;
		compare_gate_rows(comparison, gate, &rows, &tested);
		if (tested < rows || rows == 0)
			warn_untested(rows - tested, rows, warnings);
	}
	return true;
}

bool report_print(struct store *store, const struct report *report, FILE *out,
		  FILE *warnings, struct err *err)
{
	struct dataset data = { .metric = report->metric,
				.detailed = report->render->detailed };
	struct comparison *comparison = NULL;
	bool ok;

	ok = load_runs(store, report->runs, report->run_count, &data, err);
	if (ok)
		comparison = compare_new(&data, report->options, err);
	ok = comparison;
	if (ok && data.detailed)
		ok = load_series(store, comparison, &data, err);
	ok = ok && report->render->print(comparison, report->view, out, err);
	if (comparison)
		print_warnings(comparison, warnings);
	ok = ok && try_gates(comparison, report, warnings, err);
	compare_free(comparison);
	dataset_done(&data);
	return ok;
}

bool report_print_run(struct store *store, int64_t run,
		      const struct render_view *view, FILE *out, FILE *warnings,
		      struct err *err)
{
	struct compare_options options;
	struct report report = {
		.runs = &run,
		.run_count = 1,
		.options = &options,
		.view = view,
		.render = render_find("text", err),
	};

	compare_options_init(&options);
	return report.render &&
	       report_print(store, &report, out, warnings, err);
}
