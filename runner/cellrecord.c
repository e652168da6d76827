/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/cellrecord.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/target.h"

static const char *kind_word(enum matrix_volume_kind kind)
{
	static const char *const words[] = {
		[MATRIX_IMAGE] = "image",
		[MATRIX_DEVICE] = "device",
		[MATRIX_DIRECTORY] = "directory",
	};

	return words[kind];
}

/* Of an image, which need not be there. */
static char *whole_path(const char *path)
{
	char first[PATH_MAX], second[PATH_MAX], folder[PATH_MAX];
	char *whole;

	snprintf(first, sizeof(first), "%s", path);
	snprintf(second, sizeof(second), "%s", path);
	if (!realpath(dirname(first), folder))
		return strdup(path);
	return asprintf(&whole, "%s/%s", folder, basename(second)) < 0 ? NULL
								       : whole;
}

/* On the heap. A device keeps its stable name. */
static char *one_path(const struct matrix_volume *volume)
{
	char *path;

	if (volume->kind == MATRIX_IMAGE)
		return whole_path(volume->path);
	path = volume->kind == MATRIX_DIRECTORY ? realpath(volume->path, NULL)
						: NULL;
	return path ? path : strdup(volume->path);
}

/* What costs a look at the machine, and is the same for all its cells. */
static bool look_at(struct cellrecord *out, const struct matrix_volume *volume)
{
	cellrecord_done(out);
	out->path = one_path(volume);
	if (!out->path)
		return false;
	out->of = volume;
	/* A directory's filesystem has no name in the matrix: its type is. */
	if (volume->kind == MATRIX_DIRECTORY)
		target_directory_type(volume->path, out->type,
				      sizeof(out->type));
	return true;
}

bool cellrecord_make(struct cellrecord *out, const struct plan_cell *cell)
{
	const struct matrix_filesystem *fs = cell->filesystem;

	if (out->of != cell->volume && !look_at(out, cell->volume))
		return false;
	out->record = (struct record_cell){
		.volume = cell->volume->name,
		.volume_kind = kind_word(cell->volume->kind),
		.volume_path = out->path,
		.filesystem = fs ? fs->name : NULL,
		.type = fs             ? fs->type
			: out->type[0] ? out->type
				       : NULL,
		.workload = cell->workload->name,
		.settings = &cell->workload->core,
	};
	return true;
}

void cellrecord_done(struct cellrecord *record)
{
	free(record->path);
	*record = (struct cellrecord){ 0 };
}
