/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "reports/grid.h"

size_t grid_add_column(struct grid_build *b, enum grid_kind kind, bool right,
		       size_t width, const char *title)
{
	struct grid *grid = b->grid;
	size_t count = grid->column_count + 1;
	struct grid_column *columns =
		reallocarray(grid->columns, count, sizeof(*columns));
	char *copy = strdup(title);

	if (columns)
		grid->columns = columns;
	if (!columns || !copy) {
		free(copy);
		b->failed = true;
		return 0;
	}
	columns[count - 1] = (struct grid_column){
		.kind = kind, .right = right, .width = width, .title = copy
	};
	grid->column_count = count;
	return count - 1;
}

size_t grid_add_following(struct grid_build *b, size_t width, const char *title)
{
	size_t column = grid_add_column(b, GRID_FIGURE, true, width, title);

	if (!b->failed)
		b->grid->columns[column].follows = true;
	return column;
}

size_t grid_add_row(struct grid_build *b)
{
	struct grid *grid = b->grid;
	struct grid_row *rows = grid->rows;
	size_t count = grid->row_count;

	/* Room grows by doubling; it is full at every power of two. */
	if ((count & (count - 1)) == 0) {
		rows = reallocarray(rows, count ? 2 * count : 1, sizeof(*rows));
		if (!rows) {
			b->failed = true;
			return SIZE_MAX;
		}
		grid->rows = rows;
	}
	rows[count] = (struct grid_row){
		.cells = calloc(grid->column_count + 1, sizeof(char *)),
		.status = SIZE_MAX,
	};
	if (!rows[count].cells) {
		b->failed = true;
		return SIZE_MAX;
	}
	grid->row_count++;
	return count;
}

void grid_set(struct grid_build *b, size_t row, size_t column, const char *text)
{
	char **cell;

	if (b->failed || row == SIZE_MAX)
		return;
	cell = &b->grid->rows[row].cells[column];
	free(*cell);
	*cell = strdup(text);
	b->failed = !*cell;
}

static bool is_blank(const struct grid *grid, size_t column)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		const char *text = grid->rows[i].cells[column];

		if (text && *text)
			return false;
	}
	return true;
}

static void drop(struct grid *grid, size_t column)
{
	size_t behind = grid->column_count - column - 1;

	free(grid->columns[column].title);
	memmove(&grid->columns[column], &grid->columns[column + 1],
		behind * sizeof(*grid->columns));
	for (size_t i = 0; i < grid->row_count; i++) {
		char **cells = grid->rows[i].cells;

		free(cells[column]);
		memmove(&cells[column], &cells[column + 1],
			behind * sizeof(*cells));
		cells[grid->column_count - 1] = NULL;
		if (grid->rows[i].status != SIZE_MAX &&
		    grid->rows[i].status > column)
			grid->rows[i].status--;
	}
	grid->column_count--;
}

void grid_drop_blank(struct grid_build *b)
{
	for (size_t j = b->grid->column_count; j > 0 && !b->failed; j--) {
		if (is_blank(b->grid, j - 1))
			drop(b->grid, j - 1);
	}
}

bool grid_finish(struct grid_build *b, struct err *err)
{
	struct grid *grid = b->grid;

	for (size_t i = 0; i < grid->row_count; i++) {
		for (size_t j = 0; j < grid->column_count; j++) {
			if (!b->failed && !grid->rows[i].cells[j])
				grid_set(b, i, j, "");
		}
	}
	if (!b->failed)
		return true;
	grid_done(grid);
	return err_nomem(err);
}

void grid_done(struct grid *grid)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		for (size_t j = 0; j < grid->column_count; j++)
			free(grid->rows[i].cells[j]);
		free(grid->rows[i].cells);
	}
	for (size_t i = 0; i < grid->column_count; i++)
		free(grid->columns[i].title);
	free(grid->rows);
	free(grid->columns);
	*grid = (struct grid){ 0 };
}
