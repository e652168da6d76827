/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

static int result(int ret)
{
	return ret < 0 ? -errno : ret;
}

static int system_open(void *ctx, int dir, const char *name, int flags)
{
	(void)ctx;
	return result(openat(dir, name, flags | O_CLOEXEC, 0600));
}

static int system_close(void *ctx, int fd)
{
	(void)ctx;
	return result(close(fd));
}

static int64_t system_pwrite(void *ctx, int fd, const void *buf, size_t len,
			     uint64_t offset)
{
	ssize_t moved = pwrite(fd, buf, len, (off_t)offset);

	(void)ctx;
	return moved < 0 ? -errno : moved;
}

static int64_t system_pread(void *ctx, int fd, void *buf, size_t len,
			    uint64_t offset)
{
	ssize_t moved = pread(fd, buf, len, (off_t)offset);

	(void)ctx;
	return moved < 0 ? -errno : moved;
}

static int system_fsync(void *ctx, int fd)
{
	(void)ctx;
	return result(fsync(fd));
}

static int system_syncfs(void *ctx, int fd)
{
	(void)ctx;
	return result(syncfs(fd));
}

static int system_truncate(void *ctx, int fd, uint64_t bytes)
{
	(void)ctx;
	return result(ftruncate(fd, (off_t)bytes));
}

static int system_size(void *ctx, int fd, uint64_t *bytes)
{
	struct stat st;

	(void)ctx;
	if (fstat(fd, &st) < 0)
		return -errno;
	*bytes = (uint64_t)st.st_size;
	return 0;
}

static int system_available(void *ctx, int fd, uint64_t *bytes)
{
	struct statvfs st;

	(void)ctx;
	if (fstatvfs(fd, &st) < 0)
		return -errno;
	*bytes = (uint64_t)st.f_bavail * st.f_frsize;
	return 0;
}

/* Raw, because the C library's struct statx may lack the newer members. */
static int statx_fd(int fd, unsigned int mask, struct statx *stx)
{
	return result(
		(int)syscall(SYS_statx, fd, "", AT_EMPTY_PATH, mask, stx));
}

static int system_mount(void *ctx, int fd, uint64_t *id)
{
	struct statx stx = { 0 };
	int ret = statx_fd(fd, STATX_BASIC_STATS | STATX_MNT_ID, &stx);

	(void)ctx;
	if (ret < 0)
		return ret;
	if (stx.stx_mask & STATX_MNT_ID)
		*id = stx.stx_mnt_id;
	else /* before Linux 5.8: the filesystem at least */
		*id = makedev(stx.stx_dev_major, stx.stx_dev_minor);
	return 0;
}

static int system_dontneed(void *ctx, int fd)
{
	(void)ctx;
	return -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static int system_unlink(void *ctx, int dir, const char *name)
{
	(void)ctx;
	return result(unlinkat(dir, name, 0));
}

static int system_set_direct(void *ctx, int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	(void)ctx;
	if (flags < 0)
		return -errno;
	flags = on ? flags | O_DIRECT : flags & ~O_DIRECT;
	return result(fcntl(fd, F_SETFL, flags));
}

/* 0 when there is no such file. */
static uint32_t read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned int number = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%u", &number) != 1)
		number = 0;
	(void)fclose(file);
	return number;
}

/*
 * What BLKSSZGET would say, from sysfs, where it needs no right to open the
 * device; a partition has it in its disk's folder. 0: there is no device.
 */
static uint32_t sector_bytes(unsigned int major, unsigned int minor)
{
	char path[128];
	uint32_t bytes;

	(void)snprintf(path, sizeof(path),
		       "/sys/dev/block/%u:%u/queue/logical_block_size", major,
		       minor);
	bytes = read_number(path);
	if (bytes)
		return bytes;
	(void)snprintf(path, sizeof(path),
		       "/sys/dev/block/%u:%u/../queue/logical_block_size",
		       major, minor);
	return read_number(path);
}

static int system_alignment(void *ctx, int fd, uint32_t *bytes)
{
	struct statx stx = { 0 };
	int ret = statx_fd(fd, STATX_BASIC_STATS | STATX_DIOALIGN, &stx);
	uint32_t found;

	(void)ctx;
	if (ret < 0)
		return ret;
	if (stx.stx_mask & STATX_DIOALIGN) {
		found = stx.stx_dio_offset_align;
		if (found == 0)
			return -EOPNOTSUPP;
		if (stx.stx_dio_mem_align > found)
			found = stx.stx_dio_mem_align;
	} else {
		found = sector_bytes(stx.stx_dev_major, stx.stx_dev_minor);
	}
	if (found == 0 || (found & (found - 1)))
		found = (uint32_t)sysconf(_SC_PAGESIZE);
	*bytes = found;
	return 0;
}

/* cachestat(2), Linux 6.5, which C libraries do not know yet. */
static int resident_by_cachestat(int fd, uint64_t bytes, uint64_t *pages)
{
	const long number = 451; /* the same on every architecture */
	struct {
		uint64_t offset, length;
	} range = { 0, bytes };
	struct {
		uint64_t cache, dirty, writeback, evicted, recently_evicted;
	} found = { 0 };

	if (syscall(number, fd, &range, &found, 0) < 0)
		return -errno;
	*pages = found.cache;
	return 0;
}

/* The same by mincore(2), which wants a mapping: one window at a time. */
static int resident_by_mincore(int fd, uint64_t bytes, uint64_t *pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t window = (size_t)64 << 20;
	unsigned char *in_core = malloc(window / page);
	uint64_t found = 0, offset = 0;
	size_t length;
	void *map;
	int ret = in_core ? 0 : -ENOMEM;

	while (ret == 0 && offset < bytes) {
		length = bytes - offset < window ? (size_t)(bytes - offset)
						 : window;
		map = mmap(NULL, length, PROT_NONE, MAP_SHARED, fd,
			   (off_t)offset);
		if (map == MAP_FAILED) {
			ret = -errno;
			break;
		}
		ret = result(mincore(map, length, in_core));
		for (size_t i = 0; ret == 0 && i * page < length; i++)
			found += in_core[i] & 1;
		(void)munmap(map, length);
		offset += length;
	}
	free(in_core);
	if (ret == 0)
		*pages = found;
	return ret;
}

static int system_resident(void *ctx, int fd, uint64_t bytes, uint64_t *cached)
{
	uint64_t pages = 0, in_cache;
	int ret = 0;

	(void)ctx;
	if (bytes > 0)
		ret = resident_by_cachestat(fd, bytes, &pages);
	if (ret < 0)
		ret = resident_by_mincore(fd, bytes, &pages);
	if (ret < 0)
		return ret;
	in_cache = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	*cached = in_cache < bytes ? in_cache : bytes;
	return 0;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * UINT64_C(1000000000) +
	       (uint64_t)ts.tv_nsec;
}

static uint64_t system_now(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t system_boottime(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_BOOTTIME);
}

const struct io_ops io_system = {
	.open = system_open,
	.close = system_close,
	.pwrite = system_pwrite,
	.pread = system_pread,
	.fsync = system_fsync,
	.syncfs = system_syncfs,
	.truncate = system_truncate,
	.size = system_size,
	.available = system_available,
	.mount = system_mount,
	.dontneed = system_dontneed,
	.unlink = system_unlink,
	.set_direct = system_set_direct,
	.alignment = system_alignment,
	.resident = system_resident,
	.now = system_now,
	.boottime = system_boottime,
};
