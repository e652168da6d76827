-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the machine was like when a run and when a sample began, and what the
-- kernel said about a sample's device meanwhile.

-- Of the CPUs; several with a comma between them.
ALTER TABLE run ADD COLUMN cpu_governor TEXT;
ALTER TABLE run ADD COLUMN power TEXT
  CHECK (power = 'mains' OR power = 'battery');
-- Of the hottest sensor of the CPU, in thousandths of a degree Celsius.
ALTER TABLE run ADD COLUMN temperature_mc INTEGER;

ALTER TABLE sample ADD COLUMN cpu_governor TEXT;
ALTER TABLE sample ADD COLUMN power TEXT
  CHECK (power = 'mains' OR power = 'battery');
ALTER TABLE sample ADD COLUMN temperature_mc INTEGER;
-- Warnings and worse, one a line.
ALTER TABLE sample ADD COLUMN kernel_messages TEXT;
