/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * graph - a series of numbers as one line of text.
 *
 * Heights are eighths of a line in UTF-8 and characters of growing weight in
 * ASCII. Values that differ by less than a tenth look alike on purpose: noise
 * is not to look like news.
 */
#ifndef REPORTS_GRAPH_H
#define REPORTS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"

/*
 * `logs` are logarithms; more than `width` of them are averaged in groups.
 * `breaks` are the numbers of values that a bar stands in front of. Owned;
 * NULL: out of memory.
 */
char *graph_line(const double *logs, size_t n, const size_t *breaks,
		 size_t break_count, size_t width, bool utf8);

#endif
