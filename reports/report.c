/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/report.h"

#include "core/text.h"
#include "reports/compare.h"
#include "reports/load.h"

static void print_warning(const char *text, FILE *warnings)
{
	fputs("fsmatrix: warning: ", warnings);
	text_fputs_safe(text, warnings);
	fputc('\n', warnings);
}

static void print_warnings(const struct comparison *comparison,
			   const struct report *report, FILE *warnings)
{
	for (size_t i = 0; i < comparison->warnings.count; i++)
		print_warning(comparison->warnings.items[i], warnings);
	if (report->gate_count > 0 && comparison->comparisons == 0)
		print_warning("nothing could be tested, so no gate can fail",
			      warnings);
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
		print_warnings(comparison, report, warnings);
	for (size_t i = 0; ok && i < report->gate_count; i++)
		ok = compare_gate(comparison, &report->gates[i], err);
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
