/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words - a ratio in words that never overstate it.
 */
#ifndef REPORTS_WORDS_H
#define REPORTS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "about 77% faster", "about 12% slower", "2.8 times as fast": the ratio
 * rate/base in words. Digits are cut, not rounded, from the unrounded ratio,
 * so that 1.776 is "about 77%". A ratio whose percentage cuts to zero is
 * "less than 1% faster" (or slower); equal rates are "as fast".
 */
void words_ratio(double ratio, char *out, size_t size);

/* Whether these words are "... as fast", and go on with "as", not "than". */
bool words_take_as(double ratio);

#endif
