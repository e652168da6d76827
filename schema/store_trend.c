/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_private.h"

bool store_add_trend(struct store *store, int64_t cell, struct err *err)
{
	static const char insert[] =
		"INSERT INTO trend (key, machine, volume, volume_kind, "
		"filesystem, type, workload, block_bytes, size_bytes, "
		"duration_ns, file_limit_bytes, io, read, depth, streams) "
		"SELECT key, machine, volume, volume_kind, filesystem, type, "
		"workload, block_bytes, size_bytes, duration_ns, "
		"file_limit_bytes, io, read, depth, streams FROM cell_trend "
		"WHERE cell = ? ON CONFLICT (key) DO NOTHING";
	static const char update[] =
		"UPDATE cell SET trend = (SELECT trend.id FROM trend JOIN "
		"cell_trend USING (key) WHERE cell_trend.cell = cell.id) "
		"WHERE id = ?";
	struct store_query q = store_keep(store, insert);

	store_bind_int(&q, cell);
	if (!store_run(&q, "adding a cell", err))
		return false;
	q = store_keep(store, update);
	store_bind_int(&q, cell);
	return store_run(&q, "adding a cell", err);
}

bool store_add_points(struct store *store, int64_t sample, struct err *err)
{
	/* Mean and squares by Welford's recurrence: exact for equal rates. */
	static const char insert[] =
		"INSERT INTO point AS old (trend, op, started_at, run, cell, "
		"driver, n, mean_ln, m2_ln, min_kb_per_s, max_kb_per_s, "
		"cached) "
		"SELECT cell.trend, phase.op, run.started_at, run.id, "
		"cell.id, sample.driver, 1, ln(phase.kb_per_s), 0.0, "
		"phase.kb_per_s, phase.kb_per_s, phase.cached "
		"FROM sample JOIN phase ON phase.sample = sample.id "
		"JOIN cell ON cell.id = sample.cell "
		"JOIN run ON run.id = cell.run "
		"WHERE sample.id = ? AND sample.status = 'ok' "
		"AND phase.kb_per_s > 0 AND cell.trend IS NOT NULL "
		"ON CONFLICT (trend, op, started_at, run) DO UPDATE SET "
		"n = n + 1, "
		"mean_ln = mean_ln + (excluded.mean_ln - mean_ln) / (n + 1), "
		"m2_ln = m2_ln + (excluded.mean_ln - mean_ln) * "
		"(excluded.mean_ln - mean_ln) * n / (n + 1), "
		"min_kb_per_s = min(min_kb_per_s, excluded.min_kb_per_s), "
		"max_kb_per_s = max(max_kb_per_s, excluded.max_kb_per_s), "
		"cached = cached + excluded.cached, "
		"driver = ifnull(excluded.driver, driver)";
	struct store_query q = store_keep(store, insert);

	store_bind_int(&q, sample);
	return store_run(&q, "adding a sample", err);
}
