/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk - which disk holds the bytes in the end.
 *
 * A partition leads to its disk, a loop device to the disk of its file, a
 * device mapper target to what it maps, as long as that is one device.
 */
#ifndef RUNNER_DISK_H
#define RUNNER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The `stat` file of the disk behind a block device; "" if there is no such
 * device. Reads below `root` ("" is this machine).
 */
void disk_stat_path(const char *root, dev_t device, char *path, size_t size);

/* The kernel's name of that disk, "sda"; "" if there is none. */
void disk_name(const char *root, dev_t device, char *name, size_t size);

/*
 * The block device behind an open file: its filesystem's own, or where that
 * has no number (btrfs) the source of its mount. 0 if there is none (tmpfs).
 */
dev_t disk_of_file(int fd);

#endif
