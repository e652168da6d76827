/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/import.h"

#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "reports/csv.h"
#include "runner/command.h"
#include "runner/import_row.h"
#include "runner/timestamp.h"
#include "schema/matrix.h"
#include "schema/store.h"

/* A namespace of our own, for hosts that are known by name only. */
static const uuid_t host_namespace = { 0x6f, 0x1d, 0x0c, 0x52, 0x8e, 0x0b,
				       0x4b, 0x57, 0x9f, 0x3a, 0x21, 0xc4,
				       0x5a, 0x77, 0xe6, 0x90 };

/* A run to be; its names are its first cell's. */
struct import_run {
	char *names[IMPORT_NAMES]; /* owned; those of the host, then the label
				    */
	char *baseline_dimension, *baseline; /* owned */
	char *started_at;                    /* owned */
	int64_t id;
};

struct import_cell {
	char *names[IMPORT_NAMES]; /* owned */
	char *volume_kind;         /* owned; "" */
	size_t run;                /* index of its run */
	int64_t id;
};

struct import {
	const char *database;
	struct store *store; /* owned; once the file was found good */
	const char *source;
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

static int by_names(const void *a, const void *b)
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
	free(cell);
}

static void keep_in_tree(void *node)
{
	(void)node;
}

static void import_done(struct import *im)
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
		free(im->runs[i].started_at);
	}
	free(im->runs);
	free(im->cells);
	free(im->pending_reason);
	free(im->pending_driver);
}

static bool is_of_run(int name)
{
	return name == IMPORT_OS || name == IMPORT_HOST || name == IMPORT_LABEL;
}

static bool same_run(const struct import_run *run, const struct import_row *row)
{
	return strcmp(run->names[IMPORT_OS], row->names[IMPORT_OS]) == 0 &&
	       strcmp(run->names[IMPORT_HOST], row->names[IMPORT_HOST]) == 0 &&
	       strcmp(run->names[IMPORT_LABEL], row->names[IMPORT_LABEL]) == 0;
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
		.started_at = strdup(row->started_at),
	};
	ok = run->baseline_dimension && run->baseline && run->started_at;
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

static struct import_cell *find_cell(struct import *im,
				     const struct import_row *row)
{
	struct import_cell wanted, **node;

	for (int i = 0; i < IMPORT_NAMES; i++)
		wanted.names[i] = (char *)row->names[i];
	if (im->last && by_names(im->last, &wanted) == 0)
		return im->last;
	node = tfind(&wanted, &im->tree, by_names);
	im->last = node ? *node : NULL;
	return im->last;
}

static bool index_cell(struct import *im, struct import_cell *cell)
{
	struct import_cell **cells = im->cells;
	size_t room = im->cell_room ? 2 * im->cell_room : 16;

	if (im->cell_count == im->cell_room) {
		cells = reallocarray(cells, room, sizeof(*cells));
		if (!cells)
			return false;
		im->cells = cells;
		im->cell_room = room;
	}
	if (!tsearch(cell, &im->tree, by_names))
		return false;
	cells[im->cell_count++] = cell;
	im->last = cell;
	return true;
}

static bool new_cell(struct import *im, const struct import_row *row,
		     struct err *err)
{
	struct import_cell *cell = calloc(1, sizeof(*cell));
	bool ok = cell;

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
		cell->run = run_of(im, row);
		ok = cell->volume_kind && cell->run != SIZE_MAX &&
		     index_cell(im, cell);
	}
	if (ok)
		return true;
	cell_free(cell);
	return err_nomem(err);
}

static bool fail_at(struct import *im, struct err *err, int line)
{
	err_at(err, im->source, line, 0);
	return err_list_add(im->faults, err);
}

/* The first reading: what is wrong, and which cells there are. */
static bool check_record(void *ctx, struct csv_record *record)
{
	struct import *im = ctx;
	struct err err = { 0 };
	struct import_row row;

	if (!im->has_header) {
		im->has_header = import_row_header(record, &im->header, &err);
		return im->has_header || fail_at(im, &err, record->line);
	}
	if (!import_row_parse(&im->header, record, &row, &err)) {
		fail_at(im, &err, record->line);
		return !im->faults->truncated; /* look for more */
	}
	im->rows++;
	if (find_cell(im, &row) || new_cell(im, &row, &err))
		return true;
	return fail_at(im, &err, record->line);
}

/* Which names of one kind there are in the whole file: 0, 1 or 2 (several). */
static int count_names(const struct import *im, enum import_column name)
{
	for (size_t i = 1; i < im->cell_count; i++) {
		if (strcmp(im->cells[i]->names[name],
			   im->cells[0]->names[name]) != 0)
			return 2;
	}
	return im->cell_count > 0;
}

/* As a matrix has it: the first filesystem, or of one only, the first volume.
 */
static bool default_baselines(struct import *im)
{
	bool volumes = count_names(im, IMPORT_FILESYSTEM) < 2 &&
		       count_names(im, IMPORT_VOLUME) > 1;
	enum import_column name = volumes ? IMPORT_VOLUME : IMPORT_FILESYSTEM;

	for (size_t i = 0; i < im->run_count; i++) {
		struct import_run *run = &im->runs[i];

		if (*run->baseline)
			continue;
		free(run->baseline);
		free(run->baseline_dimension);
		run->baseline = strdup(im->cells[0]->names[name]);
		run->baseline_dimension =
			strdup(volumes ? "volume" : "filesystem");
		if (!run->baseline || !run->baseline_dimension)
			return false;
	}
	return true;
}

static void host_of(const struct import_run *run, struct record_host *host)
{
	uuid_t uuid;
	char name[1024];

	snprintf(name, sizeof(name), "%s\n%s", run->names[IMPORT_OS],
		 run->names[IMPORT_HOST]);
	uuid_generate_sha1(uuid, host_namespace, name, strlen(name));
	*host = (struct record_host){ .os = run->names[IMPORT_OS] };
	if (*run->names[IMPORT_HOST])
		host->name = run->names[IMPORT_HOST];
	uuid_unparse_lower(uuid, host->uuid);
}

static void new_uuid(char out[37])
{
	uuid_t uuid;

	uuid_generate_random(uuid);
	uuid_unparse_lower(uuid, out);
}

/* "article" of "/tmp/article.csv"; owned. */
static char *file_name(const char *source)
{
	const char *slash = strrchr(source, '/');
	char *name = strdup(slash ? slash + 1 : source);
	char *dot = name ? strrchr(name, '.') : NULL;

	if (dot && dot > name && strcmp(dot, ".csv") == 0)
		*dot = '\0';
	return name;
}

static bool store_runs(struct import *im)
{
	bool piped = strcmp(im->source, "-") == 0;
	char *matrix = file_name(piped ? "import" : im->source);
	char batch[37], now[TIMESTAMP_SIZE];
	bool ok = matrix || err_nomem(im->err);

	new_uuid(batch);
	timestamp_now(now);
	for (size_t i = 0; ok && i < im->run_count; i++) {
		struct import_run *from = &im->runs[i];
		struct record_run run = {
			.source = "import",
			.matrix = matrix,
			.baseline_dimension = from->baseline_dimension,
			.baseline = from->baseline,
			.program = PROGRAM " " FSMATRIX_VERSION,
			.started_at =
				*from->started_at ? from->started_at : now,
		};
		struct record_host host;
		int64_t id;

		if (*from->names[IMPORT_LABEL])
			run.label = from->names[IMPORT_LABEL];
		new_uuid(run.uuid);
		memcpy(run.batch, batch, sizeof(batch));
		host_of(from, &host);
		ok = store_add_host(im->store, &host, &id, im->err) &&
		     store_add_run(im->store, id, &run, &from->id, im->err);
	}
	free(matrix);
	return ok;
}

static bool store_cells(struct import *im)
{
	for (size_t i = 0; i < im->cell_count; i++) {
		struct import_cell *from = im->cells[i];
		struct record_cell cell = {
			.volume = from->names[IMPORT_VOLUME],
		};

		if (*from->names[IMPORT_FILESYSTEM])
			cell.filesystem = from->names[IMPORT_FILESYSTEM];
		if (*from->volume_kind)
			cell.volume_kind = from->volume_kind;
		if (*from->names[IMPORT_WORKLOAD])
			cell.workload = from->names[IMPORT_WORKLOAD];
		if (!store_add_cell(im->store, im->runs[from->run].id, &cell,
				    &from->id, im->err))
			return false;
	}
	return true;
}

static enum import_column baseline_name(const struct import_run *run)
{
	if (strcmp(run->baseline_dimension, "volume") == 0)
		return IMPORT_VOLUME;
	if (strcmp(run->baseline_dimension, "workload") == 0)
		return IMPORT_WORKLOAD;
	return IMPORT_FILESYSTEM;
}

static bool is_directory(const struct import_cell *cell)
{
	return strcmp(cell->volume_kind, "directory") == 0;
}

static bool is_base_of(const struct import_cell *base,
		       const struct import_cell *cell, enum import_column name)
{
	static const enum import_column others[] = { IMPORT_VOLUME,
						     IMPORT_FILESYSTEM,
						     IMPORT_WORKLOAD };

	for (size_t i = 0; i < 3; i++) {
		/* A directory brings its own filesystem. */
		if (others[i] == name ||
		    (name == IMPORT_VOLUME && others[i] == IMPORT_FILESYSTEM &&
		     (is_directory(cell) || is_directory(base))))
			continue;
		if (strcmp(base->names[others[i]], cell->names[others[i]]) != 0)
			return false;
	}
	return base->run == cell->run;
}

/* The cell that has the baseline's name and is else alike; NULL: none. */
static const struct import_cell *base_of(const struct import *im,
					 const struct import_cell *cell)
{
	const struct import_run *run = &im->runs[cell->run];
	enum import_column name = baseline_name(run);
	struct import_cell wanted = *cell, **node;

	if (strcmp(cell->names[name], run->baseline) == 0)
		return cell;
	wanted.names[name] = run->baseline;
	node = tfind(&wanted, &im->tree, by_names);
	if (node)
		return *node;
	for (size_t i = 0; name == IMPORT_VOLUME && i < im->cell_count; i++) {
		if (strcmp(im->cells[i]->names[name], run->baseline) == 0 &&
		    is_base_of(im->cells[i], cell, name))
			return im->cells[i];
	}
	return NULL;
}

static bool store_bases(struct import *im)
{
	for (size_t i = 0; i < im->cell_count; i++) {
		const struct import_cell *cell = im->cells[i];
		const struct import_cell *base = base_of(im, cell);

		if (base &&
		    !store_set_base(im->store, cell->id, base->id, im->err))
			return false;
	}
	return true;
}

static struct record_phase phase_of(const struct import_row *row)
{
	return (struct record_phase){
		.stated_kb_per_s = row->kb_per_s,
		.bytes = row->bytes,
		.total_ns = row->total_ns,
		.cached = row->cached,
	};
}

static bool store_pending(struct import *im)
{
	struct record_sample *sample = &im->pending;
	struct err err = { 0 }, ignored = { 0 };
	bool twice = false;

	if (!im->has_pending)
		return true;
	im->has_pending = false;
	if (store_add_sample(im->store, sample, &err))
		return true;
	if (sample->round > 0 &&
	    store_has_sample(im->store, sample->cell, sample->round, &twice,
			     &ignored) &&
	    twice)
		err_set(im->err, ERR_INPUT,
			"this cell, round and op was there before");
	else
		*im->err = err;
	err_at(im->err, im->source, im->pending_line, 0);
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b) == 0;
}

/* Whether the row is the read of the write before it. */
static bool completes(const struct import *im, const struct import_cell *cell,
		      const struct import_row *row)
{
	const struct record_sample *pending = &im->pending;

	return im->has_pending && row->op == 'R' && pending->cell == cell->id &&
	       pending->round == row->round && pending->status == row->status &&
	       same_text(pending->reason, row->reason) &&
	       same_text(pending->driver, row->driver);
}

static bool keep_text(char **copy, const char *text)
{
	free(*copy);
	*copy = *text ? strdup(text) : NULL;
	return *copy || !*text;
}

/*
 * The next sample's: 74 bits that are random once an import, then a count, so
 * that ten million of them go to the end of their index and not all over it.
 */
static void count_uuid(struct import *im, char out[37])
{
	uuid_t uuid;

	memcpy(uuid, im->first_uuid, sizeof(uuid));
	for (int i = 0; i < 6; i++)
		uuid[15 - i] = (unsigned char)(im->positions >> 8 * i);
	uuid_unparse_lower(uuid, out);
}

static bool begin_sample(struct import *im, const struct import_cell *cell,
			 const struct import_row *row, int line)
{
	if (!keep_text(&im->pending_reason, row->reason) ||
	    !keep_text(&im->pending_driver, row->driver))
		return err_nomem(im->err);
	memcpy(im->pending_time, row->started_at, sizeof(im->pending_time));
	im->pending = (struct record_sample){
		.cell = cell->id,
		.round = row->round,
		.position = ++im->positions,
		.status = row->status,
		.reason = im->pending_reason,
		.driver = im->pending_driver,
		.started_at = *im->pending_time ? im->pending_time : NULL,
		.write = phase_of(row),
		.read = phase_of(row),
		.has_write = row->op == 'W',
		.has_read = row->op == 'R',
	};
	count_uuid(im, im->pending.uuid);
	im->pending_line = line;
	im->has_pending = true;
	return true;
}

static bool store_row(struct import *im, const struct import_row *row, int line)
{
	const struct import_cell *cell = find_cell(im, row);

	if (!cell)
		return err_set(im->err, ERR_FAILED,
			       "the file changed while it was read");
	if (!row->measured)
		return true;
	if (!completes(im, cell, row))
		return store_pending(im) && begin_sample(im, cell, row, line);
	im->pending.read = phase_of(row);
	im->pending.has_read = true;
	return store_pending(im);
}

/* The second reading: nothing is wrong any more. */
static bool store_record(void *ctx, struct csv_record *record)
{
	struct import *im = ctx;
	struct import_row row;
	bool ok;

	if (!im->has_header) {
		im->has_header = true;
		return true;
	}
	ok = import_row_parse(&im->header, record, &row, im->err) &&
	     store_row(im, &row, record->line);
	if (!ok)
		err_at(im->err, im->source, record->line, 0);
	return ok;
}

static bool store_all(struct import *im, FILE *in)
{
	bool ok = store_begin(im->store, im->err);

	im->has_header = false;
	im->last = NULL;
	uuid_generate_random(im->first_uuid);
	ok = ok && store_runs(im) && store_cells(im) && store_bases(im) &&
	     csv_each_record(in, im->source, store_record, im, im->err) &&
	     store_pending(im);
	for (size_t i = 0; ok && i < im->run_count; i++) {
		char now[TIMESTAMP_SIZE];

		timestamp_now(now);
		ok = store_end_run(im->store, im->runs[i].id, "done", now,
				   im->err);
	}
	ok = ok && store_commit(im->store, im->err);
	store_rollback(im->store);
	return ok;
}

/* A pipe as a file that can be read twice; NULL with `err` set. */
static FILE *spool(FILE *in, struct err *err)
{
	FILE *copy = tmpfile();
	char chunk[16384];
	size_t length;

	if (!copy) {
		err_sys(err, errno, "making a temporary file");
		return NULL;
	}
	while ((length = fread(chunk, 1, sizeof(chunk), in)) > 0) {
		if (fwrite(chunk, 1, length, copy) != length)
			break;
	}
	if (!ferror(in) && fflush(copy) == 0 && !ferror(copy)) {
		rewind(copy);
		return copy;
	}
	err_sys(err, errno ? errno : EIO, "copying to a temporary file");
	fclose(copy);
	return NULL;
}

static bool check_all(struct import *im, FILE *in)
{
	struct err err = { 0 };

	if (!csv_each_record(in, im->source, check_record, im, &err) &&
	    err.code != ERR_NONE)
		err_list_add(im->faults, &err);
	if (im->faults->count > 0)
		return false;
	if (im->rows == 0) {
		err_set(&err, ERR_INPUT,
			im->has_header ? "there is no row"
				       : "there is no header");
		return fail_at(im, &err, 0);
	}
	return default_baselines(im) || err_nomem(im->err);
}

static bool import_twice(struct import *im, FILE *in)
{
	if (!check_all(im, in))
		return false;
	if (fseek(in, 0, SEEK_SET) != 0)
		return err_sys(im->err, errno, "reading %s again", im->source);
	im->store = store_open(im->database, STORE_WRITE, im->err);
	return im->store && store_all(im, in);
}

bool import_file(const char *database, FILE *in, const char *source,
		 struct import_result *result, struct err_list *faults,
		 struct err *err)
{
	struct import im = {
		.database = database,
		.source = source,
		.faults = faults,
		.err = err,
	};
	FILE *copy = NULL;
	bool ok;

	if (fseek(in, 0, SEEK_SET) != 0) {
		copy = spool(in, err);
		if (!copy)
			return false;
	}
	ok = import_twice(&im, copy ? copy : in);
	if (copy)
		fclose(copy);
	if (ok)
		*result = (struct import_result){
			.runs = im.run_count,
			.cells = im.cell_count,
			.rows = im.rows,
			.first_run = im.runs[0].id,
		};
	import_done(&im);
	return ok;
}
