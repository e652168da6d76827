/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static const struct compare_row *find(const struct comparison *comparison,
				      const struct record_compared *row)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *own = &comparison->rows[i];

		if (own->op == row->op &&
		    same_text(own->names[DATASET_VOLUME], row->volume) &&
		    same_text(own->names[DATASET_FILESYSTEM],
			      row->filesystem) &&
		    same_text(own->names[DATASET_WORKLOAD], row->workload))
			return own;
	}
	return NULL;
}

/* To within the error of sums that are made in another order. */
static bool same_rate(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static bool same_percent(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-7 * (100 + fabs(b));
}

void verify_row(const struct comparison *comparison,
		const struct record_compared *row, size_t *seen, char *fault,
		size_t size)
{
	const struct compare_row *own = find(comparison, row);
	double change = NAN;
	const char *what = NULL;

	*fault = '\0';
	if (!own) {
		what = "is not in the comparison";
	} else {
		*seen += 1;
		if (own->has_ratio && !own->is_base)
			change = (own->ratio - 1) * 100;
		if ((int64_t)own->n != row->n)
			what = "has another count of samples";
		else if (!same_rate(row->kb_per_s, own->kb_per_s))
			what = "has another rate";
		else if (!same_percent(row->change_pct, change))
			what = "has another change";
	}
	if (what)
		snprintf(fault, size, "%s %s %s %c of the view %s",
			 row->volume ? row->volume : "",
			 row->filesystem ? row->filesystem : "",
			 row->workload ? row->workload : "", row->op, what);
}
