/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/place.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runner/mountinfo.h"

void place_list_done(struct place_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].path);
		free(list->items[i].type);
		free(list->items[i].source);
	}
	free(list->items);
	*list = (struct place_list){ 0 };
}

static bool is_known(const struct place_list *list, dev_t number)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].number == number)
			return true;
	}
	return false;
}

/* An overlay is how a container sees its disk; tmpfs is memory, of which one
 * folder is enough. */
static bool is_wanted_type(const char *type)
{
	return strcmp(type, "overlay") == 0 || !mnt_fstype_is_pseudofs(type);
}

/* What a machine starts from is too small to measure and too dear to fill. */
static bool is_for_booting(const char *path)
{
	return strcmp(path, "/boot") == 0 || strcmp(path, "/efi") == 0 ||
	       strncmp(path, "/boot/", 6) == 0;
}

static bool append(struct place_list *list, const struct place *place)
{
	struct place *grown = reallocarray(list->items, list->count + 1,
					   sizeof(*list->items));

	if (!grown)
		return false;
	list->items = grown;
	list->items[list->count++] = *place;
	return true;
}

static bool is_wanted(const char *path, const struct mountinfo *info)
{
	if (strcmp(path, PLACE_MEMORY) == 0)
		return strcmp(info->type, "tmpfs") == 0;
	return is_wanted_type(info->type) && !is_for_booting(info->target);
}

/* Of the folder behind `dir`. False: not wanted, or it cannot be known. */
static bool look(int dir, const char *path, struct mountinfo *info,
		 struct statvfs *space)
{
	struct err ignored = { 0 };

	if (fstatvfs(dir, space) != 0 || (space->f_flag & ST_RDONLY))
		return false;
	if (!mountinfo_of(dir, info, &ignored))
		return false;
	if (is_wanted(path, info))
		return true;
	mountinfo_done(info);
	return false;
}

/* Add the folder unless its filesystem is known. False: out of memory. */
static bool consider(struct place_list *list, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	struct mountinfo info = { 0 };
	struct place place;
	struct statvfs space;
	struct stat st;
	bool ok = true;
	int dir = -1;

	if (!real || stat(real, &st) != 0 || is_known(list, st.st_dev) ||
	    access(real, W_OK | X_OK) != 0)
		goto out;
	dir = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || !look(dir, real, &info, &space))
		goto out;
	place = (struct place){
		.path = real,
		.type = info.type,
		.source = info.source,
		.number = st.st_dev,
		.size_bytes = (uint64_t)space.f_blocks * space.f_frsize,
		.free_bytes = (uint64_t)space.f_bavail * space.f_frsize,
	};
	ok = append(list, &place);
	if (ok) {
		real = NULL; /* now the list's, as are these */
		info.type = info.source = NULL;
	}
out:
	if (dir >= 0)
		close(dir);
	mountinfo_done(&info);
	free(real);
	return ok;
}

static bool consider_mounts(struct place_list *list, struct err *err)
{
	struct libmnt_table *table = mnt_new_table();
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL;
	int ret = table && iter ? mnt_table_parse_file(table, MOUNTINFO_SELF)
				: -ENOMEM;
	bool ok = ret == 0 || err_sys(err, ret < 0 ? -ret : EINVAL,
				      "reading " MOUNTINFO_SELF);

	while (ok && mnt_table_next_fs(table, iter, &fs) == 0) {
		const char *type = mnt_fs_get_fstype(fs);

		if (type && is_wanted_type(type) && !mnt_fs_is_netfs(fs) &&
		    !consider(list, mnt_fs_get_target(fs)))
			ok = err_nomem(err);
	}
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return ok;
}

/* A folder of the user's is a better place than the root of its mount. */
bool place_list_read(struct place_list *list, struct err *err)
{
	bool ok;

	*list = (struct place_list){ 0 };
	ok = (geteuid() == 0 || consider(list, getenv("HOME"))) &&
	     consider(list, "/var/tmp") && consider(list, ".");
	if (!ok)
		err_nomem(err);
	if (ok && consider_mounts(list, err) &&
	    (consider(list, PLACE_MEMORY) || err_nomem(err)))
		return true;
	place_list_done(list);
	return false;
}
