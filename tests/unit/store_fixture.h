/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_fixture - a store in a folder of its own that is gone afterwards, and
 * records to put into it, for the programs that test the store.
 */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "schema/store_private.h"
#include "tests/unit/unit.h"

#define VERSION "8" /* of the newest migration */

struct fixture {
	char folder[64];
	char path[96]; /* of the database in it */
	struct store *store;
	struct err err;
	int64_t host, run;
	int samples; /* uuids given so far */
	bool child;  /* a failure ends this process, not a test */
};

static inline void assert_ok(struct fixture *f, bool ok)
{
	if (!ok)
		print_error("%s: %s\n", f->err.source, f->err.text);
	if (!ok && f->child)
		_exit(1);
	assert_true(ok);
}

static inline void fixture_uuid(char uuid[37], int kind, int number)
{
	snprintf(uuid, 37, "%08x-0000-4000-8000-%012x", (unsigned)kind,
		 (unsigned)number);
}

static inline void fixture_open(struct fixture *f, enum store_mode mode)
{
	f->err = (struct err){ 0 };
	f->store = store_open(f->path, mode, &f->err);
	assert_ok(f, f->store != NULL);
}

static inline int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	snprintf(f->folder, sizeof(f->folder), "/tmp/fsmatrix-store.XXXXXX");
	if (!mkdtemp(f->folder))
		return -1;
	snprintf(f->path, sizeof(f->path), "%s/fsmatrix.db", f->folder);
	*state = f;
	return 0;
}

static inline int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];
	int rc;

	store_close(f->store);
	snprintf(command, sizeof(command), "rm -rf --one-file-system '%s'",
		 f->folder);
	rc = system(command);
	free(f);
	return rc;
}

/* As fork(); a failure in the child is one of its exit status. */
static inline pid_t fixture_fork(struct fixture *f)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	f->child = pid == 0;
	return pid;
}

typedef void fixture_fn(struct fixture *f, void *report);

/*
 * Runs `fn` in a child, whose mounts and user are its own, with a report that
 * the parent gets: `size` bytes, zero before.
 */
static inline void fixture_apart(struct fixture *f, fixture_fn *fn,
				 void *report, size_t size)
{
	void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	assert_true(shared != MAP_FAILED);
	pid = fixture_fork(f);
	if (pid == 0) {
		fn(f, shared);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	memcpy(report, shared, size);
	munmap(shared, size);
}

/* Adds a run `number` on one host. */
static inline int64_t fixture_run(struct fixture *f, int number,
				  const char *source)
{
	struct record_host host = { .os = "Linux 6.1", .name = "box" };
	struct record_run run = {
		.source = source,
		.matrix = "m",
		.rounds = 3,
		.program = "fsmatrix test",
		.started_at = "2026-01-02T03:04:05.678Z",
	};

	fixture_uuid(host.uuid, 1, 1);
	fixture_uuid(run.uuid, 2, number);
	assert_ok(f, store_add_host(f->store, &host, &f->host, &f->err));
	assert_ok(f, store_add_run(f->store, f->host, &run, &f->run, &f->err));
	return f->run;
}

/* A cell of the last run. */
static inline int64_t fixture_cell(struct fixture *f, const char *filesystem,
				   int64_t base)
{
	struct record_cell cell = {
		.volume = "disk",
		.volume_kind = "image",
		.volume_path = "/images/disk.img",
		.filesystem = filesystem,
		.type = "vfat",
		.workload = "seq",
		.base_cell = base,
	};
	int64_t id = 0;

	assert_ok(f, store_add_cell(f->store, f->run, &cell, &id, &f->err));
	return id;
}

/* A sample of stated rates; with one of 0 it is a sample of the other alone. */
static inline bool fixture_sample(struct fixture *f, int64_t cell,
				  int64_t round, enum record_status status,
				  double write, double read)
{
	struct record_sample sample = {
		.cell = cell,
		.round = round,
		.position = f->samples + 1,
		.status = status,
		.started_at = "2026-01-02T03:04:05.000Z",
		.ended_at = "2026-01-02T03:04:06.500Z",
		.write = { .stated_kb_per_s = write,
			   .bytes = -1,
			   .total_ns = -1 },
		.read = { .stated_kb_per_s = read,
			  .bytes = -1,
			  .total_ns = -1 },
		.has_write = write != 0,
		.has_read = read != 0,
	};

	fixture_uuid(sample.uuid, 3, ++f->samples);
	return store_add_sample(f->store, &sample, &f->err);
}

/* Any SQL over a connection of its own; the text of the first value, or "". */
static inline const char *fixture_sql(struct fixture *f, const char *sql)
{
	static char value[1024];
	sqlite3 *db;
	sqlite3_stmt *stmt;
	const unsigned char *text;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	sqlite3_busy_timeout(db, 5000);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	value[0] = '\0';
	if (sqlite3_step(stmt) == SQLITE_ROW) {
		text = sqlite3_column_text(stmt, 0);
		snprintf(value, sizeof(value), "%s",
			 text ? (const char *)text : "NULL");
	}
	if (sqlite3_finalize(stmt) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
	return value;
}

static inline double fixture_number(struct fixture *f, const char *sql)
{
	return strtod(fixture_sql(f, sql), NULL);
}

static inline uint64_t fixture_hash(const char *path)
{
	uint64_t hash = 14695981039346656037u;
	FILE *in = fopen(path, "rb");
	int c;

	assert_non_null(in);
	while ((c = getc(in)) != EOF)
		hash = (hash ^ (uint64_t)c) * 1099511628211u;
	fclose(in);
	return hash;
}

static inline int fixture_by_name(const struct dirent **a,
				  const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static inline void fixture_snapshot(const char *folder, char *out, size_t size)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, fixture_by_name);
	size_t used = 0;

	assert_true(count >= 0);
	for (int i = 0; i < count; i++) {
		char path[512];
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		assert_int_equal(stat(path, &st), 0);
		used += (size_t)snprintf(
			out + used, size - used, "%s %lx\n", entries[i]->d_name,
			S_ISREG(st.st_mode) ? fixture_hash(path) : 0);
		assert_true(used < size);
		free(entries[i]);
	}
	free(entries);
}

/* Opening fails so, in both modes, and touches nothing in the folder. */
static inline void fixture_refused(struct fixture *f, enum err_code code,
				   const char *text)
{
	char before[2048], after[2048];

	for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
		struct err err = { 0 };

		fixture_snapshot(f->folder, before, sizeof(before));
		assert_null(store_open(f->path, (enum store_mode)mode, &err));
		assert_string_equal(err.text, text);
		assert_int_equal(err.code, code);
		assert_string_equal(err.source, f->path);
		fixture_snapshot(f->folder, after, sizeof(after));
		assert_string_equal(after, before);
	}
}

static inline void fixture_put(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

/* A store with one run of two samples, closed. */
static inline void fixture_make(struct fixture *f)
{
	int64_t cell;

	fixture_open(f, STORE_WRITE);
	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 100, 200));
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 110, 210));
	store_close(f->store);
	f->store = NULL;
}

static inline void fixture_samples(struct fixture *f, int64_t expected)
{
	int64_t run = 0, count = 0;

	assert_ok(f, store_find_run(f->store, NULL, &run, &f->err));
	assert_ok(f, store_count_samples(f->store, run, &count, &f->err));
	assert_int_equal(count, expected);
}

/* A database as the first migration alone made it, with one sample. */
static inline void fixture_first_version(struct fixture *f)
{
	static const char rows[] =
		"INSERT INTO host (id, uuid, os) VALUES "
		"(1, printf('%036d', 1), 'NT');"
		"INSERT INTO run (id, uuid, host, source, started_at) VALUES "
		"(1, printf('%036d', 1), 1, 'import', '1997-01-01T00:00:00Z');"
		"INSERT INTO cell (id, run, volume) VALUES (1, 1, 'ATA');"
		"INSERT INTO sample (id, uuid, cell, ops, status) VALUES "
		"(1, printf('%036d', 1), 1, 'W', 'ok');"
		"INSERT INTO phase (sample, op, stated_kb_per_s) VALUES "
		"(1, 'W', 4439.0);"
		"PRAGMA application_id = 1179864408; PRAGMA user_version = 1";
	sqlite3 *db;

	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      (const char *)store_migrations[0].data,
				      NULL, NULL, NULL),
			 SQLITE_OK);
	if (sqlite3_exec(db, rows, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_close(db);
}

#endif
