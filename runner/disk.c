/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/disk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runner/mountinfo.h"
#include "runner/sysfile.h"

enum { DEPTH_MAX = 8 }; /* of devices on devices */

/* The device that sysfs folder `dir` describes; 0: none. */
static dev_t number_of(const char *dir)
{
	unsigned int major_number, minor_number;
	char line[64];

	if (sysfile_line(line, sizeof(line), "%s/dev", dir) &&
	    sscanf(line, "%u:%u", &major_number, &minor_number) == 2)
		return makedev(major_number, minor_number);
	return 0;
}

/* The one device below `dir`, if it is one; 0 else. */
static dev_t only_slave(const char *dir)
{
	struct sysfile_names slaves = { 0 };
	char *slave = NULL;
	dev_t found = 0;

	if (sysfile_names_read(&slaves, "%s/slaves", dir) && slaves.count == 1)
		slave = sysfile_real("%s/slaves/%s", dir, slaves.items[0]);
	if (slave)
		found = number_of(slave);
	free(slave);
	sysfile_names_done(&slaves);
	return found;
}

/* What holds the file behind a loop device; 0: it is none, or not known. */
static dev_t behind_loop(const char *root, const char *dir)
{
	char name[PATH_MAX], path[2 * PATH_MAX];
	struct stat st;

	if (!sysfile_line(name, sizeof(name), "%s/loop/backing_file", dir))
		return 0;
	snprintf(path, sizeof(path), "%s%s", root, name);
	return stat(path, &st) == 0 && major(st.st_dev) ? st.st_dev : 0;
}

/* The sysfs folder of a device's disk, on the heap; NULL: none. */
static char *folder_of(const char *root, dev_t device)
{
	char *dir = sysfile_real("%s/sys/dev/block/%u:%u", root, major(device),
				 minor(device));

	if (dir && sysfile_exists("%s/partition", dir))
		*strrchr(dir, '/') = '\0';
	return dir;
}

/* The folder of the disk below all others, on the heap; NULL: none. */
static char *lowest_folder(const char *root, dev_t device)
{
	char *lowest = NULL;

	for (int depth = 0; depth < DEPTH_MAX && device; depth++) {
		char *dir = folder_of(root, device);

		if (!dir)
			break;
		free(lowest);
		lowest = dir;
		device = behind_loop(root, dir);
		if (!device)
			device = only_slave(dir);
	}
	return lowest;
}

void disk_stat_path(const char *root, dev_t device, char *path, size_t size)
{
	char *dir = lowest_folder(root, device);

	path[0] = '\0';
	if (dir && snprintf(path, size, "%s/stat", dir) >= (int)size)
		path[0] = '\0';
	free(dir);
}

void disk_name(const char *root, dev_t device, char *name, size_t size)
{
	char *dir = lowest_folder(root, device);

	snprintf(name, size, "%s", dir ? strrchr(dir, '/') + 1 : "");
	free(dir);
}

dev_t disk_of_file(int fd)
{
	struct mountinfo info;
	struct err ignored = { 0 };
	struct stat st;
	dev_t device = 0;

	if (fstat(fd, &st) < 0)
		return 0;
	if (major(st.st_dev) != 0)
		return st.st_dev;
	if (!mountinfo_of(fd, &info, &ignored))
		return 0;
	if (stat(info.source, &st) == 0 && S_ISBLK(st.st_mode))
		device = st.st_rdev;
	mountinfo_done(&info);
	return device;
}
