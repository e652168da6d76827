/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_store DATABASE CELLS ROUNDS: a new database with one measured run,
 * every phase of it with a series and a histogram as large as those of a real
 * one. tests/bench/compare_10000.sh uses it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/hist.h"
#include "core/series.h"
#include "schema/store.h"

enum {
	FILESYSTEMS = 20,
	WORKLOADS = 5,
	CALLS = 960, /* 480 MiB in blocks of 512 KiB */
	SAMPLES_AT_ONCE = 500,
};

#define BLOCK UINT64_C(524288)

/* Marsaglia's xorshift64*: the same database every time. */
static double random_part(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (double)((state * 2685821657736338717u) >> 11) /
	       9007199254740992;
}

static bool add_cells(struct store *store, int64_t run, int64_t *cells,
		      int64_t count, struct err *err)
{
	for (int64_t i = 0; i < count; i++) {
		char volume[32], filesystem[32], workload[32];
		int64_t of_group = i % FILESYSTEMS;
		struct record_cell cell = {
			.volume = volume,
			.volume_kind = "image",
			.filesystem = filesystem,
			.type = "ext4",
			.workload = workload,
			.base_cell = of_group ? cells[i - of_group] : -1,
		};

		snprintf(volume, sizeof(volume), "disk%" PRId64,
			 i / FILESYSTEMS / WORKLOADS);
		snprintf(workload, sizeof(workload), "load%" PRId64,
			 i / FILESYSTEMS % WORKLOADS);
		snprintf(filesystem, sizeof(filesystem), "fs%" PRId64,
			 of_group);
		if (!store_add_cell(store, run, &cell, &cells[i], err))
			return false;
	}
	return true;
}

/* Mean of a call: 4 ms, so that a phase takes some 4 s. */
static void fill(struct phase_result *result, double speed)
{
	uint64_t now = 0;

	for (int i = 0; i < CALLS; i++) {
		double slow = random_part() < 0.01 ? 10 : 1;
		uint64_t ns =
			(uint64_t)(4e6 * slow / speed * (0.5 + random_part()));

		series_add(result->series, now, now + ns, BLOCK);
		hist_record(result->latency, ns);
		now += ns;
	}
	result->bytes = CALLS * BLOCK;
	result->app_ns = now;
}

static bool add_sample(struct store *store, int64_t cell, int64_t number,
		       int64_t round, struct err *err)
{
	double speed = 1 + 0.02 * (double)(cell % FILESYSTEMS);
	struct phase_result write = { .end = PHASE_END_SIZE,
				      .files = 1,
				      .flush_ns = 1000000,
				      .latency = hist_new(),
				      .series = series_new() };
	struct phase_result read = { .end = PHASE_END_SIZE,
				     .files = 1,
				     .latency = hist_new(),
				     .series = series_new() };
	struct record_sample sample = {
		.cell = cell,
		.round = round,
		.position = number + 1,
		.status = RECORD_OK,
		.driver = "ext4",
		.started_at = "2026-01-02T03:04:05.000Z",
		.ended_at = "2026-01-02T03:04:14.000Z",
		.write = { .result = &write, .stated_kb_per_s = NAN },
		.read = { .result = &read, .stated_kb_per_s = NAN },
		.has_write = true,
		.has_read = true,
	};
	bool ok = write.latency && write.series && read.latency && read.series;

	snprintf(sample.uuid, sizeof(sample.uuid),
		 "00000000-0000-4000-8000-%012x", (unsigned int)number);
	if (ok) {
		fill(&write, speed);
		fill(&read, 2 * speed);
	}
	ok = ok ? store_add_sample(store, &sample, err) : err_nomem(err);
	phase_result_done(&write);
	phase_result_done(&read);
	return ok;
}

static bool add_samples(struct store *store, const int64_t *cells,
			int64_t count, int64_t rounds, struct err *err)
{
	bool ok = store_begin(store, err);

	for (int64_t i = 0; ok && i < count * rounds; i++) {
		ok = add_sample(store, cells[i % count], i, i / count + 1, err);
		if (ok && i % SAMPLES_AT_ONCE == SAMPLES_AT_ONCE - 1)
			ok = store_commit(store, err) &&
			     store_begin(store, err);
	}
	return ok && store_commit(store, err);
}

static bool make(struct store *store, int64_t count, int64_t rounds,
		 struct err *err)
{
	struct record_host host = { .uuid = "00000000-0000-4000-8000-"
					    "00000000000a",
				    .name = "box",
				    .os = "Linux 6.12.5" };
	struct record_run run = { .uuid = "00000000-0000-4000-8000-"
					  "00000000000b",
				  .source = "run",
				  .matrix = "large",
				  .rounds = (unsigned int)rounds,
				  .baseline_dimension = "filesystem",
				  .baseline = "fs0",
				  .program = "bench_store",
				  .started_at = "2026-01-02T03:04:05.000Z" };
	int64_t *cells = calloc((size_t)count, sizeof(*cells));
	int64_t host_id, run_id;
	bool ok;

	ok = (cells || err_nomem(err)) &&
	     store_add_host(store, &host, &host_id, err) &&
	     store_add_run(store, host_id, &run, &run_id, err) &&
	     store_begin(store, err) &&
	     add_cells(store, run_id, cells, count, err) &&
	     store_commit(store, err) &&
	     add_samples(store, cells, count, rounds, err) &&
	     store_end_run(store, run_id, "done", "2026-01-03T00:00:00.000Z",
			   err);
	free(cells);
	return ok;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	struct store *store;
	bool ok = false;

	if (argc != 4 || atoll(argv[2]) <= 0 || atoll(argv[3]) <= 0) {
		fputs("usage: bench_store DATABASE CELLS ROUNDS\n", stderr);
		return 2;
	}
	store = store_open(argv[1], STORE_WRITE, &err);
	if (store)
		ok = make(store, atoll(argv[2]), atoll(argv[3]), &err);
	if (!ok)
		fprintf(stderr, "bench_store: %s\n", err.text);
	store_close(store);
	return ok ? 0 : 1;
}
