/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device_private - what the files of the module device share: each fills in
 * the facts that its source knows.
 */
#ifndef RUNNER_DEVICE_PRIVATE_H
#define RUNNER_DEVICE_PRIVATE_H

#include "runner/device.h"

/*
 * From udev's database: overrides the serial number and the WWN, adds what is
 * on the device and the paths udev gave it. False when out of memory.
 */
bool device_udev_read(const char *root, struct device *device);

/*
 * From the bytes on the device, as far as we may read them: what is on it,
 * or what its partition table holds.
 */
void device_probe_content(int fd, struct device *device);
/* The UUID that the partition table gives the partition behind `fd`. */
void device_probe_partuuid(int fd, struct device *device);

/* Mounts, swap, loop devices and btrfs. False with `err` set. */
bool device_use_read(struct device_list *list, struct err *err);

#endif
