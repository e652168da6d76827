/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_list.h"

#include <math.h>

#include "schema/store_private.h"

static const char doing[] = "reading the runs";

#define LISTED                                                                 \
	"SELECT run.id, run.uuid, host.name, host.os, host.machine_id, "       \
	"run.source, run.matrix, " STORE_RUN_STATUS                            \
	", run.started_at, run.ended_at, "                                     \
	"round((julianday(run.ended_at) - julianday(run.started_at)) * "       \
	"86400, 3), run.holder, "                                              \
	"run.label, run.note, run.pinned, run.ignored, run.tagged_at, "        \
	"run.rounds FROM run JOIN host ON host.id = run.host "

static void read_listed(struct store_query *q, struct record_listed *run)
{
	run->id = store_next_int(q, 0);
	store_next_uuid(q, run->uuid);
	run->host = store_next_text(q);
	run->os = store_next_text(q);
	run->machine_id = store_next_text(q);
	run->source = store_next_text(q);
	run->matrix = store_next_text(q);
	run->status = store_next_text(q);
	run->started_at = store_next_text(q);
	run->ended_at = store_next_text(q);
	run->seconds = store_next_real(q);
	run->holder = store_next_text(q);
	run->tag.label = store_next_text(q);
	run->tag.note = store_next_text(q);
	run->tag.pinned = store_next_int(q, 0) != 0;
	run->tag.ignored = store_next_int(q, 0) != 0;
	run->tag.tagged_at = store_next_text(q);
	run->rounds = store_next_int(q, 0);
}

static bool count_results(struct store *store, struct record_listed *run,
			  struct err *err)
{
	static const char sql[] =
		"SELECT count(*), sum(ok > 0), sum(ok = 0 AND n > 0), "
		"sum(ok), sum(skipped), sum(n - ok - skipped), "
		"round(sum(days) * 86400, 3) FROM ("
		" SELECT count(sample.id) AS n,"
		"  count(CASE WHEN sample.status = 'ok' THEN 1 END) AS ok,"
		"  count(CASE WHEN sample.status = 'skipped' THEN 1 END)"
		"   AS skipped,"
		"  sum(julianday(sample.ended_at)"
		"   - julianday(sample.started_at)) AS days"
		" FROM cell LEFT JOIN sample ON sample.cell = cell.id"
		" WHERE cell.run = ? GROUP BY cell.id)";
	struct store_query q = store_keep(store, sql);
	double measured = NAN;

	store_bind_int(&q, run->id);
	if (store_step(&q) == SQLITE_ROW) {
		run->cells = store_next_int(&q, 0);
		run->cells_done = store_next_int(&q, 0);
		run->cells_failed = store_next_int(&q, 0);
		run->samples_ok = store_next_int(&q, 0);
		run->samples_skipped = store_next_int(&q, 0);
		run->samples_failed = store_next_int(&q, 0);
		measured = store_next_real(&q);
	}
	/* From start to end there may be a night before a resume. */
	if (!isnan(measured))
		run->seconds = measured;
	return store_finish(&q, doing, err);
}

/* False when `fn` wants no more; or, with *ok false, after an error. */
static bool give_listed(struct store_query *q, store_listed_fn *fn, void *ctx,
			bool *ok, struct err *err)
{
	struct record_listed run = { 0 };

	read_listed(q, &run);
	*ok = count_results(q->store, &run, err);
	return *ok && fn(ctx, &run);
}

bool store_list_runs(struct store *store, const char *since, int64_t limit,
		     store_listed_fn *fn, void *ctx, struct err *err)
{
	static const char sql[] =
		LISTED "WHERE run.started_at >= ? ORDER BY run.started_at "
		       "DESC, run.id DESC LIMIT ?";
	struct store_query q = store_query(store, sql);
	bool ok = true;

	store_bind_text(&q, since);
	store_bind_int(&q, limit > 0 ? limit : -1);
	while (store_step(&q) == SQLITE_ROW)
		if (!give_listed(&q, fn, ctx, &ok, err))
			break;
	return store_finish(&q, doing, err) && ok;
}

bool store_list_run(struct store *store, int64_t run, store_listed_fn *fn,
		    void *ctx, struct err *err)
{
	static const char sql[] = LISTED "WHERE run.id = ?";
	struct store_query q = store_query(store, sql);
	bool ok = true, found;

	store_bind_int(&q, run);
	found = store_step(&q) == SQLITE_ROW;
	if (found)
		give_listed(&q, fn, ctx, &ok, err);
	if (!store_finish(&q, doing, err) || !ok)
		return false;
	return found || store_refuse(store, ERR_INPUT, err, "no run %lld",
				     (long long)run);
}

bool store_count_runs(struct store *store, const char *since, int64_t *count,
		      struct err *err)
{
	struct store_query q = store_query(
		store, "SELECT count(*) FROM run WHERE started_at >= ?");
	bool found;

	store_bind_text(&q, since);
	return store_one(&q, count, &found, doing, err);
}

static bool give_setup(struct store_query *q, store_setup_fn *fn, void *ctx)
{
	struct record_setup setup = { 0 };

	setup.sample = store_next_int(q, 0);
	setup.cell = store_next_int(q, 0);
	setup.round = store_next_int(q, 0);
	setup.driver = store_next_text(q);
	setup.device = store_next_text(q);
	setup.mkfs_command = store_next_text(q);
	setup.mount_command = store_next_text(q);
	setup.mount_options = store_next_text(q);
	setup.prepare_ns = store_next_int(q, -1);
	setup.evict_ns = store_next_int(q, -1);
	setup.clean_ns = store_next_int(q, -1);
	setup.conditions = store_next_conditions(q);
	setup.kernel_messages = store_next_text(q);
	return fn(ctx, &setup);
}

bool store_each_setup(struct store *store, int64_t cell, store_setup_fn *fn,
		      void *ctx, struct err *err)
{
	static const char sql[] =
		"SELECT id, cell, round, driver, device, mkfs_command, "
		"mount_command, mount_options, prepare_ns, evict_ns, "
		"clean_ns, cpu_governor, power, temperature_mc, "
		"kernel_messages FROM sample WHERE cell = ? ORDER BY round, "
		"position, id";
	struct store_query q = store_keep(store, sql);

	store_bind_int(&q, cell);
	while (store_step(&q) == SQLITE_ROW)
		if (!give_setup(&q, fn, ctx))
			break;
	return store_finish(&q, "reading the samples of a cell", err);
}
