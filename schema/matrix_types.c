/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <strings.h>

#include "core/text.h"
#include "schema/matrix.h"

static const char *const vfat[] = { "vfat", "fusefat", NULL };
static const char *const exfat[] = { "exfat", "exfat-fuse", NULL };
static const char *const ntfs[] = { "ntfs3", "ntfs-3g", NULL };
static const char *const ext2[] = { "ext2", "ext4", "fuse2fs", NULL };
static const char *const ext3[] = { "ext3", "ext4", "fuse2fs", NULL };
static const char *const ext4[] = { "ext4", "fuse2fs", NULL };
static const char *const xfs[] = { "xfs", NULL };
static const char *const btrfs[] = { "btrfs", NULL };
static const char *const f2fs[] = { "f2fs", NULL };
static const char *const udf[] = { "udf", NULL };

const struct matrix_type matrix_types[] = {
	{ "vfat", vfat }, { "exfat", exfat }, { "ntfs", ntfs },
	{ "ext2", ext2 }, { "ext3", ext3 },   { "ext4", ext4 },
	{ "xfs", xfs },   { "btrfs", btrfs }, { "f2fs", f2fs },
	{ "udf", udf },   { NULL, NULL },
};

const struct matrix_type *matrix_type_find(const char *name)
{
	for (const struct matrix_type *type = matrix_types; type->name;
	     type++) {
		if (strcmp(type->name, name) == 0)
			return type;
	}
	return NULL;
}

/* By what else they are called. */
static const struct alias {
	const char *name, *type;
} aliases[] = {
	{ "fat12", "vfat" }, { "fat16", "vfat" },   { "fat32", "vfat" },
	{ "msdos", "vfat" }, { "fuseblk", "ntfs" }, { "ext", "ext4" },
	{ "ext5", "ext4" },
};

static const char *type_of_driver(const char *name)
{
	for (const struct matrix_type *type = matrix_types; type->name;
	     type++) {
		for (size_t i = 0; type->drivers[i]; i++) {
			if (strcasecmp(type->drivers[i], name) == 0)
				return type->name;
		}
	}
	return NULL;
}

const char *matrix_type_near(const char *name)
{
	const char *names[sizeof(matrix_types) / sizeof(*matrix_types)];

	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
		if (strcasecmp(aliases[i].name, name) == 0)
			return aliases[i].type;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		names[i] = matrix_types[i].name;
		if (names[i] && strcasecmp(names[i], name) == 0)
			return names[i];
	}
	if (type_of_driver(name))
		return type_of_driver(name);
	return text_nearest(name, names);
}

const char *matrix_dimension_name(enum matrix_dimension dimension)
{
	static const char *const names[] = {
		[MATRIX_FILESYSTEM] = "filesystem",
		[MATRIX_VOLUME] = "volume",
		[MATRIX_WORKLOAD] = "workload",
	};

	return names[dimension];
}
