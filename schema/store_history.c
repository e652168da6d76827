/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_history.h"

#include "schema/store_private.h"

static const char doing[] = "reading the history";

static bool give_trend(struct store_query *q, store_trend_fn *fn, void *ctx)
{
	struct record_trend trend = { 0 };
	struct workload settings;

	trend.id = store_next_int(q, 0);
	trend.host = store_next_text(q);
	trend.os = store_next_text(q);
	trend.machine = store_next_text(q);
	trend.volume = store_next_text(q);
	trend.volume_kind = store_next_text(q);
	trend.filesystem = store_next_text(q);
	trend.type = store_next_text(q);
	trend.workload = store_next_text(q);
	if (store_next_settings(q, &settings))
		trend.settings = &settings;
	return fn(ctx, &trend);
}

bool store_each_trend(struct store *store, store_trend_fn *fn, void *ctx,
		      struct err *err)
{
	/* The subquery takes the last entry of a part of point's key. */
	static const char sql[] =
		"SELECT trend.id, host.name, host.os, trend.machine, "
		"trend.volume, "
		"trend.volume_kind, trend.filesystem, trend.type, "
		"trend.workload, trend.block_bytes, trend.size_bytes, "
		"trend.duration_ns, trend.file_limit_bytes, trend.io, "
		"trend.read, trend.depth, trend.streams, trend.verify "
		"FROM trend JOIN run ON run.id = "
		"(SELECT point.run FROM point WHERE point.trend = trend.id "
		" ORDER BY point.op DESC, point.started_at DESC, "
		" point.run DESC LIMIT 1) "
		"JOIN host ON host.id = run.host "
		"ORDER BY host.name, trend.machine, trend.id";
	struct store_query q = store_query(store, sql);

	while (store_step(&q) == SQLITE_ROW)
		if (!give_trend(&q, fn, ctx))
			break;
	return store_finish(&q, doing, err);
}

static bool give_point(struct store_query *q, store_point_fn *fn, void *ctx)
{
	struct record_point point;

	point.run = store_next_int(q, 0);
	point.cell = store_next_int(q, 0);
	point.started_at = store_next_text(q);
	point.driver = store_next_text(q);
	point.n = store_next_int(q, 0);
	point.mean_ln = store_next_real(q);
	point.m2_ln = store_next_real(q);
	point.min_kb_per_s = store_next_real(q);
	point.max_kb_per_s = store_next_real(q);
	point.cached = store_next_int(q, 0);
	return fn(ctx, &point);
}

#define POINT                                                                  \
	"run, cell, point.started_at, driver, n, mean_ln, m2_ln, "             \
	"min_kb_per_s, max_kb_per_s, cached "
#define OF_TREND                                                               \
	"FROM point WHERE trend = ? AND op = ? AND started_at >= ? "           \
	"AND run NOT IN (SELECT id FROM run WHERE ignored = 1) "

static const char *op_word(char op)
{
	return op == 'W' ? "W" : "R";
}

bool store_each_point(struct store *store, const struct store_points *which,
		      store_point_fn *fn, void *ctx, struct err *err)
{
	static const char all[] =
		"SELECT " POINT OF_TREND "ORDER BY started_at, run";
	static const char last[] = "SELECT * FROM (SELECT " POINT OF_TREND
				   "ORDER BY started_at DESC, run DESC "
				   "LIMIT ?) ORDER BY started_at, run";
	struct store_query q = store_keep(store, which->last ? last : all);

	store_bind_int(&q, which->trend);
	store_bind_text(&q, op_word(which->op));
	store_bind_text(&q, which->since);
	if (which->last)
		store_bind_int(&q, which->last);
	while (store_step(&q) == SQLITE_ROW)
		if (!give_point(&q, fn, ctx))
			break;
	return store_finish(&q, doing, err);
}

bool store_pinned_point(struct store *store, int64_t trend, char op,
			store_point_fn *fn, void *ctx, struct err *err)
{
	static const char sql[] =
		"SELECT " POINT "FROM run INDEXED BY run_pinned "
		"CROSS JOIN point ON trend = ? AND op = ? "
		"AND point.started_at = run.started_at AND run = run.id "
		"WHERE run.pinned = 1 AND run.ignored = 0 "
		"ORDER BY run.started_at DESC, run.id DESC LIMIT 1";
	struct store_query q = store_keep(store, sql);

	store_bind_int(&q, trend);
	store_bind_text(&q, op_word(op));
	if (store_step(&q) == SQLITE_ROW)
		give_point(&q, fn, ctx);
	return store_finish(&q, doing, err);
}

bool store_cell_site(struct store *store, int64_t cell, store_site_fn *fn,
		     void *ctx, struct err *err)
{
	static const char sql[] =
		"SELECT volume_kind, volume_path, type, disk, disk_vendor, "
		"disk_model, disk_bytes, " STORE_CELL_MADE STORE_FROM_CELL_MADE
		"WHERE cell.id = ?";
	struct store_query q = store_keep(store, sql);
	struct record_site site;

	store_bind_int(&q, cell);
	if (store_step(&q) == SQLITE_ROW) {
		site.kind = store_next_text(&q);
		site.path = store_next_text(&q);
		site.type = store_next_text(&q);
		site.disk = store_next_text(&q);
		site.vendor = store_next_text(&q);
		site.model = store_next_text(&q);
		site.disk_bytes = store_next_int(&q, 0);
		store_next_made(&q, &site);
		fn(ctx, &site);
	}
	return store_finish(&q, doing, err);
}

static bool give_name(struct store_query *q, store_run_name_fn *fn, void *ctx)
{
	struct record_run_name name;

	name.id = store_next_int(q, 0);
	name.uuid = store_next_text(q);
	name.label = store_next_text(q);
	name.os = store_next_text(q);
	name.kernel = store_next_text(q);
	name.program = store_next_text(q);
	return fn(ctx, &name);
}

#define NAME                                                                   \
	"SELECT run.id, run.uuid, run.label, host.os, host.kernel, "           \
	"run.program FROM run JOIN host ON host.id = run.host "

bool store_each_run_name(struct store *store, store_run_name_fn *fn, void *ctx,
			 struct err *err)
{
	static const char sql[] = NAME "WHERE run.ignored = 0 ORDER BY run.id";
	struct store_query q = store_query(store, sql);

	while (store_step(&q) == SQLITE_ROW)
		if (!give_name(&q, fn, ctx))
			break;
	return store_finish(&q, doing, err);
}

bool store_run_name(struct store *store, int64_t run, store_run_name_fn *fn,
		    void *ctx, struct err *err)
{
	static const char sql[] = NAME "WHERE run.id = ?";
	struct store_query q = store_keep(store, sql);

	store_bind_int(&q, run);
	if (store_step(&q) == SQLITE_ROW)
		give_name(&q, fn, ctx);
	return store_finish(&q, doing, err);
}
