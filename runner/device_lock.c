/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/device_private.h"
#include "runner/wait.h"

/* udev holds a lock of its own while it looks at a new disk. */
enum { PATIENCE_TICKS = 50, TICK_MS = 100 };

/* Whether a line of /proc/locks gives the lock of this node to us. */
static bool is_ours(const char *line, const struct stat *node)
{
	unsigned int disk_major, disk_minor;
	uint64_t inode;
	int pid;

	return sscanf(line, "%*u: FLOCK %*s WRITE %d %x:%x:%" SCNu64, &pid,
		      &disk_major, &disk_minor, &inode) == 4 &&
	       pid == (int)getpid() && disk_major == major(node->st_dev) &&
	       disk_minor == minor(node->st_dev) && inode == node->st_ino;
}

/* Two volumes of a matrix may be partitions of one disk. */
static bool have_it(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	char line[256];
	struct stat node;
	bool found = false;

	if (locks && fstat(fd, &node) == 0) {
		while (!found && fgets(line, sizeof(line), locks))
			found = is_ours(line, &node);
	}
	if (locks)
		fclose(locks);
	return found;
}

static bool take(int fd, const char *disk, struct err *err)
{
	for (int i = 0; i < PATIENCE_TICKS; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK)
			return err_sys(err, errno, "locking %s", disk);
		if (have_it(fd))
			return true;
		wait_ms(TICK_MS);
	}
	return err_set(err, ERR_BUSY, "another program has locked %s", disk);
}

/* The node of the whole disk, "" if there is none. */
static void find_disk(const struct device_list *list, const char *path,
		      char *node, size_t size)
{
	const struct device *device = device_list_at(list, path);
	const struct device *disk =
		device ? device_list_named(list, device->disk) : NULL;

	snprintf(node, size, "%s", disk ? disk->path : "");
}

bool device_lock(const char *path, int *fd, struct err *err)
{
	struct device_list list = { 0 };
	char disk[DEVICE_NAME_MAX + 8];
	int opened;

	if (!device_list_read("", &list, err))
		return false;
	find_disk(&list, path, disk, sizeof(disk));
	device_list_done(&list);
	opened = open(disk, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (opened >= 0 && !take(opened, disk, err)) {
		close(opened);
		return false;
	}
	*fd = opened;
	return true;
}
