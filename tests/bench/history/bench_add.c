/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_add EMPTY LARGE: what it costs to add a sample to a database that was
 * empty, and to one that is large, taking turns; each is a transaction of its
 * own, on the disk when it is done.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/hist.h"
#include "core/series.h"
#include "schema/store.h"

enum { TIMES = 400, CELLS = 20, SIDES = 2 };

struct side {
	struct store *store;
	int64_t cells[CELLS];
	double ms[TIMES];
};

static void die(const struct err *err)
{
	err_print(err, stderr);
	exit(1);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void make_uuid(char uuid[37], unsigned int kind, unsigned int number)
{
	struct timespec t;
	unsigned long long ms;
	char text[64];

	clock_gettime(CLOCK_REALTIME, &t);
	ms = (unsigned long long)t.tv_sec * 1000 +
	     (unsigned long long)t.tv_nsec / 1000000;
	snprintf(text, sizeof(text), "%08llx-%04llx-7%03x-8000-%012x",
		 ms >> 16 & 0xffffffff, ms & 0xffff, kind & 0xfff, number);
	memcpy(uuid, text, 36);
	uuid[36] = '\0';
}

static void begin(struct side *side, const char *path, unsigned int kind)
{
	static const struct workload settings = {
		.block_bytes = 524288,
		.size_bytes = 503316480,
		.file_limit_bytes = 4293918720,
		.depth = 1,
		.streams = 1,
	};
	struct record_host host = { .os = "Linux 6.1.0", .name = "adding" };
	struct record_run run = {
		.source = "run",
		.matrix = "m",
		.rounds = TIMES,
		.program = "bench",
		.started_at = "2026-01-02T03:04:05.678Z",
	};
	struct err err = { 0 };
	int64_t id;

	make_uuid(host.uuid, kind, 1);
	make_uuid(run.uuid, kind, 2);
	side->store = store_open(path, STORE_WRITE, &err);
	if (!side->store || !store_begin(side->store, &err) ||
	    !store_add_host(side->store, &host, &id, &err) ||
	    !store_add_run(side->store, id, &run, &id, &err))
		die(&err);
	for (int i = 0; i < CELLS; i++) {
		char name[16];
		struct record_cell cell = {
			.volume = "disk",
			.volume_kind = "image",
			.volume_path = "/disk.img",
			.filesystem = name,
			.type = "ext4",
			.workload = "seq",
			.settings = &settings,
		};

		snprintf(name, sizeof(name), "fs%d", i);
		if (!store_add_cell(side->store, id, &cell, &side->cells[i],
				    &err))
			die(&err);
	}
	if (!store_commit(side->store, &err))
		die(&err);
}

static struct phase_result measure(void)
{
	struct phase_result result = {
		.end = PHASE_END_SIZE,
		.bytes = 503316480,
		.app_ns = 3200000000,
		.flush_ns = 400000000,
		.files = 1,
		.latency = hist_new(),
		.series = series_new(),
	};

	for (uint64_t i = 0; i < 960; i++) {
		hist_record(result.latency, 3000000 + i * 1009);
		series_add(result.series, i * 3300000, (i + 1) * 3300000,
			   524288);
	}
	return result;
}

static void add(struct side *side, int number, unsigned int kind,
		const struct phase_result *result)
{
	struct record_sample sample = {
		.cell = side->cells[number % CELLS],
		.round = number / CELLS + 1,
		.position = number + 1,
		.status = RECORD_OK,
		.driver = "ext4",
		.device = "/dev/loop0",
		.mkfs_command = "mkfs.ext4 -q -F /dev/loop0",
		.mount_command = "mount -t ext4 /dev/loop0 /run/fsmatrix/0",
		.mount_options = "rw,relatime",
		.started_at = "2026-01-02T03:04:05.000Z",
		.ended_at = "2026-01-02T03:04:15.500Z",
		.write = { .result = result },
		.read = { .result = result },
		.has_write = true,
		.has_read = true,
	};
	struct err err = { 0 };
	double start;

	make_uuid(sample.uuid, kind, (unsigned int)number + 10);
	start = now_ms();
	if (!store_add_sample(side->store, &sample, &err))
		die(&err);
	side->ms[number] = now_ms() - start;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, TIMES, sizeof(*values), by_value);
	return values[TIMES / 2];
}

int main(int argc, char **argv)
{
	static struct side sides[SIDES];
	struct phase_result result = measure();
	double empty, large;

	if (argc != 1 + SIDES) {
		fprintf(stderr, "usage: bench_add EMPTY LARGE\n");
		return 2;
	}
	for (int i = 0; i < SIDES; i++)
		begin(&sides[i], argv[1 + i], (unsigned int)i);
	for (int number = 0; number < TIMES; number++) {
		/* Each is first as often as the other. */
		for (int i = 0; i < SIDES; i++) {
			int side = (i + number) % SIDES;

			add(&sides[side], number, (unsigned int)side, &result);
		}
	}
	for (int i = 0; i < SIDES; i++)
		store_close(sides[i].store);
	phase_result_done(&result);
	empty = median(sides[0].ms);
	large = median(sides[1].ms);
	printf("adding a sample: %.3f ms where nothing was, %.3f ms here: "
	       "%.2f times\n",
	       empty, large, large / empty);
	return 0;
}
