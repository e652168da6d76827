-- SPDX-License-Identifier: GPL-2.0-or-later
-- How long a run took is the time of its samples: from its start to its end
-- there may be a night between an interruption and its resume.

DROP VIEW runs;
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
  round(86400 * ifnull(
    (SELECT sum(julianday(sample.ended_at) - julianday(sample.started_at))
      FROM cell JOIN sample ON sample.cell = cell.id
      WHERE cell.run = run.id),
    julianday(run.ended_at) - julianday(run.started_at)), 3) AS seconds,
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
