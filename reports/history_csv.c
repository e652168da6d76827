/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>

#include "reports/csv.h"
#include "reports/figure.h"
#include "reports/history_private.h"

static void put_text(const char *text, FILE *out)
{
	if (*text)
		csv_put_text(text, out);
	fputc(',', out);
}

/* Absent is empty. 15 digits: more would be noise of log() and exp(). */
static void put_number(double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%.15g", value);
	fputc(',', out);
}

static void put_percent(double ratio, FILE *out)
{
	put_number(figure_percent(ratio), out);
}

static void put_names(const struct history *history,
		      const struct history_trend *trend,
		      const struct history_point *point, FILE *out)
{
	const struct history_run *run = history_run(history, point->run);

	put_text(trend->names[DATASET_HOST], out);
	put_text(run ? run->os : "", out);
	put_text(trend->names[DATASET_VOLUME], out);
	put_text(trend->names[DATASET_FILESYSTEM], out);
	put_text(trend->type, out);
	put_text(point->driver, out);
	put_text(trend->names[DATASET_WORKLOAD], out);
	put_text(trend->names[DATASET_SETTINGS], out);
	fprintf(out, "%c,%" PRId64 ",", trend->op, point->run);
	put_text(run ? run->uuid : "", out);
	put_text(run ? run->label : "", out);
	put_text(point->started_at, out);
}

static void put_point(const struct history *history,
		      const struct history_trend *trend, size_t i, FILE *out)
{
	const struct history_point *point = &trend->points[i];
	const struct step *step = history_step_at(trend, i);

	put_names(history, trend, point, out);
	fprintf(out, "%zu,", point->n);
	put_number(point->kb_per_s, out);
	put_number(point->min_kb_per_s, out);
	put_number(point->max_kb_per_s, out);
	put_number(history_half(point) * 100, out);
	fprintf(out, "%zu,", point->cached);
	put_percent(point->change, out);
	fprintf(out, "%d,", trend->has_base && trend->base.run == point->run);
	put_percent(point->base_change, out);
	put_percent(step ? exp(step->after - step->before) : NAN, out);
	if (step)
		fprintf(out, "%.6g", step->p);
	fputc('\n', out);
}

static bool print_csv(const struct history *history,
		      const struct history_view *view, FILE *out,
		      struct err *err)
{
	(void)view;
	(void)err;
	fputs("host,os,volume,filesystem,type,driver,workload,settings,op,run,"
	      "run_uuid,label,started_at,n,kb_per_s,min_kb_per_s,max_kb_per_s,"
	      "half_width_pct,cached,change_pct,baseline,baseline_change_pct,"
	      "step_pct,step_p\n",
	      out);
	for (size_t i = 0; i < history->count; i++) {
		for (size_t k = 0; k < history->trends[i].count; k++)
			put_point(history, &history->trends[i], k, out);
	}
	return true;
}

const struct history_format history_csv = { .name = "csv",
					    .all_runs = true,
					    .print = print_csv };
