/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "runner/fstype.h"

#define KERNEL(driver)                                                         \
	{                                                                      \
		.name = (driver), .kind = FSTYPE_KERNEL                        \
	}
#define LAST                                                                   \
	{                                                                      \
		.name = NULL                                                   \
	}
#define FUSE2FS                                                                \
	{                                                                      \
		.name = "fuse2fs", .kind = FSTYPE_FUSE, .program = "fuse2fs",  \
		.package = "fuse2fs", .arguments = foreground                  \
	}

static const char *const foreground[] = { "-f", NULL };
static const char *const quiet_force[] = { "-q", "-f", NULL };
static const char *const ext_quiet_force[] = { "-q", "-F", NULL };
/* Quick: without zeroing the volume. Force: a loop device is no partition. */
static const char *const ntfs_quiet_quick_force[] = { "-q", "-Q", "-F", NULL };
static const char *const udf_hard_disk[] = { "--media-type=hd", NULL };

static const struct fstype_driver vfat[] = {
	KERNEL("vfat"),
	/* without rw+ it is read-only; a mere rw prints a warning and is */
	{ .name = "fusefat",
	  .kind = FSTYPE_FUSE,
	  .program = "fusefat",
	  .package = "fusefat",
	  .arguments = foreground,
	  .options = "rw+" },
	LAST,
};

static const struct fstype_driver exfat[] = {
	KERNEL("exfat"),
	/* its -d stays in the foreground, but prints every request */
	{ .name = "exfat-fuse",
	  .kind = FSTYPE_FUSE_DETACHED,
	  .program = "mount.exfat-fuse",
	  .package = "exfat-fuse" },
	LAST,
};

static const struct fstype_driver ntfs[] = {
	KERNEL("ntfs3"),
	{ .name = "ntfs-3g",
	  .kind = FSTYPE_FUSE,
	  .program = "ntfs-3g",
	  .package = "ntfs-3g",
	  .options = "no_detach" },
	LAST,
};

static const struct fstype_driver ext2[] = { KERNEL("ext2"), KERNEL("ext4"),
					     FUSE2FS, LAST };
static const struct fstype_driver ext3[] = { KERNEL("ext3"), KERNEL("ext4"),
					     FUSE2FS, LAST };
/* A thread that zeroes inode tables would write while we measure. */
static const struct fstype_driver ext4[] = {
	{ .name = "ext4", .kind = FSTYPE_KERNEL, .options = "noinit_itable" },
	FUSE2FS,
	LAST,
};
static const struct fstype_driver xfs[] = { KERNEL("xfs"), LAST };
static const struct fstype_driver btrfs[] = { KERNEL("btrfs"), LAST };
static const struct fstype_driver f2fs[] = { KERNEL("f2fs"), LAST };
static const struct fstype_driver udf[] = { KERNEL("udf"), LAST };

const struct fstype fstype_table[] = {
	{ "vfat", "mkfs.vfat", "dosfstools", NULL, vfat },
	{ "exfat", "mkfs.exfat", "exfatprogs", NULL, exfat },
	{ "ntfs", "mkfs.ntfs", "ntfs-3g", ntfs_quiet_quick_force, ntfs },
	{ "ext2", "mkfs.ext2", "e2fsprogs", ext_quiet_force, ext2 },
	{ "ext3", "mkfs.ext3", "e2fsprogs", ext_quiet_force, ext3 },
	{ "ext4", "mkfs.ext4", "e2fsprogs", ext_quiet_force, ext4 },
	{ "xfs", "mkfs.xfs", "xfsprogs", quiet_force, xfs },
	{ "btrfs", "mkfs.btrfs", "btrfs-progs", quiet_force, btrfs },
	{ "f2fs", "mkfs.f2fs", "f2fs-tools", quiet_force, f2fs },
	{ "udf", "mkudffs", "udftools", udf_hard_disk, udf },
	{ NULL, NULL, NULL, NULL, NULL },
};
