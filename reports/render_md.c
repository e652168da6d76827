/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "reports/render_private.h"

/* One by itself is a mark of ours; next to text it may strike it through. */
static bool is_lone(const char *text, const char *at)
{
	return (at == text || at[-1] == ' ') && (!at[1] || at[1] == ' ');
}

/*
 * Markdown may become HTML, and a pipe would end a cell: what means anything
 * to either is an entity, which no dialect takes for markup.
 */
static bool put(const char *text, FILE *out)
{
	char *safe = text_safe(text);

	for (const char *at = safe; at && *at; at++) {
		if (strchr("&<>|\\`*_[]#$", *at) ||
		    (*at == '~' && !is_lone(safe, at)))
			fprintf(out, "&#%d;", *at);
		else
			fputc(*at, out);
	}
	free(safe);
	return safe;
}

/* The first of a line; false: out of memory. */
static bool put_first(const char *text, FILE *out)
{
	size_t digits = strspn(text, "0123456789");

	/* "- ", "+ " and "1. " would begin a list, "===" make a heading */
	if (digits == 0 && *text && strchr("-+=", *text)) {
		fprintf(out, "&#%d;", *text);
		return put(text + 1, out);
	}
	if (digits > 0 && text[digits] && strchr(".)", text[digits])) {
		fprintf(out, "%.*s&#%d;", (int)digits, text, text[digits]);
		return put(text + digits + 1, out);
	}
	return put(text, out);
}

bool render_md_lines(const struct compare_lines *lines, const char *before,
		     FILE *out)
{
	if (lines->count > 0)
		fputc('\n', out);
	for (size_t i = 0; i < lines->count; i++) {
		fputs(before, out);
		if (!put_first(lines->items[i], out))
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

/*
 * "[+73.0, +77.9]" and "<.001" stay as they are, since nothing can be made of
 * such characters alone. A status may stand where figures do.
 */
static bool is_figure(const char *cell)
{
	return cell[strspn(cell, "0123456789.,+-%<>[] ~?")] == '\0';
}

static bool put_row(const struct grid *grid, const struct grid_row *row,
		    FILE *out)
{
	for (size_t j = 0; j < grid->column_count; j++) {
		if (starts_cell(grid, j))
			fputs(j > 0 ? " | " : "| ", out);
		else if (*row->cells[j])
			fputc(' ', out);
		if (is_figure(row->cells[j]))
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
