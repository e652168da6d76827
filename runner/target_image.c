/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/units.h"
#include "runner/target_private.h"

/* With less than this to write on, no filesystem can be made. */
#define ROOM_MIN (UINT64_C(64) << 10)
/* With more than this left, it is something else that failed. */
#define ROOM_ENOUGH (UINT64_C(1) << 20)

bool target_image_check(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return errno == ENOENT || err_sys(err, errno, "image %s", path);
	return err_set(err, ERR_REFUSED,
		       "image %s exists already and is not overwritten (remove "
		       "it, or name another)",
		       path);
}

/* Never has a name, where the filesystem can do that; else EOPNOTSUPP. */
static int open_nameless(const char *path)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s", path);
	return open(dirname(folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

/* It has a name for a moment, which is recorded. */
static int open_named(struct guard *guard, const char *path, struct err *err)
{
	guard_ticket ticket = 0;
	int fd;

	if (!guard_add_file(guard, path, &ticket, err))
		return -1;
	fd = open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC,
		  0600);
	if (fd >= 0)
		guard_know_file(guard, ticket, fd);
	/* what we hold open needs no name: a crash leaves none */
	if (fd < 0) {
		err_sys(err, errno, "creating image %s", path);
	} else if (unlink(path) < 0) {
		err_sys(err, errno, "unlinking image %s", path);
		close(fd);
		return -1;
	}
	guard_drop_removed(guard, &ticket, path);
	return fd;
}

static int open_image(struct guard *guard, const char *path, struct err *err)
{
	int fd;

	if (strlen(path) >= PATH_MAX) {
		err_sys(err, ENAMETOOLONG, "creating image %s", path);
		return -1;
	}
	if (!target_image_check(path, err))
		return -1;
	fd = open_nameless(path);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
		return open_named(guard, path, err);
	if (fd < 0)
		err_sys(err, errno, "creating image %s", path);
	return fd;
}

static bool check_room(int fd, const struct matrix_volume *v, struct err *err)
{
	char wanted_text[UNITS_TEXT_MAX], room_text[UNITS_TEXT_MAX];
	struct statvfs st;
	uint64_t room;

	if (fstatvfs(fd, &st) < 0)
		return true;
	room = (uint64_t)st.f_bavail * st.f_frsize;
	if (st.f_blocks == 0 || room >= v->size_bytes)
		return true; /* a filesystem without a limit, or enough */
	units_format_bytes(v->size_bytes, wanted_text, sizeof(wanted_text));
	units_format_bytes(room, room_text, sizeof(room_text));
	if (v->allocate)
		return err_set(err, ERR_FAILED,
			       "image %s needs %s, and %s (%" PRIu64
			       " bytes) are free there",
			       v->path, wanted_text, room_text, room);
	if (room < ROOM_MIN)
		return err_set(err, ERR_FAILED,
			       "image %s: the filesystem it is on is full",
			       v->path);
	return true;
}

static bool set_size(int fd, const struct matrix_volume *v, struct err *err)
{
	char size[UNITS_TEXT_MAX];
	int errnum = 0;

	if (v->size_bytes > INT64_MAX)
		errnum = EFBIG;
	else if (v->allocate)
		errnum = posix_fallocate(fd, 0, (off_t)v->size_bytes);
	else if (ftruncate(fd, (off_t)v->size_bytes) < 0)
		errnum = errno;
	if (!errnum)
		return true;
	units_format_bytes(v->size_bytes, size, sizeof(size));
	return err_sys(err, errnum, "giving image %s its %s", v->path, size);
}

bool target_image_attach(struct target *target, struct err *err)
{
	const struct matrix_volume *v = target->volume;

	target->image = open_image(target->guard, v->path, err);
	return target->image >= 0 && check_room(target->image, v, err) &&
	       set_size(target->image, v, err) &&
	       loop_attach(&target->loop, target->image, v->path, err) &&
	       guard_add_loop(target->guard, target->loop.number,
			      target->loop.fd, &target->loop_ticket, err);
}

void target_image_explain(const struct target *target, struct err *err)
{
	char text[UNITS_TEXT_MAX];
	struct statvfs st;
	uint64_t room;

	if (target->image < 0 || fstatvfs(target->image, &st) < 0 ||
	    st.f_blocks == 0)
		return;
	room = (uint64_t)st.f_bavail * st.f_frsize;
	units_format_bytes(room, text, sizeof(text));
	if (room < ROOM_ENOUGH)
		err_advise(err,
			   "no space left on the filesystem of image %s: "
			   "%s are free there",
			   target->volume->path, text);
}

bool target_image_flush(const struct target *target, struct err *err)
{
	if (target->image < 0)
		return true;
	if (fdatasync(target->image) < 0)
		return err_sys(err, errno, "flushing image %s",
			       target->volume->path);
	posix_fadvise(target->image, 0, 0, POSIX_FADV_DONTNEED);
	return true;
}

bool target_image_detach(struct target *target, struct err *err)
{
	bool ok;

	if (target->loop.fd >= 0)
		loop_discard(&target->loop);
	ok = loop_detach(&target->loop, err);
	if (ok)
		guard_drop(target->guard, &target->loop_ticket);
	if (target->image >= 0)
		close(target->image);
	target->image = -1;
	return ok;
}
