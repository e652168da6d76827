-- SPDX-License-Identifier: GPL-2.0-or-later
-- Who is at a run, which file an import came from, what lies below a volume,
-- and the runs as an interface.

-- The process that is at a run, as a program on the machine that has this file
-- knows it; NULL when nobody is. A merge does not take it over.
ALTER TABLE run ADD COLUMN holder TEXT;

-- Of what the file held that was imported.
ALTER TABLE run ADD COLUMN digest TEXT;
CREATE INDEX run_digest ON run (digest) WHERE digest IS NOT NULL;

CREATE INDEX run_holder ON run (id) WHERE holder IS NOT NULL;

-- Of the disk that has a cell's bytes in the end.
ALTER TABLE cell ADD COLUMN disk TEXT; -- the kernel's name for it
ALTER TABLE cell ADD COLUMN disk_vendor TEXT;
ALTER TABLE cell ADD COLUMN disk_model TEXT;
ALTER TABLE cell ADD COLUMN disk_firmware TEXT;
ALTER TABLE cell ADD COLUMN disk_bytes INTEGER CHECK (disk_bytes > 0);
ALTER TABLE cell ADD COLUMN disk_rotational INTEGER
  CHECK (disk_rotational = 0 OR disk_rotational = 1);
ALTER TABLE cell ADD COLUMN disk_scheduler TEXT;
ALTER TABLE cell ADD COLUMN disk_write_cache TEXT;

-- One row per run. A run that nobody is at, and that did not end, was broken
-- off.
CREATE VIEW runs AS
SELECT
  run.id AS run,
  run.uuid AS run_uuid,
  run.label AS label,
  run.matrix AS matrix,
  host.name AS host,
  host.os AS os,
  run.source AS source,
  CASE WHEN run.status = 'running' AND run.holder IS NULL THEN 'broken off'
    ELSE run.status END AS status,
  run.started_at AS started_at,
  run.ended_at AS ended_at,
  round((julianday(run.ended_at) - julianday(run.started_at)) * 86400, 3)
    AS seconds,
  run.rounds AS rounds,
  (SELECT count(*) FROM cell WHERE cell.run = run.id) AS cells,
  (SELECT count(*) FROM cell JOIN sample ON sample.cell = cell.id
    WHERE cell.run = run.id AND sample.status = 'ok') AS samples_ok,
  (SELECT count(*) FROM cell JOIN sample ON sample.cell = cell.id
    WHERE cell.run = run.id AND sample.status = 'skipped') AS samples_skipped,
  (SELECT count(*) FROM cell JOIN sample ON sample.cell = cell.id
    WHERE cell.run = run.id AND sample.status <> 'ok'
      AND sample.status <> 'skipped') AS samples_failed,
  run.note AS note,
  run.pinned AS pinned,
  run.ignored AS ignored,
  host.uuid AS host_uuid,
  host.machine_id AS machine_id,
  host.distribution AS distribution,
  host.kernel AS kernel,
  host.machine AS machine,
  host.cpu AS cpu,
  host.cpus AS cpus,
  host.memory_bytes AS memory_bytes,
  host.virtualization AS virtualization
FROM run JOIN host ON host.id = run.host;

-- One row per run and volume, with the disk below it.
CREATE VIEW volumes AS
SELECT
  cell.run AS run,
  cell.volume AS volume,
  cell.volume_kind AS volume_kind,
  cell.volume_path AS volume_path,
  count(*) AS cells,
  max(cell.disk) AS disk,
  max(cell.disk_vendor) AS vendor,
  max(cell.disk_model) AS model,
  max(cell.disk_firmware) AS firmware,
  max(cell.disk_bytes) AS bytes,
  max(cell.disk_rotational) AS rotational,
  max(cell.disk_scheduler) AS scheduler,
  max(cell.disk_write_cache) AS write_cache
FROM cell
GROUP BY cell.run, cell.volume;
