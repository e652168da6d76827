/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/device.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/device_private.h"

/* Since Linux 5.15; older headers lack it. */
#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, uint64_t)
#endif

static const char *const link_folders[] = {
	"/dev/disk/by-id",
	"/dev/disk/by-partuuid",
};

enum { LINK_FOLDERS = sizeof(link_folders) / sizeof(link_folders[0]) };

void device_done(struct device *device)
{
	sysfile_names_done(&device->links);
	sysfile_names_done(&device->claims);
	sysfile_names_done(&device->partitions);
	sysfile_names_done(&device->holders);
	sysfile_names_done(&device->mounts);
	*device = (struct device){ 0 };
}

void device_list_done(struct device_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		device_done(&list->items[i]);
	free(list->items);
	free(list->root);
	*list = (struct device_list){ 0 };
}

const struct device *device_list_named(const struct device_list *list,
				       const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	}
	return NULL;
}

const struct device *device_list_numbered(const struct device_list *list,
					  dev_t number)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].number == number)
			return &list->items[i];
	}
	return NULL;
}

/* A recorded machine has plain files where its device nodes were. */
static const struct device *find_recorded(const struct device_list *list,
					  const char *path)
{
	char *real = sysfile_real("%s%s", list->root, path);
	char *root = realpath(list->root, NULL);
	const struct device *found = NULL;
	size_t length = root ? strlen(root) : 0;

	for (size_t i = 0; real && root && !found && i < list->count; i++) {
		if (strncmp(real, root, length) == 0 &&
		    strcmp(real + length, list->items[i].path) == 0)
			found = &list->items[i];
	}
	free(root);
	free(real);
	return found;
}

const struct device *device_list_at(const struct device_list *list,
				    const char *path)
{
	struct stat st;

	if (*list->root)
		return find_recorded(list, path);
	if (stat(path, &st) != 0 || !S_ISBLK(st.st_mode))
		return NULL;
	return device_list_numbered(list, st.st_rdev);
}

static bool read_links(struct device_list *list)
{
	struct sysfile_names names = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < LINK_FOLDERS; i++) {
		ok = sysfile_names_read(&names, "%s%s", list->root,
					link_folders[i]);
		for (size_t j = 0; ok && j < names.count; j++) {
			const struct device *device;
			char path[512];

			snprintf(path, sizeof(path), "%s/%s", link_folders[i],
				 names.items[j]);
			device = device_list_at(list, path);
			if (device)
				ok = sysfile_names_add(
					&list->items[device - list->items]
						 .links,
					path);
		}
		sysfile_names_done(&names);
	}
	return ok;
}

static void inherit(char *text, const char *from, size_t size)
{
	if (!*text)
		memcpy(text, from, size);
}

/* What udev knows of the disk only, a partition has from it. */
static bool relate_partitions(struct device_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct device *device = &list->items[i], *disk;
		const struct device *found =
			device->partition
				? device_list_named(list, device->disk)
				: NULL;

		if (!found)
			continue;
		disk = &list->items[found - list->items];
		if (!sysfile_names_add(&disk->partitions, device->name))
			return false;
		inherit(device->serial, disk->serial, DEVICE_TEXT_MAX);
		inherit(device->wwn, disk->wwn, DEVICE_TEXT_MAX);
		inherit(device->uuid, disk->uuid, DEVICE_TEXT_MAX);
		inherit(device->vendor, disk->vendor, DEVICE_TEXT_MAX);
		inherit(device->model, disk->model, DEVICE_TEXT_MAX);
		inherit(device->firmware, disk->firmware, DEVICE_TEXT_MAX);
	}
	return true;
}

/* Without udev the disk itself says what is on it, if we may read it. */
static void probe(struct device *device)
{
	int fd;

	if (device->size_bytes == 0 || device->optical ||
	    (device->type[0] && device->partuuid[0]))
		return;
	fd = open(device->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	if (!device->type[0])
		device_probe_content(fd, device);
	if (device->partition > 0 && !device->partuuid[0])
		device_probe_partuuid(fd, device);
	close(fd);
}

static bool read_devices(struct device_list *list,
			 const struct sysfile_names *names)
{
	list->items = calloc(names->count + 1, sizeof(*list->items));
	if (!list->items)
		return false;
	for (size_t i = 0; i < names->count; i++) {
		struct device *device = &list->items[list->count];

		/* A path of a multipath disk has no node of its own. */
		if (sysfile_flag("%s/sys/class/block/%s/hidden", list->root,
				 names->items[i]))
			continue;
		if (!device_sysfs_read(list->root, names->items[i], device)) {
			device_done(device); /* it went while we looked */
			continue;
		}
		list->count++;
		if (!device_udev_read(list->root, device))
			return false;
		if (!*list->root)
			probe(device);
	}
	return true;
}

bool device_list_read(const char *root, struct device_list *list,
		      struct err *err)
{
	struct sysfile_names names = { 0 };
	bool ok = false;

	*list = (struct device_list){ .root = strdup(root) };
	if (!list->root ||
	    !sysfile_names_read(&names, "%s/sys/class/block", root) ||
	    !read_devices(list, &names) || !relate_partitions(list) ||
	    !read_links(list)) {
		err_nomem(err);
		goto out;
	}
	ok = device_use_read(list, err);
out:
	sysfile_names_done(&names);
	if (!ok)
		device_list_done(list);
	return ok;
}

static bool copy_names(const struct sysfile_names *from,
		       struct sysfile_names *to)
{
	*to = (struct sysfile_names){ 0 };
	for (size_t i = 0; i < from->count; i++) {
		if (!sysfile_names_add(to, from->items[i]))
			return false;
	}
	return true;
}

bool device_copy(const struct device *from, struct device *to, struct err *err)
{
	struct device copy = *from;
	bool ok = copy_names(&from->links, &copy.links);

	ok = copy_names(&from->claims, &copy.claims) && ok;
	ok = copy_names(&from->partitions, &copy.partitions) && ok;
	ok = copy_names(&from->holders, &copy.holders) && ok;
	ok = copy_names(&from->mounts, &copy.mounts) && ok;
	if (!ok) {
		device_done(&copy);
		return err_nomem(err);
	}
	*to = copy;
	return true;
}

static bool is_same(int fd, const struct device *device)
{
	uint64_t bytes = 0, sequence = 0;
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISBLK(st.st_mode) ||
	    st.st_rdev != device->number ||
	    ioctl(fd, BLKGETSIZE64, &bytes) != 0 || bytes != device->size_bytes)
		return false;
	return device->sequence == 0 ||
	       ioctl(fd, BLKGETDISKSEQ, &sequence) != 0 ||
	       sequence == device->sequence;
}

static int open_same(const struct device *device, int flags, struct err *err)
{
	/* Without O_NONBLOCK a drive without a medium would wait for one. */
	int fd = open(device->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);

	if (fd < 0 && errno == EBUSY) {
		err_set(err, ERR_REFUSED,
			"%s: something has it for itself: it is mounted in "
			"another namespace, or used by a RAID, LVM or ZFS",
			device->path);
		return -1;
	}
	if (fd < 0) {
		err_sys(err, errno, "opening %s", device->path);
		return -1;
	}
	if (is_same(fd, device))
		return fd;
	close(fd);
	err_set(err, ERR_REFUSED,
		"%s: another device than a moment ago has this name",
		device->path);
	return -1;
}

int device_open(const struct device *device, struct err *err)
{
	return open_same(device, 0, err);
}

int device_open_exclusive(const struct device *device, struct err *err)
{
	return open_same(device, O_EXCL, err);
}
