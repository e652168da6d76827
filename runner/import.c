/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "runner/import_private.h"
#include "runner/lock.h"

static bool fail_at(struct import *im, struct err *err, int line)
{
	err_at(err, im->source, line, 0);
	return err_list_add(im->faults, err);
}

/* The rows of a run stand in any order. */
static void note_start(struct import_run *run, const struct import_row *row)
{
	if (*row->started_at &&
	    (!*run->started_at || strcmp(row->started_at, run->started_at) < 0))
		memcpy(run->started_at, row->started_at,
		       sizeof(run->started_at));
}

/* The first reading: what is wrong, and which cells there are. */
static bool check_record(void *ctx, struct csv_record *record)
{
	struct import *im = ctx;
	const struct import_cell *cell;
	struct err err = { 0 };
	struct import_row row;

	if (!im->has_header) {
		im->has_header = import_row_header(record, &im->header, &err);
		return im->has_header || fail_at(im, &err, record->line);
	}
	if (!import_row_parse(&im->header, record, &row, &err) ||
	    !store_check_label(row.names[IMPORT_LABEL], &err)) {
		fail_at(im, &err, record->line);
		return !im->faults->truncated; /* look for more */
	}
	im->rows++;
	cell = import_find_cell(im, &row);
	if (cell) {
		if (!import_same_settings(im, cell, &row, &err))
			fail_at(im, &err, record->line);
	} else if (import_new_cell(im, &row, &err)) {
		cell = im->last;
	} else {
		return fail_at(im, &err, record->line);
	}
	note_start(&im->runs[cell->run], &row);
	return !im->faults->truncated;
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

/* What it is, where it is plainly no CSV. */
static bool check_kind(struct import *im, FILE *in)
{
	struct err err = { 0 };
	int first = ' ';

	while (first == ' ' || first == '\t' || first == '\r' || first == '\n')
		first = getc(in);
	rewind(in);
	if (first != '{' && first != '[' && first != '<')
		return true;
	err_set(&err, ERR_INPUT,
		"this is %s; what can be imported is CSV, as export writes it",
		first == '<' ? "HTML" : "JSON");
	return fail_at(im, &err, 0);
}

static bool check_all(struct import *im, FILE *in)
{
	struct err err = { 0 };

	if (!check_kind(im, in))
		return false;
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

static bool rewind_it(struct import *im, FILE *in)
{
	return fseek(in, 0, SEEK_SET) == 0 ||
	       err_sys(im->err, errno, "reading %s again", im->source);
}

/* Of all its bytes, whatever it is called. */
static bool make_digest(struct import *im, FILE *in)
{
	XXH3_state_t *state = XXH3_createState();
	char chunk[16384];
	XXH128_hash_t hash;
	size_t length;

	if (!state)
		return err_nomem(im->err);
	XXH3_128bits_reset(state);
	while ((length = fread(chunk, 1, sizeof(chunk), in)) > 0)
		XXH3_128bits_update(state, chunk, length);
	hash = XXH3_128bits_digest(state);
	XXH3_freeState(state);
	snprintf(im->digest, sizeof(im->digest),
		 "xxh128:%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
		 (uint64_t)hash.low64);
	return !ferror(in) || err_sys(im->err, errno, "reading %s", im->source);
}

/* Those that say which runs they are are looked for one by one. */
static bool has_keys(const struct import *im)
{
	for (size_t i = 0; i < im->run_count; i++) {
		if (!*im->runs[i].uuid)
			return false;
	}
	return true;
}

static bool is_new(struct import *im)
{
	bool found = false;
	int64_t run;

	if (im->again || has_keys(im))
		return true;
	if (!store_find_import(im->store, im->digest, &run, &found, im->err))
		return false;
	if (!found)
		return true;
	err_set(im->err, ERR_INPUT,
		"already imported as run %" PRId64 "; --again imports it once "
		"more",
		run);
	err_at(im->err, im->source, 0, 0);
	return false;
}

static bool import_checked(struct import *im, FILE *in)
{
	if (!rewind_it(im, in) || !make_digest(im, in) || !rewind_it(im, in))
		return false;
	im->store = store_open(im->database, STORE_WRITE, im->err);
	return im->store && is_new(im) && import_store(im, in);
}

/* A run that waited for a long import would fail. */
static bool import_locked(struct import *im, FILE *in)
{
	struct lock *lock;
	bool ok;

	if (!check_all(im, in))
		return false;
	lock = lock_take_database(im->database, im->err);
	ok = lock && import_checked(im, in);
	store_close(im->store);
	im->store = NULL;
	if (ok)
		lock_free(lock);
	else
		lock_abandon_database(lock, im->database);
	return ok;
}

static bool tell_known(const struct import_run *run,
		       struct import_result *result)
{
	struct import_known *known = reallocarray(
		result->known, result->known_count + 1, sizeof(*known));

	if (!known)
		return false;
	result->known = known;
	known[result->known_count++] = (struct import_known){
		.run = run->id, .here = run->here, .added = run->added
	};
	return true;
}

static bool tell(const struct import *im, struct import_result *result)
{
	*result = (struct import_result){ .rows = im->rows };
	for (size_t i = 0; i < im->cell_count; i++)
		result->cells += !im->runs[im->cells[i]->run].known;
	for (size_t i = 0; i < im->run_count; i++) {
		if (im->runs[i].known && !tell_known(&im->runs[i], result))
			return err_nomem(im->err);
		if (!im->runs[i].known && result->runs++ == 0)
			result->first_run = im->runs[i].id;
	}
	return true;
}

bool import_file(const char *database, const struct import_file *file,
		 struct import_result *result, struct err_list *faults,
		 struct err *err)
{
	struct import im = {
		.database = database,
		.source = file->source,
		.again = file->again,
		.faults = faults,
		.err = err,
	};
	FILE *copy = NULL;
	bool ok;

	if (fseek(file->in, 0, SEEK_SET) != 0) {
		copy = spool(file->in, err);
		if (!copy)
			return false;
	}
	ok = import_locked(&im, copy ? copy : file->in) && tell(&im, result);
	if (copy)
		fclose(copy);
	import_done(&im);
	return ok;
}
