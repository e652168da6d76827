/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figure - numbers as a reader of a table wants them.
 */
#ifndef REPORTS_FIGURE_H
#define REPORTS_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"
#include "core/err.h"

enum { FIGURE_SIZE = 40 }; /* bytes that any of these takes, with its NUL */

struct figure_unit {
	const char *name; /* "KB" */
	double bytes;     /* 1024 */
};

/*
 * KB (1024 bytes, the article's), KiB, MiB, GiB, or kB, MB, GB by powers of
 * 1000. NULL for an unknown name, with ERR_INPUT that names the known ones.
 */
MUST_USE const struct figure_unit *figure_unit(const char *name,
					       struct err *err);

/* "11,885": three digits at least; `grouped`: thousands with commas. */
void figure_rate(double kb_per_s, const struct figure_unit *unit, bool grouped,
		 char *out);

/* 75.5 of a ratio of 1.755. */
double figure_percent(double ratio);

/*
 * "1.3%" of 0.013: the interval is from rate / 1.013 to rate x 1.013. One of
 * more than twice the rate says little, and is ">100%".
 */
void figure_half(double part, char *out);
bool figure_half_is_wide(double part);
/* What a table says of ">100%", without a full stop. */
extern const char figure_half_note[];

/*
 * "+75.5%" of 1.755; "0.0%" of what rounds to nothing. A ratio is never 0, so
 * what would round to -100% is "<-99.9%"; above 99,999% it is ">+99999%".
 */
void figure_change(double ratio, char *out);
/* "+72.4": as figure_change(), without the sign of percent. */
void figure_bound(double ratio, char *out);
/* ".101", "<.001"; ".0503" where three digits would make it `alpha`. */
void figure_p(double p, double alpha, char *out);

#endif
