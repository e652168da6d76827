/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "reports/page.h"
#include "reports/render_html.h"
#include "reports/render_private.h"

/*
 * A browser that is still reading lays a table out again and again; of many
 * smaller ones it does so only with what is seen.
 */
enum { ROWS_AT_ONCE = 500 };

/* A mark shares the cell of its figure. */
static bool is_mark(const struct grid *grid, size_t column)
{
	return column > 0 && grid->columns[column].kind == GRID_MARK;
}

static bool has_marks(const struct grid *grid, size_t column)
{
	return column + 1 < grid->column_count && is_mark(grid, column + 1);
}

/* Of a title; k leaves room for the marks below it. */
static const char *class_of(const struct grid *grid, size_t column)
{
	if (grid->columns[column].kind != GRID_FIGURE)
		return "";
	return has_marks(grid, column) ? " class=\"n k\"" : " class=n";
}

static bool put_titles(const struct grid *grid, FILE *out)
{
	fputs("<thead><tr>", out);
	for (size_t j = 0; j < grid->column_count; j++) {
		if (is_mark(grid, j))
			continue;
		fprintf(out, "<th scope=col%s>", class_of(grid, j));
		if (!page_text(grid->columns[j].title, out))
			return false;
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	return true;
}

/* Whether this name and all to its left are those of the row above. */
static bool repeats(const struct grid *grid, size_t row, size_t column)
{
	if (row % ROWS_AT_ONCE == 0 ||
	    grid->rows[row - 1].is_mean != grid->rows[row].is_mean)
		return false;
	for (size_t j = 0; j <= column; j++) {
		if (grid->columns[j].kind == GRID_NAME &&
		    strcmp(grid->rows[row].cells[j],
			   grid->rows[row - 1].cells[j]) != 0)
			return false;
	}
	return true;
}

const char *render_html_way(const struct compare_row *row)
{
	if (row->verdict != COMPARE_SIGNIFICANT)
		return "";
	return row->ratio > 1 ? "up" : "down";
}

/* As an attribute; the change of `of`, if this is one, says which way. */
static const char *figure_class(const struct grid *grid, size_t column,
				const struct compare_row *of)
{
	const char *way = of ? render_html_way(of) : "";

	if (!*way || strcmp(grid->columns[column].title, "Change") != 0)
		return "n";
	return strcmp(way, "up") == 0 ? "\"n up\"" : "\"n down\"";
}

static bool put_figure(const struct grid *grid, size_t row, size_t column,
		       const struct compare_row *of, FILE *out)
{
	char **cells = grid->rows[row].cells;

	fprintf(out, "<td class=%s>", figure_class(grid, column, of));
	if (!page_text(cells[column], out))
		return false;
	for (size_t j = column; has_marks(grid, j); j++) {
		fputs("<span class=m>", out);
		if (!page_text(cells[j + 1], out))
			return false;
		fputs("</span>", out);
	}
	fputs("</td>", out);
	return true;
}

/* A status reaches over all that would stand to its right. */
static bool put_status(const struct grid *grid, const struct grid_row *row,
		       FILE *out)
{
	size_t span = 0;

	for (size_t j = row->status; j < grid->column_count; j++)
		span += !is_mark(grid, j);
	fprintf(out, "<td class=status colspan=%zu>", span);
	if (!page_text(row->cells[row->status], out))
		return false;
	fputs("</td>", out);
	return true;
}

static bool put_name(const struct grid *grid, size_t row, size_t column,
		     FILE *out)
{
	fprintf(out, "<th scope=row%s>",
		repeats(grid, row, column) ? " class=again" : "");
	if (!page_text(grid->rows[row].cells[column], out))
		return false;
	fputs("</th>", out);
	return true;
}

static bool put_op(const char *op, FILE *out)
{
	fputs("<td>", out);
	if (!page_text(op, out))
		return false;
	fputs("</td>", out);
	return true;
}

/* `of`: the row of the comparison that this is; NULL: of none, or several. */
static bool put_row(const struct grid *grid, size_t at,
		    const struct compare_row *of, FILE *out)
{
	const struct grid_row *row = &grid->rows[at];
	bool ok = true;

	fputs(row->is_mean ? "<tr class=mean>" : "<tr>", out);
	for (size_t j = 0; ok && j < grid->column_count; j++) {
		if (row->status == j) {
			ok = put_status(grid, row, out);
			break;
		}
		if (is_mark(grid, j))
			continue;
		if (grid->columns[j].kind == GRID_NAME)
			ok = put_name(grid, at, j, out);
		else if (grid->columns[j].kind == GRID_OP)
			ok = put_op(row->cells[j], out);
		else
			ok = put_figure(grid, at, j, of, out);
	}
	fputs("</tr>\n", out);
	return ok;
}

/* The rows `from` to below `to` as one table. */
static bool put_part(const struct comparison *comparison,
		     const struct grid *grid, size_t from, size_t to, FILE *out)
{
	bool pivot = comparison->options->has_columns;

	fprintf(out,
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		"aria-labelledby=\"rates%zu\">\n<table class=\"rates\">\n"
		"<caption id=\"rates%zu\">Rates and changes. W: write, "
		"R: read.",
		from, from);
	if (grid->row_count > ROWS_AT_ONCE)
		fprintf(out, " Rows %zu to %zu of %zu.", from + 1, to,
			grid->row_count);
	fputs("</caption>\n", out);
	if (!put_titles(grid, out))
		return false;
	for (size_t i = from; i < to; i++) {
		const struct compare_row *of = !pivot && i < comparison->count
						       ? &comparison->rows[i]
						       : NULL;

		if (!put_row(grid, i, of, out))
			return false;
	}
	fputs("</tbody>\n</table>\n</div>\n", out);
	return true;
}

bool render_html_table(const struct comparison *comparison,
		       const struct grid *grid, FILE *out)
{
	size_t from = 0, to;

	do {
		to = from + ROWS_AT_ONCE < grid->row_count ? from + ROWS_AT_ONCE
							   : grid->row_count;
		if (!put_part(comparison, grid, from, to, out))
			return false;
		from = to;
	} while (from < grid->row_count);
	return true;
}
