/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "schema/store_private.h"

#define RUN_COLUMNS                                                            \
	"SELECT run.id, run.uuid, run.batch, run.source, run.matrix, "         \
	"run.matrix_text, run.matrix_path, run.label, run.seed, run.rounds, "  \
	"run.baseline_dimension, run.baseline, run.program, run.started_at, "  \
	"run.cpu_governor, run.power, run.temperature_mc, run.holder, "        \
	"run.digest, host.uuid, host.name, host.os, host.distribution, "       \
	"host.kernel, "                                                        \
	"host.machine, host.cpu, host.cpus, host.memory_bytes, "               \
	"host.virtualization, host.machine_id, " STORE_RUN_STATUS ", "         \
	"run.ended_at, "                                                       \
	"(SELECT count(*) FROM cell WHERE cell.run = run.id), "                \
	"(SELECT count(*) FROM cell JOIN sample ON sample.cell = cell.id "     \
	"WHERE cell.run = run.id), run.ignored "                               \
	"FROM run JOIN host ON host.id = run.host "

struct record_conditions store_next_conditions(struct store_query *q)
{
	struct record_conditions c = { .governor = store_next_text(q) };
	const char *power = store_next_text(q);

	if (power)
		c.power = strcmp(power, "mains") == 0 ? RECORD_POWER_MAINS
						      : RECORD_POWER_BATTERY;
	c.temperature_mc = store_next_int(q, INT64_MIN);
	c.has_temperature = c.temperature_mc != INT64_MIN;
	return c;
}

void store_next_made(struct store_query *q, struct record_site *site)
{
	site->device = store_next_text(q);
	site->mkfs_command = store_next_text(q);
	site->mount_command = store_next_text(q);
	site->driver = store_next_text(q);
}

static void read_run(struct store_query *q, struct record_run *run)
{
	const char *seed;

	store_next_uuid(q, run->uuid);
	store_next_uuid(q, run->batch);
	run->source = store_next_text(q);
	run->matrix = store_next_text(q);
	run->matrix_text = store_next_text(q);
	run->matrix_path = store_next_text(q);
	run->label = store_next_text(q);
	seed = store_next_text(q);
	run->seed = seed ? strtoull(seed, NULL, 10) : 0;
	run->rounds = (unsigned int)store_next_int(q, 0);
	run->baseline_dimension = store_next_text(q);
	run->baseline = store_next_text(q);
	run->program = store_next_text(q);
	run->started_at = store_next_text(q);
	run->conditions = store_next_conditions(q);
	run->holder = store_next_text(q);
	run->digest = store_next_text(q);
}

static void read_host(struct store_query *q, struct record_host *host)
{
	store_next_uuid(q, host->uuid);
	host->name = store_next_text(q);
	host->os = store_next_text(q);
	host->distribution = store_next_text(q);
	host->kernel = store_next_text(q);
	host->machine = store_next_text(q);
	host->cpu = store_next_text(q);
	host->cpus = store_next_int(q, 0);
	host->memory_bytes = store_next_int(q, 0);
	host->virtualization = store_next_text(q);
	host->machine_id = store_next_text(q);
}

static bool give_run(struct store_query *q, store_run_info_fn *fn, void *ctx)
{
	struct record_run_info info;

	info.id = store_next_int(q, 0);
	read_run(q, &info.run);
	read_host(q, &info.host);
	info.status = store_next_text(q);
	info.ended_at = store_next_text(q);
	info.cells = store_next_int(q, 0);
	info.samples = store_next_int(q, 0);
	info.ignored = store_next_int(q, 0) != 0;
	return fn(ctx, &info);
}

bool store_run_info(struct store *store, int64_t run, store_run_info_fn *fn,
		    void *ctx, struct err *err)
{
	static const char sql[] = RUN_COLUMNS "WHERE run.id = ?";
	struct store_query q = store_query(store, sql);
	bool found;

	store_bind_int(&q, run);
	found = store_step(&q) == SQLITE_ROW;
	if (found)
		give_run(&q, fn, ctx);
	if (!store_finish(&q, "reading a run", err))
		return false;
	return found || store_refuse(store, ERR_INPUT, err, "no run %lld",
				     (long long)run);
}

bool store_each_run(struct store *store, store_run_info_fn *fn, void *ctx,
		    struct err *err)
{
	static const char sql[] = RUN_COLUMNS "ORDER BY run.started_at, run.id";
	struct store_query q = store_query(store, sql);

	while (store_step(&q) == SQLITE_ROW)
		if (!give_run(&q, fn, ctx))
			break;
	return store_finish(&q, "reading the runs", err);
}

bool store_next_settings(struct store_query *q, struct workload *w)
{
	const char *io, *read, *verify;

	*w = (struct workload){ 0 };
	w->block_bytes = (uint64_t)store_next_int(q, 0);
	w->size_bytes = (uint64_t)store_next_int(q, 0);
	w->duration_ns = (uint64_t)store_next_int(q, 0);
	w->file_limit_bytes = (uint64_t)store_next_int(q, 0);
	io = store_next_text(q);
	read = store_next_text(q);
	w->depth = (unsigned int)store_next_int(q, 0);
	w->streams = (unsigned int)store_next_int(q, 0);
	verify = store_next_text(q);
	if (!io || !read || !record_io_parse(io, &w->io))
		return false;
	w->read = strcmp(read, record_read_word(WORKLOAD_WARM)) == 0
			  ? WORKLOAD_WARM
			  : WORKLOAD_COLD;
	w->verify =
		verify && strcmp(verify, record_verify_word(
						 WORKLOAD_VERIFY_STAMPS)) == 0
			? WORKLOAD_VERIFY_STAMPS
			: WORKLOAD_VERIFY_BYTES;
	return true;
}

/* False when it is not known. */
static bool next_disk(struct store_query *q, struct record_disk *disk)
{
	disk->name = store_next_text(q);
	disk->vendor = store_next_text(q);
	disk->model = store_next_text(q);
	disk->firmware = store_next_text(q);
	disk->bytes = store_next_int(q, 0);
	disk->rotational = store_next_int(q, 0) != 0;
	disk->scheduler = store_next_text(q);
	disk->write_cache = store_next_text(q);
	return disk->name;
}

static bool give_cell(struct store_query *q, store_cell_fn *fn, void *ctx)
{
	struct record_cell_info info = { 0 };
	struct record_disk disk;
	struct workload settings;

	info.id = store_next_int(q, 0);
	info.cell.volume = store_next_text(q);
	info.cell.volume_kind = store_next_text(q);
	info.cell.volume_path = store_next_text(q);
	info.cell.filesystem = store_next_text(q);
	info.cell.type = store_next_text(q);
	info.cell.workload = store_next_text(q);
	info.cell.base_cell = store_next_int(q, 0);
	info.samples = store_next_int(q, 0);
	if (store_next_settings(q, &settings))
		info.cell.settings = &settings;
	if (next_disk(q, &disk))
		info.cell.disk = &disk;
	info.site = (struct record_site){
		.kind = info.cell.volume_kind,
		.path = info.cell.volume_path,
		.type = info.cell.type,
		.disk = disk.name,
		.vendor = disk.vendor,
		.model = disk.model,
		.disk_bytes = disk.bytes,
	};
	store_next_made(q, &info.site);
	return fn(ctx, &info);
}

bool store_run_cells(struct store *store, int64_t run, store_cell_fn *fn,
		     void *ctx, struct err *err)
{
	static const char sql[] =
		"SELECT cell.id, volume, volume_kind, volume_path, filesystem, "
		"type, workload, base_cell, "
		"(SELECT count(*) FROM sample WHERE sample.cell = cell.id), "
		"block_bytes, size_bytes, duration_ns, file_limit_bytes, io, "
		"read, depth, streams, verify, disk, disk_vendor, disk_model, "
		"disk_firmware, disk_bytes, disk_rotational, disk_scheduler, "
		"disk_write_cache, " STORE_CELL_MADE STORE_FROM_CELL_MADE
		"WHERE run = ? ORDER BY cell.id";
	struct store_query q = store_query(store, sql);

	store_bind_int(&q, run);
	while (store_step(&q) == SQLITE_ROW)
		if (!give_cell(&q, fn, ctx))
			break;
	return store_finish(&q, "reading the cells of a run", err);
}

bool store_each_run_of_batch(struct store *store, int64_t run, store_run_fn *fn,
			     void *ctx, struct err *err)
{
	static const char sql[] =
		"SELECT id FROM run WHERE id = ?1 OR batch = "
		"(SELECT batch FROM run WHERE id = ?1) ORDER BY id";
	struct store_query q = store_query(store, sql);

	store_bind_int(&q, run);
	while (store_step(&q) == SQLITE_ROW)
		if (!fn(ctx, store_next_int(&q, 0)))
			break;
	return store_finish(&q, "reading an import", err);
}
