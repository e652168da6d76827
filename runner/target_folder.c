/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runner/target_private.h"

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
