/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "reports/render_private.h"

/*
 * Markdown may become HTML, and a pipe would end a cell: what means anything
 * to either is an entity, which no dialect takes for markup.
 */
static bool put(const char *text, FILE *out)
{
	char *safe = text_safe(text);

	for (const char *at = safe; at && *at; at++) {
		if (strchr("&<>|\\`*_[]#$", *at) ||
		    (*at == '~' && at[1] == '~'))
			fprintf(out, "&#%d;", *at);
		else
			fputc(*at, out);
	}
	free(safe);
	return safe;
}

bool render_md_lines(const struct compare_lines *lines, const char *before,
		     FILE *out)
{
	if (lines->count > 0)
		fputc('\n', out);
	for (size_t i = 0; i < lines->count; i++) {
		fputs(before, out);
		if (!put(lines->items[i], out))
			return false;
		fputc('\n', out);
	}
	return true;
}

/* A mark shares the cell of its figure. */
static bool starts_cell(const struct grid *grid, size_t column)
{
	return column == 0 || grid->columns[column].kind != GRID_MARK;
}

static bool put_titles(const struct grid *grid, FILE *out)
{
	for (size_t j = 0; j < grid->column_count; j++) {
		if (!starts_cell(grid, j))
			continue;
		fputs(j > 0 ? " | " : "| ", out);
		if (!put(grid->columns[j].title, out))
			return false;
	}
	fputs(" |\n", out);
	for (size_t j = 0; j < grid->column_count; j++) {
		if (starts_cell(grid, j))
			fputs(grid->columns[j].right ? "|---:" : "|---", out);
	}
	fputs("|\n", out);
	return true;
}

static bool put_row(const struct grid *grid, const struct grid_row *row,
		    FILE *out)
{
	for (size_t j = 0; j < grid->column_count; j++) {
		bool figure = grid->columns[j].kind >= GRID_FIGURE &&
			      row->status != j;

		if (starts_cell(grid, j))
			fputs(j > 0 ? " | " : "| ", out);
		else if (*row->cells[j])
			fputc(' ', out);
		if (figure)
			fputs(row->cells[j], out);
		else if (!put(row->cells[j], out))
			return false;
	}
	fputs(" |\n", out);
	return true;
}

bool render_md_table(const struct grid *grid, FILE *out)
{
	bool ok = put_titles(grid, out);

	for (size_t i = 0; ok && i < grid->row_count; i++)
		ok = put_row(grid, &grid->rows[i], out);
	return ok;
}

static bool print_md(const struct comparison *comparison,
		     const struct render_view *view, FILE *out, struct err *err)
{
	struct compare_lines legend = { 0 };
	struct grid grid;
	bool ok;

	if (!grid_make(comparison, view, &grid, err))
		return false;
	ok = render_legend(comparison, view, &legend, err) &&
	     ((render_md_table(&grid, out) &&
	       render_md_lines(&legend, "- ", out) &&
	       render_md_lines(&comparison->notes, "- ", out) &&
	       render_md_lines(&comparison->sentences, "", out) &&
	       render_md_lines(&comparison->fleet, "- ", out)) ||
	      err_nomem(err));
	compare_lines_done(&legend);
	grid_done(&grid);
	return ok;
}

const struct render render_md = { .name = "md", .print = print_md };
