/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/table.h"

#include <errno.h>
#include <langinfo.h>
#include <libsmartcols.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "reports/fit.h"

enum {
	GAP = 2,    /* blanks between columns */
	BRANCH = 2, /* what a tree puts in front of a row below another */
	BELOW = 4,  /* blanks before what a row goes on with */
	COLUMNS_MAX = 16,
	ROOM_MIN = 12, /* the last column has at least this */
};

struct table {
	struct libscols_table *scols;
	size_t columns;
	size_t widest[COLUMNS_MAX]; /* of each column's cells */
	size_t width;               /* of the terminal; 0: without end */
};

/* Branches of a tree are drawn in what the terminal can show. */
static bool prepare(struct table *table, size_t width)
{
	struct libscols_table *scols = table->scols;

	table->width = width;
	/* Room is made here, and words are never cut. */
	if (scols_table_enable_nowrap(scols, 0) != 0 ||
	    scols_table_set_termforce(scols, SCOLS_TERMFORCE_NEVER) != 0 ||
	    scols_table_enable_noencoding(scols, 1) != 0 ||
	    scols_table_set_column_separator(scols, "  ") != 0)
		return false;
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ||
	       scols_table_enable_ascii(scols, 1) == 0;
}

static bool add_column(struct table *table, const struct table_column *c,
		       bool last)
{
	struct libscols_column *column = scols_table_new_column(
		table->scols, c->name, 0,
		((c->style & TABLE_RIGHT) ? SCOLS_FL_RIGHT : 0) |
			((c->style & TABLE_TREE) ? SCOLS_FL_TREE : 0) |
			(last ? SCOLS_FL_WRAP : 0));

	if (!column)
		return false;
	table->widest[table->columns++] = fit_width(c->name);
	return !last ||
	       scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
					 scols_wrapnl_nextchunk, NULL) == 0;
}

struct table *table_new(const struct table_column *columns, size_t width)
{
	struct table *table = calloc(1, sizeof(*table));
	bool ok;

	if (!table)
		return NULL;
	table->scols = scols_new_table();
	ok = table->scols && prepare(table, width);
	for (const struct table_column *c = columns; ok && c->name; c++)
		ok = table->columns < COLUMNS_MAX &&
		     add_column(table, c, !c[1].name);
	if (ok)
		return table;
	table_free(table);
	return NULL;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table);
}

static bool set_cell(struct libscols_line *line, size_t column,
		     const char *text)
{
	char *safe = text_safe(text);

	if (safe && scols_line_refer_data(line, column, safe) == 0)
		return true;
	free(safe);
	return false;
}

int table_add(struct table *table, int parent, const char *const *cells)
{
	int number = (int)scols_table_get_nlines(table->scols);
	struct libscols_line *above =
		parent < 0 ? NULL
			   : scols_table_get_line(table->scols, (size_t)parent);
	struct libscols_line *line = scols_table_new_line(table->scols, above);

	if (!line)
		return -1;
	for (size_t i = 0; i < table->columns; i++) {
		size_t width;

		if (!cells[i])
			continue;
		if (!set_cell(line, i, cells[i]))
			return -1;
		width = fit_width(scols_cell_get_data(
				scols_line_get_cell(line, i))) +
			(i == 0 && above ? BRANCH : 0);
		if (width > table->widest[i])
			table->widest[i] = width;
	}
	return number;
}

/* What the terminal leaves for the last column; 0: too little. */
static size_t room(const struct table *table)
{
	size_t last = table->columns - 1, taken = 0;
	size_t least =
		table->widest[last] < ROOM_MIN ? table->widest[last] : ROOM_MIN;

	if (table->width == 0)
		return SIZE_MAX;
	for (size_t i = 0; i < last; i++)
		taken += table->widest[i] + GAP;
	return taken + least > table->width ? 0 : table->width - taken;
}

/* Turn blanks into newlines, so that no line is longer than `most`. */
static void wrap(char *text, size_t most)
{
	char *blank = NULL, *start = text;

	for (char *c = text; *c; c++) {
		char *next = c + 1;
		char kept;

		if (*c != ' ')
			continue;
		next += strcspn(next, " ");
		kept = *next;
		*next = '\0';
		blank = c;
		if (fit_width(start) > most) {
			*blank = '\n';
			start = blank + 1;
		}
		*next = kept;
	}
}

/* A row as a line of text; below another, or like it, it is indented. */
static bool print_row(const struct table *table, struct libscols_line *row,
		      FILE *out)
{
	bool below = scols_line_get_parent(row) != NULL;
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return false;
	for (size_t i = 0; i < table->columns; i++) {
		const char *cell =
			scols_cell_get_data(scols_line_get_cell(row, i));

		if (i == 0 && (below || !cell || !*cell))
			fprintf(line, "%*s", GAP, "");
		if (cell && *cell)
			fprintf(line, "%s%s", ftell(line) > GAP ? "  " : "",
				cell);
	}
	if (fclose(line) == 0)
		fit_fold(text, table->width, BELOW, out);
	free(text);
	return text != NULL;
}

/* No room for columns beside each other: a row goes on in further lines. */
static bool print_rows(const struct table *table, FILE *out, struct err *err)
{
	size_t lines = scols_table_get_nlines(table->scols);

	for (size_t i = 0; i < lines; i++) {
		if (!print_row(table, scols_table_get_line(table->scols, i),
			       out))
			return err_nomem(err);
	}
	return true;
}

bool table_print(struct table *table, FILE *out, struct err *err)
{
	size_t most = room(table), lines = scols_table_get_nlines(table->scols);
	int ret;

	if (most == 0)
		return print_rows(table, out, err);
	for (size_t i = 0; i < lines; i++) {
		struct libscols_cell *cell = scols_line_get_cell(
			scols_table_get_line(table->scols, i),
			table->columns - 1);
		char *text = (char *)scols_cell_get_data(cell);

		if (text)
			wrap(text, most);
	}
	if (scols_table_set_stream(table->scols, out) != 0)
		return err_nomem(err);
	ret = scols_print_table(table->scols);
	if (ret != 0)
		return err_sys(err, -ret, "printing a table");
	return true;
}
