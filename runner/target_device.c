/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runner/target_private.h"

/*
 * The consent is asked for anew for every sample. From here until the end of
 * the sample the device is held open: its name then is no other's, so that
 * mkfs and mount, which are given the name, reach it or nothing. They claim
 * it for themselves, so we cannot.
 */
bool target_device_attach(struct target *target, struct err *err)
{
	if (!device_check(target->volume, &target->device, err))
		return false;
	target->device_fd = device_open(&target->device, err);
	return target->device_fd >= 0;
}

void target_device_detach(struct target *target)
{
	if (target->device_fd >= 0)
		close(target->device_fd);
	target->device_fd = -1;
	device_done(&target->device);
}

const char *target_block_path(const struct target *target)
{
	if (target->volume->kind == MATRIX_DEVICE)
		return target->device.path;
	return target->loop.path;
}

int target_block_fd(const struct target *target)
{
	if (target->volume->kind == MATRIX_DEVICE)
		return target->device_fd;
	return target->loop.fd;
}

bool target_block_flush(const struct target *target, struct err *err)
{
	int fd = target_block_fd(target);

	if (fsync(fd) < 0 || ioctl(fd, BLKFLSBUF, 0) < 0)
		return err_sys(err, errno, "flushing %s",
			       target_block_path(target));
	return true;
}
