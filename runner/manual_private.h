/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * manual_private - what the parts of a manual page are printed with.
 */
#ifndef RUNNER_MANUAL_PRIVATE_H
#define RUNNER_MANUAL_PRIVATE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"

/* Text, so that roff prints it as it is. It must not begin a line. */
void manual_text(const char *text, FILE *out);
/* A paragraph with a tag in front; then its text is to follow. */
void manual_tag(const char *bold, const char *plain, FILE *out);
/* A line of text. */
void manual_line(const char *text, FILE *out);

/* Each command with its options. */
void manual_commands(FILE *out);
/* The views and their columns, of columns.txt. */
MUST_USE bool manual_columns(const char *text, FILE *out, struct err *err);
/* The members of a matrix, of matrix.schema.json. */
MUST_USE bool manual_members(const char *schema, FILE *out, struct err *err);

#endif
