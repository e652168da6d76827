/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/graph.h"

#include <math.h>
#include <stdlib.h>

enum { LEVELS = 8, BYTES = 3 }; /* of a character */

#define LEAST_RANGE 0.1 /* of logarithms; about a tenth */

struct scale {
	double low, range;
};

/* The mean of the values that column `column` of `columns` stands for. */
static double mean_of(const double *logs, size_t n, size_t column,
		      size_t columns)
{
	size_t from = column * n / columns, to = (column + 1) * n / columns;
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += logs[i];
	return sum / (double)(to - from);
}

/* A narrow range is widened around its middle. */
static struct scale scale_of(const double *logs, size_t n, size_t columns)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < columns; i++) {
		double mean = mean_of(logs, n, i, columns);

		low = fmin(low, mean);
		high = fmax(high, mean);
	}
	if (high - low < LEAST_RANGE)
		low = (low + high - LEAST_RANGE) / 2;
	return (struct scale){ low, fmax(high - low, LEAST_RANGE) };
}

static int level_of(const struct scale *scale, double value)
{
	/* The middle is not to fall to one side or the other by rounding. */
	int level = (int)((value - scale->low) / scale->range * LEVELS + 1e-6);

	return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
}

static char *put_level(char *out, int level, bool utf8)
{
	if (!utf8) {
		*out = "_.-:=+*#"[level];
		return out + 1;
	}
	/* U+2581 and on. */
	out[0] = '\xe2';
	out[1] = '\x96';
	out[2] = (char)(0x81 + level);
	return out + BYTES;
}

static char *put_break(char *out, bool utf8)
{
	if (!utf8) {
		*out = '/';
		return out + 1;
	}
	/* U+2502 */
	out[0] = '\xe2';
	out[1] = '\x94';
	out[2] = '\x82';
	return out + BYTES;
}

char *graph_line(const double *logs, size_t n, const size_t *breaks,
		 size_t break_count, size_t width, bool utf8)
{
	size_t columns = n < width ? n : width, next = 0;
	char *text = calloc(columns + break_count + 1, BYTES), *out = text;
	struct scale scale;

	if (!text || n == 0)
		return text;
	scale = scale_of(logs, n, columns);
	for (size_t i = 0; i < columns; i++) {
		size_t to = (i + 1) * n / columns;
		int level = level_of(&scale, mean_of(logs, n, i, columns));

		for (; next < break_count && breaks[next] < to; next++)
			out = put_break(out, utf8);
		out = put_level(out, level, utf8);
	}
	return text;
}
