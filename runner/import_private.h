/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_private - what the files of import share.
 */
#ifndef RUNNER_IMPORT_PRIVATE_H
#define RUNNER_IMPORT_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <uuid/uuid.h>

#include "core/err.h"
#include "runner/import_row.h"
#include "schema/store.h"

/* A run to be; its names are its first cell's. */
struct import_run {
	char *names[IMPORT_NAMES];           /* owned; those of is_of_run() */
	char *baseline_dimension, *baseline; /* owned */
	char started_at[32];                 /* of its first sample; "" */
	char *matrix;                        /* owned; "" */
	char uuid[37], host_uuid[37], machine_id[37]; /* or "" */
	int64_t id;
	/* Of one that is in the database: */
	bool known, measured; /* by this program, that is no import */
	int64_t here, added;  /* of its samples */
	char last_here[37];   /* the uuid of one; its read follows its write */
};

struct import_cell {
	char *names[IMPORT_NAMES]; /* owned */
	char *volume_kind, *type;  /* owned; "" */
	bool has_settings;
	struct workload settings;
	size_t run; /* index of its run */
	int64_t id;
};

struct import {
	const char *database;
	struct store *store; /* owned; once the file was found good */
	const char *source;
	char digest[40]; /* of the file */
	bool again;      /* though it was imported before */
	struct err_list *faults;
	struct err *err;
	struct import_header header;
	bool has_header;
	struct import_run *runs; /* owned */
	size_t run_count;
	struct import_cell **cells; /* owned */
	size_t cell_count, cell_room;
	void *tree;               /* of the cells, by their names */
	struct import_cell *last; /* rows of one cell mostly follow */
	int64_t rows;
	/* A write whose read may be in the next row. */
	struct record_sample pending;
	bool has_pending;
	char *pending_reason, *pending_driver; /* owned */
	char pending_time[32];
	int pending_line;
	int64_t positions;
	uuid_t first_uuid; /* of the samples; each is the one before plus 1 */
};

/* Frees what it owns, the store included. */
void import_done(struct import *im);

/* The order of cells in the tree: by their names. */
int import_by_names(const void *a, const void *b);

/* NULL: there is none of these names yet. */
struct import_cell *import_find_cell(struct import *im,
				     const struct import_row *row);
/* Of names that are new; and its run, if that is new too. */
MUST_USE bool import_new_cell(struct import *im, const struct import_row *row,
			      struct err *err);

/* Whether the row says of its cell what the rows before it said. */
MUST_USE bool import_same_settings(const struct import *im,
				   const struct import_cell *cell,
				   const struct import_row *row,
				   struct err *err);

/* What to do where rows of several runs seem to be taken for one's; or "". */
const char *import_run_advice(const struct import *im);

/* The second reading of the file: everything in one transaction. */
MUST_USE bool import_store(struct import *im, FILE *in);

#endif
