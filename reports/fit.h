/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit - text made to fit a width: how wide it is, shortened, folded.
 *
 * Widths are columns of a terminal, by the locale's LC_CTYPE. Text is what
 * text_safe() gives: it has no control characters.
 */
#ifndef REPORTS_FIT_H
#define REPORTS_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"

/*
 * `text` as it may stand in a report: through text_safe(), and without
 * `utf8` with every character beyond ASCII as \u{...}. Owned; NULL: no memory.
 */
char *fit_safe(const char *text, bool utf8);

/* Columns that `text` takes. */
size_t fit_width(const char *text);
/* Bytes from the start of `text` that take at most `width` columns. */
size_t fit_head(const char *text, size_t width);

/*
 * `text` in at most `width` columns, its middle replaced by an ellipsis if it
 * is too long. Owned; NULL: no memory.
 */
char *fit_shorten(const char *text, size_t width, bool utf8);

/*
 * Print `text` and a newline, broken at spaces (in a word that is too long
 * behind a comma) into lines of at most `width` columns; lines after the first
 * start with `indent` spaces.
 */
void fit_fold(const char *text, size_t width, size_t indent, FILE *out);

#endif
