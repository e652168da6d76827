/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/sim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static void pass(struct sim *sim, uint64_t ns)
{
	sim->clock_ns += ns;
	if (sim->stop_at_ns && sim->clock_ns >= sim->stop_at_ns)
		sim->control->stop = true;
	if (sim->read_now_at_ns && sim->clock_ns >= sim->read_now_at_ns)
		sim->control->read_now = true;
}

static void end_check(struct sim *sim)
{
	if (sim->reader != SIM_IDLE)
		pass(sim, sim->check_ns);
	sim->reader = SIM_IDLE;
}

static struct sim_file *find(struct sim *sim, const char *name)
{
	for (int i = 0; i < SIM_FILES; i++)
		if (sim->files[i].exists &&
		    strcmp(sim->files[i].name, name) == 0)
			return &sim->files[i];
	return NULL;
}

static struct sim_file *create(struct sim *sim, const char *name)
{
	for (int i = 0; i < SIM_FILES; i++) {
		struct sim_file *file = &sim->files[i];

		if (file->exists)
			continue;
		file->exists = true;
		snprintf(file->name, sizeof(file->name), "%s", name);
		file->size = 0;
		return file;
	}
	return NULL;
}

static struct sim_file *file_of(struct sim *sim, int fd)
{
	assert_in_range(fd, 0, SIM_FILES - 1);
	assert_true(sim->fds[fd].open);
	return &sim->files[sim->fds[fd].file];
}

static int sim_open(void *ctx, int dir, const char *name, int flags)
{
	struct sim *sim = ctx;
	struct sim_file *file = find(sim, name);
	int fd = 0;

	assert_int_equal(dir, SIM_DIR);
	assert_true(flags & O_NOFOLLOW);
	pass(sim, sim->open_ns);
	if (flags & O_CREAT) {
		assert_true(flags & O_EXCL);
		if (file)
			return -EEXIST;
		if (sim->create_fails && sim->opened > 0)
			return -sim->create_fails;
		file = create(sim, name);
		assert_non_null(file);
	}
	if (!file)
		return -ENOENT;
	if ((flags & O_DIRECT) && sim->refuses_direct_open)
		return -EINVAL; /* the new file stays, as in Linux */
	while (sim->fds[fd].open)
		fd++;
	sim->opened++;
	sim->open_files++;
	sim->fds[fd].open = true;
	sim->fds[fd].direct = flags & O_DIRECT;
	sim->fds[fd].file = (int)(file - sim->files);
	sim->fds[fd].foreign =
		sim->mount_changes && sim->opened >= sim->mount_changes;
	return fd;
}

static int sim_close(void *ctx, int fd)
{
	struct sim *sim = ctx;

	(void)file_of(sim, fd);
	pass(sim, sim->close_ns);
	sim->fds[fd].open = false;
	sim->open_files--;
	return -sim->close_fails;
}

/* -EINTR, or -EINVAL for what O_DIRECT cannot do, or 0. */
static int before_transfer(struct sim *sim, int fd, const void *buf, size_t len,
			   uint64_t offset)
{
	if (sim->interrupted < (int)sim->interruptions) {
		sim->interrupted++;
		return -EINTR;
	}
	sim->interrupted = 0;
	if (!sim->fds[fd].direct)
		return 0;
	if (sim->refuses_direct_transfer)
		return -EINVAL;
	if (sim->alignment_bytes && !sim->ignores_alignment &&
	    (((uintptr_t)buf | len | offset) & (sim->alignment_bytes - 1))) {
		sim->refused_misaligned++;
		return -EINVAL;
	}
	return 0;
}

static void grow(struct sim_file *file, size_t size)
{
	unsigned char *content;

	if (size <= file->size)
		return;
	if (size > file->room) {
		content = realloc(file->content, 2 * size);
		assert_non_null(content);
		file->content = content;
		file->room = 2 * size;
	}
	memset(file->content + file->size, 0, size - file->size);
	file->size = size;
}

static int64_t sim_pwrite(void *ctx, int fd, const void *buf, size_t len,
			  uint64_t offset)
{
	struct sim *sim = ctx;
	struct sim_file *file = file_of(sim, fd);
	uint64_t room;
	int ret = before_transfer(sim, fd, buf, len, offset);

	if (ret < 0)
		return ret;
	sim->writes++;
	if (sim->most_per_call && len > sim->most_per_call)
		len = sim->most_per_call;
	if (sim->file_limit_bytes) {
		room = sim->file_limit_bytes - offset;
		if (room == 0)
			return -EFBIG;
		len = len < room ? len : room;
	}
	if (sim->capacity_bytes) {
		room = sim->capacity_bytes - sim->written_bytes;
		if (room == 0)
			return -sim->fail_with;
		len = len < room ? len : room;
	}
	pass(sim, sim->write_ns);
	grow(file, offset + len);
	memcpy(file->content + offset, buf, len);
	sim->written_bytes += len;
	return (int64_t)len;
}

static int64_t sim_pread(void *ctx, int fd, void *buf, size_t len,
			 uint64_t offset)
{
	struct sim *sim = ctx;
	struct sim_file *file = file_of(sim, fd);
	int ret = before_transfer(sim, fd, buf, len, offset);
	uint64_t left = offset < file->size ? file->size - offset : 0;

	end_check(sim);
	if (ret < 0)
		return ret;
	sim->reader = SIM_HAS_READ;
	sim->reads++;
	if (sim->most_per_call && len > sim->most_per_call)
		len = sim->most_per_call;
	if (len > left)
		len = left;
	if (sim->read_fails_at && offset + len > sim->read_fails_at)
		return -EIO;
	pass(sim, sim->read_ns);
	if (len == 0)
		return 0;
	memcpy(buf, file->content + offset, len);
	if (sim->flips && sim->fds[fd].file == (int)sim->flip_file &&
	    sim->flip_at >= offset && sim->flip_at < offset + len)
		((unsigned char *)buf)[sim->flip_at - offset] ^= 0x10;
	return (int64_t)len;
}

static int sim_fsync(void *ctx, int fd)
{
	struct sim *sim = ctx;

	if (fd == SIM_DEVICE) {
		sim->device_fsyncs++;
		pass(sim, sim->device_fsync_ns);
		return -sim->device_fsync_fails;
	}
	(void)file_of(sim, fd);
	sim->fsyncs++;
	pass(sim, sim->fsync_ns);
	return -sim->fsync_fails;
}

static int sim_syncfs(void *ctx, int fd)
{
	struct sim *sim = ctx;

	assert_int_equal(fd, SIM_DIR);
	sim->syncfs++;
	pass(sim, sim->syncfs_ns);
	return -sim->syncfs_fails;
}

static int sim_truncate(void *ctx, int fd, uint64_t bytes)
{
	struct sim_file *file = file_of(ctx, fd);

	if (bytes < file->size)
		file->size = bytes;
	return 0;
}

static int sim_size(void *ctx, int fd, uint64_t *bytes)
{
	struct sim *sim = ctx;

	*bytes = file_of(sim, fd)->size - sim->lost_bytes;
	return 0;
}

static int sim_available(void *ctx, int fd, uint64_t *bytes)
{
	struct sim *sim = ctx;

	(void)fd;
	pass(sim, sim->available_ns);
	sim->looks++;
	if (sim->looks == sim->look_fails)
		return -EIO;
	*bytes = sim->capacity_bytes - sim->written_bytes + sim->unusable_bytes;
	return 0;
}

static int sim_mount(void *ctx, int fd, uint64_t *id)
{
	struct sim *sim = ctx;

	*id = fd != SIM_DIR && sim->fds[fd].foreign ? 8 : 7;
	return 0;
}

static int sim_dontneed(void *ctx, int fd)
{
	struct sim *sim = ctx;

	(void)file_of(sim, fd);
	sim->resident_bytes = 0;
	return 0;
}

static int sim_unlink(void *ctx, int dir, const char *name)
{
	struct sim_file *file = find(ctx, name);

	assert_int_equal(dir, SIM_DIR);
	if (!file)
		return -ENOENT;
	free(file->content);
	*file = (struct sim_file){ 0 };
	return 0;
}

static int sim_set_direct(void *ctx, int fd, bool on)
{
	struct sim *sim = ctx;

	(void)file_of(sim, fd);
	if (sim->fds[fd].direct && !on)
		sim->buffered_switches++;
	sim->fds[fd].direct = on;
	return 0;
}

static int sim_alignment(void *ctx, int fd, uint32_t *bytes)
{
	struct sim *sim = ctx;

	(void)file_of(sim, fd);
	*bytes = sim->alignment_bytes ? sim->alignment_bytes : 512;
	return -sim->alignment_fails;
}

static int sim_resident(void *ctx, int fd, uint64_t bytes, uint64_t *cached)
{
	struct sim *sim = ctx;

	(void)file_of(sim, fd);
	*cached = sim->resident_bytes < bytes ? sim->resident_bytes : bytes;
	return 0;
}

static uint64_t sim_now(void *ctx)
{
	struct sim *sim = ctx;

	if (sim->reader == SIM_CHECKS)
		end_check(sim);
	else if (sim->reader == SIM_HAS_READ)
		sim->reader = SIM_CHECKS;
	return sim->clock_ns;
}

static uint64_t sim_boottime(void *ctx)
{
	struct sim *sim = ctx;
	bool slept = sim->suspended_ns && sim->clock_ns >= sim->suspended_at_ns;

	return sim->clock_ns + 1234 + (slept ? sim->suspended_ns : 0);
}

const struct io_ops sim_io = {
	.open = sim_open,
	.close = sim_close,
	.pwrite = sim_pwrite,
	.pread = sim_pread,
	.fsync = sim_fsync,
	.syncfs = sim_syncfs,
	.truncate = sim_truncate,
	.size = sim_size,
	.available = sim_available,
	.mount = sim_mount,
	.dontneed = sim_dontneed,
	.unlink = sim_unlink,
	.set_direct = sim_set_direct,
	.alignment = sim_alignment,
	.resident = sim_resident,
	.now = sim_now,
	.boottime = sim_boottime,
};

void sim_done(struct sim *sim)
{
	assert_int_equal(sim->open_files, 0);
	for (int i = 0; i < SIM_FILES; i++)
		free(sim->files[i].content);
}
