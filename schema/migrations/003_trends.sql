-- SPDX-License-Identifier: GPL-2.0-or-later
-- What people say of a run, and the figures of each cell over runs.

-- Of the machine alone: unlike host.uuid it outlives an upgrade of the OS.
ALTER TABLE host ADD COLUMN machine_id TEXT CHECK (length(machine_id) = 36);

-- pinned: a baseline for what comes after. ignored: kept, but left out.
ALTER TABLE run ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0
  CHECK (pinned = 0 OR pinned = 1);
ALTER TABLE run ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0
  CHECK (ignored = 0 OR ignored = 1);
ALTER TABLE run ADD COLUMN note TEXT;
ALTER TABLE run ADD COLUMN tagged_at TEXT -- when label, note or these changed
  CHECK (tagged_at GLOB '????-??-??T??:??:??*Z');

CREATE INDEX run_pinned ON run (started_at) WHERE pinned = 1;
CREATE INDEX run_ignored ON run (id) WHERE ignored = 1;

-- What stays the same from run to run: a cell on one machine. A machine is
-- its id, where that is not known its name, else its OS.
CREATE TABLE trend (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE, -- all the others, quoted
  machine TEXT NOT NULL,
  volume TEXT NOT NULL,
  volume_kind TEXT,
  filesystem TEXT,
  type TEXT,
  workload TEXT,
  block_bytes INTEGER,
  size_bytes INTEGER,
  duration_ns INTEGER,
  file_limit_bytes INTEGER,
  io TEXT,
  read TEXT,
  depth INTEGER,
  streams INTEGER
) STRICT;

ALTER TABLE cell ADD COLUMN trend INTEGER REFERENCES trend;

CREATE VIEW cell_trend AS
SELECT
  cell.id AS cell,
  quote(machine) || ',' || quote(cell.volume)
    || ',' || quote(cell.volume_kind) || ',' || quote(named)
    || ',' || quote(cell.type) || ',' || quote(cell.workload)
    || ',' || quote(cell.block_bytes) || ',' || quote(cell.size_bytes)
    || ',' || quote(cell.duration_ns) || ',' || quote(cell.file_limit_bytes)
    || ',' || quote(cell.io) || ',' || quote(cell.read)
    || ',' || quote(cell.depth) || ',' || quote(cell.streams)
    AS key,
  machine,
  cell.volume,
  cell.volume_kind,
  named AS filesystem,
  cell.type,
  cell.workload,
  cell.block_bytes,
  cell.size_bytes,
  cell.duration_ns,
  cell.file_limit_bytes,
  cell.io,
  cell.read,
  cell.depth,
  cell.streams
FROM (
  SELECT
    cell.*,
    coalesce(host.machine_id, host.name, host.os) AS machine,
    ifnull(cell.filesystem, cell.type) AS named
  FROM cell JOIN run ON run.id = cell.run JOIN host ON host.id = run.host
) AS cell;

-- One row per trend, op and run: what the samples that are ok add up to. It
-- is written with each sample, so that a history of years needs no look at
-- them. mean_ln and m2_ln are the mean of the logarithms of the rates and the
-- sum of their squared differences from it.
CREATE TABLE point (
  trend INTEGER NOT NULL REFERENCES trend,
  op TEXT NOT NULL CHECK (op = 'W' OR op = 'R'),
  started_at TEXT NOT NULL, -- the run's
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  cell INTEGER NOT NULL REFERENCES cell ON DELETE CASCADE,
  driver TEXT, -- the last one that served it
  n INTEGER NOT NULL CHECK (n > 0),
  mean_ln REAL NOT NULL,
  m2_ln REAL NOT NULL CHECK (m2_ln >= 0),
  min_kb_per_s REAL NOT NULL,
  max_kb_per_s REAL NOT NULL,
  cached INTEGER NOT NULL, -- how many of the n
  PRIMARY KEY (trend, op, started_at, run)
) STRICT, WITHOUT ROWID;

INSERT INTO trend (key, machine, volume, volume_kind, filesystem, type,
  workload, block_bytes, size_bytes, duration_ns, file_limit_bytes, io, read,
  depth, streams)
SELECT key, machine, volume, volume_kind, filesystem, type, workload,
  block_bytes, size_bytes, duration_ns, file_limit_bytes, io, read, depth,
  streams
FROM cell_trend WHERE true ON CONFLICT (key) DO NOTHING;

UPDATE cell SET trend = (SELECT trend.id FROM trend JOIN cell_trend USING (key)
  WHERE cell_trend.cell = cell.id);

INSERT INTO point (trend, op, started_at, run, cell, driver, n, mean_ln, m2_ln,
  min_kb_per_s, max_kb_per_s, cached)
SELECT trend, op, started_at, run, cell, driver, n, mean_ln,
  CASE WHEN low = high THEN 0.0 ELSE max(0.0, squares - n * mean_ln * mean_ln)
  END, low, high, cached
FROM (
  SELECT
    cell.trend AS trend,
    phase.op AS op,
    run.started_at AS started_at,
    run.id AS run,
    cell.id AS cell,
    max(sample.driver) AS driver,
    count(*) AS n,
    CASE WHEN min(phase.kb_per_s) = max(phase.kb_per_s)
      THEN ln(min(phase.kb_per_s)) ELSE avg(ln(phase.kb_per_s)) END AS mean_ln,
    sum(ln(phase.kb_per_s) * ln(phase.kb_per_s)) AS squares,
    min(phase.kb_per_s) AS low,
    max(phase.kb_per_s) AS high,
    sum(phase.cached) AS cached
  FROM run JOIN cell ON cell.run = run.id JOIN sample ON sample.cell = cell.id
  JOIN phase_rate AS phase ON phase.sample = sample.id
  WHERE sample.status = 'ok' AND phase.kb_per_s > 0
    AND cell.trend IS NOT NULL
  GROUP BY cell.id, phase.op
);

-- One row per run that counts, cell and op, beside the run before it.
CREATE VIEW history AS
SELECT
  run, label, matrix, host, os, volume, filesystem, type, driver, workload,
  op, started_at, n, kb_per_s, min_kb_per_s, max_kb_per_s, spread_pct, cached,
  previous_kb_per_s,
  100 * (kb_per_s / previous_kb_per_s - 1) AS change_pct,
  pinned, trend, cell
FROM (
  SELECT
    run.id AS run,
    run.label AS label,
    run.matrix AS matrix,
    host.name AS host,
    host.os AS os,
    trend.volume AS volume,
    trend.filesystem AS filesystem,
    trend.type AS type,
    point.driver AS driver,
    trend.workload AS workload,
    point.op AS op,
    point.started_at AS started_at,
    point.n AS n,
    CASE WHEN point.min_kb_per_s = point.max_kb_per_s
      THEN point.min_kb_per_s ELSE exp(point.mean_ln) END AS kb_per_s,
    point.min_kb_per_s AS min_kb_per_s,
    point.max_kb_per_s AS max_kb_per_s,
    CASE WHEN point.n > 1 THEN 100 * sqrt(point.m2_ln / (point.n - 1)) END
      AS spread_pct,
    point.cached AS cached,
    (SELECT CASE WHEN before.min_kb_per_s = before.max_kb_per_s
        THEN before.min_kb_per_s ELSE exp(before.mean_ln) END
      FROM point AS before
      WHERE before.trend = point.trend AND before.op = point.op
        AND (before.started_at, before.run) < (point.started_at, point.run)
        AND before.run NOT IN (SELECT id FROM run WHERE ignored = 1)
      ORDER BY before.started_at DESC, before.run DESC LIMIT 1)
      AS previous_kb_per_s,
    run.pinned AS pinned,
    point.trend AS trend,
    point.cell AS cell
  FROM trend
  JOIN point ON point.trend = trend.id
  JOIN run ON run.id = point.run
  JOIN host ON host.id = run.host
  WHERE run.ignored = 0
);
