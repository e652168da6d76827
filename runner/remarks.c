/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/remarks.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
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

/* "vda" of /sys/dev/block/254:0/stat */
static bool disk_name(const char *stat_path, char *out, size_t size)
{
	char path[PATH_MAX], link[PATH_MAX];
	ssize_t length;

	snprintf(path, sizeof(path), "%s", stat_path);
	length = readlink(dirname(path), link, sizeof(link) - 1);
	if (!stat_path[0] || length <= 0)
		return false;
	link[length] = '\0';
	snprintf(out, size, "%s", basename(link));
	return true;
}

void remarks_end(struct remarks *remarks, const struct target_facts *facts)
{
	/* the kernel does not speak of a mapped device by its own name */
	char *device = realpath(facts->device, NULL);
	const char *names[2];
	char disk[256];
	size_t count = 0;

	if (device && strncmp(device, "/dev/", 5) == 0)
		names[count++] = strrchr(device, '/') + 1;
	if (disk_name(facts->device_stat, disk, sizeof(disk)))
		names[count++] = disk;
	remarks->kernel = kmsg_collect(remarks->kmsg, names, count);
	free(device);
}

void remarks_put(const struct remarks *remarks, struct record_sample *record)
{
	record->conditions = conditions_record(&remarks->conditions);
	record->kernel_messages = remarks->kernel;
}
