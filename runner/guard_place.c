/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/guard_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The nth place where records may be kept, on the heap; NULL: there is none.
 * A user who has no home that can be written has /var/tmp.
 */
static char *nth_place(unsigned int n)
{
	const char *own = getenv("FSMATRIX_STATE");
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	unsigned int uid = (unsigned int)geteuid();
	char *path = NULL;
	int ret = -1;

	if (own && *own)
		return n == 0 ? strdup(own) : NULL;
	if (n == 0 && uid == 0)
		return strdup("/var/lib/fsmatrix");
	if (n == 0 && state && *state == '/')
		ret = asprintf(&path, "%s/fsmatrix", state);
	else if (n == 0 && home && *home == '/')
		ret = asprintf(&path, "%s/.local/state/fsmatrix", home);
	else if (n <= 1)
		ret = asprintf(&path, "/var/tmp/fsmatrix-%u", uid);
	return ret < 0 ? NULL : path;
}

/* 0, or an errno. */
static int make_directories(const char *path)
{
	char *part = strdup(path);
	int errnum = part ? 0 : ENOMEM;

	for (char *at = part; at && errnum == 0; *at = '/') {
		at = strchr(at + 1, '/');
		if (at)
			*at = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			errnum = errno;
		if (!at)
			break;
	}
	free(part);
	return errnum;
}

/* -1 with `err` set; *path then is untouched. */
static int open_one(const char *wanted, char **path, struct err *err)
{
	const char *own = getenv("FSMATRIX_STATE");
	int errnum = make_directories(wanted), fd = -1;
	char *found = NULL;
	struct stat st = { 0 };

	if (errnum == 0) {
		fd = open(wanted,
			  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		errnum = fd < 0 || fstat(fd, &st) < 0 ? errno : 0;
	}
	if (errnum == 0) {
		found = realpath(wanted, NULL);
		errnum = found ? 0 : errno;
	}
	if (errnum != 0 && own && *own)
		err_sys(err, errnum, "no place for records: FSMATRIX_STATE=%s",
			wanted);
	else if (errnum != 0)
		err_sys(err, errnum,
			"no place for records: %s (FSMATRIX_STATE names "
			"another)",
			wanted);
	else if (st.st_uid != geteuid() || (st.st_mode & 022))
		err_set(err, ERR_REFUSED,
			"%s is not a place for records: others can write there",
			found);
	if (err->code == ERR_NONE) {
		*path = found;
		return fd;
	}
	free(found);
	if (fd >= 0)
		close(fd);
	return -1;
}

int guard_place_open(char **path, struct err *err)
{
	struct err first = { 0 }, later;
	int fd = -1;
	char *wanted;

	for (unsigned int n = 0; fd < 0 && (wanted = nth_place(n)); n++) {
		later = (struct err){ 0 };
		fd = open_one(wanted, path, n == 0 ? &first : &later);
		free(wanted);
	}
	if (fd >= 0)
		return fd;
	if (first.code == ERR_NONE)
		err_nomem(err);
	else
		err_set(err, first.code, "%s", first.text);
	return -1;
}
