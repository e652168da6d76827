/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "schema/matrix_read.h"

enum { TYPES_MAX = 16 };

/* One of matrix_types, by its name. */
static void read_type(struct matrix_reader *r, const struct matrix_member *m,
		      const struct matrix_value *value, void *field)
{
	const char *names[TYPES_MAX] = { NULL };
	const char *type = matrix_read_string(r, value);

	(void)m;
	for (size_t i = 0; matrix_types[i].name; i++) {
		assert(i < TYPES_MAX - 1);
		names[i] = matrix_types[i].name;
	}
	if (type && !matrix_type_find(type))
		matrix_fault_word(r, type, names, matrix_type_near(type));
	else
		matrix_read_put(r, type, field);
}

static const struct matrix_member members[] = {
	MATRIX_MEMBER("name", matrix_read_name, matrix_filesystem, name),
	MATRIX_MEMBER("type", read_type, matrix_filesystem, type),
	MATRIX_MEMBER("mkfs", matrix_read_texts, matrix_filesystem, mkfs),
	MATRIX_MEMBER("mount", matrix_read_text, matrix_filesystem, mount),
	MATRIX_MEMBER("driver", matrix_read_text, matrix_filesystem, driver),
	{ .name = NULL },
};

static void check_driver(struct matrix_reader *r,
			 const struct matrix_filesystem *fs)
{
	const char *const *drivers = matrix_type_find(fs->type)->drivers;
	size_t mark;

	for (size_t i = 0; drivers[i]; i++) {
		if (strcmp(drivers[i], fs->driver) == 0)
			return;
	}
	mark = matrix_enter(r, "driver");
	matrix_fault_word(r, fs->driver, drivers,
			  text_nearest(fs->driver, drivers));
	matrix_leave(r, mark);
}

static void read_filesystem(struct matrix_reader *r,
			    const struct matrix_value *value, void *item)
{
	struct matrix_filesystem *fs = item;

	if (!matrix_read_object(r, members, value, fs))
		return;
	if (!matrix_read_key(r, members, value, "type"))
		matrix_fault_of(r, "type", "missing");
	if (!matrix_read_key(r, members, value, "name"))
		matrix_read_put(r, fs->type, &fs->name);
	if (!fs->mkfs && !(fs->mkfs = calloc(1, sizeof(*fs->mkfs))))
		matrix_nomem(r);
	if (fs->mount && !*fs->mount)
		matrix_read_put(r, NULL, &fs->mount);
	if (fs->type && fs->driver)
		check_driver(r, fs);
}

MATRIX_READER(filesystems)
{
	static const struct matrix_list list = {
		.item_size = sizeof(struct matrix_filesystem),
		.least = 1,
		.read = read_filesystem,
	};
	struct matrix *matrix = field;

	(void)m;
	matrix->filesystems =
		matrix_read_list(r, value, &list, &matrix->filesystem_count);
	matrix_check_names(r, MATRIX_FILESYSTEM);
}
