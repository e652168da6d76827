/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <blkid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/device_private.h"

enum { AMBIVALENT = -2 };

static void look_up(blkid_probe probe, const char *name, char *out, size_t size)
{
	const char *value = NULL;

	if (blkid_probe_lookup_value(probe, name, &value, NULL) == 0 && value)
		snprintf(out, size, "%s", value);
}

static void probe_superblock(blkid_probe probe, struct device *device)
{
	int found;

	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE |
							 BLKID_SUBLKS_LABEL);
	found = blkid_do_safeprobe(probe);
	device->type[0] = device->label[0] = '\0';
	if (found == AMBIVALENT)
		snprintf(device->type, sizeof(device->type),
			 "several signatures");
	if (found != 0)
		return;
	look_up(probe, "TYPE", device->type, sizeof(device->type));
	look_up(probe, "LABEL", device->label, sizeof(device->label));
}

/*
 * mkfs.fat puts a table into the boot sector of a whole disk whose only entry
 * is the filesystem itself, from sector 0: that is none.
 */
static unsigned int count_entries(blkid_partlist list)
{
	unsigned int entries = 0;

	for (int i = 0; i < blkid_partlist_numof_partitions(list); i++) {
		blkid_partition entry = blkid_partlist_get_partition(list, i);

		entries += blkid_partition_get_start(entry) > 0;
	}
	return entries;
}

static void probe_table(blkid_probe probe, struct device *device)
{
	blkid_partlist list;

	blkid_probe_enable_superblocks(probe, 0);
	blkid_probe_enable_partitions(probe, 1);
	list = blkid_probe_get_partitions(probe);
	if (!list)
		return;
	device->table_entries = count_entries(list);
	if (blkid_partlist_get_table(list))
		snprintf(device->table, sizeof(device->table), "%s",
			 blkid_parttable_get_type(
				 blkid_partlist_get_table(list)));
}

void device_probe_content(int fd, struct device *device)
{
	blkid_probe probe = blkid_new_probe();

	if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0) {
		probe_superblock(probe, device);
		if (device->partition == 0)
			probe_table(probe, device);
	}
	blkid_free_probe(probe);
}

void device_probe_partuuid(int fd, struct device *device)
{
	blkid_probe probe = blkid_new_probe();

	if (probe && blkid_probe_set_device(probe, fd, 0, 0) == 0) {
		blkid_probe_enable_superblocks(probe, 0);
		blkid_probe_enable_partitions(probe, 1);
		blkid_probe_set_partitions_flags(probe,
						 BLKID_PARTS_ENTRY_DETAILS);
		if (blkid_do_safeprobe(probe) == 0)
			look_up(probe, "PART_ENTRY_UUID", device->partuuid,
				sizeof(device->partuuid));
	}
	blkid_free_probe(probe);
}
