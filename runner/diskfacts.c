/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/diskfacts.h"

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "runner/device.h"
#include "runner/disk.h"

/* Hardware may say anything; what is no text is nothing. */
static void copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", text_is_utf8(from) ? from : "");
}

void diskfacts_read(const char *root, const char *name, struct diskfacts *facts)
{
	struct device device = { 0 };

	*facts = (struct diskfacts){ 0 };
	if (!*name || !device_sysfs_read(root, name, &device))
		return;
	copy(facts->name, sizeof(facts->name), device.name);
	copy(facts->vendor, sizeof(facts->vendor), device.vendor);
	copy(facts->model, sizeof(facts->model), device.model);
	copy(facts->firmware, sizeof(facts->firmware), device.firmware);
	copy(facts->scheduler, sizeof(facts->scheduler), device.scheduler);
	copy(facts->write_cache, sizeof(facts->write_cache),
	     device.write_cache);
	facts->bytes = (int64_t)device.size_bytes;
	facts->rotational = device.rotational;
	device_done(&device);
}

/* Of the folder that a directory is and an image is in; 0: no device. */
static dev_t device_below(const struct matrix_volume *volume)
{
	char path[PATH_MAX];
	dev_t device;
	int fd;

	snprintf(path, sizeof(path), "%s", volume->path);
	fd = open(volume->kind == MATRIX_IMAGE ? dirname(path) : path,
		  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	device = disk_of_file(fd);
	close(fd);
	return device;
}

static dev_t device_of(const struct matrix_volume *volume)
{
	struct stat st;

	if (volume->kind != MATRIX_DEVICE)
		return device_below(volume);
	return stat(volume->path, &st) == 0 && S_ISBLK(st.st_mode) ? st.st_rdev
								   : 0;
}

void diskfacts_of_volume(const struct matrix_volume *volume,
			 struct diskfacts *facts)
{
	char name[64];

	disk_name("", device_of(volume), name, sizeof(name));
	diskfacts_read("", name, facts);
}

struct record_disk diskfacts_record(const struct diskfacts *facts)
{
	return (struct record_disk){
		.name = text_or_null(facts->name),
		.vendor = text_or_null(facts->vendor),
		.model = text_or_null(facts->model),
		.firmware = text_or_null(facts->firmware),
		.bytes = facts->bytes,
		.rotational = facts->rotational,
		.scheduler = text_or_null(facts->scheduler),
		.write_cache = text_or_null(facts->write_cache),
	};
}
