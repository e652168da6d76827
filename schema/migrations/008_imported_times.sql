-- SPDX-License-Identifier: GPL-2.0-or-later
-- An import has the times its samples have: when it was imported is not when
-- it ended, and what is not known is NULL.

UPDATE run SET ended_at = NULL,
  started_at = ifnull(
    (SELECT min(sample.started_at) FROM cell JOIN sample ON sample.cell = cell.id
      WHERE cell.run = run.id),
    started_at)
WHERE source = 'import';

UPDATE point SET started_at = run.started_at
FROM run WHERE run.id = point.run AND run.started_at <> point.started_at;

UPDATE sample SET prepare_ns = nullif(prepare_ns, 0),
  evict_ns = nullif(evict_ns, 0), clean_ns = nullif(clean_ns, 0)
WHERE 0 IN (prepare_ns, evict_ns, clean_ns);
