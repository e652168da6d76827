/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/device_private.h"

/* A thread may have mounts of its own; pid 1's are the machine's. */
static const char *const mount_files[] = {
	"/proc/self/mountinfo",
	"/proc/thread-self/mountinfo",
	"/proc/1/mountinfo",
};

enum { MOUNT_FILES = sizeof(mount_files) / sizeof(mount_files[0]) };

/*
 * btrfs has a device number of its own, which is no disk's; its source is a
 * path. For others the number is the truth and the path what it once was.
 */
static struct device *mounted_device(struct device_list *list,
				     struct libmnt_fs *fs)
{
	const struct device *device =
		device_list_numbered(list, mnt_fs_get_devno(fs));
	const char *source = mnt_fs_get_srcpath(fs);

	if (!device && source && source[0] == '/')
		device = device_list_at(list, source);
	return device ? &list->items[device - list->items] : NULL;
}

static bool take_mounts(struct device_list *list, struct libmnt_table *table)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL;
	bool ok = iter != NULL;

	while (ok && mnt_table_next_fs(table, iter, &fs) == 0) {
		struct device *device = mounted_device(list, fs);
		const char *target = mnt_fs_get_target(fs);

		if (device && target)
			ok = sysfile_names_add(&device->mounts, target);
	}
	mnt_free_iter(iter);
	return ok;
}

static bool read_mounts(struct device_list *list, const char *file,
			struct err *err)
{
	struct libmnt_table *table = mnt_new_table();
	int ret = table ? mnt_table_parse_file(table, file) : -ENOMEM;

	if (ret != 0)
		err_sys(err, ret < 0 ? -ret : EINVAL, "reading %s", file);
	else if (!take_mounts(list, table))
		err_nomem(err);
	mnt_unref_table(table);
	return err->code == ERR_NONE;
}

/*
 * Without the first file nothing could be said to be not mounted. The others
 * may be there and yet not be ours to read.
 */
static bool read_all_mounts(struct device_list *list, struct err *err)
{
	char path[4096];

	for (size_t i = 0; i < MOUNT_FILES; i++) {
		struct err ignored = { 0 };

		snprintf(path, sizeof(path), "%s%s", list->root,
			 mount_files[i]);
		if (!read_mounts(list, path, i == 0 ? err : &ignored) && i == 0)
			return false;
	}
	return true;
}

static void mark_swap(struct device_list *list, struct libmnt_table *table)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL;

	while (iter && mnt_table_next_fs(table, iter, &fs) == 0) {
		const char *source = mnt_fs_get_source(fs);
		const struct device *device =
			source ? device_list_at(list, source) : NULL;

		if (device)
			list->items[device - list->items].swap = true;
	}
	mnt_free_iter(iter);
}

/* A kernel without swap has no such file. */
static bool read_swaps(struct device_list *list, struct err *err)
{
	struct libmnt_table *table;
	char path[4096];
	int ret;

	snprintf(path, sizeof(path), "%s/proc/swaps", list->root);
	if (access(path, F_OK) != 0)
		return true;
	table = mnt_new_table();
	ret = table ? mnt_table_parse_swaps(table, path) : -ENOMEM;
	if (ret == 0)
		mark_swap(list, table);
	else
		err_sys(err, ret < 0 ? -ret : EINVAL, "reading %s", path);
	mnt_unref_table(table);
	return err->code == ERR_NONE;
}

/* A loop device does not claim the device under it: it must be asked for. */
static bool read_loops(struct device_list *list)
{
	char file[4096];

	for (size_t i = 0; i < list->count; i++) {
		const struct device *loop = &list->items[i], *under;

		if (!sysfile_line(file, sizeof(file),
				  "%s/sys/class/block/%s/loop/backing_file",
				  list->root, loop->name))
			continue;
		under = device_list_at(list, file);
		if (under && under != loop &&
		    !sysfile_names_add(
			    &list->items[under - list->items].holders,
			    loop->name))
			return false;
	}
	return true;
}

/*
 * A btrfs of several devices says only one of them in its mount; the others
 * are in /sys/fs/btrfs.
 */
static bool read_btrfs(struct device_list *list)
{
	struct sysfile_names all = { 0 }, members = { 0 };
	bool ok = sysfile_names_read(&all, "%s/sys/fs/btrfs", list->root);

	for (size_t i = 0; ok && i < all.count; i++) {
		char text[DEVICE_TEXT_MAX];

		ok = sysfile_names_read(&members, "%s/sys/fs/btrfs/%s/devices",
					list->root, all.items[i]);
		snprintf(text, sizeof(text), "the btrfs %.100s", all.items[i]);
		for (size_t j = 0; ok && j < members.count; j++) {
			const struct device *device =
				device_list_named(list, members.items[j]);

			if (device && device->mounts.count == 0)
				ok = sysfile_names_add(
					&list->items[device - list->items]
						 .holders,
					text);
		}
		sysfile_names_done(&members);
	}
	sysfile_names_done(&all);
	return ok;
}

bool device_use_read(struct device_list *list, struct err *err)
{
	if (!read_all_mounts(list, err) || !read_swaps(list, err))
		return false;
	if (!read_loops(list) || !read_btrfs(list))
		return err_nomem(err);
	return true;
}

enum { STEP_MAX = 96 };

/* The reason why a device is in use for itself, be it disk or partition. */
static bool fail_used(const struct device *device, const char *prefix,
		      const char **step, struct err *err)
{
	if (device->mounts.count > 0) {
		bool root = sysfile_names_have(&device->mounts, "/");

		*step = root ? "it is this system's own: choose another"
			     : "unmount it first";
		return err_set(err, ERR_REFUSED, "%smounted at %s%s", prefix,
			       root ? "/" : device->mounts.items[0],
			       device->mounts.count > 1 ? " and elsewhere"
							: "");
	}
	if (device->swap) {
		*step = "swapoff it first";
		return err_set(err, ERR_REFUSED, "%sin use as swap", prefix);
	}
	if (device->holders.count > 0) {
		*step = "stop what holds it first";
		return err_set(err, ERR_REFUSED, "%sheld by %s%s", prefix,
			       device->holders.items[0],
			       device->holders.count > 1 ? " and others" : "");
	}
	return true;
}

static bool fail_partitions(const struct device *device, const char **step,
			    struct err *err)
{
	const struct sysfile_names *names = &device->partitions;

	*step = "name one of its partitions, or remove the table first";
	if (names->count == 1)
		return err_set(err, ERR_REFUSED, "has a partition, %s",
			       names->items[0]);
	if (names->count > 1)
		return err_set(err, ERR_REFUSED, "has partitions, %s to %s",
			       names->items[0], names->items[names->count - 1]);
	return err_set(err, ERR_REFUSED,
		       "has a partition table (%s) with %u %s that the kernel "
		       "does not show",
		       device->table, device->table_entries,
		       device->table_entries == 1 ? "entry" : "entries");
}

/*
 * mkfs.fat puts a table into the boot sector of a whole disk whose only entry
 * is the filesystem itself: a partition from the disk's first byte is none,
 * unless somebody uses it.
 */
static bool has_partitions(const struct device_list *list,
			   const struct device *disk)
{
	const char *ignored;

	for (size_t i = 0; i < disk->partitions.count; i++) {
		const struct device *partition =
			device_list_named(list, disk->partitions.items[i]);

		if (!partition || partition->start_bytes > 0 ||
		    !fail_used(partition, "", &ignored, &(struct err){ 0 }))
			return true;
	}
	return disk->table_entries > 0;
}

/* The two sectors that stand for all logical partitions of a DOS table. */
static bool is_extended(const struct device *device)
{
	return device->partition > 0 && device->size_bytes <= 1024;
}

/*
 * libblkid's word for a part of something that is spread over devices, be it
 * assembled or not: "linux_raid_member", "LVM2_member", "zfs_member".
 */
static bool is_member(const struct device *device)
{
	static const char end[] = "_member";
	size_t length = strlen(device->type);

	return length >= strlen(end) &&
	       strcmp(device->type + length - strlen(end), end) == 0;
}

static bool fail_member(const struct device *device, const char **step,
			struct err *err)
{
	*step = "take it out of that first, or wipefs it";
	return err_set(err, ERR_REFUSED,
		       "part of what other devices may belong to as well (%s)",
		       device->type);
}

bool device_is_free(const struct device_list *list, const struct device *device,
		    const char **step, struct err *err)
{
	const struct device *disk =
		device->partition ? device_list_named(list, device->disk)
				  : NULL;
	const char *ignored, **next = step ? step : &ignored;

	*next = "choose another";
	if (device->size_bytes == 0)
		return err_set(err, ERR_REFUSED, "there is no medium in it");
	if (device->optical)
		return err_set(err, ERR_REFUSED, "an optical drive");
	if (!fail_used(device, "", next, err))
		return false;
	if (device->partition == 0 && has_partitions(list, device))
		return fail_partitions(device, next, err);
	if (is_extended(device))
		return err_set(err, ERR_REFUSED,
			       "an extended partition, which holds others");
	if (device->read_only)
		return err_set(err, ERR_REFUSED, "read-only");
	if (is_member(device))
		return fail_member(device, next, err);
	return !disk || fail_used(disk, "its disk is ", next, err);
}
