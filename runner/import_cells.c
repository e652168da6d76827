/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "runner/import_private.h"
#include "schema/matrix.h"

int import_by_names(const void *a, const void *b)
{
	const struct import_cell *x = a, *y = b;

	for (int i = 0; i < IMPORT_NAMES; i++) {
		int order = strcmp(x->names[i], y->names[i]);

		if (order != 0)
			return order;
	}
	return 0;
}

static void cell_free(struct import_cell *cell)
{
	if (!cell)
		return;
	for (int i = 0; i < IMPORT_NAMES; i++)
		free(cell->names[i]);
	free(cell->volume_kind);
	free(cell->type);
	free(cell);
}

static void keep_in_tree(void *node)
{
	(void)node;
}

void import_done(struct import *im)
{
	store_close(im->store);
	tdestroy(im->tree, keep_in_tree);
	for (size_t i = 0; i < im->cell_count; i++)
		cell_free(im->cells[i]);
	for (size_t i = 0; i < im->run_count; i++) {
		for (int j = 0; j < IMPORT_NAMES; j++)
			free(im->runs[i].names[j]);
		free(im->runs[i].baseline_dimension);
		free(im->runs[i].baseline);
		free(im->runs[i].matrix);
	}
	free(im->runs);
	free(im->cells);
	free(im->pending_reason);
	free(im->pending_driver);
}

static bool is_of_run(int name)
{
	return name == IMPORT_OS || name == IMPORT_HOST ||
	       name == IMPORT_LABEL || name == IMPORT_RUN;
}

static bool same_run(const struct import_run *run, const struct import_row *row)
{
	for (int i = 0; i < IMPORT_NAMES; i++) {
		if (is_of_run(i) && strcmp(run->names[i], row->names[i]) != 0)
			return false;
	}
	return true;
}

static bool new_run(struct import *im, const struct import_row *row)
{
	struct import_run *runs =
		reallocarray(im->runs, im->run_count + 1, sizeof(*runs));
	struct import_run *run;
	bool ok;

	if (!runs)
		return false;
	im->runs = runs;
	run = &runs[im->run_count++];
	*run = (struct import_run){
		.baseline_dimension = strdup(row->baseline_dimension),
		.baseline = strdup(row->baseline),
		.matrix = strdup(row->matrix),
	};
	memcpy(run->uuid, row->run_uuid, sizeof(run->uuid));
	memcpy(run->host_uuid, row->host_uuid, sizeof(run->host_uuid));
	memcpy(run->machine_id, row->machine_id, sizeof(run->machine_id));
	ok = run->baseline_dimension && run->baseline && run->matrix;
	for (int i = 0; i < IMPORT_NAMES; i++) {
		if (is_of_run(i)) {
			run->names[i] = strdup(row->names[i]);
			ok = ok && run->names[i];
		}
	}
	return ok;
}

/* SIZE_MAX: out of memory. There are few runs: one a host. */
static size_t run_of(struct import *im, const struct import_row *row)
{
	for (size_t i = im->run_count; i > 0; i--) {
		if (same_run(&im->runs[i - 1], row))
			return i - 1;
	}
	return new_run(im, row) ? im->run_count - 1 : SIZE_MAX;
}

struct import_cell *import_find_cell(struct import *im,
				     const struct import_row *row)
{
	struct import_cell wanted, **node;

	for (int i = 0; i < IMPORT_NAMES; i++)
		wanted.names[i] = (char *)row->names[i];
	if (im->last && import_by_names(im->last, &wanted) == 0)
		return im->last;
	node = tfind(&wanted, &im->tree, import_by_names);
	im->last = node ? *node : NULL;
	return im->last;
}

static bool index_cell(struct import *im, struct import_cell *cell)
{
	struct import_cell **cells = im->cells;
	size_t room = im->cell_room ? 2 * im->cell_room : 16;

	if (im->cell_count == im->cell_room) {
		cells = reallocarray(cells, room, sizeof(struct import_cell *));
		if (!cells)
			return false;
		im->cells = cells;
		im->cell_room = room;
	}
	if (!tsearch(cell, &im->tree, import_by_names))
		return false;
	cells[im->cell_count++] = cell;
	im->last = cell;
	return true;
}

/* A run is of one host, and has one label. */
static bool check_run(const struct import *im, const struct import_row *row,
		      struct err *err)
{
	for (size_t i = 0; *row->run_uuid && i < im->run_count; i++) {
		const struct import_run *run = &im->runs[i];

		if (strcmp(run->uuid, row->run_uuid) == 0 &&
		    !same_run(run, row))
			return err_set(err, ERR_INPUT,
				       "run_uuid: os, host or label are not "
				       "those that the first row of this run "
				       "has: %s",
				       row->run_uuid);
	}
	return true;
}

bool import_new_cell(struct import *im, const struct import_row *row,
		     struct err *err)
{
	struct import_cell *cell;
	bool ok;

	if (!check_run(im, row, err))
		return false;
	cell = calloc(1, sizeof(*cell));
	ok = cell;
	if (im->cell_count >= MATRIX_CELLS_MAX) {
		free(cell);
		return err_set(err, ERR_INPUT, "there are more than %d cells",
			       MATRIX_CELLS_MAX);
	}
	for (int i = 0; ok && i < IMPORT_NAMES; i++) {
		cell->names[i] = strdup(row->names[i]);
		ok = cell->names[i];
	}
	if (ok) {
		cell->volume_kind = strdup(row->volume_kind);
		cell->type = strdup(row->type);
		cell->has_settings = row->has_settings;
		cell->settings = row->settings;
		cell->run = run_of(im, row);
		ok = cell->volume_kind && cell->type && cell->run != SIZE_MAX &&
		     index_cell(im, cell);
	}
	if (ok)
		return true;
	cell_free(cell);
	return err_nomem(err);
}

static bool same_workload(const struct workload *a, const struct workload *b)
{
	return a->block_bytes == b->block_bytes &&
	       a->size_bytes == b->size_bytes &&
	       a->duration_ns == b->duration_ns &&
	       a->file_limit_bytes == b->file_limit_bytes && a->io == b->io &&
	       a->read == b->read && a->depth == b->depth &&
	       a->streams == b->streams && a->verify == b->verify;
}

const char *import_run_advice(const struct import *im)
{
	const int *at = im->header.at;

	return at[IMPORT_RUN] >= 0 || at[IMPORT_RUN_UUID] >= 0
		       ? ""
		       : "; if these are of several runs, a column run with "
			 "the number of each tells them apart";
}

bool import_same_settings(const struct import *im,
			  const struct import_cell *cell,
			  const struct import_row *row, struct err *err)
{
	if (cell->has_settings == row->has_settings &&
	    same_workload(&cell->settings, &row->settings) &&
	    strcmp(cell->type, row->type) == 0)
		return true;
	return err_set(err, ERR_INPUT,
		       "the type or settings are not those that the first row "
		       "of this cell has%s",
		       import_run_advice(im));
}
