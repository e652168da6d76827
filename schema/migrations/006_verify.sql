-- SPDX-License-Identifier: GPL-2.0-or-later
-- What reads compare. Until now that was every byte; the keys of trends that
-- compare every byte stay as they are.

ALTER TABLE cell ADD COLUMN verify TEXT
  CHECK (verify = 'bytes' OR verify = 'stamps');
UPDATE cell SET verify = 'bytes' WHERE read IS NOT NULL;

ALTER TABLE trend ADD COLUMN verify TEXT;
UPDATE trend SET verify = 'bytes' WHERE read IS NOT NULL;

DROP VIEW cell_trend;
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
    || CASE cell.verify WHEN 'stamps' THEN ',' || quote(cell.verify) ELSE ''
      END
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
  cell.streams,
  cell.verify
FROM (
  SELECT
    cell.*,
    coalesce(host.machine_id, host.name, host.os) AS machine,
    ifnull(cell.filesystem, cell.type) AS named
  FROM cell JOIN run ON run.id = cell.run JOIN host ON host.id = run.host
) AS cell;
