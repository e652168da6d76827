/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/matrix_read.h"

static void read_file_limit(struct matrix_reader *r,
			    const struct matrix_member *m,
			    const struct matrix_value *value, void *field)
{
	(void)field;
	matrix_read_bytes(r, m, value, &r->file_limit_bytes);
}

/* They are read in this order: what refers to a name comes after it. */
static const struct matrix_member members[] = {
	MATRIX_MEMBER_ALL("$schema", matrix_read_ignored),
	MATRIX_MEMBER("name", matrix_read_name, matrix, name),
	MATRIX_MEMBER_ALL("description", matrix_read_ignored),
	{ .name = "file_limit",
	  .read = read_file_limit,
	  .least = 1,
	  .most = MATRIX_BYTES_MAX },
	MATRIX_MEMBER_ALL("volumes", matrix_read_volumes),
	MATRIX_MEMBER_ALL("filesystems", matrix_read_filesystems),
	MATRIX_MEMBER_ALL("workloads", matrix_read_workloads),
	MATRIX_MEMBER_RANGE("rounds", matrix_read_count, matrix, rounds, 1,
			    MATRIX_ROUNDS_MAX),
	MATRIX_MEMBER_RANGE("timeout", matrix_read_duration, matrix, timeout_ns,
			    0, MATRIX_READ_SECONDS_MAX),
	MATRIX_MEMBER_ALL("baseline", matrix_read_baseline),
	MATRIX_MEMBER_ALL("include", matrix_read_include),
	MATRIX_MEMBER_ALL("exclude", matrix_read_exclude),
	{ .name = NULL },
};

void matrix_read_document(struct matrix_reader *r,
			  const struct matrix_value *root)
{
	struct matrix *m = r->matrix;

	if (!matrix_read_key(r, members, root, "workloads"))
		matrix_add_default_workload(r);
	/* Until they are read, nothing can be said of references to them. */
	r->unsure[MATRIX_VOLUME] = true;
	r->unsure[MATRIX_FILESYSTEM] = true;
	if (!matrix_read_object(r, members, root, m))
		return;
	if (!matrix_read_key(r, members, root, "name"))
		matrix_put_default_name(r);
	if (!matrix_read_key(r, members, root, "volumes"))
		matrix_fault_of(r, "volumes", "missing");
	if (!matrix_read_key(r, members, root, "filesystems") &&
	    matrix_needs_filesystems(m))
		matrix_fault_of(r, "filesystems",
				"missing (only directories need none)");
	matrix_check_cells(r);
}
