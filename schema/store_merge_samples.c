/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_merge_private.h"

enum { MANY = 8 }; /* times as many samples as here are worth stepping aside */

/*
 * Where there is nothing, ids stay what they are, and SQLite can take rows
 * and index entries over as they lie in the file, which is twice as fast. So
 * of a source that has many more samples than there are here these few step
 * aside meanwhile, and come back behind it: a run keeps its id, what it
 * consists of does not.
 */
static bool step_aside(struct store_merge *m)
{
	static const char *const statements[] = {
		"CREATE TEMP TABLE kept_sample AS SELECT * FROM main.sample",
		"CREATE TEMP TABLE kept_phase AS SELECT * FROM main.phase",
		"CREATE TEMP TABLE kept_series AS SELECT * FROM main.series",
		"CREATE TEMP TABLE kept_latency AS SELECT * FROM main.latency",
		"DELETE FROM main.latency",
		"DELETE FROM main.series",
		"DELETE FROM main.phase",
		"DELETE FROM main.sample",
		/* Above all ids of either, so that none is met on the way. */
		("UPDATE main.cell SET id = id + :cells, "
		 "base_cell = base_cell + :cells"),
		"UPDATE main.point SET cell = cell + :cells",
		NULL,
	};

	return store_merge_run_all(m, statements);
}

static bool come_back(struct store_merge *m)
{
	static const char *const statements[] = {
		"INSERT INTO main.sample (id, cell, {sample}) "
		"SELECT id + :samples, cell + :cells, {sample} "
		"FROM kept_sample",
		"INSERT INTO main.phase (sample, {phase}) "
		"SELECT sample + :samples, {phase} FROM kept_phase",
		"INSERT INTO main.series (sample, {series}) "
		"SELECT sample + :samples, {series} FROM kept_series",
		"INSERT INTO main.latency (sample, {latency}) "
		"SELECT sample + :samples, {latency} FROM kept_latency",
		"DROP TABLE kept_sample",
		"DROP TABLE kept_phase",
		"DROP TABLE kept_series",
		"DROP TABLE kept_latency",
		NULL,
	};

	return store_merge_run_all(m, statements);
}

/* What is above all ids of either side, so that none is met on the way. */
static bool find_raise(struct store_merge *m)
{
	return store_merge_number(
		       m,
		       "SELECT max(ifnull((SELECT max(id) FROM main.cell), 0), "
		       "ifnull((SELECT max(id) FROM @.cell), 0))",
		       &m->cells) &&
	       store_merge_number(
		       m,
		       "SELECT max(ifnull((SELECT max(id) FROM main.sample), "
		       "0), ifnull((SELECT max(id) FROM @.sample), 0))",
		       &m->samples);
}

bool store_merge_step_aside(struct store_merge *m)
{
	int64_t mine, theirs, odd;

	if (m->any_known)
		return true;
	if (!store_merge_number(m, "SELECT count(*) FROM main.sample", &mine) ||
	    !store_merge_number(m, "SELECT count(*) FROM @.sample", &theirs) ||
	    !store_merge_number(m,
				"SELECT EXISTS (SELECT 1 FROM @.cell WHERE "
				"id < 1) OR EXISTS (SELECT 1 FROM @.sample "
				"WHERE id < 1)",
				&odd))
		return false;
	if (odd || mine > theirs / MANY)
		return true;
	if (!find_raise(m) || !step_aside(m))
		return false;
	m->aside_cells = m->cells;
	m->aside_samples = m->samples;
	m->cells = m->samples = 0;
	m->aside = true;
	return true;
}

static bool merge_into_nothing(struct store_merge *m)
{
	static const char samples[] =
		"INSERT INTO main.sample SELECT * FROM @.sample";
	static const char *const children[] = {
		"INSERT INTO main.phase SELECT * FROM @.phase",
		"INSERT INTO main.series SELECT * FROM @.series",
		"INSERT INTO main.latency SELECT * FROM @.latency",
		NULL,
	};
	int64_t added;

	/* Rows that are taken over like this are not counted. */
	if (!store_merge_run(m, samples) ||
	    !store_merge_number(m, "SELECT count(*) FROM main.sample",
				&added) ||
	    !store_merge_run_all(m, children))
		return false;
	m->merged->samples += added;
	m->cells = m->aside_cells;
	m->samples = m->aside_samples;
	return come_back(m);
}

/* Of cells that are here already: which samples are not, and no quarrel. */
static bool map_known_samples(struct store_merge *m)
{
	static const char map[] =
		"INSERT INTO sample_map "
		"SELECT theirs.id, theirs.id + :samples FROM cell_map "
		"JOIN @.sample AS theirs ON theirs.cell = cell_map.src "
		"LEFT JOIN main.sample AS mine USING (uuid) "
		"WHERE NOT cell_map.fresh AND mine.id IS NULL";
	static const char twice[] =
		"SELECT run.uuid FROM sample_map "
		"JOIN @.sample AS theirs ON theirs.id = sample_map.src "
		"JOIN cell_map ON cell_map.src = theirs.cell "
		"JOIN main.sample AS mine ON mine.cell = cell_map.dst "
		"AND mine.round = theirs.round "
		"AND (mine.ops = theirs.ops OR mine.ops = 'WR' "
		"OR theirs.ops = 'WR') "
		"JOIN @.cell ON cell.id = theirs.cell "
		"JOIN @.run ON run.id = cell.run LIMIT 1";

	return store_merge_run(m, map) &&
	       store_merge_refuse(m, twice,
				  "gone on with in both databases, so that "
				  "rounds of it were measured twice, was run ");
}

#define COMMON_SAMPLES                                                         \
	"FROM cell_map JOIN @.sample AS theirs "                               \
	"ON theirs.cell = cell_map.src JOIN main.sample AS mine USING (uuid) "

static bool check_known_samples(struct store_merge *m)
{
	static const char samples[] =
		"SELECT theirs.uuid " COMMON_SAMPLES
		"WHERE NOT cell_map.fresh AND ({theirs.sample}, cell_map.dst) "
		"IS NOT ({mine.sample}, mine.cell) LIMIT 1";
	static const char phases[] =
		"SELECT uuid FROM (SELECT mine.uuid AS uuid, mine.id AS mine, "
		"theirs.id AS theirs " COMMON_SAMPLES
		"WHERE NOT cell_map.fresh) AS common "
		"JOIN @.phase AS theirs ON theirs.sample = common.theirs "
		"LEFT JOIN main.phase AS mine ON mine.sample = common.mine "
		"AND mine.op = theirs.op "
		"WHERE ({theirs.phase}) IS NOT ({mine.phase}) LIMIT 1";
	static const char complaint[] = "one of the two databases was altered: "
					"not the same in both is sample ";

	return store_merge_refuse(m, samples, complaint) &&
	       store_merge_refuse(m, phases, complaint);
}

static bool merge_by_row(struct store_merge *m)
{
	/* The scans go along the ids, which is how all of it lies in the
	 * file; one look at a map for each sample is what it takes. */
	static const char samples[] =
		"INSERT INTO main.sample (id, cell, {sample}) "
		"SELECT theirs.id + :samples, cell_map.dst, {theirs.sample} "
		"FROM @.sample AS theirs NOT INDEXED "
		"CROSS JOIN cell_map ON cell_map.src = theirs.cell "
		"WHERE cell_map.fresh";
	static const char *const all[] = {
		"INSERT INTO main.phase (sample, {phase}) "
		"SELECT sample + :samples, {phase} FROM @.phase",
		"INSERT INTO main.series (sample, {series}) "
		"SELECT sample + :samples, {series} FROM @.series",
		"INSERT INTO main.latency (sample, {latency}) "
		"SELECT sample + :samples, {latency} FROM @.latency",
		NULL,
	};
#define OF_FRESH                                                               \
	"FROM @.sample AS theirs NOT INDEXED "                                 \
	"CROSS JOIN cell_map ON cell_map.src = theirs.cell AND fresh "
	static const char *const some[] = {
		"INSERT INTO main.phase (sample, {phase}) "
		"SELECT theirs.id + :samples, {child.phase} " OF_FRESH
		"CROSS JOIN @.phase AS child ON child.sample = theirs.id",
		"INSERT INTO main.series (sample, {series}) "
		"SELECT theirs.id + :samples, {child.series} " OF_FRESH
		"CROSS JOIN @.series AS child ON child.sample = theirs.id",
		"INSERT INTO main.latency (sample, {latency}) "
		"SELECT theirs.id + :samples, {child.latency} " OF_FRESH
		"CROSS JOIN @.latency AS child ON child.sample = theirs.id",
		NULL,
	};

	if (!store_merge_run(m, samples))
		return false;
	m->merged->samples += sqlite3_changes64(m->store->db);
	return store_merge_run_all(m, m->any_known ? some : all);
}

static bool merge_into_known(struct store_merge *m)
{
	static const char samples[] =
		"INSERT INTO main.sample (id, cell, {sample}) "
		"SELECT sample_map.dst, cell_map.dst, {theirs.sample} "
		"FROM sample_map JOIN @.sample AS theirs "
		"ON theirs.id = sample_map.src "
		"JOIN cell_map ON cell_map.src = theirs.cell";
	static const char *const children[] = {
		"INSERT INTO main.phase (sample, {phase}) "
		"SELECT sample_map.dst, {child.phase} FROM sample_map "
		"JOIN @.phase AS child ON child.sample = sample_map.src",
		"INSERT INTO main.series (sample, {series}) "
		"SELECT sample_map.dst, {child.series} FROM sample_map "
		"JOIN @.series AS child ON child.sample = sample_map.src",
		"INSERT INTO main.latency (sample, {latency}) "
		"SELECT sample_map.dst, {child.latency} FROM sample_map "
		"JOIN @.latency AS child ON child.sample = sample_map.src",
		/* What was removed for its age on one side comes back. */
		"INSERT INTO main.series (sample, {series}) "
		"SELECT mine.id, {child.series} " COMMON_SAMPLES
		"JOIN @.series AS child ON child.sample = theirs.id "
		"WHERE NOT cell_map.fresh ON CONFLICT DO NOTHING",
		"INSERT INTO main.latency (sample, {latency}) "
		"SELECT mine.id, {child.latency} " COMMON_SAMPLES
		"JOIN @.latency AS child ON child.sample = theirs.id "
		"WHERE NOT cell_map.fresh ON CONFLICT DO NOTHING",
		NULL,
	};

	if (!map_known_samples(m) || !check_known_samples(m) ||
	    !store_merge_run(m, samples))
		return false;
	m->merged->samples += sqlite3_changes64(m->store->db);
	return store_merge_run_all(m, children);
}

bool store_merge_samples(struct store_merge *m)
{
	if (m->aside)
		return merge_into_nothing(m);
	return merge_by_row(m) && (!m->any_known || merge_into_known(m));
}
