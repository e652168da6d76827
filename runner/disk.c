/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/disk.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/mountinfo.h"

enum { DEPTH_MAX = 8 }; /* of devices on devices */

/* The first line of DIR/NAME without its newline; false: no such file. */
static bool read_line(const char *dir, const char *name, char *line,
		      size_t size)
{
	char path[PATH_MAX];
	FILE *file;
	bool ok;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >=
	    (int)sizeof(path))
		return false;
	file = fopen(path, "re");
	ok = file && fgets(line, (int)size, file);
	if (file)
		fclose(file);
	if (ok)
		line[strcspn(line, "\n")] = '\0';
	return ok;
}

/* The device that sysfs folder `dir` describes; 0: none. */
static dev_t number_of(const char *dir)
{
	unsigned int major_number, minor_number;
	char line[64];

	if (read_line(dir, "dev", line, sizeof(line)) &&
	    sscanf(line, "%u:%u", &major_number, &minor_number) == 2)
		return makedev(major_number, minor_number);
	return 0;
}

/* The one device below `dir`, if it is one; 0 else. */
static dev_t only_slave(const char *dir)
{
	char path[PATH_MAX], slave[PATH_MAX];
	struct dirent *entry;
	dev_t found = 0;
	DIR *slaves;
	int count = 0;

	snprintf(path, sizeof(path), "%.*s/slaves", PATH_MAX - 16, dir);
	slaves = opendir(path);
	while (slaves && (entry = readdir(slaves))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		if (snprintf(slave, sizeof(slave), "%s/%s", path,
			     entry->d_name) < (int)sizeof(slave))
			found = number_of(slave);
	}
	if (slaves)
		closedir(slaves);
	return count == 1 ? found : 0;
}

/* What holds the file behind a loop device; 0: it is none, or not known. */
static dev_t behind_loop(const char *root, const char *dir)
{
	char name[PATH_MAX], path[PATH_MAX];
	struct stat st;

	if (!read_line(dir, "loop/backing_file", name, sizeof(name)) ||
	    snprintf(path, sizeof(path), "%s%s", root, name) >=
		    (int)sizeof(path) ||
	    stat(path, &st) < 0)
		return 0;
	return major(st.st_dev) ? st.st_dev : 0;
}

/* Write the resolved sysfs folder of a device to `dir` (PATH_MAX). */
static bool folder_of(const char *root, dev_t device, char *dir)
{
	char path[PATH_MAX], *cut;

	snprintf(path, sizeof(path), "%.*s/sys/dev/block/%u:%u", PATH_MAX - 64,
		 root, major(device), minor(device));
	if (!realpath(path, dir))
		return false;
	snprintf(path, sizeof(path), "%.*s/partition", PATH_MAX - 16, dir);
	if (access(path, F_OK) == 0) {
		cut = strrchr(dir, '/');
		*cut = '\0';
	}
	return true;
}

void disk_stat_path(const char *root, dev_t device, char *path, size_t size)
{
	char dir[PATH_MAX];

	path[0] = '\0';
	for (int depth = 0; depth < DEPTH_MAX && device; depth++) {
		if (!folder_of(root, device, dir))
			return;
		if (snprintf(path, size, "%s/stat", dir) >= (int)size)
			path[0] = '\0';
		device = behind_loop(root, dir);
		if (!device)
			device = only_slave(dir);
	}
}

dev_t disk_of_file(int fd)
{
	struct mountinfo info;
	struct err ignored = { 0 };
	struct stat st;
	dev_t device = 0;
	int id;

	if (fstat(fd, &st) < 0)
		return 0;
	if (major(st.st_dev) != 0)
		return st.st_dev;
	id = mountinfo_id_of(fd, &ignored);
	if (!id || !mountinfo_by_id(MOUNTINFO_SELF, id, &info, &ignored))
		return 0;
	if (stat(info.source, &st) == 0 && S_ISBLK(st.st_mode))
		device = st.st_rdev;
	mountinfo_done(&info);
	return device;
}
