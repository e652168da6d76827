/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/matrix_read.h"

static const char *const places[] = {
	[MATRIX_IMAGE] = "image",
	[MATRIX_DEVICE] = "device",
	[MATRIX_DIRECTORY] = "directory",
	NULL,
};

static const struct matrix_member members[] = {
	MATRIX_MEMBER("name", matrix_read_name, matrix_volume, name),
	MATRIX_MEMBER("image", matrix_read_path, matrix_volume, path),
	MATRIX_MEMBER("device", matrix_read_path, matrix_volume, path),
	MATRIX_MEMBER("directory", matrix_read_path, matrix_volume, path),
	MATRIX_MEMBER_RANGE("size", matrix_read_bytes, matrix_volume,
			    size_bytes, MATRIX_IMAGE_MIN, MATRIX_BYTES_MAX),
	MATRIX_MEMBER("allocate", matrix_read_bool, matrix_volume, allocate),
	MATRIX_MEMBER("erase", matrix_read_nonempty, matrix_volume, erase),
	MATRIX_MEMBER("allow_fill", matrix_read_bool, matrix_volume,
		      allow_fill),
	{ .name = NULL },
};

/* Some members mean something for one kind of volume only. */
static void check_kind(struct matrix_reader *r,
		       const struct matrix_value *value,
		       enum matrix_volume_kind kind)
{
	static const struct {
		const char *name;
		enum matrix_volume_kind kind;
	} bound[] = {
		{ "size", MATRIX_IMAGE },
		{ "allocate", MATRIX_IMAGE },
		{ "erase", MATRIX_DEVICE },
		{ "allow_fill", MATRIX_DIRECTORY },
	};

	for (size_t i = 0; i < sizeof(bound) / sizeof(*bound); i++) {
		if (bound[i].kind != kind &&
		    matrix_read_key(r, members, value, bound[i].name))
			matrix_fault_of(r, bound[i].name,
					"only for a volume with \"%s\"",
					places[bound[i].kind]);
	}
	if (kind == MATRIX_IMAGE && !matrix_read_key(r, members, value, "size"))
		matrix_fault_of(r, "size", "missing");
}

static void read_volume(struct matrix_reader *r,
			const struct matrix_value *value, void *item)
{
	struct matrix_volume *volume = item;

	/* Until we know: the kind that asks for nothing else. */
	volume->kind = MATRIX_DIRECTORY;
	if (!matrix_read_object(r, members, value, volume))
		return;
	if (!matrix_read_key(r, members, value, "name"))
		matrix_fault_of(r, "name", "missing");
	if (matrix_read_count_of(r, members, value, places) != 1) {
		matrix_fault(r, "needs exactly one of image, device, "
				"directory");
		return;
	}
	for (volume->kind = MATRIX_IMAGE;
	     !matrix_read_key(r, members, value, places[volume->kind]);)
		volume->kind++;
	check_kind(r, value, volume->kind);
}

MATRIX_READER(volumes)
{
	static const struct matrix_list list = {
		.item_size = sizeof(struct matrix_volume),
		.least = 1,
		.read = read_volume,
	};
	struct matrix *matrix = field;

	(void)m;
	matrix->volumes =
		matrix_read_list(r, value, &list, &matrix->volume_count);
	matrix_check_names(r, MATRIX_VOLUME);
	/* For when none are given, which is the end of it for directories. */
	r->unsure[MATRIX_FILESYSTEM] = matrix_needs_filesystems(matrix);
}
