/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "schema/matrix.h"
#include "schema/matrix_private.h"

static bool member_matches(const char *wanted, const char *name)
{
	return !wanted || (name && strcmp(wanted, name) == 0);
}

static bool any_matches(const struct matrix_filter *filters, size_t count,
			const struct matrix_filter *cell)
{
	for (size_t i = 0; i < count; i++) {
		if (member_matches(filters[i].volume, cell->volume) &&
		    member_matches(filters[i].filesystem, cell->filesystem) &&
		    member_matches(filters[i].workload, cell->workload))
			return true;
	}
	return false;
}

static bool keeps(const struct matrix *m, const struct matrix_filter *cell)
{
	return (m->include_count == 0 ||
		any_matches(m->include, m->include_count, cell)) &&
	       !any_matches(m->exclude, m->exclude_count, cell);
}

bool matrix_keeps(const struct matrix *matrix, const char *volume,
		  const char *filesystem, const char *workload)
{
	return keeps(matrix,
		     &(struct matrix_filter){ .volume = (char *)volume,
					      .filesystem = (char *)filesystem,
					      .workload = (char *)workload });
}

/* The filesystems that make cells on a volume; one is a directory's own. */
static size_t filesystems_on(const struct matrix *m,
			     const struct matrix_volume *v)
{
	return v->kind == MATRIX_DIRECTORY ? 1 : m->filesystem_count;
}

size_t matrix_combinations(const struct matrix *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->volume_count; i++)
		count += filesystems_on(m, &m->volumes[i]) * m->workload_count;
	return count;
}

static size_t count_on_volume(const struct matrix *m,
			      const struct matrix_volume *v,
			      const struct matrix_filter *wanted)
{
	struct matrix_filter cell = { .volume = v->name };
	size_t count = 0;

	for (size_t f = 0; f < filesystems_on(m, v); f++) {
		if (v->kind != MATRIX_DIRECTORY)
			cell.filesystem = m->filesystems[f].name;
		for (size_t w = 0; w < m->workload_count; w++) {
			cell.workload = m->workloads[w].name;
			count += any_matches(wanted, 1, &cell) &&
				 keeps(m, &cell);
		}
	}
	return count;
}

size_t matrix_cells_like(const struct matrix *m,
			 const struct matrix_filter *wanted)
{
	size_t count = 0;

	for (size_t i = 0; i < m->volume_count; i++) {
		const struct matrix_volume *v = &m->volumes[i];

		if (member_matches(wanted->volume, v->name))
			count += count_on_volume(m, v, wanted);
	}
	return count;
}

size_t matrix_cell_count(const struct matrix *matrix)
{
	return matrix_cells_like(matrix, &(struct matrix_filter){ 0 });
}
