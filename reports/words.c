/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/words.h"

#include <math.h>
#include <stdio.h>

/*
 * 1.27 - 1 is 0.27000000000000002 in binary and 1.29 - 1 falls short of 0.29:
 * a value this close below a digit is that digit.
 */
static double cut(double value)
{
	return floor(value * (1 + 1e-12) + 1e-12);
}

/* The mean of logarithms makes an exact 2 a little less. */
static bool are_times(double ratio)
{
	return cut(ratio) >= 2;
}

/* The mean of logarithms makes of equal rates nearly 1. */
static bool are_equal(double ratio)
{
	return fabs(ratio - 1) < 1e-12;
}

bool words_take_as(double ratio)
{
	return are_times(ratio) || are_equal(ratio);
}

void words_ratio(double ratio, char *out, size_t size)
{
	const char *way = ratio < 1 ? "slower" : "faster";
	double percent = cut(fabs(ratio - 1) * 100);

	if (are_equal(ratio))
		snprintf(out, size, "as fast");
	else if (are_times(ratio))
		snprintf(out, size, "%.1f times as fast", cut(ratio * 10) / 10);
	else if (percent < 1)
		snprintf(out, size, "less than 1%% %s", way);
	else
		snprintf(out, size, "about %.0f%% %s", percent, way);
}
