-- SPDX-License-Identifier: GPL-2.0-or-later
-- The views result, summary and comparison are an interface: a column may be
-- added at the end, none may change or go. KB is 1024 bytes.

-- One row per phase of each sample. W is durable: its seconds and rate are
-- with the flush. A measured sample always has both, without figures for a
-- phase that did not happen.
CREATE VIEW result AS
SELECT
  run.id AS run,
  run.uuid AS run_uuid,
  run.label AS label,
  run.matrix AS matrix,
  host.name AS host,
  host.os AS os,
  cell.volume AS volume,
  cell.volume_kind AS volume_kind,
  ifnull(cell.filesystem, cell.type) AS filesystem,
  cell.type AS type,
  sample.driver AS driver,
  cell.workload AS workload,
  sample.round AS round,
  sample.position AS position,
  operation.op AS op,
  sample.status AS status,
  sample.reason AS reason,
  phase.bytes AS bytes,
  phase.total_ns / 1e9 AS seconds,
  CASE operation.op WHEN 'W' THEN phase.flush_ns / 1e9 END AS flush_seconds,
  coalesce(phase.stated_kb_per_s, CASE WHEN phase.total_ns > 0
    THEN phase.bytes * 1e9 / 1024 / phase.total_ns END) AS kb_per_s,
  CASE WHEN phase.app_ns > 0
    THEN phase.bytes * 1e9 / 1024 / phase.app_ns END AS app_kb_per_s,
  phase.sustained_bytes_per_second / 1024.0 AS sustained_kb_per_s,
  phase.cached AS cached,
  phase.end_word = 'shortened' AS shortened,
  phase.end_word AS end_word,
  cell.io AS io,
  phase.io_effective AS io_effective,
  phase.alignment_bytes AS alignment_bytes,
  phase.files AS files,
  phase.errnum AS errnum,
  phase.resident_bytes AS resident_bytes,
  phase.device_bytes AS device_bytes,
  phase.process_bytes AS process_bytes,
  phase.latency_count AS calls,
  phase.latency_p50_ns / 1e6 AS p50_ms,
  phase.latency_p90_ns / 1e6 AS p90_ms,
  phase.latency_p99_ns / 1e6 AS p99_ms,
  phase.latency_p99_9_ns / 1e6 AS p99_9_ms,
  phase.latency_max_ns / 1e6 AS max_ms,
  phase.user_ns / 1e9 AS user_seconds,
  phase.system_ns / 1e9 AS system_seconds,
  phase.voluntary_switches AS voluntary_switches,
  phase.involuntary_switches AS involuntary_switches,
  sample.prepare_ns / 1e9 AS prepare_seconds,
  sample.evict_ns / 1e9 AS evict_seconds,
  sample.clean_ns / 1e9 AS clean_seconds,
  sample.started_at AS started_at,
  sample.ended_at AS ended_at,
  sample.uuid AS sample_uuid,
  host.uuid AS host_uuid,
  run.source AS source,
  run.batch AS batch,
  cell.id AS cell,
  cell.base_cell AS base_cell,
  sample.id AS sample
FROM run
JOIN host ON host.id = run.host
JOIN cell ON cell.run = run.id
JOIN sample ON sample.cell = cell.id
CROSS JOIN (SELECT 'W' AS op UNION ALL SELECT 'R') AS operation
LEFT JOIN phase ON phase.sample = sample.id AND phase.op = operation.op
WHERE instr(sample.ops, operation.op) > 0;

-- A phase's rate as it was given, or as its bytes and time make it. (Not a
-- column: SQLite takes tables with one over much more slowly.)
CREATE VIEW phase_rate AS
SELECT
  sample,
  op,
  cached,
  coalesce(stated_kb_per_s, CASE WHEN total_ns > 0
    THEN bytes * 1e9 / 1024 / total_ns END) AS kb_per_s
FROM phase;

-- The figures that count: of samples that are ok.
CREATE VIEW rate AS
SELECT
  sample.cell AS cell,
  sample.round AS round,
  phase.op AS op,
  phase.kb_per_s AS kb_per_s
FROM sample
JOIN phase_rate AS phase ON phase.sample = sample.id
WHERE sample.status = 'ok' AND phase.kb_per_s > 0;

-- One row per run, cell and op. kb_per_s is the geometric mean over the
-- samples that are ok; spread_pct their relative spread, which is the sample
-- standard deviation of the logarithms of the rates, in percent.
CREATE VIEW summary AS
SELECT
  run, run_uuid, label, matrix, host, os, volume, volume_kind, filesystem,
  type, driver, workload, op, n,
  -- Of equal values it is that value, without the error of exp(ln(x)).
  CASE WHEN low = high THEN low ELSE exp(mean_ln) END AS kb_per_s,
  low AS min_kb_per_s,
  high AS max_kb_per_s,
  CASE WHEN low = high AND n > 1 THEN 0.0 ELSE (
    SELECT 100 * sqrt(sum(pow(ln(rate.kb_per_s) - mean_ln, 2)) / (n - 1))
    FROM rate WHERE rate.cell = grouped.cell AND rate.op = grouped.op)
  END AS spread_pct,
  failed,
  cached,
  cell,
  base_cell
FROM (
  SELECT
    run, run_uuid, label, matrix, host, os, volume, volume_kind, filesystem,
    type, group_concat(DISTINCT driver) AS driver, workload, op, cell,
    base_cell,
    count(valid) AS n,
    avg(ln(valid)) AS mean_ln,
    min(valid) AS low,
    max(valid) AS high,
    sum(status <> 'ok') AS failed,
    count(CASE WHEN cached THEN valid END) AS cached
  FROM (SELECT *,
    CASE WHEN status = 'ok' AND kb_per_s > 0 THEN kb_per_s END AS valid
    FROM result)
  GROUP BY run, cell, op
) AS grouped;

-- summary beside the base of its cell. change_pct is over the rounds that
-- both have a figure for (each weighed against the base's of the same round);
-- where there are none, between the two means. It is NULL for the base.
CREATE VIEW comparison AS
SELECT
  run, run_uuid, label, matrix, host, os, volume, volume_kind, filesystem,
  type, driver, workload, op, n, kb_per_s, min_kb_per_s, max_kb_per_s,
  spread_pct, failed, cached,
  base_volume, base_filesystem, base_workload, is_base, base_n,
  CASE WHEN is_base THEN kb_per_s ELSE base_kb_per_s END AS base_kb_per_s,
  CASE WHEN is_base THEN NULL ELSE rounds_shared END AS rounds_shared,
  CASE
    WHEN is_base THEN NULL
    WHEN rounds_shared > 0 THEN 100 * (exp(mean_difference) - 1)
    ELSE 100 * (kb_per_s / base_kb_per_s - 1)
  END AS change_pct,
  cell,
  base_cell
FROM (
  SELECT
    summary.*,
    ifnull(summary.base_cell = summary.cell, 0) AS is_base,
    base.volume AS base_volume,
    ifnull(base.filesystem, base.type) AS base_filesystem,
    base.workload AS base_workload,
    (SELECT count(*) FROM rate
      WHERE rate.cell = base.id AND rate.op = summary.op) AS base_n,
    (SELECT exp(avg(ln(rate.kb_per_s))) FROM rate
      WHERE rate.cell = base.id AND rate.op = summary.op) AS base_kb_per_s,
    (SELECT count(*) FROM rate AS own JOIN rate AS its
        ON its.cell = base.id AND its.round = own.round AND its.op = own.op
      WHERE own.cell = summary.cell AND own.op = summary.op) AS rounds_shared,
    (SELECT avg(ln(own.kb_per_s / its.kb_per_s))
      FROM rate AS own JOIN rate AS its
        ON its.cell = base.id AND its.round = own.round AND its.op = own.op
      WHERE own.cell = summary.cell AND own.op = summary.op)
      AS mean_difference
  FROM summary
  LEFT JOIN cell AS base ON base.id = summary.base_cell
);
