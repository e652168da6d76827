/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/target.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/aside.h"
#include "runner/mountinfo.h"
#include "runner/target_private.h"

static const char mount_parent[] = "/run";
enum { DROP_PATIENCE_MS = 20000 };

static bool is_directory(const struct target *target)
{
	return target->volume->kind == MATRIX_DIRECTORY;
}

/* A path that is taken is refused; so is one in a folder that is not there. */
static bool check_image(const char *path, struct err *err)
{
	char folder[PATH_MAX];
	struct stat st;

	if (!target_image_check(path, err))
		return false;
	if (strlen(path) >= sizeof(folder))
		return err_sys(err, ENAMETOOLONG, "image %s", path);
	strcpy(folder, path);
	if (stat(dirname(folder), &st) == 0)
		return true;
	err_sys(err, errno, "image %s: folder %s", path, folder);
	return err_advise(err, "make it, or name one that is there, seen from "
			       "where the matrix is");
}

static bool check_device(const struct matrix_volume *volume, struct err *err)
{
	struct device device;

	if (!device_check(volume, &device, err))
		return false;
	device_done(&device);
	return true;
}

/* Write its real path to `resolved` (PATH_MAX): a writable directory. */
static bool check_directory(const char *path, char *resolved, struct err *err)
{
	struct stat st;

	if (!realpath(path, resolved) || stat(resolved, &st) < 0)
		err_sys(err, errno, "directory %s", path);
	else if (!S_ISDIR(st.st_mode))
		err_sys(err, ENOTDIR, "directory %s", path);
	else if (access(resolved, W_OK | X_OK) < 0)
		return err_sys(err, errno, "writing in directory %s", path) ||
		       err_advise(err, "name a folder that you may write to, "
				       "or copy the matrix to one");
	else
		return true;
	return err_advise(err, "name a folder that is there, seen from where "
			       "the matrix is");
}

bool target_check(const struct matrix_volume *volume, struct err *err)
{
	char resolved[PATH_MAX];

	switch (volume->kind) {
	case MATRIX_IMAGE:
		return check_image(volume->path, err);
	case MATRIX_DEVICE:
		return check_device(volume, err);
	case MATRIX_DIRECTORY:
		break;
	}
	return check_directory(volume->path, resolved, err);
}

dev_t target_home(const struct matrix_volume *volume)
{
	char path[PATH_MAX];
	const char *place = path;
	struct stat st;

	if (volume->kind == MATRIX_DEVICE ||
	    strlen(volume->path) >= sizeof(path))
		return 0;
	strcpy(path, volume->path);
	if (volume->kind == MATRIX_IMAGE)
		place = dirname(path);
	return stat(place, &st) < 0 ? 0 : st.st_dev;
}

void target_directory_type(const char *path, char *out, size_t size)
{
	struct mountinfo info;
	struct err ignored = { 0 };
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool found;

	out[0] = '\0';
	if (fd < 0)
		return;
	found = mountinfo_of(fd, &info, &ignored);
	close(fd);
	if (!found)
		return;
	snprintf(out, size, "%s", info.type);
	mountinfo_done(&info);
}

bool target_may_mount(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	return syscall(SYS_capget, &header, data) < 0 ||
	       (data[0].effective & 1u << CAP_SYS_ADMIN);
}

enum target_outcome target_possible(const struct matrix_volume *volume,
				    const struct matrix_filesystem *filesystem,
				    const struct fstype **type,
				    const struct fstype_driver **driver,
				    struct err *err)
{
	*type = fstype_find(filesystem->type);
	if (!*type) {
		err_set(err, ERR_INPUT, "no filesystem type %s",
			filesystem->type);
		return TARGET_FAILED;
	}
	if (!target_mkfs_options_check((const char *const *)filesystem->mkfs,
				       err) ||
	    !target_mount_options_check(filesystem->mount, err))
		return TARGET_FAILED;
	if (geteuid() != 0) {
		err_set(err, ERR_FAILED,
			"%s volumes need root (directories do not)",
			volume->kind == MATRIX_DEVICE ? "device" : "image");
		return TARGET_SKIPPED;
	}
	if (!target_may_mount()) {
		err_set(err, ERR_FAILED,
			"mounting is not allowed here (no CAP_SYS_ADMIN)");
		return TARGET_SKIPPED;
	}
	if (fstype_available(*type, filesystem->driver, driver, err) &&
	    (volume->kind == MATRIX_DEVICE || loop_available(err)))
		return TARGET_READY;
	return TARGET_SKIPPED;
}

static bool attach(struct target *target, struct err *err)
{
	if (target->volume->kind == MATRIX_DEVICE)
		return target_device_attach(target, err);
	return target_image_attach(target, err);
}

void target_explain(const struct target *target, struct err *err)
{
	if (target->volume->kind == MATRIX_IMAGE)
		target_image_explain(target, err);
}

static bool make_filesystem(struct target *target, struct err *err)
{
	if (target_mkfs(target, err))
		return true;
	target_explain(target, err);
	return false;
}

/* An image or a device. */
static enum target_outcome prepare_block(struct target *target, struct err *err)
{
	enum target_outcome outcome =
		target_possible(target->volume, target->filesystem,
				&target->type, &target->driver, err);

	if (outcome != TARGET_READY)
		return outcome;
	/* a guard has done that, for its keeper sees what it must unmount */
	if (!target->guard && !guard_isolate(err))
		return TARGET_FAILED;
	if (!attach(target, err) || !make_filesystem(target, err) ||
	    !guard_make_directory(target->guard, mount_parent, TARGET_MOUNT,
				  &target->mount_point,
				  &target->mount_point_ticket, err))
		return TARGET_FAILED;
	return target_mount(target, err);
}

static enum target_outcome prepare_directory(struct target *target,
					     struct err *err)
{
	char resolved[PATH_MAX];

	/* once: from here on no symlink leads elsewhere */
	if (!check_directory(target->volume->path, resolved, err))
		return TARGET_FAILED;
	if (!guard_make_directory(target->guard, resolved, TARGET_FOLDER,
				  &target->folder, &target->folder_ticket, err))
		return TARGET_FAILED;
	target->dir = open(target->folder,
			   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (target->dir < 0) {
		err_sys(err, errno, "opening %s", target->folder);
		return TARGET_FAILED;
	}
	return target_facts_of_directory(target, err) ? TARGET_READY
						      : TARGET_FAILED;
}

static struct target *target_new(const struct matrix_volume *volume,
				 const struct matrix_filesystem *filesystem,
				 struct err *err)
{
	struct target *target = calloc(1, sizeof(*target));

	if (!target) {
		err_nomem(err);
		return NULL;
	}
	target->volume = volume;
	target->filesystem = filesystem;
	target->image = target->dir = target->device_fd = -1;
	target->loop.fd = -1;
	return target;
}

enum target_outcome target_prepare(const struct matrix_volume *volume,
				   const struct matrix_filesystem *filesystem,
				   struct guard *guard, const atomic_bool *stop,
				   struct target **target, struct err *err)
{
	*target = target_new(volume, filesystem, err);
	if (!*target)
		return TARGET_FAILED;
	(*target)->guard = guard;
	(*target)->stop = stop;
	if (is_directory(*target))
		return prepare_directory(*target, err);
	return prepare_block(*target, err);
}

int target_dir(const struct target *target)
{
	return target->dir;
}

int target_device(const struct target *target)
{
	int fd = target_block_fd(target);

	return fd > 0 ? fd : 0;
}

const struct target_facts *target_facts(const struct target *target)
{
	return &target->facts;
}

static bool write_three(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, "3", 1) == 1;
}

/* It waits for every filesystem of the host that is being unmounted. */
static void drop_caches(struct target *target)
{
	target->facts.caches_kept = !aside_do(
		write_three, "/proc/sys/vm/drop_caches", DROP_PATIENCE_MS);
}

bool target_evict(struct target *target, struct err *err)
{
	if (syncfs(target->dir) < 0)
		return err_sys(err, errno, "flushing %s", target->facts.device);
	if (is_directory(target)) {
		drop_caches(target);
		return true;
	}
	if (!target_unmount(target, false, err) ||
	    !target_block_flush(target, err) ||
	    !target_image_flush(target, err))
		return false;
	drop_caches(target);
	return target_mount_again(target, err);
}

/* A folder of ours that is empty by now. */
static bool remove_folder(struct target *target, char **path,
			  guard_ticket *ticket, struct err *err)
{
	bool ok = true;

	if (*path && rmdir(*path) < 0)
		ok = err_sys(err, errno, "removing %s", *path);
	else if (*path)
		guard_drop_removed(target->guard, ticket, *path);
	else
		guard_drop(target->guard, ticket);
	free(*path);
	*path = NULL;
	return ok;
}

static bool finish_block(struct target *target, struct err *err)
{
	bool ok;

	ok = target_unmount(target, true, err);
	ok = remove_folder(target, &target->mount_point,
			   &target->mount_point_ticket, err) &&
	     ok;
	target_device_detach(target);
	return target_image_detach(target, err) && ok;
}

static bool finish_directory(struct target *target, struct err *err)
{
	if (target->dir >= 0) {
		target_folder_empty(target->dir);
		close(target->dir);
	}
	target->dir = -1;
	return remove_folder(target, &target->folder, &target->folder_ticket,
			     err);
}

bool target_finish(struct target *target, struct err *err)
{
	bool ok;

	if (!target)
		return true;
	ok = is_directory(target) ? finish_directory(target, err)
				  : finish_block(target, err);
	free(target->facts.mkfs_command);
	free(target->facts.mount_command);
	free(target->facts.mount_options);
	free(target);
	return ok;
}
