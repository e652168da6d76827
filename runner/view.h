/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view - what the terminal or file behind a stream can show.
 */
#ifndef RUNNER_VIEW_H
#define RUNNER_VIEW_H

#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "reports/render.h"

/*
 * $COLUMNS, else the terminal's width, else 80; UTF-8 if the locale's
 * character set is.
 */
struct render_view view_of(FILE *out);

/* $COLUMNS, else the terminal's width, else 0: lines have no end. */
size_t view_width(FILE *out);

/*
 * Print text that is safe to print, and a newline. What is wider than `width`
 * (0: nothing is) goes on in further lines, which `indent` blanks begin.
 */
void view_say(FILE *out, size_t width, size_t indent, const char *fmt, ...)
	PRINTF(4, 5);

#endif
