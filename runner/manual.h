/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manual - the manual pages, for man(1).
 *
 * What a page says of commands, members and columns is made of what the
 * program itself goes by: the table of commands, matrix.schema.json and
 * columns.txt. The prose around it is in runner/manual; a line "@word@" there
 * is where the rest goes, and "@share@" in a line is the folder that what was
 * installed is in: that of this program, or that of the prefix it was made for.
 */
#ifndef RUNNER_MANUAL_H
#define RUNNER_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"

/* "fsmatrix.1", "fsmatrix-matrix.5", "fsmatrix-db.5"; then NULL. */
const char *manual_page(size_t index);

/* ERR_INPUT that names the known ones. A failed write shows in ferror(out). */
MUST_USE bool manual_print(const char *page, FILE *out, struct err *err);

#endif
