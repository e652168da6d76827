-- SPDX-License-Identifier: GPL-2.0-or-later
-- What was measured. Bytes and nanoseconds; times of day are ISO-8601 UTC
-- text; absent is NULL. A uuid keys what may come from another machine. Words
-- are listed with OR: for IN, SQLite makes a table anew for each row it checks.

CREATE TABLE host (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  name TEXT,
  os TEXT NOT NULL,
  distribution TEXT,
  kernel TEXT,
  machine TEXT,
  cpu TEXT,
  cpus INTEGER CHECK (cpus > 0),
  memory_bytes INTEGER CHECK (memory_bytes > 0),
  virtualization TEXT
) STRICT;

CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  host INTEGER NOT NULL REFERENCES host,
  batch TEXT CHECK (length(batch) = 36), -- runs of one import share it
  source TEXT NOT NULL CHECK (source = 'run' OR source = 'import'),
  status TEXT NOT NULL DEFAULT 'running'
    CHECK (status = 'running' OR status = 'done' OR status = 'interrupted'
      OR status = 'stopped' OR status = 'failed'),
  matrix TEXT,      -- its name
  matrix_text TEXT, -- the document
  matrix_path TEXT, -- where it was read
  label TEXT,
  -- Unsigned, of 64 bits: more than an INTEGER holds.
  seed TEXT CHECK (seed <> '' AND seed NOT GLOB '*[^0-9]*'),
  rounds INTEGER CHECK (rounds > 0),
  baseline_dimension TEXT,
  baseline TEXT,
  program TEXT,
  started_at TEXT NOT NULL CHECK (started_at GLOB '????-??-??T??:??:??*Z'),
  ended_at TEXT CHECK (ended_at GLOB '????-??-??T??:??:??*Z'),
  CHECK ((baseline IS NULL) = (baseline_dimension IS NULL))
) STRICT;

CREATE INDEX run_host ON run (host);
CREATE INDEX run_batch ON run (batch) WHERE batch IS NOT NULL;
CREATE INDEX run_label ON run (label) WHERE label IS NOT NULL;
CREATE INDEX run_started_at ON run (started_at);

CREATE TABLE cell (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  volume TEXT NOT NULL,
  volume_kind TEXT
    CHECK (volume_kind = 'image' OR volume_kind = 'device'
      OR volume_kind = 'directory'),
  volume_path TEXT,
  filesystem TEXT, -- the matrix's name for it
  type TEXT,
  workload TEXT,
  block_bytes INTEGER CHECK (block_bytes > 0),
  size_bytes INTEGER CHECK (size_bytes > 0), -- NULL: until the volume is full
  duration_ns INTEGER CHECK (duration_ns > 0),
  file_limit_bytes INTEGER CHECK (file_limit_bytes > 0),
  io TEXT CHECK (io = 'buffered' OR io = 'direct' OR io = 'direct-strict'),
  read TEXT CHECK (read = 'cold' OR read = 'warm'),
  depth INTEGER CHECK (depth > 0),
  streams INTEGER CHECK (streams > 0),
  base_cell INTEGER, -- what its change is against; the base's is itself
  UNIQUE (run, id),
  FOREIGN KEY (run, base_cell) REFERENCES cell (run, id)
) STRICT;

CREATE UNIQUE INDEX cell_names ON cell
  (run, volume, ifnull(filesystem, ''), ifnull(workload, ''));
CREATE INDEX cell_base ON cell (run, base_cell) WHERE base_cell IS NOT NULL;
CREATE INDEX cell_volume_path ON cell (volume_path)
  WHERE volume_path IS NOT NULL;

CREATE TABLE sample (
  id INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
  cell INTEGER NOT NULL REFERENCES cell ON DELETE CASCADE,
  -- A measured sample is of both; an import may know its halves apart.
  ops TEXT NOT NULL CHECK (ops = 'WR' OR ops = 'W' OR ops = 'R'),
  round INTEGER CHECK (round > 0),       -- NULL: not known
  position INTEGER CHECK (position > 0), -- in the order measured
  status TEXT NOT NULL
    CHECK (status = 'ok' OR status = 'failed' OR status = 'timeout'
      OR status = 'corrupt' OR status = 'skipped' OR status = 'stuck'
      OR status = 'invalid'),
  reason TEXT,
  driver TEXT, -- as found after mounting
  device TEXT,
  mkfs_command TEXT,
  mount_command TEXT,
  mount_options TEXT,
  started_at TEXT CHECK (started_at GLOB '????-??-??T??:??:??*Z'),
  ended_at TEXT CHECK (ended_at GLOB '????-??-??T??:??:??*Z'),
  prepare_ns INTEGER CHECK (prepare_ns >= 0),
  evict_ns INTEGER CHECK (evict_ns >= 0),
  clean_ns INTEGER CHECK (clean_ns >= 0)
) STRICT;

-- A round holds each op of a cell once: what the program adds to this is that
-- no half stands beside a whole. It is also the order of samples.
CREATE UNIQUE INDEX sample_round ON sample (cell, round, ops = 'R');

CREATE TABLE phase (
  sample INTEGER NOT NULL REFERENCES sample ON DELETE CASCADE,
  op TEXT NOT NULL CHECK (op = 'W' OR op = 'R'),
  -- Why it ended; shortened: the user wanted to read.
  end_word TEXT
    CHECK (end_word = 'none' OR end_word = 'size' OR end_word = 'full'
      OR end_word = 'quota' OR end_word = 'limit' OR end_word = 'duration'
      OR end_word = 'shortened' OR end_word = 'stopped'
      OR end_word = 'timeout' OR end_word = 'error' OR end_word = 'corrupt'),
  cached INTEGER NOT NULL DEFAULT 0 CHECK (cached = 0 OR cached = 1),
  bytes INTEGER CHECK (bytes >= 0),
  app_ns INTEGER CHECK (app_ns >= 0),     -- until the last call returned
  flush_ns INTEGER CHECK (flush_ns >= 0), -- from then until on the device
  total_ns INTEGER CHECK (total_ns >= 0),
  -- Of an import: the rate as it was given, which may be all there is.
  stated_kb_per_s REAL CHECK (stated_kb_per_s >= 0 AND stated_kb_per_s < 1e300),
  user_ns INTEGER CHECK (user_ns >= 0),
  system_ns INTEGER CHECK (system_ns >= 0),
  voluntary_switches INTEGER CHECK (voluntary_switches >= 0),
  involuntary_switches INTEGER CHECK (involuntary_switches >= 0),
  files INTEGER CHECK (files >= 0),
  errnum INTEGER CHECK (errnum > 0),
  sustained_bytes_per_second INTEGER
    CHECK (sustained_bytes_per_second >= 0), -- NULL: not reached
  resident_bytes INTEGER CHECK (resident_bytes >= 0),
  device_bytes INTEGER CHECK (device_bytes >= 0),
  process_bytes INTEGER CHECK (process_bytes >= 0),
  io_effective TEXT
    CHECK (io_effective = 'buffered' OR io_effective = 'direct'
      OR io_effective = 'direct-refused' OR io_effective = 'direct-in-name'),
  alignment_bytes INTEGER CHECK (alignment_bytes > 0),
  latency_count INTEGER CHECK (latency_count >= 0),
  latency_p50_ns INTEGER CHECK (latency_p50_ns >= 0),
  latency_p90_ns INTEGER CHECK (latency_p90_ns >= 0),
  latency_p99_ns INTEGER CHECK (latency_p99_ns >= 0),
  latency_p99_9_ns INTEGER CHECK (latency_p99_9_ns >= 0),
  latency_max_ns INTEGER CHECK (latency_max_ns >= 0),
  PRIMARY KEY (sample, op),
  CHECK (app_ns IS NULL OR total_ns = app_ns + flush_ns)
) STRICT, WITHOUT ROWID;

-- Bytes per interval, as a JSON array of integers that add up to the phase's.
CREATE TABLE series (
  sample INTEGER NOT NULL,
  op TEXT NOT NULL,
  interval_ns INTEGER NOT NULL CHECK (interval_ns > 0),
  bytes TEXT NOT NULL CHECK (bytes GLOB '[[]*]'),
  PRIMARY KEY (sample, op),
  FOREIGN KEY (sample, op) REFERENCES phase (sample, op) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The histogram of calls, as a JSON array of [upper bound in ns, count].
CREATE TABLE latency (
  sample INTEGER NOT NULL,
  op TEXT NOT NULL,
  buckets TEXT NOT NULL CHECK (buckets GLOB '[[]*]'),
  PRIMARY KEY (sample, op),
  FOREIGN KEY (sample, op) REFERENCES phase (sample, op) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
