/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/units.h"
#include "schema/matrix_read.h"

static const char *const ios[] = {
	[WORKLOAD_BUFFERED] = "buffered",
	[WORKLOAD_DIRECT] = "direct",
	[WORKLOAD_DIRECT_STRICT] = "direct!",
	NULL,
};

static const char *const reads[] = {
	[WORKLOAD_COLD] = "cold",
	[WORKLOAD_WARM] = "warm",
	NULL,
};

static const char *const verifies[] = {
	[WORKLOAD_VERIFY_BYTES] = "bytes",
	[WORKLOAD_VERIFY_STAMPS] = "stamps",
	NULL,
};

static_assert(sizeof(enum workload_io) == sizeof(unsigned int) &&
		      sizeof(enum workload_read) == sizeof(unsigned int) &&
		      sizeof(enum workload_verify) == sizeof(unsigned int),
	      "matrix_read_word() writes an unsigned int");

/* Bytes, or "full", which is 0 inside; a user's 0 is not. */
static void read_size(struct matrix_reader *r, const struct matrix_member *m,
		      const struct matrix_value *value, void *field)
{
	size_t length;
	const char *text = matrix_value_text(value, &length);
	uint64_t bytes = 1;
	int64_t number;

	if (text && strcmp(text, "full") == 0) {
		*(uint64_t *)field = 0;
		return;
	}
	if (text && strcasecmp(text, "full") == 0)
		return matrix_fault(r,
				    "not a size: \"%s\" (did you mean "
				    "\"full\"?)",
				    text);
	if ((matrix_value_whole(value, &number) && number == 0) ||
	    (text && units_parse_bytes(text, &bytes) && bytes == 0))
		matrix_fault(r, "is 0; \"full\" writes until the volume is "
				"full");
	else
		matrix_read_bytes(r, m, value, field);
}

static const struct matrix_member members[] = {
	MATRIX_MEMBER("name", matrix_read_name, matrix_workload, name),
	MATRIX_MEMBER_RANGE("block", matrix_read_bytes, matrix_workload,
			    core.block_bytes, 1, WORKLOAD_BLOCK_MAX),
	MATRIX_MEMBER_RANGE("size", read_size, matrix_workload, core.size_bytes,
			    1, MATRIX_BYTES_MAX),
	MATRIX_MEMBER_RANGE("duration", matrix_read_duration, matrix_workload,
			    core.duration_ns, 0, MATRIX_READ_SECONDS_MAX),
	MATRIX_MEMBER_RANGE("file_limit", matrix_read_bytes, matrix_workload,
			    core.file_limit_bytes, 1, MATRIX_BYTES_MAX),
	MATRIX_MEMBER_WORD("io", ios, matrix_workload, core.io),
	MATRIX_MEMBER_WORD("read", reads, matrix_workload, core.read),
	MATRIX_MEMBER_WORD("verify", verifies, matrix_workload, core.verify),
	MATRIX_MEMBER_RANGE("depth", matrix_read_count, matrix_workload,
			    core.depth, 1, WORKLOAD_DEPTH_MAX),
	MATRIX_MEMBER_RANGE("streams", matrix_read_count, matrix_workload,
			    core.streams, 1, WORKLOAD_STREAMS_MAX),
	{ .name = NULL },
};

/* What the members say of each other. */
static void check_workload(struct matrix_reader *r, const struct workload *w)
{
	if (w->io != WORKLOAD_BUFFERED && w->block_bytes % 512)
		matrix_fault_of(r, "block",
				"not a multiple of 512, which direct io needs");
	if (w->file_limit_bytes && w->file_limit_bytes < w->block_bytes)
		matrix_fault_of(r, "block", "larger than file_limit");
	if (w->size_bytes && w->size_bytes < w->streams)
		matrix_fault_of(r, "size", "less than a byte for each stream");
}

static void read_workload(struct matrix_reader *r,
			  const struct matrix_value *value, void *item)
{
	struct matrix_workload *workload = item;

	workload->core = matrix_default_workload(r);
	if (matrix_read_object(r, members, value, workload))
		check_workload(r, &workload->core);
}

/* One workload needs no name; several do. */
static void name_workloads(struct matrix_reader *r,
			   const struct matrix_value *list)
{
	struct matrix *m = r->matrix;

	for (size_t i = 0; i < m->workload_count; i++) {
		const struct matrix_value *value = matrix_value_at(list, i);
		size_t mark;

		if (!matrix_value_is_object(value) ||
		    matrix_read_key(r, members, value, "name"))
			continue;
		if (m->workload_count == 1) {
			matrix_read_put(r, MATRIX_WORKLOAD_NAME,
					&m->workloads[i].name);
			return;
		}
		mark = matrix_enter(r, "[%zu]", i);
		matrix_fault_of(r, "name", "missing (one of several needs it)");
		matrix_leave(r, mark);
	}
}

MATRIX_READER(workloads)
{
	static const struct matrix_list list = {
		.item_size = sizeof(struct matrix_workload),
		.least = 1,
		.read = read_workload,
	};
	struct matrix *matrix = field;

	(void)m;
	matrix->workloads =
		matrix_read_list(r, value, &list, &matrix->workload_count);
	name_workloads(r, value);
	matrix_check_names(r, MATRIX_WORKLOAD);
}
