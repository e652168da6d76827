/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_private.h"

bool store_add_trend(struct store *store, int64_t cell, struct err *err)
{
	static const char insert[] =
		"INSERT INTO trend (key, machine, volume, volume_kind, "
		"filesystem, type, workload, block_bytes, size_bytes, "
		"duration_ns, file_limit_bytes, io, read, depth, streams, "
		"verify) "
		"SELECT key, machine, volume, volume_kind, filesystem, type, "
		"workload, block_bytes, size_bytes, duration_ns, "
		"file_limit_bytes, io, read, depth, streams, verify "
		"FROM cell_trend WHERE cell = ? ON CONFLICT (key) DO NOTHING";
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
	static const char insert[] =
		STORE_ADD_POINTS "AND sample.id = ? " STORE_JOIN_POINTS;
	struct store_query q = store_keep(store, insert);

	store_bind_int(&q, sample);
	return store_run(&q, "adding a sample", err);
}
