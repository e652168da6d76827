/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_merge_private.h"

/*
 * Which row here a row of the source is. A run that is not here yet is new
 * with all that belongs to it; its cells and samples keep their ids but for
 * an offset, so that it takes no map of a million samples.
 */
bool store_merge_begin(struct store *store, struct err *err)
{
	static const char sql[] =
		"CREATE TEMP TABLE IF NOT EXISTS host_map"
		" (src INTEGER PRIMARY KEY, dst INTEGER NOT NULL);"
		"CREATE TEMP TABLE IF NOT EXISTS trend_map"
		" (src INTEGER PRIMARY KEY, dst INTEGER NOT NULL);"
		"CREATE TEMP TABLE IF NOT EXISTS run_map"
		" (src INTEGER PRIMARY KEY, dst INTEGER, fresh INTEGER);"
		"CREATE TEMP TABLE IF NOT EXISTS cell_map"
		" (src INTEGER PRIMARY KEY, dst INTEGER NOT NULL,"
		" fresh INTEGER NOT NULL);"
		/* Of cells that are here: the samples that are not. */
		"CREATE TEMP TABLE IF NOT EXISTS sample_map"
		" (src INTEGER PRIMARY KEY, dst INTEGER NOT NULL);";

	return store_exec(store, sql, "merging", err);
}

static bool forget(struct store_merge *m)
{
	static const char sql[] = "DELETE FROM host_map; DELETE FROM trend_map;"
				  "DELETE FROM run_map; DELETE FROM cell_map;"
				  "DELETE FROM sample_map";

	return store_exec(m->store, sql, "merging", m->err);
}

static bool merge_hosts(struct store_merge *m)
{
	static const char *const statements[] = {
		"INSERT INTO main.host (uuid, {host}) SELECT uuid, {host} "
		"FROM @.host WHERE true "
		"ON CONFLICT (uuid) DO UPDATE SET {host=}",
		"INSERT INTO host_map SELECT theirs.id, mine.id FROM @.host "
		"AS theirs JOIN main.host AS mine USING (uuid)",
		"INSERT INTO main.trend ({trend}) SELECT {trend} FROM @.trend "
		"WHERE true ORDER BY id ON CONFLICT (key) DO NOTHING",
		"INSERT INTO trend_map SELECT theirs.id, mine.id FROM @.trend "
		"AS theirs JOIN main.trend AS mine USING (key)",
		NULL,
	};

	return store_merge_run_all(m, statements);
}

/* Of a run, what can only be one way. */
static bool check_known_runs(struct store_merge *m)
{
	return store_merge_refuse(
		m,
		"SELECT theirs.uuid FROM run_map "
		"JOIN @.run AS theirs ON theirs.id = run_map.src "
		"JOIN main.run AS mine ON mine.id = run_map.dst "
		"LEFT JOIN host_map ON host_map.src = theirs.host "
		"WHERE NOT run_map.fresh AND ({theirs.run}, host_map.dst) "
		"IS NOT ({mine.run}, mine.host) LIMIT 1",
		"one of the two databases was altered: not the same in both "
		"is run ");
}

#define RANK(run)                                                              \
	"CASE " run ".status WHEN 'done' THEN 4 WHEN 'failed' THEN 3 "         \
	"WHEN 'stopped' THEN 2 WHEN 'interrupted' THEN 1 ELSE 0 END, "         \
	"ifnull(" run ".ended_at, '')"
#define SAID(run)                                                              \
	"ifnull(" run ".tagged_at, ''), ifnull(" run ".label, ''), "           \
	"ifnull(" run ".note, ''), " run ".pinned, " run ".ignored"

/*
 * What was exported and imported again is the same run, and less of it: here
 * it gives way to the run as it was measured.
 */
static bool give_way(struct store_merge *m)
{
#define LESS                                                                   \
	"(SELECT mine.id FROM main.run AS mine JOIN @.run AS theirs "          \
	"USING (uuid) WHERE mine.source = 'import' AND theirs.source = 'run')"
#define LESS_SAMPLES                                                           \
	"(SELECT sample.id FROM main.sample JOIN main.cell "                   \
	"ON cell.id = sample.cell WHERE cell.run IN " LESS ")"
	static const char *const statements[] = {
		"DELETE FROM main.point WHERE run IN " LESS,
		"DELETE FROM main.latency WHERE sample IN " LESS_SAMPLES,
		"DELETE FROM main.series WHERE sample IN " LESS_SAMPLES,
		"DELETE FROM main.phase WHERE sample IN " LESS_SAMPLES,
		"DELETE FROM main.sample WHERE id IN " LESS_SAMPLES,
		"DELETE FROM main.cell WHERE run IN " LESS,
		"DELETE FROM main.run WHERE id IN " LESS,
		NULL,
	};
	int64_t any;

	if (!store_merge_number(m, "SELECT count(*) FROM " LESS, &any))
		return false;
	return any == 0 || store_merge_run_all(m, statements);
}

static bool merge_runs(struct store_merge *m)
{
	/* Of what was imported from an export that which is here stays. */
	static const char *const fresh[] = {
		"INSERT INTO run_map SELECT theirs.id, mine.id, "
		"mine.id IS NULL FROM @.run AS theirs "
		"LEFT JOIN main.run AS mine USING (uuid) "
		"WHERE mine.id IS NULL OR theirs.source = 'run' "
		"OR (mine.source = 'import' AND mine.batch IS theirs.batch)",
		"INSERT INTO main.run (host, status, ended_at, label, note, "
		"pinned, ignored, tagged_at, {run}) "
		"SELECT host_map.dst, status, ended_at, label, note, pinned, "
		"ignored, tagged_at, {run} FROM @.run AS theirs "
		"JOIN run_map ON run_map.src = theirs.id "
		"JOIN host_map ON host_map.src = theirs.host "
		"WHERE fresh ORDER BY started_at, uuid",
		"UPDATE run_map SET dst = (SELECT mine.id FROM main.run AS "
		"mine JOIN @.run AS theirs USING (uuid) "
		"WHERE theirs.id = run_map.src) WHERE fresh",
		NULL,
	};
	static const char *const known[] = {
		"UPDATE main.run AS mine SET status = theirs.status, "
		"ended_at = theirs.ended_at "
		"FROM run_map JOIN @.run AS theirs ON theirs.id = run_map.src "
		"WHERE NOT fresh AND mine.id = run_map.dst "
		"AND (" RANK("theirs") ") > (" RANK("mine") ")",
		"UPDATE main.run AS mine SET label = theirs.label, "
		"note = theirs.note, pinned = theirs.pinned, "
		"ignored = theirs.ignored, tagged_at = theirs.tagged_at "
		"FROM run_map JOIN @.run AS theirs ON theirs.id = run_map.src "
		"WHERE NOT fresh AND mine.id = run_map.dst "
		"AND (" SAID("theirs") ") > (" SAID("mine") ")",
		NULL,
	};
	int64_t fresh_runs = 0, known_runs = 0;

	if (!give_way(m) || !store_merge_run_all(m, fresh) ||
	    !store_merge_number(m, "SELECT sum(fresh) FROM run_map",
				&fresh_runs) ||
	    !store_merge_number(m,
				"SELECT count(*) - (SELECT count(*) FROM "
				"run_map WHERE fresh) FROM @.run",
				&known_runs))
		return false;
	m->merged->runs += fresh_runs;
	m->merged->known_runs += known_runs;
	m->any_known = known_runs > 0;
	return !m->any_known ||
	       (check_known_runs(m) && store_merge_run_all(m, known));
}

static bool check_known_cells(struct store_merge *m)
{
	return store_merge_refuse(
		m,
		"SELECT run.uuid FROM cell_map "
		"JOIN @.cell AS theirs ON theirs.id = cell_map.src "
		"JOIN main.cell AS mine ON mine.id = cell_map.dst "
		"JOIN @.run ON run.id = theirs.run "
		"WHERE NOT cell_map.fresh AND ({theirs.cell}) "
		"IS NOT ({mine.cell}) LIMIT 1",
		"one of the two databases was altered: not the same in both "
		"are the cells of run ");
}

static bool merge_cells(struct store_merge *m)
{
	static const char *const map[] = {
		"INSERT INTO cell_map SELECT cell.id, cell.id + :cells, 1 "
		"FROM run_map JOIN @.cell ON cell.run = run_map.src "
		"WHERE fresh ORDER BY cell.id",
		"INSERT INTO cell_map "
		"SELECT theirs.id, ifnull(mine.id, theirs.id + :cells), "
		"mine.id IS NULL FROM run_map "
		"JOIN @.cell AS theirs ON theirs.run = run_map.src "
		"LEFT JOIN main.cell AS mine ON mine.run = run_map.dst "
		"AND mine.volume = theirs.volume "
		"AND ifnull(mine.filesystem, '') = "
		"ifnull(theirs.filesystem, '') "
		"AND ifnull(mine.workload, '') = ifnull(theirs.workload, '') "
		"WHERE NOT run_map.fresh",
		NULL,
	};
	static const char *const rows[] = {
		"INSERT INTO main.cell (id, run, base_cell, trend, {cell}) "
		"SELECT cell_map.dst, run_map.dst, base_map.dst, "
		"trend_map.dst, {theirs.cell} FROM cell_map "
		"JOIN @.cell AS theirs ON theirs.id = cell_map.src "
		"JOIN run_map ON run_map.src = theirs.run "
		"LEFT JOIN cell_map AS base_map "
		"ON base_map.src = theirs.base_cell "
		"LEFT JOIN trend_map ON trend_map.src = theirs.trend "
		"WHERE cell_map.fresh ORDER BY cell_map.src",
		/* A run that was begun may have got its bases since. */
		"UPDATE main.cell AS mine SET base_cell = base_map.dst "
		"FROM cell_map JOIN @.cell AS theirs "
		"ON theirs.id = cell_map.src "
		"JOIN cell_map AS base_map "
		"ON base_map.src = theirs.base_cell "
		"WHERE NOT cell_map.fresh AND mine.id = cell_map.dst "
		"AND mine.base_cell IS NULL",
		NULL,
	};

	return store_merge_run_all(m, map) &&
	       (!m->any_known || check_known_cells(m)) &&
	       store_merge_run_all(m, rows);
}

/*
 * Those that refer to what is not there were not taken. Of runs that are known
 * only the points of new cells are.
 */
static bool check_points(struct store_merge *m, int64_t taken)
{
	static const char some[] =
		"SELECT count(*) FROM @.point AS theirs "
		"WHERE EXISTS (SELECT 1 FROM cell_map "
		"WHERE src = theirs.cell AND fresh) "
		"OR NOT EXISTS (SELECT 1 FROM @.cell WHERE id = theirs.cell)";
	int64_t count;

	if (!store_merge_number(
		    m, m->any_known ? some : "SELECT count(*) FROM @.point",
		    &count))
		return false;
	if (count == taken)
		return true;
	err_set(m->err, ERR_INPUT,
		"the database is damaged: a row of point refers to what is "
		"not there");
	err_at(m->err, m->path, 0, 0);
	return false;
}

/* The points of cells that got samples are made anew, in order of rounds. */
static bool merge_points(struct store_merge *m)
{
	static const char fresh[] =
		"INSERT INTO main.point (trend, run, cell, {point}) "
		"SELECT trend_map.dst, run_map.dst, cell_map.dst, "
		"{theirs.point} FROM @.point AS theirs "
		"CROSS JOIN cell_map ON cell_map.src = theirs.cell "
		"CROSS JOIN run_map ON run_map.src = theirs.run "
		"CROSS JOIN trend_map ON trend_map.src = theirs.trend "
		"WHERE cell_map.fresh";
#define GROWN                                                                  \
	"(SELECT DISTINCT sample.cell FROM sample_map "                        \
	"JOIN main.sample ON sample.id = sample_map.dst)"
	static const char drop[] =
		"DELETE FROM main.point WHERE (trend, op, started_at, run) IN "
		"(SELECT cell.trend, op.name, run.started_at, run.id "
		"FROM main.cell JOIN main.run ON run.id = cell.run, "
		"(SELECT 'W' AS name UNION ALL SELECT 'R') AS op "
		"WHERE cell.id IN " GROWN ")";
	static const char again[] = STORE_ADD_POINTS
		"AND cell.id IN " GROWN " ORDER BY sample.cell, sample.round, "
		"sample.uuid " STORE_JOIN_POINTS;

	if (!store_merge_run(m, fresh) ||
	    !check_points(m, sqlite3_changes64(m->store->db)))
		return false;
	return !m->any_known ||
	       (store_merge_run(m, drop) && store_merge_run(m, again));
}

/* Above every id here, so that no raised id of the source is one of ours. */
static bool find_offsets(struct store_merge *m)
{
	return store_merge_number(m,
				  "SELECT ifnull((SELECT max(id) FROM "
				  "main.cell), 0) - min(0, ifnull((SELECT "
				  "min(id) - 1 FROM @.cell), 0))",
				  &m->cells) &&
	       store_merge_number(m,
				  "SELECT ifnull((SELECT max(id) FROM "
				  "main.sample), 0) - min(0, ifnull((SELECT "
				  "min(id) - 1 FROM @.sample), 0))",
				  &m->samples);
}

bool store_merge_rows(struct store_merge *m)
{
	return forget(m) && find_offsets(m) && merge_hosts(m) &&
	       merge_runs(m) && store_merge_step_aside(m) && merge_cells(m) &&
	       store_merge_samples(m) && merge_points(m);
}
