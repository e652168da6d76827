/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/wait.h"

enum {
	ATTEMPTS = 64,     /* others may take the free device first */
	SECTOR_MIN = 512,  /* bytes */
	SECTOR_MAX = 4096, /* the kernel's limit: a page */
	TICK_MS = 10,
	DETACH_TICKS = 300,
};

static const char control_path[] = "/dev/loop-control";

static int open_control(struct err *err)
{
	int fd = open(control_path, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT || errno == ENODEV || errno == ENXIO)
		err_set(err, ERR_FAILED,
			"no loop devices here (no %s; modprobe loop?)",
			control_path);
	else if (errno == EACCES || errno == EPERM)
		err_set(err, ERR_FAILED,
			"loop devices are not allowed here (%s: %s)",
			control_path, strerror(errno));
	else
		err_sys(err, errno, "%s", control_path);
	return -1;
}

bool loop_available(struct err *err)
{
	int fd = open_control(err);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Without udev or devtmpfs the kernel's new device has no node. */
static bool make_node(int number, const char *path, struct err *err)
{
	char file[64];
	unsigned int major_number, minor_number;
	FILE *dev;
	int got;

	snprintf(file, sizeof(file), "/sys/block/loop%d/dev", number);
	dev = fopen(file, "re");
	if (!dev)
		return err_sys(err, errno, "%s", file);
	got = fscanf(dev, "%u:%u", &major_number, &minor_number);
	fclose(dev);
	if (got != 2)
		return err_set(err, ERR_FAILED, "%s: not a device number",
			       file);
	if (mknod(path, S_IFBLK | 0600, makedev(major_number, minor_number)) <
		    0 &&
	    errno != EEXIST)
		return err_sys(err, errno, "making %s", path);
	return true;
}

static int open_device(int number, const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && make_node(number, path, err))
		fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		err_sys(err, errno, "opening %s", path);
	return fd;
}

/* What direct I/O on the file is aligned to, as the device's sector. */
static unsigned int sector_of(int image)
{
	struct statx stx;

	if (statx(image, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) == 0 &&
	    (stx.stx_mask & STATX_DIOALIGN) &&
	    stx.stx_dio_offset_align > SECTOR_MIN &&
	    stx.stx_dio_offset_align <= SECTOR_MAX)
		return stx.stx_dio_offset_align;
	return SECTOR_MIN;
}

/* 0, or an errno; EBUSY: somebody else has the device. */
static int configure(int fd, int image, const char *name, bool direct)
{
	struct loop_config config = {
		.fd = (unsigned int)image,
		.block_size = sector_of(image),
		.info.lo_flags = LO_FLAGS_AUTOCLEAR,
	};

	if (direct)
		config.info.lo_flags |= LO_FLAGS_DIRECT_IO;
	snprintf((char *)config.info.lo_file_name,
		 sizeof(config.info.lo_file_name), "%s", name);
	return ioctl(fd, LOOP_CONFIGURE, &config) < 0 ? errno : 0;
}

static bool is_direct(int fd)
{
	struct loop_info64 info;

	return ioctl(fd, LOOP_GET_STATUS64, &info) == 0 &&
	       (info.lo_flags & LO_FLAGS_DIRECT_IO);
}

/*
 * Try one free device. The descriptor that attaches can write; the one that
 * is kept cannot, because a kernel may refuse to mount what is open so.
 */
static int attach_one(struct loop *loop, int control, int image,
		      const char *name, struct err *err)
{
	int number = ioctl(control, LOOP_CTL_GET_FREE), fd, errnum;
	struct loop made = LOOP_NONE;

	if (number < 0) {
		err_sys(err, errno, "getting a free loop device");
		return -1;
	}
	made.number = number;
	snprintf(made.path, sizeof(made.path), "/dev/loop%d", number);
	fd = open_device(number, made.path, O_RDWR, err);
	if (fd < 0)
		return -1;
	errnum = configure(fd, image, name, true);
	if (errnum == EINVAL || errnum == EOPNOTSUPP)
		errnum = configure(fd, image, name, false);
	if (errnum == 0) {
		made.direct = is_direct(fd);
		made.fd = open_device(number, made.path, O_RDONLY, err);
		if (made.fd < 0)
			errnum = -1;
	} else if (errnum != EBUSY) {
		err_sys(err, errnum, "attaching %s to %s", name, made.path);
	}
	close(fd);
	if (errnum == 0)
		*loop = made;
	return errnum;
}

bool loop_attach(struct loop *loop, int image, const char *name,
		 struct err *err)
{
	int control = open_control(err), ret = EBUSY;

	if (control < 0)
		return false;
	for (int i = 0; i < ATTEMPTS && ret == EBUSY; i++)
		ret = attach_one(loop, control, image, name, err);
	close(control);
	if (ret == EBUSY)
		err_set(err, ERR_FAILED,
			"every free loop device was taken by others");
	return ret == 0;
}

void loop_discard(const struct loop *loop)
{
	uint64_t range[2] = { 0, 0 };
	int fd = open(loop->path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return;
	if (ioctl(fd, BLKGETSIZE64, &range[1]) < 0 ||
	    ioctl(fd, BLKDISCARD, range) < 0) {
		/* then its pages are written before they go */
	}
	close(fd);
}

/* What the kernel says is behind the device; "" if nothing is. */
static void backing_of(int number, char *name, size_t size)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/block/loop%d/loop/backing_file",
		 number);
	file = fopen(path, "re");
	if (!file || !fgets(name, (int)size, file))
		name[0] = '\0';
	if (file)
		fclose(file);
}

bool loop_detach(struct loop *loop, struct err *err)
{
	char ours[PATH_MAX], now[PATH_MAX];

	if (loop->fd < 0)
		return true;
	backing_of(loop->number, ours, sizeof(ours));
	close(loop->fd);
	loop->fd = -1;
	for (int i = 0; i < DETACH_TICKS; i++) {
		backing_of(loop->number, now, sizeof(now));
		if (!now[0] || strcmp(now, ours) != 0)
			return true; /* free, or somebody else's by now */
		wait_ms(TICK_MS);
	}
	return err_set(err, ERR_FAILED, "%s does not let go of its file",
		       loop->path);
}
