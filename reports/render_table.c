/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <libsmartcols.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "reports/fit.h"
#include "reports/intern.h"
#include "reports/render_layout.h"
#include "reports/render_private.h"

enum { LEAST_COLUMNS = 40, USUAL_COLUMNS = 80 };

size_t render_columns(const struct render_view *view)
{
	if (view->columns == 0)
		return USUAL_COLUMNS;
	return view->columns > LEAST_COLUMNS ? view->columns : LEAST_COLUMNS;
}

bool render_prose(const char *text, const struct render_view *view, FILE *out,
		  struct err *err)
{
	char *safe = fit_safe(text, view->utf8);

	if (!safe)
		return err_nomem(err);
	fit_fold(safe, render_columns(view), 2, out);
	free(safe);
	return true;
}

static void layout_done(struct render_layout *l)
{
	for (size_t i = 0; l->cells && i < l->grid->row_count; i++) {
		for (size_t j = 0; l->cells[i] && j < l->grid->column_count;
		     j++)
			free(l->cells[i][j]);
		free(l->cells[i]);
	}
	free(l->cells);
	free(l->columns);
}

static bool copy_cells(struct render_layout *l)
{
	const struct grid *grid = l->grid;

	l->cells = calloc(grid->row_count + 1, sizeof(*l->cells));
	l->columns = calloc(grid->column_count + 1, sizeof(*l->columns));
	if (!l->cells || !l->columns)
		return false;
	for (size_t i = 0; i < grid->row_count; i++) {
		l->cells[i] = calloc(grid->column_count + 1, sizeof(char *));
		for (size_t j = 0; l->cells[i] && j < grid->column_count; j++) {
			l->cells[i][j] =
				fit_safe(grid->rows[i].cells[j], l->view->utf8);
			if (!l->cells[i][j])
				return false;
		}
		if (!l->cells[i])
			return false;
	}
	return true;
}

static bool print_hoisted(const struct render_layout *l, struct err *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);
	bool ok;

	if (!line)
		return err_nomem(err);
	for (size_t j = 0; j < l->grid->column_count; j++) {
		if (l->columns[j].hoisted)
			fprintf(line, "%s%s %s", ftell(line) > 0 ? ", " : "",
				l->grid->columns[j].title, l->cells[0][j]);
	}
	if (fclose(line) != 0) {
		free(text);
		return err_nomem(err);
	}
	ok = size == 0 || render_prose(text, l->view, l->out, err);
	free(text);
	return ok;
}

/* The names of a row up to and with `column` are those of the row before. */
static bool repeats(const struct render_layout *l, size_t row, size_t column)
{
	const struct grid *grid = l->grid;
	size_t last = column;

	if (row == 0 || l->style->repeated ||
	    grid->rows[row].is_mean != grid->rows[row - 1].is_mean)
		return false;
	if (l->style->by_cell)
		last = grid->column_count - 1;
	for (size_t j = 0; j <= last; j++) {
		if (grid->columns[j].kind == GRID_NAME &&
		    strcmp(l->cells[row][j], l->cells[row - 1][j]) != 0)
			return false;
	}
	return true;
}

/* What stands in a cell of the table; owned. */
static char *cell_text(const struct render_layout *l, size_t row, size_t column)
{
	if (render_layout_has_status(l->grid, row, column) ||
	    (l->grid->columns[column].kind == GRID_NAME &&
	     repeats(l, row, column)))
		return strdup("");
	if (!render_layout_is_cut(l, column))
		return strdup(l->cells[row][column]);
	return fit_shorten(l->cells[row][column], l->columns[column].width,
			   l->view->utf8);
}

/* A title that makes its column as wide as it is to be. */
static char *title_text(const struct render_layout *l, size_t column)
{
	const char *title = l->grid->columns[column].title;
	size_t width = render_layout_width(l, column), own = fit_width(title);
	char *text;

	if (own > width)
		return fit_shorten(title, width, l->view->utf8);
	if (!l->grid->columns[column].right)
		return strdup(title);
	if (asprintf(&text, "%*s%s", (int)(width - own), "", title) < 0)
		return NULL;
	return text;
}

/* One block of the table: the columns `in`, `count` of them. */
struct block {
	size_t *in;
	size_t count;
	struct libscols_table *table;
};

static bool add_columns(const struct render_layout *l, struct block *block)
{
	for (size_t k = 0; k < block->count; k++) {
		bool right = l->grid->columns[block->in[k]].right;
		char *title = title_text(l, block->in[k]);
		bool ok = title &&
			  scols_table_new_column(block->table, title, 0,
						 right ? SCOLS_FL_RIGHT : 0);

		free(title);
		if (!ok)
			return false;
	}
	return true;
}

static bool add_lines(const struct render_layout *l, struct block *block)
{
	for (size_t i = 0; i < l->grid->row_count; i++) {
		struct libscols_line *line =
			scols_table_new_line(block->table, NULL);

		for (size_t k = 0; line && k < block->count; k++) {
			char *text = cell_text(l, i, block->in[k]);
			bool ok =
				text && scols_line_set_data(line, k, text) == 0;

			free(text);
			if (!ok)
				return false;
		}
		if (!line)
			return false;
	}
	return true;
}

/* The column of the terminal where the k-th column of the block starts. */
static size_t offset_of(const struct render_layout *l,
			const struct block *block, size_t k)
{
	size_t offset = 0;

	for (size_t i = 0; i < k; i++)
		offset += 1 + render_layout_width(l, block->in[i]);
	return offset;
}

/* The status of a row, if it stands in this block, behind the line. */
static char *with_status(const struct render_layout *l,
			 const struct block *block, size_t row,
			 const char *line)
{
	size_t column = l->grid->rows[row].status, offset;
	char *status, *text = NULL;

	for (size_t k = 0; k < block->count; k++) {
		if (block->in[k] != column)
			continue;
		offset = offset_of(l, block, k);
		status = fit_shorten(l->cells[row][column],
				     render_columns(l->view) - offset,
				     l->view->utf8);
		if (status &&
		    asprintf(&text, "%s%*s%s", line,
			     (int)(offset - fit_width(line)), "", status) < 0)
			text = NULL;
		free(status);
		return text;
	}
	return strdup(line);
}

static void print_rule(const struct render_layout *l, size_t width)
{
	if (!l->style->rules)
		return;
	for (size_t i = 0; i < width; i++)
		fputc('-', l->out);
	fputc('\n', l->out);
}

/* From the first name on that is not that of the row before, a line each. */
static void print_heading(const struct render_layout *l, size_t row)
{
	size_t columns = render_columns(l->view);
	bool changed = row == 0;
	int depth = 0;

	for (size_t j = 0; j < l->grid->column_count; j++) {
		const char *name = l->cells[row][j];

		if (!render_layout_is_heading(l, j))
			continue;
		changed = changed || strcmp(name, l->cells[row - 1][j]) != 0;
		if (changed && *name) {
			fprintf(l->out, "%*s", depth, "");
			fit_fold(name, columns - (size_t)depth,
				 (size_t)depth + 2, l->out);
		}
		depth++;
	}
}

static void print_lines(const struct render_layout *l, char *const *lines,
			size_t count)
{
	size_t width = 0;
	bool means = false;

	for (size_t i = 0; i < count; i++) {
		size_t w = fit_width(lines[i]);

		width = w > width ? w : width;
	}
	for (size_t i = 0; i < count; i++) {
		if (i == 1 || (i > 0 && l->grid->rows[i - 1].is_mean && !means))
			print_rule(l, width);
		means = i > 0 && l->grid->rows[i - 1].is_mean;
		if (i > 0)
			print_heading(l, i - 1);
		fprintf(l->out, "%s\n", lines[i]);
	}
	print_rule(l, width);
}

/* Cut spaces off the ends of the library's lines and add what reaches over. */
static bool finish_lines(const struct render_layout *l,
			 const struct block *block, char *printed)
{
	size_t count = l->grid->row_count + 1, at = 0;
	char **lines = calloc(count, sizeof(*lines)), *rest = printed, *line;
	bool ok = lines;

	while (ok && at < count && (line = strsep(&rest, "\n"))) {
		size_t length = strlen(line);

		while (length > 0 && line[length - 1] == ' ')
			line[--length] = '\0';
		lines[at] = at == 0 ? strdup(line)
				    : with_status(l, block, at - 1, line);
		ok = lines[at++];
	}
	if (ok)
		print_lines(l, lines, at);
	for (size_t i = 0; i < at; i++)
		free(lines[i]);
	free(lines);
	return ok;
}

/*
 * More than the lines take, so that the library cuts nothing; it fills a buffer
 * of that size, which is not to be seen in the time a small table takes.
 */
static size_t wide_enough(const struct render_layout *l,
			  const struct block *block)
{
	enum { MOST_BYTES = 4 }; /* of a character */
	size_t width = 256;

	for (size_t k = 0; k < block->count; k++)
		width +=
			MOST_BYTES * (1 + render_layout_width(l, block->in[k]));
	return width;
}

static bool print_block(const struct render_layout *l, struct block *block)
{
	char *printed = NULL;
	bool ok;

	block->table = scols_new_table();
	ok = block->table &&
	     scols_table_enable_noencoding(block->table, 1) == 0 &&
	     scols_table_set_termforce(block->table, SCOLS_TERMFORCE_ALWAYS) ==
		     0 &&
	     scols_table_set_termwidth(block->table, wide_enough(l, block)) ==
		     0 &&
	     add_columns(l, block) && add_lines(l, block) &&
	     scols_print_table_to_string(block->table, &printed) == 0 &&
	     printed && finish_lines(l, block, printed);
	free(printed);
	scols_unref_table(block->table);
	return ok;
}

static void skip_to_figure(const struct render_layout *l, size_t *next)
{
	while (*next < l->grid->column_count &&
	       !render_layout_is_figure(l, *next))
		++*next;
}

/* Take as many of the figures from *next on as fit; at least one. */
static void fill_block(const struct render_layout *l, struct block *block,
		       size_t *next)
{
	size_t width = render_layout_fixed(l),
	       columns = render_columns(l->view);
	bool any = false;

	block->count = 0;
	for (size_t j = 0; j < l->grid->column_count; j++) {
		if (render_layout_is_fixed(l, j))
			block->in[block->count++] = j;
	}
	for (; *next < l->grid->column_count; skip_to_figure(l, next)) {
		size_t last = render_layout_last(l, *next);

		width += render_layout_between(l, *next, last);
		if (any && width - 1 > columns)
			return;
		any = true;
		for (; *next <= last; (*next)++)
			block->in[block->count++] = *next;
	}
}

static bool print_blocks(const struct render_layout *l)
{
	size_t next = 0;
	struct block block = {
		.in = calloc(l->grid->column_count + 1, sizeof(*block.in)),
	};
	bool ok = block.in, first = true;

	skip_to_figure(l, &next);
	while (ok && next < l->grid->column_count) {
		if (!first)
			fputc('\n', l->out);
		first = false;
		fill_block(l, &block, &next);
		ok = print_block(l, &block);
	}
	free(block.in);
	return ok;
}

static bool print_cut_name(const struct render_layout *l, const char *name,
			   size_t width)
{
	char *cut = fit_shorten(name, width, l->view->utf8), *line = NULL;

	if (!cut || asprintf(&line, "%s: %s", cut, name) < 0)
		line = NULL;
	if (line)
		fit_fold(line, render_columns(l->view), 2, l->out);
	free(cut);
	free(line);
	return line;
}

/* Those of one column, each once. */
static bool print_cut_names_of(const struct render_layout *l, size_t column,
			       size_t width)
{
	void *said = NULL;
	bool ok = true;

	for (size_t i = 0; ok && i < l->grid->row_count; i++) {
		const char *name = l->cells[i][column];
		bool fresh;

		if (fit_width(name) <= width)
			continue;
		ok = intern_once(&said, name, &fresh);
		if (ok && fresh)
			ok = print_cut_name(l, name, width);
	}
	tdestroy(said, free);
	return ok;
}

/* "sc...ch: the-scratch-of-the-north-branch": each name that was cut. */
static bool print_cut_names(const struct render_layout *l)
{
	const struct grid *grid = l->grid;

	for (size_t j = 0; j < grid->column_count; j++) {
		size_t width = l->columns[j].width;

		if (!render_layout_is_cut(l, j) || l->columns[j].hoisted)
			continue;
		if (!print_cut_names_of(l, j, width))
			return false;
	}
	return true;
}

bool render_table(const struct grid *grid, const struct render_view *view,
		  const struct render_style *style, FILE *out, struct err *err)
{
	struct render_layout l = {
		.grid = grid, .view = view, .style = style, .out = out
	};
	bool ok = copy_cells(&l);

	if (ok && grid->row_count > 0) {
		ok = render_layout_make(&l) && print_hoisted(&l, err) &&
		     print_blocks(&l) && print_cut_names(&l);
	}
	layout_done(&l);
	return ok || err_nomem(err);
}
