/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes are a matrix or a list of faults, and never anything else. What
 * the reader promises of a matrix must hold for each that it lets through.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "schema/matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(truth)                                                            \
	do {                                                                   \
		if (!(truth)) {                                                \
			fprintf(stderr, "broken promise: %s\n", #truth);       \
			abort();                                               \
		}                                                              \
	} while (0)

static void check_name(const char *name)
{
	MUST(name && *name && strlen(name) <= MATRIX_NAME_MAX);
	MUST(text_is_utf8(name));
}

static void check_volume(const struct matrix_volume *v)
{
	check_name(v->name);
	MUST(v->path && *v->path);
	MUST((v->kind == MATRIX_IMAGE) == (v->size_bytes >= MATRIX_IMAGE_MIN));
	MUST(v->size_bytes <= MATRIX_BYTES_MAX);
	MUST(!v->erase || v->kind == MATRIX_DEVICE);
}

static void check_filesystem(const struct matrix_filesystem *fs)
{
	check_name(fs->name);
	MUST(fs->type && matrix_type_find(fs->type) && fs->mkfs);
}

static void check_workload(const struct matrix_workload *workload)
{
	const struct workload *w = &workload->core;

	check_name(workload->name);
	MUST(w->block_bytes >= 1 && w->block_bytes <= WORKLOAD_BLOCK_MAX);
	MUST(w->io == WORKLOAD_BUFFERED || w->block_bytes % 512 == 0);
	MUST(w->file_limit_bytes >= w->block_bytes);
	MUST(w->size_bytes <= MATRIX_BYTES_MAX);
	MUST(w->size_bytes == 0 || w->size_bytes >= w->streams);
	MUST(w->depth >= 1 && w->depth <= WORKLOAD_DEPTH_MAX);
	MUST(w->streams >= 1 && w->streams <= WORKLOAD_STREAMS_MAX);
}

static void check_matrix(const struct matrix *m)
{
	size_t cells = matrix_cell_count(m);

	check_name(m->name);
	MUST(m->baseline && m->volume_count && m->workload_count);
	MUST(m->rounds >= 1 && m->rounds <= MATRIX_ROUNDS_MAX);
	MUST(cells >= 1 && cells <= MATRIX_CELLS_MAX);
	for (size_t i = 0; i < m->volume_count; i++)
		check_volume(&m->volumes[i]);
	for (size_t i = 0; i < m->filesystem_count; i++)
		check_filesystem(&m->filesystems[i]);
	for (size_t i = 0; i < m->workload_count; i++)
		check_workload(&m->workloads[i]);
}

static void check_faults(const struct err_list *errs)
{
	MUST(errs->count > 0);
	for (size_t i = 0; i < errs->count; i++) {
		MUST(errs->items[i].code == ERR_INPUT);
		MUST(errs->items[i].text[0]);
		MUST(strcmp(errs->items[i].source, "folder/m.json") == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err_list errs = { 0 };
	struct matrix *m =
		matrix_parse((const char *)data, size, "folder/m.json", &errs);

	if (m) {
		MUST(errs.count == 0);
		MUST(memcmp(m->text, data, size) == 0 && !m->text[size]);
		check_matrix(m);
	} else {
		check_faults(&errs);
	}
	matrix_free(m);
	err_list_done(&errs);
	return 0;
}
