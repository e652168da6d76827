/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/mountinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *copy(const char *text)
{
	return strdup(text ? text : "");
}

static bool take(struct libmnt_fs *fs, struct mountinfo *out, struct err *err)
{
	struct mountinfo info = {
		.id = mnt_fs_get_id(fs),
		.device = mnt_fs_get_devno(fs),
		.target = copy(mnt_fs_get_target(fs)),
		.type = copy(mnt_fs_get_fstype(fs)),
		.source = copy(mnt_fs_get_source(fs)),
		.options = copy(mnt_fs_get_options(fs)),
	};

	if (!info.target || !info.type || !info.source || !info.options) {
		mountinfo_done(&info);
		return err_nomem(err);
	}
	*out = info;
	return true;
}

static struct libmnt_table *load(const char *file, struct err *err)
{
	struct libmnt_table *table = mnt_new_table();
	int ret = table ? mnt_table_parse_file(table, file) : -ENOMEM;

	if (ret == 0)
		return table;
	mnt_unref_table(table);
	err_sys(err, ret < 0 ? -ret : EINVAL, "reading %s", file);
	return NULL;
}

/* The last that matches: a later mount at the same place covers others. */
static struct libmnt_fs *find(struct libmnt_table *table, const char *path,
			      int id)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_BACKWARD);
	struct libmnt_fs *fs = NULL;
	bool found = false;

	while (iter && !found && mnt_table_next_fs(table, iter, &fs) == 0)
		found = path ? strcmp(mnt_fs_get_target(fs), path) == 0
			     : mnt_fs_get_id(fs) == id;
	mnt_free_iter(iter);
	return found ? fs : NULL;
}

bool mountinfo_at(const char *file, const char *path, struct mountinfo *out,
		  struct err *err)
{
	struct libmnt_table *table = load(file, err);
	struct libmnt_fs *fs = table ? find(table, path, 0) : NULL;
	bool ok = fs && take(fs, out, err);

	if (!fs)
		err_set(err, ERR_FAILED, "nothing is mounted at %s", path);
	mnt_unref_table(table);
	return ok;
}

bool mountinfo_by_id(const char *file, int id, struct mountinfo *out,
		     struct err *err)
{
	struct libmnt_table *table = load(file, err);
	struct libmnt_fs *fs = table ? find(table, NULL, id) : NULL;
	bool ok = fs && take(fs, out, err);

	if (!fs)
		err_set(err, ERR_FAILED, "no mount has the id %d", id);
	mnt_unref_table(table);
	return ok;
}

int mountinfo_id_of(int fd, struct err *err)
{
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) < 0) {
		err_sys(err, errno, "asking for the mount of a file");
		return 0;
	}
	if (!(stx.stx_mask & STATX_MNT_ID)) {
		err_set(err, ERR_FAILED,
			"this kernel does not tell a file's mount (needs 5.8)");
		return 0;
	}
	return (int)stx.stx_mnt_id;
}

void mountinfo_done(struct mountinfo *info)
{
	free(info->target);
	free(info->type);
	free(info->source);
	free(info->options);
	*info = (struct mountinfo){ 0 };
}
