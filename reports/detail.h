/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * detail - what charts show of one phase of a sample beyond its rate: the
 * latencies of its calls, and its rate over time in a few points.
 *
 * It refuses to know which samples these are, and how they are drawn.
 */
#ifndef REPORTS_DETAIL_H
#define REPORTS_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"
#include "schema/record.h"

enum { DETAIL_POINTS = 60 }; /* that a chart of one sample gets, at most */

struct detail {
	int64_t sample;
	/*
	 * That it took until the last call returned; NaN: not known. A read's
	 * seconds do not count what checking took, but its series does.
	 */
	double elapsed_seconds;
	struct record_latency latency;
	/* The rate over time, in KB/s: means over times of equal length. */
	float *points; /* owned; NULL: not known, or not asked for */
	size_t count;
	double point_seconds; /* of each point but the last */
	double last_seconds;
};

/* Without the points. */
struct detail detail_of(const struct record_result *row);

/*
 * Take the series over as DETAIL_POINTS points or fewer. Rate times time adds
 * up to its bytes. False when out of memory.
 */
MUST_USE bool detail_set_series(struct detail *detail,
				const struct record_series *series);

void detail_done(struct detail *detail);

#endif
