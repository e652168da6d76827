/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/mountinfo.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

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

/* 0 with `err` set if it cannot be told. */
static int id_of(int fd, struct err *err)
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

/* Those that a directory volume is likely to be on. */
static const struct {
	unsigned long magic;
	const char *type;
} magics[] = {
	{ EXT4_SUPER_MAGIC, "ext4" },   { XFS_SUPER_MAGIC, "xfs" },
	{ BTRFS_SUPER_MAGIC, "btrfs" }, { TMPFS_MAGIC, "tmpfs" },
	{ F2FS_SUPER_MAGIC, "f2fs" },   { MSDOS_SUPER_MAGIC, "vfat" },
	{ EXFAT_SUPER_MAGIC, "exfat" }, { OVERLAYFS_SUPER_MAGIC, "overlay" },
	{ FUSE_SUPER_MAGIC, "fuse" },   { NFS_SUPER_MAGIC, "nfs" },
};

static const char *type_of(unsigned long magic)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		if (magics[i].magic == magic)
			return magics[i].type;
	}
	return "unknown";
}

static bool by_statfs(int fd, struct mountinfo *out, struct err *err)
{
	struct statfs fs;
	struct stat st;
	struct mountinfo info = { 0 };

	if (fstatfs(fd, &fs) < 0 || fstat(fd, &st) < 0)
		return err_sys(err, errno, "asking for a file's filesystem");
	info.device = st.st_dev;
	info.target = copy("");
	info.type = copy(type_of((unsigned long)fs.f_type));
	info.source = copy("none");
	info.options = copy("");
	if (!info.target || !info.type || !info.source || !info.options) {
		mountinfo_done(&info);
		return err_nomem(err);
	}
	*out = info;
	return true;
}

bool mountinfo_of(int fd, struct mountinfo *out, struct err *err)
{
	struct err unseen = { 0 };
	int id = id_of(fd, err);

	if (!id)
		return false;
	return mountinfo_by_id(MOUNTINFO_SELF, id, out, &unseen) ||
	       mountinfo_by_id(MOUNTINFO_INIT, id, out, &unseen) ||
	       by_statfs(fd, out, err);
}

void mountinfo_done(struct mountinfo *info)
{
	free(info->target);
	free(info->type);
	free(info->source);
	free(info->options);
	*info = (struct mountinfo){ 0 };
}
