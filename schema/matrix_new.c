/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "schema/matrix_private.h"

enum { DEFAULT_ROUNDS = 5 };

struct matrix *matrix_new(struct matrix_reader *r, const char *text,
			  size_t length)
{
	struct matrix *m = calloc(1, sizeof(*m));

	if (!m)
		goto fail;
	m->rounds = DEFAULT_ROUNDS;
	m->source = strdup(r->source);
	m->text = malloc(length + 1);
	if (!m->source || !m->text)
		goto fail;
	memcpy(m->text, text, length);
	m->text[length] = '\0';
	return m;
fail:
	matrix_nomem(r);
	matrix_free(m);
	return NULL;
}

void matrix_put_default_name(struct matrix_reader *r)
{
	r->matrix->name = matrix_file_name(r->source);
	if (!r->matrix->name)
		matrix_nomem(r);
}

struct workload matrix_default_workload(const struct matrix_reader *r)
{
	return (struct workload){
		.block_bytes = WORKLOAD_BLOCK_BYTES,
		.size_bytes = WORKLOAD_SIZE_BYTES,
		.file_limit_bytes = r->file_limit_bytes
					    ? r->file_limit_bytes
					    : WORKLOAD_FILE_LIMIT_BYTES,
		.io = WORKLOAD_BUFFERED,
		.read = WORKLOAD_COLD,
		.depth = 1,
		.streams = 1,
	};
}

void matrix_add_default_workload(struct matrix_reader *r)
{
	struct matrix *m = r->matrix;

	m->workloads = calloc(1, sizeof(*m->workloads));
	if (!m->workloads)
		return matrix_nomem(r);
	m->workload_count = 1;
	m->workloads->core = matrix_default_workload(r);
	m->workloads->name = strdup(MATRIX_WORKLOAD_NAME);
	if (!m->workloads->name)
		matrix_nomem(r);
}

void matrix_take_baseline(struct matrix *m, struct matrix_filter *wanted)
{
	if (wanted->filesystem) {
		m->baseline_dimension = MATRIX_FILESYSTEM;
		m->baseline = wanted->filesystem;
		wanted->filesystem = NULL;
	} else if (wanted->volume) {
		m->baseline_dimension = MATRIX_VOLUME;
		m->baseline = wanted->volume;
		wanted->volume = NULL;
	} else if (wanted->workload) {
		m->baseline_dimension = MATRIX_WORKLOAD;
		m->baseline = wanted->workload;
		wanted->workload = NULL;
	}
	free(wanted->filesystem);
	free(wanted->volume);
	free(wanted->workload);
}

static void free_volumes(struct matrix_volume *volumes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(volumes[i].name);
		free(volumes[i].path);
		free(volumes[i].erase);
	}
	free(volumes);
}

static void free_filesystems(struct matrix_filesystem *filesystems,
			     size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct matrix_filesystem *fs = &filesystems[i];

		free(fs->name);
		free(fs->type);
		for (char **option = fs->mkfs; option && *option; option++)
			free(*option);
		free(fs->mkfs);
		free(fs->mount);
		free(fs->driver);
	}
	free(filesystems);
}

static void free_filters(struct matrix_filter *filters, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(filters[i].volume);
		free(filters[i].filesystem);
		free(filters[i].workload);
	}
	free(filters);
}

void matrix_free(struct matrix *matrix)
{
	if (!matrix)
		return;
	free(matrix->name);
	free(matrix->source);
	free(matrix->text);
	free_volumes(matrix->volumes, matrix->volume_count);
	free_filesystems(matrix->filesystems, matrix->filesystem_count);
	for (size_t i = 0; i < matrix->workload_count; i++)
		free(matrix->workloads[i].name);
	free(matrix->workloads);
	free_filters(matrix->include, matrix->include_count);
	free_filters(matrix->exclude, matrix->exclude_count);
	free(matrix->baseline);
	free(matrix);
}
