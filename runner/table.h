/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table - rows and columns of text for people, as wide as the terminal.
 *
 * libsmartcols lays it out. Cells are data: what could act on a terminal is
 * spelt out. Columns are apart by two blanks. The last column goes on in the
 * next line, between words, where the terminal ends. Where it has no room for
 * the columns, each row is a line of text without a head.
 */
#ifndef RUNNER_TABLE_H
#define RUNNER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/err.h"

enum table_style {
	TABLE_LEFT = 0,
	TABLE_RIGHT = 1,
	TABLE_TREE = 2, /* the column that shows which row belongs to which */
};

struct table_column {
	const char *name;
	int style; /* of enum table_style, or'ed */
};

struct table;

/*
 * `columns` ends with a NULL name. `width` is that of the terminal; 0:
 * it has no end. NULL when out of memory.
 */
struct table *table_new(const struct table_column *columns, size_t width);
void table_free(struct table *table);

#define TABLE_TOP (-1)

/*
 * Append a row of one cell for each column (NULL is empty; copied), below the
 * row number `parent` or TABLE_TOP. Its number, or -1 when out of memory.
 */
int table_add(struct table *table, int parent, const char *const *cells);

MUST_USE bool table_print(struct table *table, FILE *out, struct err *err);

#endif
