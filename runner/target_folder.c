/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/target_private.h"

enum { ATTEMPTS = 16 }; /* a sweep may take a folder before it is locked */

static const int open_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/* The folder, open and locked by us alone; -1: somebody else's, or gone. */
static int lock_folder(int parent, const char *name)
{
	struct stat st;
	int fd = openat(parent, name, open_flags);

	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
	    st.st_nlink > 0)
		return fd;
	close(fd);
	return -1;
}

bool target_folder_make(const char *parent, const char *prefix, char **path,
			int *lock, struct err *err)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		char *made;
		int fd;

		if (asprintf(&made, "%s/%sXXXXXX", parent, prefix) < 0)
			return err_nomem(err);
		if (!mkdtemp(made)) {
			int errnum = errno;

			free(made);
			return err_sys(err, errnum, "making a folder in %s",
				       parent);
		}
		fd = lock_folder(AT_FDCWD, made);
		if (fd >= 0) {
			*path = made;
			*lock = fd;
			return true;
		}
		rmdir(made);
		free(made);
	}
	return err_set(err, ERR_FAILED, "cannot lock a new folder in %s",
		       parent);
}

void target_folder_empty(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			unlinkat(fd, entry->d_name, 0);
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
}

/* What is mounted on a folder is not in it. */
static bool is_mount_point(int parent, int folder)
{
	struct stat above, st;

	return fstat(parent, &above) < 0 || fstat(folder, &st) < 0 ||
	       above.st_dev != st.st_dev;
}

unsigned int target_folder_sweep(const char *parent, const char *prefix)
{
	int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	size_t length = strlen(prefix);
	unsigned int count = 0;
	struct dirent *entry;

	while (list && (entry = readdir(list))) {
		int lock;

		if (strncmp(entry->d_name, prefix, length) != 0 ||
		    strlen(entry->d_name) != length + 6)
			continue;
		lock = lock_folder(fd, entry->d_name);
		if (lock < 0)
			continue;
		if (!is_mount_point(fd, lock)) {
			target_folder_empty(lock);
			count += unlinkat(fd, entry->d_name, AT_REMOVEDIR) == 0;
		}
		close(lock);
	}
	if (list)
		closedir(list);
	else if (fd >= 0)
		close(fd);
	return count;
}
