/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <libmount.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/target_private.h"

/*
 * Options of mkfs are a user's text, and some of them name devices: a
 * journal's, a log's, a second disk's, which mkfs would then erase without
 * our safeguards. We do not know each program's grammar, so every part of an
 * option that is the path of a device or a file is taken for one. Relative
 * paths are none: mkfs runs in /.
 */

/* Whether `length` bytes of `text` are, seen from /, a device or a file. */
static bool names_something(const char *text, size_t length)
{
	char path[PATH_MAX];
	struct stat st;

	if (length == 0 || length + 2 > sizeof(path))
		return false;
	snprintf(path, sizeof(path), "/%.*s", (int)length, text);
	return stat(path, &st) == 0 &&
	       (S_ISBLK(st.st_mode) || S_ISCHR(st.st_mode) ||
		S_ISREG(st.st_mode));
}

/*
 * Journals and logs are also found by what is on a device: by NAME=VALUE,
 * NAME being anything that libblkid knows of one, and in capitals.
 */
static bool names_by_tag(const char *option)
{
	const char *at = option;

	while (at) {
		size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

		if (length > 0 && at[length] == '=')
			return true;
		at = strchr(at, '=');
		at = at ? at + 1 : NULL;
	}
	return false;
}

/*
 * How much of `text` is the path of something, 0: nothing is. What ends a path
 * differs (mkfs.f2fs takes DEVICE@ALIAS, others DEVICE:START or a list), and
 * each such character may be part of one: every end is tried.
 */
static size_t length_of_path(const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789/._-+";
	size_t length = 0;

	do {
		length += strspn(text + length, plain);
		if (names_something(text, length))
			return length;
	} while (text[length++]);
	return 0;
}

static bool check_mkfs_option(const char *option, struct err *err)
{
	size_t length;

	if (names_by_tag(option))
		return err_set(err, ERR_REFUSED,
			       "mkfs option %s: names another device", option);
	for (const char *from = option; *from; from++) {
		length = length_of_path(from);
		if (length > 0)
			return err_set(err, ERR_REFUSED,
				       "mkfs option %s: %.*s exists, and mkfs "
				       "may write to it",
				       option, (int)length, from);
	}
	return true;
}

bool target_mkfs_options_check(const char *const *options, struct err *err)
{
	for (; options && *options; options++)
		if (!check_mkfs_option(*options, err))
			return false;
	return true;
}

bool target_mount_options_check(const char *options, struct err *err)
{
	static const char *const refused[] = { "loop", "offset", "sizelimit" };
	char *at = (char *)options, *name;
	size_t length;

	while (at &&
	       mnt_optstr_next_option(&at, &name, &length, NULL, NULL) == 0) {
		if (length > 8 && strncmp(name, "X-mount.", 8) == 0)
			return err_set(err, ERR_FAILED,
				       "mount option %.*s: makes and mounts "
				       "more than the volume",
				       (int)length, name);
		for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
			if (length == strlen(refused[i]) &&
			    strncmp(name, refused[i], length) == 0)
				return err_set(err, ERR_FAILED,
					       "mount option %s: would measure "
					       "a second loop device",
					       refused[i]);
	}
	return true;
}
