/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view - what the terminal or file behind a stream can show.
 */
#ifndef RUNNER_VIEW_H
#define RUNNER_VIEW_H

#include <stdio.h>

#include "reports/render.h"

/*
 * $COLUMNS, else the terminal's width, else 80; UTF-8 if the locale's
 * character set is.
 */
struct render_view view_of(FILE *out);

#endif
