/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "schema/matrix_read.h"

static const char *const dimensions[] = { "volume", "filesystem", "workload",
					  NULL };

/* The name of something that there is; m->least is its dimension. */
static void read_reference(struct matrix_reader *r,
			   const struct matrix_member *m,
			   const struct matrix_value *value, void *field)
{
	const char *name = matrix_read_string(r, value);

	if (name &&
	    matrix_check_reference(r, (enum matrix_dimension)m->least, name))
		matrix_read_put(r, name, field);
	else
		r->filters_unsure = true;
}

static const struct matrix_member members[] = {
	MATRIX_MEMBER_RANGE("volume", read_reference, matrix_filter, volume,
			    MATRIX_VOLUME, 0),
	MATRIX_MEMBER_RANGE("filesystem", read_reference, matrix_filter,
			    filesystem, MATRIX_FILESYSTEM, 0),
	MATRIX_MEMBER_RANGE("workload", read_reference, matrix_filter, workload,
			    MATRIX_WORKLOAD, 0),
	{ .name = NULL },
};

static void read_filter(struct matrix_reader *r,
			const struct matrix_value *value, void *item)
{
	if (matrix_read_object(r, members, value, item) &&
	    matrix_read_count_of(r, members, value, dimensions) > 0)
		return;
	if (matrix_value_is_object(value))
		matrix_fault(r, "needs volume, filesystem or workload");
	r->filters_unsure = true;
}

static struct matrix_filter *read_filters(struct matrix_reader *r,
					  const struct matrix_value *value,
					  size_t *count)
{
	static const struct matrix_list list = {
		.item_size = sizeof(struct matrix_filter),
		.read = read_filter,
	};
	struct matrix_filter *filters =
		matrix_read_list(r, value, &list, count);

	if (!filters)
		r->filters_unsure = true;
	return filters;
}

MATRIX_READER(include)
{
	struct matrix *matrix = field;

	(void)m;
	matrix->include = read_filters(r, value, &matrix->include_count);
}

MATRIX_READER(exclude)
{
	struct matrix *matrix = field;

	(void)m;
	matrix->exclude = read_filters(r, value, &matrix->exclude_count);
}

MATRIX_READER(baseline)
{
	struct matrix_filter wanted = { 0 };
	struct matrix *matrix = field;

	(void)m;
	if (!matrix_value_is_object(value))
		return matrix_fault(r, "not an object, such as "
				       "{\"filesystem\": \"ext4\"}");
	if (!matrix_read_object(r, members, value, &wanted))
		return;
	if (matrix_read_count_of(r, members, value, dimensions) != 1)
		matrix_fault(r, "needs exactly one of filesystem, volume, "
				"workload");
	matrix_take_baseline(matrix, &wanted);
}
