/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/aside.h"
#include "runner/guard_private.h"
#include "runner/mountinfo.h"

enum {
	PATIENCE_MS = 200,
	LOOP_MAJOR = 7,
};

/*
 * The same number for every filesystem that knows it; without writing what
 * its log has not got yet.
 */
#define SHUTDOWN_IOCTL    _IOR('X', 125, uint32_t)
#define SHUTDOWN_NO_FLUSH 2

/* Cut off, their pages need not be written. */
static void cut_files(int dir)
{
	DIR *list = fdopendir(dir);
	struct dirent *entry;
	struct stat st;

	while (list && (entry = readdir(list))) {
		int fd = openat(dir, entry->d_name,
				O_WRONLY | O_NOFOLLOW | O_NONBLOCK);

		if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		    ftruncate(fd, 0) < 0)
			break;
		if (fd >= 0)
			close(fd);
	}
}

/* What it opens ends with the process aside. */
static bool forget(const char *path)
{
	uint32_t how = SHUTDOWN_NO_FLUSH;
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

	if (dir >= 0 && ioctl(dir, SHUTDOWN_IOCTL, &how) < 0)
		cut_files(dir);
	return dir >= 0;
}

/*
 * Through a mount of fusectl that is nowhere to be seen, so it does not
 * matter whether there is another.
 */
void guard_abort_fuse(dev_t device)
{
	char path[32];
	int fs = fsopen("fusectl", FSOPEN_CLOEXEC), mnt = -1, fd = -1;

	if (fs >= 0 && fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		mnt = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	/* the kernel's own coding of a device number */
	snprintf(path, sizeof(path), "%u/abort",
		 major(device) << 20 | minor(device));
	if (mnt >= 0)
		fd = openat(mnt, path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && write(fd, "1", 1) < 0) {
		/* it was aborted already */
	}
	if (fd >= 0)
		close(fd);
	if (mnt >= 0)
		close(mnt);
	if (fs >= 0)
		close(fs);
}

/* In a chroot it is a directory like another, of a mount out of reach. */
static bool root_is_a_mount(void)
{
	struct statx stx;

	return statx(AT_FDCWD, "/", 0, STATX_TYPE, &stx) == 0 &&
	       (stx.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

bool guard_isolate(struct err *err)
{
	/* Mounts that cannot be made private are left to the keeper. */
	if (!root_is_a_mount())
		return true;
	if (unshare(CLONE_NEWNS) < 0)
		return errno == EPERM ||
		       err_sys(err, errno, "a mount namespace of our own");
	/* What the host unmounts goes here as well, but not the reverse. */
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0)
		return err_sys(err, errno, "making our mounts private");
	return true;
}

static bool find_mount(const struct guard_entry *entry, struct mountinfo *info)
{
	struct err err = { 0 };

	return mountinfo_at(MOUNTINFO_SELF, entry->name, info, &err);
}

/* `info` is set unless it is gone. Its device is not known at once. */
static enum guard_look look_at(const struct guard_entry *entry,
			       struct mountinfo *info, struct err *err)
{
	if (!find_mount(entry, info))
		return GUARD_GONE;
	if (guard_is_our_directory(entry->name) &&
	    (entry->a == 0 || entry->a == info->device))
		return GUARD_OURS;
	err_set(err, ERR_REFUSED, "it is no mount of ours");
	return GUARD_REFUSED;
}

enum guard_look guard_mount_probe(const struct guard_entry *entry,
				  struct err *err)
{
	struct mountinfo info;
	enum guard_look look = look_at(entry, &info, err);

	if (look != GUARD_GONE)
		mountinfo_done(&info);
	return look;
}

void guard_mount_give_up(const struct guard_entry *entry)
{
	struct err err = { 0 };
	struct mountinfo info;
	enum guard_look look = look_at(entry, &info, &err);

	if (look == GUARD_OURS && strncmp(info.type, "fuse", 4) == 0)
		guard_abort_fuse(info.device);
	else if (look == GUARD_OURS && entry->a != 0)
		aside_do(forget, entry->name, PATIENCE_MS);
	if (look != GUARD_GONE)
		mountinfo_done(&info);
}

static bool detach(const char *path)
{
	return umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) == 0;
}

bool guard_mount_undo(const struct guard_entry *entry, struct err *err)
{
	enum guard_look look = guard_mount_probe(entry, err);

	if (look == GUARD_OURS) {
		aside_do(detach, entry->name, PATIENCE_MS);
		look = guard_mount_probe(entry, err);
	}
	return look == GUARD_GONE ||
	       err_set(err, ERR_FAILED, "it cannot be unmounted");
}

uint64_t guard_loop_sequence(int fd)
{
	uint64_t sequence = 0;

	return ioctl(fd, BLKGETDISKSEQ, &sequence) == 0 ? sequence : 0;
}

/* Open if it is the device that was recorded and has the same file; else -1. */
static int open_loop(const struct guard_entry *entry)
{
	struct loop_info64 info;
	struct stat st;
	int fd;

	if (strncmp(entry->name, "/dev/loop", 9) != 0 ||
	    strspn(entry->name + 9, "0123456789") != strlen(entry->name + 9))
		return -1;
	fd = open(entry->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) &&
	    major(st.st_rdev) == LOOP_MAJOR &&
	    ioctl(fd, LOOP_GET_STATUS64, &info) == 0 &&
	    info.lo_device == entry->a && info.lo_inode == entry->b)
		return fd;
	close(fd);
	return -1;
}

/*
 * The numbers of the device and of a file without a name are free for others
 * once a run is dead; the number of the attachment is never given again
 * before the next boot. *fd is set if it is ours: as long as it is open, no
 * other file can be attached.
 */
static enum guard_look look_at_loop(const struct guard_entry *entry, int *fd,
				    struct err *err)
{
	int open = open_loop(entry);
	uint64_t sequence;

	if (open < 0)
		return GUARD_GONE;
	sequence = guard_loop_sequence(open);
	if (entry->c != 0 && entry->c == sequence) {
		*fd = open;
		return GUARD_OURS;
	}
	close(open);
	if (entry->c != 0 && sequence != 0)
		return GUARD_GONE;
	/* Where the kernel does not count: ours goes with its last user. */
	err_set(err, sequence ? ERR_REFUSED : ERR_FAILED,
		"its record does not say whether it is ours or was attached "
		"since; \"losetup -d\" if it is ours");
	return GUARD_REFUSED;
}

enum guard_look guard_loop_probe(const struct guard_entry *entry,
				 struct err *err)
{
	int fd = -1;
	enum guard_look look = look_at_loop(entry, &fd, err);

	if (fd >= 0)
		close(fd);
	return look;
}

static bool discard(const char *path)
{
	uint64_t range[2] = { 0, 0 };
	int fd = open(path, O_RDWR | O_NOFOLLOW);

	return fd >= 0 && ioctl(fd, BLKGETSIZE64, &range[1]) == 0 &&
	       ioctl(fd, BLKDISCARD, range) == 0;
}

void guard_loop_give_up(const struct guard_entry *entry)
{
	struct err err = { 0 };
	struct stat st;
	int fd = -1;

	if (look_at_loop(entry, &fd, &err) != GUARD_OURS)
		return;
	/* Of a mount that is out of sight, but uses the device: ours too. */
	if (fstat(fd, &st) == 0)
		guard_abort_fuse(st.st_rdev);
	aside_do(discard, entry->name, PATIENCE_MS);
	close(fd);
}

bool guard_loop_undo(const struct guard_entry *entry, struct err *err)
{
	int fd = -1;
	enum guard_look look = look_at_loop(entry, &fd, err);

	if (look == GUARD_OURS) {
		if (ioctl(fd, LOOP_CLR_FD, 0) < 0 && errno != ENXIO)
			err_sys(err, errno, "detaching it");
		close(fd);
		look = guard_loop_probe(entry, err);
	}
	if (look == GUARD_GONE)
		return true;
	return err_set(err, ERR_FAILED, "it does not let go of its file");
}
