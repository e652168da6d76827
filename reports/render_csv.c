/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "reports/csv.h"
#include "reports/figure.h"
#include "reports/render_private.h"

/* Absent is empty. 15 digits: more would be noise of log() and exp(). */
static void put_number(double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%.15g", value);
	fputc(',', out);
}

static void put_flags(unsigned int flags, FILE *out)
{
	fprintf(out, "%d,%d,%d,%d\n", (flags & DATASET_CACHED) != 0,
		(flags & DATASET_SHORTENED) != 0,
		(flags & DATASET_BUFFERED) != 0, (flags & DATASET_FILES) != 0);
}

static void put_row(const struct compare_row *row, FILE *out)
{
	double low = row->has_interval ? figure_percent(row->low) : NAN;
	double high = row->has_interval ? figure_percent(row->high) : NAN;

	for (size_t d = 0; d < DATASET_DIMENSIONS; d++) {
		csv_put_text(row->names[d], out);
		fputc(',', out);
	}
	fprintf(out, "%c,%zu,", row->op, row->n);
	put_number(row->kb_per_s, out);
	put_number(row->half * 100, out);
	put_number(row->app_kb_per_s, out);
	fprintf(out, "%d,", row->is_base);
	put_number(row->has_ratio ? figure_percent(row->ratio) : NAN, out);
	put_number(low, out);
	put_number(high, out);
	put_number(row->tested ? row->p : NAN, out);
	put_number(row->tested ? row->p_holm : NAN, out);
	fprintf(out, "%s,", row->mark);
	csv_put_text(row->status ? row->status : "ok", out);
	fputc(',', out);
	put_flags(row->flags, out);
}

static bool print_csv(const struct comparison *comparison,
		      const struct render_view *view, FILE *out,
		      struct err *err)
{
	(void)view;
	(void)err;
	for (size_t d = 0; d < DATASET_DIMENSIONS; d++)
		fprintf(out, "%s,",
			dataset_dimension_name((enum dataset_dimension)d));
	fputs("op,n,kb_per_s,half_width_pct,app_kb_per_s,base,change_pct,ci_"
	      "low_pct,"
	      "ci_high_pct,p,p_holm,mark,status,cached,shortened,buffered,"
	      "files\n",
	      out);
	for (size_t i = 0; i < comparison->count; i++)
		put_row(&comparison->rows[i], out);
	return true;
}

const struct render render_csv = { .name = "csv", .print = print_csv };
