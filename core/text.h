/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text - what a user's text may do to a terminal, and to us: nothing.
 *
 * Names come from a matrix, a database or a kernel, and are data. Whoever
 * prints one on a terminal prints it through here.
 */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Print `text` with control characters and bytes that are not UTF-8 as \xNN
 * and C1 and bidirectional controls as \u{...}. Newline is a control
 * character here.
 */
void text_fputs_safe(const char *text, FILE *out);

/* The same as a string on the heap, the caller's to free; NULL: no memory. */
char *text_safe(const char *text);

/* Whether text_safe() would leave `text` as it is. */
bool text_is_safe(const char *text);

/* Whether `text` is well-formed UTF-8 (no overlong forms, no surrogates). */
bool text_is_utf8(const char *text);

/* NULL if it is empty: what is not known is no text. */
const char *text_or_null(const char *text);

/*
 * Of the NULL-terminated `known`, the name nearest to `text` by edit
 * distance, if it is near enough to be a slip of the fingers; else NULL.
 * Capitals are as good as small letters, but what is equal comes first, and
 * then the only one that begins with the text ("base" of "baseline").
 */
const char *text_nearest(const char *text, const char *const *known);

#endif
