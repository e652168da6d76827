/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verify {
	const struct comparison *comparison; /* borrowed */
	size_t *sorted;                      /* its rows, by name; owned */
};

static int by_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int by_name(const struct compare_row *own,
		   const struct record_compared *row)
{
	int order = by_text(own->names[DATASET_VOLUME], row->volume);

	if (order == 0)
		order = by_text(own->names[DATASET_FILESYSTEM],
				row->filesystem);
	if (order == 0)
		order = by_text(own->names[DATASET_WORKLOAD], row->workload);
	return order ? order : (own->op > row->op) - (own->op < row->op);
}

static int by_name_and_place(const void *a, const void *b, void *ctx)
{
	const struct compare_row *rows = ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct record_compared row = {
		.volume = rows[y].names[DATASET_VOLUME],
		.filesystem = rows[y].names[DATASET_FILESYSTEM],
		.workload = rows[y].names[DATASET_WORKLOAD],
		.op = rows[y].op,
	};
	int order = by_name(&rows[x], &row);

	return order ? order : (x > y) - (x < y);
}

struct verify *verify_new(const struct comparison *comparison, struct err *err)
{
	struct verify *verify = calloc(1, sizeof(*verify));

	if (verify)
		verify->sorted =
			calloc(comparison->count + 1, sizeof(*verify->sorted));
	if (!verify || !verify->sorted) {
		free(verify);
		err_nomem(err);
		return NULL;
	}
	verify->comparison = comparison;
	for (size_t i = 0; i < comparison->count; i++)
		verify->sorted[i] = i;
	qsort_r(verify->sorted, comparison->count, sizeof(*verify->sorted),
		by_name_and_place, comparison->rows);
	return verify;
}

void verify_free(struct verify *verify)
{
	if (verify)
		free(verify->sorted);
	free(verify);
}

static const struct compare_row *find(const struct verify *verify,
				      const struct record_compared *row)
{
	const struct compare_row *rows = verify->comparison->rows;
	size_t from = 0, to = verify->comparison->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (by_name(&rows[verify->sorted[middle]], row) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == verify->comparison->count ||
	    by_name(&rows[verify->sorted[from]], row) != 0)
		return NULL;
	return &rows[verify->sorted[from]];
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

void verify_row(const struct verify *verify, const struct record_compared *row,
		size_t *seen, char *fault, size_t size)
{
	const struct compare_row *own = find(verify, row);
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
