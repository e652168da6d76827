-- SPDX-License-Identifier: GPL-2.0-or-later
-- @RUNS@ runs of a nightly matrix of 20 cells x 5 rounds on one machine, as
-- the program would have stored them, into an empty database of schema 2. For
-- the sqlite3 shell (generate_series).

PRAGMA cache_size = -262144;
PRAGMA synchronous = OFF;
BEGIN;

INSERT INTO host (id, uuid, name, os, distribution, kernel, machine, cpu, cpus,
  memory_bytes, virtualization) VALUES (1,
  printf('%s-0000-5000-8000-000000000001', lower(hex(randomblob(4)))),
  'bench', 'Linux 6.1.0', 'Debian GNU/Linux 12 (bookworm)', '6.1.0-28-amd64',
  'x86_64', 'Intel(R) Xeon(R)', 8, 16777216000, 'kvm');

-- Four runs a day. A uuid begins with the time, as those of the program do.
CREATE TEMP TABLE night AS
SELECT value AS run, 1262304000000 + value * 21600000 AS ms
FROM generate_series(1, @RUNS@);

INSERT INTO run (id, uuid, host, source, status, matrix, matrix_text,
  matrix_path, seed, rounds, baseline_dimension, baseline, program, started_at,
  ended_at)
SELECT run,
  printf('%08x-%04x-7%s-8%s-%s', ms >> 16, ms & 65535,
    substr(lower(hex(randomblob(2))), 2), substr(lower(hex(randomblob(2))), 2),
    lower(hex(randomblob(6)))),
  1, 'run', 'done', 'nightly',
  '{ "name": "nightly", "volumes": [' || printf('%.*c', 1500, ' ') || '] }',
  '/home/bench/nightly.json', run * 7919, 5, 'filesystem', 'fs0',
  'fsmatrix 0.1.0',
  strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') || 'Z',
  strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0 + 1500, 'unixepoch') || 'Z'
FROM night;

INSERT INTO cell (id, run, volume, volume_kind, volume_path, filesystem, type,
  workload, block_bytes, size_bytes, file_limit_bytes, io, read, depth,
  streams, base_cell)
SELECT (run - 1) * 20 + value + 1, run, 'disk' || (value / 10), 'image',
  '/home/bench/disk' || (value / 10) || '.img', 'fs' || (value % 10), 'ext4',
  'seq', 524288, 503316480, 4293918720, 'buffered', 'cold', 1, 1,
  (run - 1) * 20 + value / 10 * 10 + 1
FROM night, generate_series(0, 19);

-- In the order measured: rounds of all cells, each in an order of its own.
CREATE TEMP VIEW place AS
SELECT
  run,
  r.value AS round,
  p.value AS place,
  ms + (r.value * 20 + p.value) * 15000 AS at
FROM night, generate_series(0, 4) AS r, generate_series(0, 19) AS p;

INSERT INTO sample (id, uuid, cell, ops, round, position, status, driver,
  device, mkfs_command, mount_command, mount_options, started_at, ended_at,
  prepare_ns, evict_ns, clean_ns)
SELECT (run - 1) * 100 + round * 20 + place + 1,
  printf('%08x-%04x-7%s-8%s-%s', at >> 16, at & 65535,
    substr(lower(hex(randomblob(2))), 2), substr(lower(hex(randomblob(2))), 2),
    lower(hex(randomblob(6)))),
  (run - 1) * 20 + (place * 7 + round * 3 + run) % 20 + 1, 'WR',
  round + 1, round * 20 + place + 1, 'ok', 'ext4', '/dev/loop0',
  'mkfs.ext4 -q -F -E lazy_itable_init=0 /dev/loop0',
  'mount -t ext4 -o noatime /dev/loop0 /run/fsmatrix/1/mount',
  'rw,noatime',
  strftime('%Y-%m-%dT%H:%M:%f', at / 1000.0, 'unixepoch') || 'Z',
  strftime('%Y-%m-%dT%H:%M:%f', at / 1000.0 + 14, 'unixepoch') || 'Z',
  412345678, 95123456, 120345678
FROM place;

-- Noise is a hash, within 1 % for the run and 1 % for the sample. Of a disk each
-- fs4, fs1 and fs8 write 15 % faster after three fifths of the runs.
CREATE TEMP VIEW rates AS
SELECT
  sample.id AS sample,
  op,
  503316480 * 1e9 / 1024 / (
    CASE op WHEN 'W' THEN 100000 ELSE 140000 END
      * (1 + (cell.id - 1) % 20 / 40.0)
      * (1 + (cell.id * 2654435761 % 1000003 / 1000003.0 - 0.5) / 50)
      * (1 + ((sample.id * 2 + (op = 'W')) * 2654435761 % 1000003 / 1000003.0
        - 0.5) / 50)
      * CASE WHEN op = 'W' AND (cell.id - 1) % 20 % 7 = 4 AND cell.run * 5 > @RUNS@ * 3
        THEN 1.15 ELSE 1 END) AS ns
FROM sample JOIN cell ON cell.id = sample.cell,
  (SELECT 'R' AS op UNION ALL SELECT 'W');

INSERT INTO phase (sample, op, end_word, cached, bytes, app_ns, flush_ns,
  total_ns, user_ns, system_ns, voluntary_switches, involuntary_switches,
  files, sustained_bytes_per_second, resident_bytes, device_bytes,
  process_bytes, io_effective, latency_count, latency_p50_ns, latency_p90_ns,
  latency_p99_ns, latency_p99_9_ns, latency_max_ns)
SELECT sample, op, 'size', 0, 503316480, total - flush, flush, total,
  total / 400, total / 9, 960 + sample % 7, 3 + sample % 2, 1,
  CASE WHEN sample % 3 > 0 THEN 503316480000000000 / total END,
  0, 503316480 + 4096 * (sample % 9), 503316480, 'buffered', 960,
  total / 1100, total / 700, total / 350, total / 120, total / 60
FROM (SELECT sample, op, CAST(ns AS INTEGER) AS total,
    CASE op WHEN 'W' THEN CAST(ns / 8 AS INTEGER) ELSE 0 END AS flush
  FROM rates);

-- Series and histograms of the last 20 runs; older ones were pruned.
INSERT INTO series (sample, op, interval_ns, bytes)
SELECT sample, op, 16000000,
  '[' || (SELECT group_concat(1677721 + value) FROM generate_series(1, 300))
  || ']'
FROM phase WHERE sample > (@RUNS@ - 20) * 100;
INSERT INTO latency (sample, op, buckets)
SELECT sample, op,
  '[' || (SELECT group_concat('[' || value * 65536 || ',' || value % 17 || ']')
    FROM generate_series(1, 100)) || ']'
FROM phase WHERE sample > (@RUNS@ - 20) * 100;

PRAGMA application_id = 1179864408;
PRAGMA user_version = 2;
COMMIT;
