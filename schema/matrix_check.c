/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "schema/matrix_private.h"

static size_t count_in(const struct matrix *m, enum matrix_dimension dimension)
{
	switch (dimension) {
	case MATRIX_FILESYSTEM:
		return m->filesystem_count;
	case MATRIX_VOLUME:
		return m->volume_count;
	case MATRIX_WORKLOAD:
		return m->workload_count;
	}
	return 0;
}

/* NULL if it was faulty. */
static char *name_in(const struct matrix *m, enum matrix_dimension dimension,
		     size_t i)
{
	switch (dimension) {
	case MATRIX_FILESYSTEM:
		return m->filesystems[i].name;
	case MATRIX_VOLUME:
		return m->volumes[i].name;
	case MATRIX_WORKLOAD:
		return m->workloads[i].name;
	}
	return NULL;
}

/* The index of the name among the first `count`, or `count`. */
static size_t find(const struct matrix *m, enum matrix_dimension dimension,
		   const char *name, size_t count)
{
	size_t i = 0;

	while (i < count && (!name_in(m, dimension, i) ||
			     strcmp(name_in(m, dimension, i), name) != 0))
		i++;
	return i;
}

bool matrix_needs_filesystems(const struct matrix *m)
{
	for (size_t i = 0; i < m->volume_count; i++) {
		if (m->volumes[i].kind != MATRIX_DIRECTORY)
			return true;
	}
	return false;
}

void matrix_check_names(struct matrix_reader *r,
			enum matrix_dimension dimension)
{
	const struct matrix *m = r->matrix;
	size_t count = count_in(m, dimension);

	r->unsure[dimension] = count == 0;
	for (size_t i = 0; i < count; i++) {
		const char *name = name_in(m, dimension, i);
		size_t other, mark;

		if (!name) {
			r->unsure[dimension] = true;
			continue;
		}
		other = find(m, dimension, name, i);
		if (other == i)
			continue;
		mark = matrix_enter(r, "[%zu]", i);
		matrix_fault_of(r, "name",
				"\"%s\" is the name of %.*s[%zu] too", name,
				(int)mark, r->path, other);
		matrix_leave(r, mark);
	}
}

bool matrix_check_reference(struct matrix_reader *r,
			    enum matrix_dimension dimension, const char *name)
{
	const char *names[MATRIX_LIST_MAX + 1] = { NULL }, *nearest;
	const char *what = matrix_dimension_name(dimension);
	size_t count = count_in(r->matrix, dimension), known = 0;

	if (find(r->matrix, dimension, name, count) < count)
		return true;
	if (r->unsure[dimension])
		return false;
	for (size_t i = 0; i < count; i++)
		names[known++] = name_in(r->matrix, dimension, i);
	nearest = text_nearest(name, names);
	if (nearest)
		matrix_fault(
			r, "no %s has the name \"%.*s\" (did you mean \"%s\"?)",
			what, matrix_clip(name), name, nearest);
	else
		matrix_fault(r, "no %s has the name \"%.*s\"%s", what,
			     matrix_clip(name), name,
			     dimension == MATRIX_FILESYSTEM && count == 0
				     ? ": a directory brings its own, so name "
				       "the volume instead"
				     : "");
	return false;
}

static size_t cells_with(const struct matrix *m,
			 enum matrix_dimension dimension, char *name)
{
	struct matrix_filter wanted = { 0 };

	switch (dimension) {
	case MATRIX_FILESYSTEM:
		wanted.filesystem = name;
		break;
	case MATRIX_VOLUME:
		wanted.volume = name;
		break;
	case MATRIX_WORKLOAD:
		wanted.workload = name;
		break;
	}
	return matrix_cells_like(m, &wanted);
}

/* The first name of the dimension that has a cell, if one has. */
static void choose_among(struct matrix_reader *r,
			 enum matrix_dimension dimension)
{
	struct matrix *m = r->matrix;

	for (size_t i = 0; i < count_in(m, dimension) && !m->baseline; i++) {
		char *name = name_in(m, dimension, i);

		if (cells_with(m, dimension, name) == 0)
			continue;
		m->baseline_dimension = dimension;
		m->baseline = strdup(name);
		if (!m->baseline)
			return matrix_nomem(r);
	}
}

void matrix_check_cells(struct matrix_reader *r)
{
	struct matrix *m = r->matrix;
	size_t all = matrix_combinations(m);

	if (r->unsure[MATRIX_VOLUME] || r->unsure[MATRIX_FILESYSTEM] ||
	    r->unsure[MATRIX_WORKLOAD])
		return;
	if (all > MATRIX_CELLS_MAX)
		return matrix_fault(r, "makes %zu cells; the most is %d", all,
				    MATRIX_CELLS_MAX);
	if (r->filters_unsure)
		return;
	if (matrix_cell_count(m) == 0)
		return matrix_fault(r, "include and exclude leave no cell");
	if (m->baseline &&
	    cells_with(m, m->baseline_dimension, m->baseline) == 0)
		matrix_fault_of(r, "baseline", "no cell has %s \"%s\"",
				matrix_dimension_name(m->baseline_dimension),
				m->baseline);
	/* Filesystems have no cells where only directories are tested. */
	choose_among(r, MATRIX_FILESYSTEM);
	choose_among(r, MATRIX_VOLUME);
}
