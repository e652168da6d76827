/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "schema/store_private.h"

bool store_add_host(struct store *store, const struct record_host *host,
		    int64_t *id, struct err *err)
{
	static const char insert[] =
		"INSERT INTO host (uuid, name, os, distribution, kernel, "
		"machine, cpu, cpus, memory_bytes, virtualization, "
		"machine_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
		"ON CONFLICT (uuid) DO NOTHING";
	static const char select[] = "SELECT id FROM host WHERE uuid = ?";
	struct store_query q = store_keep(store, insert);
	bool found;

	store_bind_text(&q, host->uuid);
	store_bind_text(&q, host->name);
	store_bind_text(&q, host->os);
	store_bind_text(&q, host->distribution);
	store_bind_text(&q, host->kernel);
	store_bind_text(&q, host->machine);
	store_bind_text(&q, host->cpu);
	store_bind_known(&q, host->cpus, host->cpus > 0);
	store_bind_known(&q, host->memory_bytes, host->memory_bytes > 0);
	store_bind_text(&q, host->virtualization);
	store_bind_text(&q, host->machine_id);
	if (!store_run(&q, "adding a host", err))
		return false;
	q = store_keep(store, select);
	store_bind_text(&q, host->uuid);
	return store_one(&q, id, &found, "adding a host", err);
}

static void bind_conditions(struct store_query *q,
			    const struct record_conditions *c)
{
	store_bind_text(q, c->governor);
	store_bind_text(q, record_power_word(c->power));
	store_bind_known(q, c->temperature_mc, c->has_temperature);
}

bool store_add_run(struct store *store, int64_t host,
		   const struct record_run *run, int64_t *id, struct err *err)
{
	static const char insert[] =
		"INSERT INTO run (uuid, host, batch, source, matrix, "
		"matrix_text, matrix_path, label, seed, rounds, "
		"baseline_dimension, baseline, program, started_at, "
		"cpu_governor, power, temperature_mc, holder, digest) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?)";
	struct store_query q = store_keep(store, insert);
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, run->seed);
	store_bind_text(&q, run->uuid);
	store_bind_int(&q, host);
	store_bind_text(&q, run->batch[0] ? run->batch : NULL);
	store_bind_text(&q, run->source);
	store_bind_text(&q, run->matrix);
	store_bind_text(&q, run->matrix_text);
	store_bind_text(&q, run->matrix_path);
	store_bind_text(&q, run->label);
	store_bind_text(&q, seed);
	store_bind_known(&q, run->rounds, run->rounds > 0);
	store_bind_text(&q, run->baseline_dimension);
	store_bind_text(&q, run->baseline);
	store_bind_text(&q, run->program);
	store_bind_text(&q, run->started_at);
	bind_conditions(&q, &run->conditions);
	store_bind_text(&q, run->holder);
	store_bind_text(&q, run->digest);
	if (!store_run(&q, "adding a run", err))
		return false;
	*id = sqlite3_last_insert_rowid(store->db);
	return true;
}

bool store_end_run(struct store *store, int64_t run, const char *status,
		   const char *ended_at, struct err *err)
{
	static const char update[] =
		"UPDATE run SET status = ?, ended_at = ?, holder = NULL "
		"WHERE id = ?";
	struct store_query q = store_keep(store, update);

	store_bind_text(&q, status);
	store_bind_text(&q, ended_at);
	store_bind_int(&q, run);
	return store_run(&q, "ending a run", err);
}

bool store_hold_run(struct store *store, int64_t run, const char *holder,
		    struct err *err)
{
	static const char update[] =
		"UPDATE run SET status = 'running', ended_at = NULL, "
		"holder = ? WHERE id = ?";
	struct store_query q = store_keep(store, update);

	store_bind_text(&q, holder);
	store_bind_int(&q, run);
	return store_run(&q, "going on with a run", err);
}

void store_bind_settings(struct store_query *q, const struct workload *w)
{
	static const struct workload none;
	bool known = w != NULL;

	if (!known)
		w = &none;
	store_bind_known(q, (int64_t)w->block_bytes, known);
	store_bind_known(q, (int64_t)w->size_bytes, w->size_bytes > 0);
	store_bind_known(q, (int64_t)w->duration_ns, w->duration_ns > 0);
	store_bind_known(q, (int64_t)w->file_limit_bytes,
			 w->file_limit_bytes > 0);
	store_bind_text(q, known ? record_io_word(w->io) : NULL);
	store_bind_text(q, known ? record_read_word(w->read) : NULL);
	store_bind_known(q, w->depth, known);
	store_bind_known(q, w->streams, known);
	store_bind_text(q, known ? record_verify_word(w->verify) : NULL);
}

static bool find_cell(struct store *store, int64_t run,
		      const struct record_cell *cell, int64_t *id, bool *found,
		      struct err *err)
{
	static const char select[] =
		"SELECT id FROM cell WHERE run = ? AND volume = ? "
		"AND ifnull(filesystem, '') = ifnull(?, '') "
		"AND ifnull(workload, '') = ifnull(?, '')";
	struct store_query q = store_keep(store, select);

	store_bind_int(&q, run);
	store_bind_text(&q, cell->volume);
	store_bind_text(&q, cell->filesystem);
	store_bind_text(&q, cell->workload);
	return store_one(&q, id, found, "adding a cell", err);
}

static void bind_disk(struct store_query *q, const struct record_disk *disk)
{
	static const struct record_disk none;
	bool known = disk != NULL;

	if (!known)
		disk = &none;
	store_bind_text(q, disk->name);
	store_bind_text(q, disk->vendor);
	store_bind_text(q, disk->model);
	store_bind_text(q, disk->firmware);
	store_bind_known(q, disk->bytes, disk->bytes > 0);
	store_bind_known(q, disk->rotational, known);
	store_bind_text(q, disk->scheduler);
	store_bind_text(q, disk->write_cache);
}

static bool insert_cell(struct store *store, int64_t run,
			const struct record_cell *cell, int64_t *id,
			struct err *err)
{
	static const char insert[] =
		"INSERT INTO cell (run, volume, volume_kind, volume_path, "
		"filesystem, type, workload, base_cell, block_bytes, "
		"size_bytes, duration_ns, file_limit_bytes, io, read, depth, "
		"streams, verify, disk, disk_vendor, disk_model, "
		"disk_firmware, disk_bytes, disk_rotational, disk_scheduler, "
		"disk_write_cache) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct store_query q = store_keep(store, insert);

	store_bind_int(&q, run);
	store_bind_text(&q, cell->volume);
	store_bind_text(&q, cell->volume_kind);
	store_bind_text(&q, cell->volume_path);
	store_bind_text(&q, cell->filesystem);
	store_bind_text(&q, cell->type);
	store_bind_text(&q, cell->workload);
	store_bind_known(&q, cell->base_cell, cell->base_cell > 0);
	store_bind_settings(&q, cell->settings);
	bind_disk(&q, cell->disk);
	if (!store_run(&q, "adding a cell", err))
		return false;
	*id = sqlite3_last_insert_rowid(store->db);
	return true;
}

bool store_add_cell(struct store *store, int64_t run,
		    const struct record_cell *cell, int64_t *id,
		    struct err *err)
{
	bool found;

	if (!find_cell(store, run, cell, id, &found, err))
		return false;
	if (found)
		return true;
	if (!insert_cell(store, run, cell, id, err) ||
	    !store_add_trend(store, *id, err))
		return false;
	return cell->base_cell != -1 || store_set_base(store, *id, *id, err);
}

bool store_set_base(struct store *store, int64_t cell, int64_t base,
		    struct err *err)
{
	static const char update[] =
		"UPDATE cell SET base_cell = ? WHERE id = ?";
	struct store_query q = store_keep(store, update);

	store_bind_int(&q, base);
	store_bind_int(&q, cell);
	return store_run(&q, "adding a cell", err);
}

/*
 * What the sample is of. One that failed in its write is of both all the same;
 * a rate that was imported alone is not.
 */
static const char *ops_of(const struct record_sample *sample)
{
	if (sample->has_write && !sample->has_read && !sample->write.result)
		return "W";
	if (sample->has_read && !sample->has_write && !sample->read.result)
		return "R";
	return "WR";
}

/*
 * Whether the round has a whole where a half is to be added, or a half where a
 * whole is. Samples that are measured are whole: only imports may be like that,
 * so an index for it would be for nothing a million times.
 */
static bool is_twice(struct store *store, const struct record_sample *sample,
		     bool *twice, struct err *err)
{
	static const char sql[] =
		"SELECT 1 FROM sample WHERE cell = ? AND round = ? "
		"AND (ops = 'WR') <> (? = 'WR')";
	struct store_query q;
	int64_t one;

	*twice = false;
	if (sample->round <= 0 || sample->write.result || sample->read.result)
		return true;
	q = store_keep(store, sql);
	store_bind_int(&q, sample->cell);
	store_bind_int(&q, sample->round);
	store_bind_text(&q, ops_of(sample));
	return store_one(&q, &one, twice, "adding a sample", err);
}

/* Nothing takes no time. */
static void bind_time(struct store_query *q, uint64_t ns)
{
	if (ns > 0)
		store_bind_size(q, ns);
	else
		store_bind_text(q, NULL);
}

static bool insert_sample(struct store *store,
			  const struct record_sample *sample, int64_t *id,
			  struct err *err)
{
	static const char insert[] =
		"INSERT INTO sample (uuid, cell, ops, round, position, "
		"status, reason, driver, device, mkfs_command, "
		"mount_command, mount_options, started_at, ended_at, "
		"prepare_ns, evict_ns, clean_ns, cpu_governor, power, "
		"temperature_mc, kernel_messages) VALUES (?, ?, ?, ?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct store_query q = store_keep(store, insert);

	store_bind_text(&q, sample->uuid);
	store_bind_int(&q, sample->cell);
	store_bind_text(&q, ops_of(sample));
	store_bind_known(&q, sample->round, sample->round > 0);
	store_bind_known(&q, sample->position, sample->position > 0);
	store_bind_text(&q, record_status_word(sample->status));
	store_bind_text(&q, sample->reason);
	store_bind_text(&q, sample->driver);
	store_bind_text(&q, sample->device);
	store_bind_text(&q, sample->mkfs_command);
	store_bind_text(&q, sample->mount_command);
	store_bind_text(&q, sample->mount_options);
	store_bind_text(&q, sample->started_at);
	store_bind_text(&q, sample->ended_at);
	bind_time(&q, sample->prepare_ns);
	bind_time(&q, sample->evict_ns);
	bind_time(&q, sample->clean_ns);
	bind_conditions(&q, &sample->conditions);
	store_bind_text(&q, sample->kernel_messages);
	if (!store_run(&q, "adding a sample", err))
		return false;
	*id = sqlite3_last_insert_rowid(store->db);
	return true;
}

static bool add_rows(struct store *store, const struct record_sample *sample,
		     struct err *err)
{
	int64_t id;
	bool twice;

	if (!is_twice(store, sample, &twice, err))
		return false;
	if (twice)
		return store_refuse(store, ERR_FAILED, err,
				    "adding a sample: it is there already");
	return insert_sample(store, sample, &id, err) &&
	       (!sample->has_write ||
		store_add_phase(store, id, 'W', &sample->write, err)) &&
	       (!sample->has_read ||
		store_add_phase(store, id, 'R', &sample->read, err)) &&
	       store_add_points(store, id, err);
}

bool store_add_sample(struct store *store, const struct record_sample *sample,
		      struct err *err)
{
	bool own = sqlite3_get_autocommit(store->db) != 0;
	const char *doing = "adding a sample";

	if (!store_exec(store, own ? "BEGIN IMMEDIATE" : "SAVEPOINT sample",
			doing, err))
		return false;
	if (add_rows(store, sample, err) &&
	    store_exec(store, own ? "COMMIT" : "RELEASE sample", doing, err)) {
		/* until the next one memory is the measurement's */
		if (own)
			(void)sqlite3_db_release_memory(store->db);
		return true;
	}
	if (own)
		store_rollback(store);
	else
		sqlite3_exec(store->db, "ROLLBACK TO sample; RELEASE sample",
			     NULL, NULL, NULL);
	return false;
}
