/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/evidence.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STAT_SECTOR_BYTES = 512 }; /* whatever the disk's own is */

static bool goes_through_cache(enum evidence_io io)
{
	return io != EVIDENCE_IO_UNKNOWN && io != EVIDENCE_IO_DIRECT;
}

bool evidence_is_cached(const struct evidence *evidence, uint64_t bytes)
{
	const int64_t tenth = (int64_t)(bytes / 10);

	if (bytes == 0)
		return false;
	if (goes_through_cache(evidence->io) &&
	    evidence->resident_bytes >= (int64_t)bytes - tenth)
		return true;
	if (evidence->device_bytes != EVIDENCE_UNKNOWN)
		return evidence->device_bytes < (int64_t)bytes - tenth;
	if (evidence->resident_bytes != EVIDENCE_UNKNOWN)
		return evidence->resident_bytes > tenth;
	return false;
}

bool evidence_is_in_name(const struct evidence_probe *probe, uint64_t bytes)
{
	const int64_t most = (int64_t)(bytes - bytes / 10);

	/* EVIDENCE_UNKNOWN is less than any of these */
	if (probe->grown_bytes > (int64_t)(bytes / 2))
		return true;
	if (!probe->accepts_misaligned)
		return false;
	return probe->moves_nothing || probe->dirtied_bytes > most;
}

static void count_device(const char *path, int64_t *bytes_read,
			 int64_t *bytes_written)
{
	uint64_t sectors_read, sectors_written;
	FILE *file = path[0] ? fopen(path, "re") : NULL;

	if (!file)
		return;
	/* reads, merged, sectors, ms; writes, merged, sectors, ms */
	if (fscanf(file, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64,
		   &sectors_read, &sectors_written) == 2) {
		*bytes_read = (int64_t)(sectors_read * STAT_SECTOR_BYTES);
		*bytes_written = (int64_t)(sectors_written * STAT_SECTOR_BYTES);
	}
	(void)fclose(file);
}

/* A line's number, if it begins with `name` and a blank. */
static void match(const char *line, const char *name, int64_t *number)
{
	const size_t length = strlen(name);

	if (strncmp(line, name, length) == 0 && line[length] == ' ')
		*number = strtoll(line + length, NULL, 10);
}

static void count_process(struct evidence_counters *counters)
{
	FILE *file = fopen("/proc/self/io", "re");
	char line[128];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		match(line, "read_bytes:", &counters->process_read);
		match(line, "write_bytes:", &counters->process_written);
	}
	(void)fclose(file);
}

static void count_dirtied(struct evidence_counters *counters)
{
	FILE *file = fopen("/proc/vmstat", "re");
	int64_t pages = EVIDENCE_UNKNOWN;
	char line[128];

	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		match(line, "nr_dirtied", &pages);
	(void)fclose(file);
	if (pages != EVIDENCE_UNKNOWN)
		counters->dirtied = pages * sysconf(_SC_PAGESIZE);
}

struct evidence_counters evidence_count(const char *device_stat,
					const char *mounted_stat)
{
	struct evidence_counters counters = {
		EVIDENCE_UNKNOWN, EVIDENCE_UNKNOWN, EVIDENCE_UNKNOWN,
		EVIDENCE_UNKNOWN, EVIDENCE_UNKNOWN, EVIDENCE_UNKNOWN,
		EVIDENCE_UNKNOWN,
	};

	count_device(device_stat, &counters.device_read,
		     &counters.device_written);
	count_device(mounted_stat, &counters.mounted_read,
		     &counters.mounted_written);
	count_process(&counters);
	count_dirtied(&counters);
	return counters;
}

static int64_t between(int64_t from, int64_t to)
{
	if (from == EVIDENCE_UNKNOWN || to == EVIDENCE_UNKNOWN)
		return EVIDENCE_UNKNOWN;
	return to - from;
}

struct evidence_counters evidence_between(const struct evidence_counters *from,
					  const struct evidence_counters *to)
{
	return (struct evidence_counters){
		.device_read = between(from->device_read, to->device_read),
		.device_written =
			between(from->device_written, to->device_written),
		.mounted_read = between(from->mounted_read, to->mounted_read),
		.mounted_written =
			between(from->mounted_written, to->mounted_written),
		.process_read = between(from->process_read, to->process_read),
		.process_written =
			between(from->process_written, to->process_written),
		.dirtied = between(from->dirtied, to->dirtied),
	};
}

int64_t evidence_device_bytes(const struct evidence_counters *moved,
			      bool writes)
{
	const int64_t disk =
		writes ? moved->device_written : moved->device_read;
	const int64_t mounted =
		writes ? moved->mounted_written : moved->mounted_read;

	return mounted != EVIDENCE_UNKNOWN && mounted < disk ? mounted : disk;
}
