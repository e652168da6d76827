/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "runner/device_private.h"

enum {
	SECTOR_BYTES = 512, /* of /sys/class/block/NAME/size, always */
	PAGE80_HEADER = 4,
	SCSI_TYPE_OPTICAL = 5,
};

static bool read_number(const char *dir, dev_t *number)
{
	unsigned int major, minor;
	char text[32];

	if (!sysfile_line(text, sizeof(text), "%s/dev", dir) ||
	    sscanf(text, "%u:%u", &major, &minor) != 2)
		return false;
	*number = makedev(major, minor);
	return true;
}

/* "none [mq-deadline] kyber" names the one in brackets. */
static void read_scheduler(const char *disk, struct device *device)
{
	char line[256], *begin;

	if (!sysfile_line(line, sizeof(line), "%s/queue/scheduler", disk))
		return;
	begin = strchr(line, '[');
	begin = begin ? begin + 1 : line;
	begin[strcspn(begin, "] ")] = '\0';
	snprintf(device->scheduler, sizeof(device->scheduler), "%.31s", begin);
}

/*
 * The serial number a SCSI or SATA disk gives: page 0x80 of its vital product
 * data, four bytes of header and then text.
 */
static void read_page80(const char *disk, char *out, size_t size)
{
	unsigned char page[PAGE80_HEADER + DEVICE_TEXT_MAX];
	ssize_t got =
		sysfile_bytes(page, sizeof(page), "%s/device/vpd_pg80", disk);
	size_t length, start = PAGE80_HEADER;

	if (got <= PAGE80_HEADER || page[1] != 0x80)
		return;
	length = (size_t)page[2] << 8 | page[3];
	if (length > (size_t)got - PAGE80_HEADER)
		length = (size_t)got - PAGE80_HEADER;
	while (length > 0 && isspace(page[start])) {
		start++;
		length--;
	}
	while (length > 0 && (isspace(page[start + length - 1]) ||
			      page[start + length - 1] == 0))
		length--;
	if (length < size) {
		memcpy(out, page + start, length);
		out[length] = '\0';
	}
}

/* A USB device is some folders above its disk. */
static void read_usb_serial(const char *disk, char *out, size_t size)
{
	char *dir = sysfile_real("%s/device", disk);

	for (char *slash; dir && (slash = strrchr(dir, '/')) > dir;) {
		if (sysfile_exists("%s/idVendor", dir)) {
			sysfile_line(out, size, "%s/serial", dir);
			break;
		}
		*slash = '\0';
	}
	free(dir);
}

static void read_serial(const char *disk, struct device *device)
{
	char *out = device->serial;
	const size_t size = sizeof(device->serial);

	/* virtio; NVMe and MMC; SCSI and SATA; USB */
	if (!sysfile_line(out, size, "%s/serial", disk) || !*out)
		sysfile_line(out, size, "%s/device/serial", disk);
	if (!*out)
		read_page80(disk, out, size);
	if (!*out)
		read_usb_serial(disk, out, size);
}

/* In udev's spelling, so that it is the same with and without udev. */
static void read_wwn(const char *disk, struct device *device)
{
	char id[DEVICE_TEXT_MAX];

	if (!sysfile_line(id, sizeof(id), "%s/wwid", disk) &&
	    !sysfile_line(id, sizeof(id), "%s/device/wwid", disk))
		return;
	if (strncmp(id, "naa.", 4) == 0)
		snprintf(device->wwn, sizeof(device->wwn), "0x%.100s", id + 4);
	else if (strncmp(id, "eui.", 4) == 0 || strncmp(id, "uuid.", 5) == 0)
		memcpy(device->wwn, id, sizeof(id));
}

static void read_names(const char *disk, struct device *device)
{
	const size_t size = sizeof(device->model);

	sysfile_line(device->vendor, size, "%s/device/vendor", disk);
	/* ATA is how the disk is spoken to, and 0x1af4 a number: no vendors */
	if (strcmp(device->vendor, "ATA") == 0 ||
	    strncmp(device->vendor, "0x", 2) == 0)
		device->vendor[0] = '\0';
	/* SCSI, NVMe; MMC; what people know a dm and an md device by */
	if (!sysfile_line(device->model, size, "%s/device/model", disk) &&
	    !sysfile_line(device->model, size, "%s/device/name", disk) &&
	    !sysfile_line(device->model, size, "%s/dm/name", disk))
		sysfile_line(device->model, size, "%s/md/level", disk);
	if (!sysfile_line(device->firmware, size, "%s/device/firmware_rev",
			  disk) &&
	    !sysfile_line(device->firmware, size, "%s/device/rev", disk))
		sysfile_line(device->firmware, size, "%s/device/fwrev", disk);
}

static void read_uuid(const char *disk, struct device *device)
{
	const size_t size = sizeof(device->uuid);

	if (!sysfile_line(device->uuid, size, "%s/dm/uuid", disk))
		sysfile_line(device->uuid, size, "%s/md/uuid", disk);
}

/* What a partition has from its disk. */
static void read_disk(const char *disk, struct device *device)
{
	uint64_t type = 0;

	sysfile_number(&device->sequence, "%s/diskseq", disk);
	sysfile_number(&type, "%s/device/type", disk);
	device->optical = type == SCSI_TYPE_OPTICAL;
	device->removable = sysfile_flag("%s/removable", disk);
	device->rotational = sysfile_flag("%s/queue/rotational", disk);
	device->read_only |= sysfile_flag("%s/ro", disk);
	sysfile_line(device->write_cache, sizeof(device->write_cache),
		     "%s/queue/write_cache", disk);
	read_scheduler(disk, device);
	read_names(disk, device);
	read_serial(disk, device);
	read_wwn(disk, device);
}

/* Newer kernels say a partition's UUID themselves. */
static void read_partuuid(const char *dir, struct device *device)
{
	char text[4096];
	const char *found;
	ssize_t got = sysfile_bytes(text, sizeof(text) - 1, "%s/uevent", dir);

	text[got < 0 ? 0 : got] = '\0';
	found = strstr(text, "\nPARTUUID=");
	if (!found)
		return;
	found += strlen("\nPARTUUID=");
	snprintf(device->partuuid, sizeof(device->partuuid), "%.*s",
		 (int)strcspn(found, "\n"), found);
}

/* "/dev/sdb1"; the kernel writes the '/' of "cciss/c0d0" as '!'. */
static void name_path(struct device *device)
{
	snprintf(device->path, sizeof(device->path), "/dev/%s", device->name);
	for (char *c = device->path; *c; c++) {
		if (*c == '!')
			*c = '/';
	}
}

/* "dm-0" says nothing; the name it was given does. */
static bool read_holders(const char *dir, struct device *device)
{
	struct sysfile_names names = { 0 };
	bool ok = sysfile_names_read(&names, "%s/holders", dir);

	for (size_t i = 0; ok && i < names.count; i++) {
		char given[DEVICE_TEXT_MAX], text[2 * DEVICE_TEXT_MAX + 4];

		sysfile_line(given, sizeof(given), "%s/holders/%s/dm/name", dir,
			     names.items[i]);
		snprintf(text, sizeof(text),
			 given[0] ? "%.127s (%s)" : "%.127s", names.items[i],
			 given);
		ok = sysfile_names_add(&device->holders, text);
	}
	sysfile_names_done(&names);
	return ok;
}

bool device_sysfs_read(const char *root, const char *name,
		       struct device *device)
{
	char *dir = sysfile_real("%s/sys/class/block/%s", root, name);
	uint64_t sectors = 0, partition = 0;
	uint64_t start = 1; /* unless it is known to be the disk's first */
	bool ok = dir && strlen(name) < sizeof(device->name) &&
		  read_number(dir, &device->number);

	if (!ok)
		goto out;
	snprintf(device->name, sizeof(device->name), "%s", name);
	name_path(device);
	sysfile_number(&sectors, "%s/size", dir);
	device->size_bytes = sectors * SECTOR_BYTES;
	device->read_only = sysfile_flag("%s/ro", dir);
	ok = read_holders(dir, device);
	if (sysfile_number(&partition, "%s/partition", dir)) {
		device->partition = (unsigned int)partition;
		sysfile_number(&start, "%s/start", dir);
		device->start_bytes = start * SECTOR_BYTES;
		read_partuuid(dir, device);
		*strrchr(dir, '/') = '\0';
	}
	read_uuid(dir, device);
	read_disk(dir, device);
	snprintf(device->disk, sizeof(device->disk), "%.63s",
		 strrchr(dir, '/') + 1);
out:
	free(dir);
	return ok;
}
