/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/detail.h"

#include <math.h>
#include <stdlib.h>

struct detail detail_of(const struct record_result *row)
{
	struct detail detail = {
		.sample = row->sample,
		.elapsed_seconds = NAN,
		.latency = row->latency,
	};

	if (row->op == 'W')
		detail.elapsed_seconds = row->seconds - row->flush_seconds;
	return detail;
}

/* The phase ended within its last interval; of next to no time is no rate. */
static double last_seconds(const struct detail *detail, double full)
{
	double rest = detail->elapsed_seconds -
		      (double)(detail->count - 1) * detail->point_seconds;

	return rest > full / 100 && rest < full ? rest : full;
}

bool detail_set_series(struct detail *detail,
		       const struct record_series *series)
{
	size_t each = (series->count + DETAIL_POINTS - 1) / DETAIL_POINTS;
	double interval = (double)series->interval_ns / 1e9, full;
	size_t in_last;

	if (series->count == 0 || series->interval_ns == 0)
		return true;
	detail->count = (series->count + each - 1) / each;
	in_last = series->count - (detail->count - 1) * each;
	detail->points = calloc(detail->count, sizeof(*detail->points));
	if (!detail->points)
		return false;
	detail->point_seconds = (double)each * interval;
	full = (double)in_last * interval;
	detail->last_seconds = last_seconds(detail, full);
	for (size_t i = 0; i < detail->count; i++) {
		bool last = i == detail->count - 1;
		double seconds =
			last ? detail->last_seconds : detail->point_seconds;
		double bytes = 0;

		for (size_t j = i * each;
		     j < (i + 1) * each && j < series->count; j++)
			bytes += (double)series->bytes[j];
		detail->points[i] = (float)(bytes / 1024 / seconds);
	}
	return true;
}

void detail_done(struct detail *detail)
{
	free(detail->points);
	*detail = (struct detail){ 0 };
}
