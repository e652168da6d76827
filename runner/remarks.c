/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/remarks.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/kmsg.h"

struct remarks remarks_open(void)
{
	return (struct remarks){ .kmsg = kmsg_open() };
}

void remarks_close(struct remarks *remarks)
{
	if (remarks->kmsg >= 0)
		close(remarks->kmsg);
	free(remarks->kernel);
	remarks->kernel = NULL;
	remarks->kmsg = -1;
}

void remarks_begin(struct remarks *remarks)
{
	free(remarks->kernel);
	remarks->kernel = NULL;
	conditions_read("", &remarks->conditions);
	kmsg_skip(remarks->kmsg);
}

/*
 * The kernel's own name of a device: what /sys/dev/block/254:0 leads to. In
 * /dev a mapped device is called something else.
 */
static bool device_name(const char *device, char *out, size_t size)
{
	char link[64], path[PATH_MAX];
	struct stat st;
	ssize_t length;

	if (stat(device, &st) < 0 || !S_ISBLK(st.st_mode))
		return false;
	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(st.st_rdev),
		 minor(st.st_rdev));
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	snprintf(out, size, "%s", basename(path));
	return true;
}

/* Of the folder that the disk's stat file is in. */
static bool disk_name(const char *stat_path, char *out, size_t size)
{
	char path[PATH_MAX];

	if (!stat_path[0])
		return false;
	snprintf(path, sizeof(path), "%s", stat_path);
	snprintf(out, size, "%s", basename(dirname(path)));
	return true;
}

void remarks_end(struct remarks *remarks, const struct target_facts *facts)
{
	const char *names[2];
	char device[256], disk[256];
	size_t count = 0;

	if (device_name(facts->device, device, sizeof(device)))
		names[count++] = device;
	if (disk_name(facts->device_stat, disk, sizeof(disk)))
		names[count++] = disk;
	remarks->kernel = kmsg_collect(remarks->kmsg, names, count);
}

void remarks_put(const struct remarks *remarks, struct record_sample *record)
{
	record->conditions = conditions_record(&remarks->conditions);
	record->kernel_messages = remarks->kernel;
}
