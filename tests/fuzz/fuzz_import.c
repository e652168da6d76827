/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes are a CSV of results or a list of faults, and never anything else:
 * every row is in the database then, or none is. What was taken in can be
 * read, and obeys what the database promises of a result.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "runner/import.h"
#include "schema/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { KEEP = 500 }; /* files until the database is made anew */

#define MUST(truth)                                                            \
	do {                                                                   \
		if (!(truth)) {                                                \
			fprintf(stderr, "broken promise: %s\n", #truth);       \
			abort();                                               \
		}                                                              \
	} while (0)

/* In memory where that can be: every file taken is on the disk when it is. */
static char in_memory[] = "/dev/shm/fuzz_import-XXXXXX";
static char on_disk[] = "/tmp/fuzz_import-XXXXXX";
static char *folder;
static char database[64];

static void remove_database(void)
{
	static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
	char path[128];

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		snprintf(path, sizeof(path), "%s%s", database, ends[i]);
		unlink(path);
	}
}

static void end(void)
{
	remove_database();
	rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	folder = mkdtemp(in_memory) ? in_memory : mkdtemp(on_disk);
	MUST(folder);
	snprintf(database, sizeof(database), "%s/f.db", folder);
	atexit(end);
	return 0;
}

static void check_faults(const struct err_list *errs)
{
	for (size_t i = 0; i < errs->count; i++) {
		MUST(errs->items[i].code == ERR_INPUT);
		MUST(errs->items[i].text[0]);
		MUST(strcmp(errs->items[i].source, "f.csv") == 0);
	}
}

static bool is_known(double value)
{
	MUST(isnan(value) || (isfinite(value) && value >= 0));
	return !isnan(value);
}

static bool check_result(void *ctx, const struct record_result *row)
{
	int64_t *rows = ctx;

	++*rows;
	MUST(row->op == 'W' || row->op == 'R');
	MUST(row->volume && text_is_safe(row->volume));
	MUST(row->os && text_is_safe(row->os));
	MUST(strcmp(row->source, "import") == 0);
	MUST(row->round >= 0 && row->bytes >= -1);
	is_known(row->seconds);
	if (row->status == RECORD_OK)
		MUST(is_known(row->kb_per_s));
	return true;
}

/* As many results as rows, but for those that only name a cell. */
static void check_stored(const struct import_result *result)
{
	struct err err = { 0 };
	struct store *store = store_open(database, STORE_READ, &err);
	int64_t rows = 0;

	MUST(store);
	MUST(result->runs > 0 && result->cells >= result->runs);
	for (size_t i = 0; i < result->runs; i++) {
		int64_t run = result->first_run + (int64_t)i;

		MUST(store_each_result(store, &run, 1, check_result, &rows,
				       &err));
	}
	MUST(rows <= 2 * result->rows);
	store_close(store);
}

static bool find_newest(void *ctx, const struct record_run_info *info)
{
	int64_t *newest = ctx;

	if (info->id > *newest)
		*newest = info->id;
	return true;
}

/* A row that is there twice is found while storing: nothing may be kept. */
static void check_refused(const struct err *err, int64_t newest)
{
	struct err why = { 0 };
	struct store *store;
	int64_t found = 0;

	MUST(err->code == ERR_INPUT && err->text[0] && err->line > 1);
	store = store_open(database, STORE_WRITE, &why);
	MUST(store);
	MUST(store_each_run(store, find_newest, &found, &why));
	MUST(found == newest);
	store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int taken;
	static int64_t newest; /* run in the database */
	struct import_result result = { 0 };
	struct err_list faults = { 0 };
	struct err err = { 0 };
	FILE *in = size ? fmemopen((void *)data, size, "r")
			: fopen("/dev/null", "r");

	MUST(in);
	if (import_file(database,
			&(struct import_file){
				.in = in, .source = "f.csv", .again = true },
			&result, &faults, &err)) {
		MUST(faults.count == 0 && err.code == ERR_NONE);
		check_stored(&result);
		newest = result.first_run + (int64_t)result.runs - 1;
		if (++taken % KEEP == 0) {
			remove_database();
			newest = 0;
		}
	} else if (faults.count > 0) {
		MUST(err.code == ERR_NONE);
		check_faults(&faults);
	} else {
		check_refused(&err, newest);
	}
	fclose(in);
	err_list_done(&faults);
	return 0;
}
