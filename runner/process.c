/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	ENVIRONMENT_MAX = 1 << 20, /* bytes read of one */
};

/* All of a file of /proc, with a NUL behind it; NULL: cannot be read. */
static char *slurp(const char *path, size_t *length)
{
	char *text = NULL, *grown;
	size_t used = 0, size = 0;
	ssize_t got = 1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	while (got > 0 && used < ENVIRONMENT_MAX) {
		if (size - used < 2) {
			size = size ? size * 2 : 4096;
			grown = realloc(text, size);
			if (!grown)
				break;
			text = grown;
		}
		got = read(fd, text + used, size - used - 1);
		if (got > 0)
			used += (size_t)got;
	}
	close(fd);
	if (text)
		text[used] = '\0';
	*length = used;
	return text;
}

uint64_t process_start(pid_t pid)
{
	enum { STATE = 0, START = 19 }; /* fields behind the name */
	char path[64], *text, *at;
	uint64_t start = 0;
	size_t length;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	text = slurp(path, &length);
	at = text ? strrchr(text, ')') : NULL; /* the name may hold any byte */
	if (at && at[1] == ' ' && !strchr("ZX", at[2])) {
		at += 2;
		for (int i = STATE; at && i < START; i++) {
			at = strchr(at, ' ');
			at = at ? at + 1 : NULL;
		}
		if (at)
			start = strtoull(at, NULL, 10);
	}
	free(text);
	return start;
}

void process_mark(char mark[PROCESS_MARK_SIZE])
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	snprintf(mark, PROCESS_MARK_SIZE, PROCESS_MARK "%d.%lld", (int)getpid(),
		 (long long)t.tv_sec * 1000000000 + t.tv_nsec);
}

bool process_program(pid_t pid, char *name, size_t size)
{
	char link[64], path[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	length = readlink(link, path, sizeof(path) - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	snprintf(name, size, "%s",
		 strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	return true;
}

/* The mark a process carries, on the heap; NULL: none. */
static char *mark_of(pid_t pid)
{
	char path[64], *text, *found = NULL;
	size_t length;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	text = slurp(path, &length);
	for (size_t at = 0; text && at < length; at += strlen(text + at) + 1)
		if (strncmp(text + at, PROCESS_MARK, strlen(PROCESS_MARK)) == 0)
			found = text + at;
	found = found ? strdup(found) : NULL;
	free(text);
	return found;
}

/* The next process of an open /proc; -1 at the end. */
static pid_t next_process(DIR *proc)
{
	struct dirent *entry;

	while ((entry = readdir(proc))) {
		long pid = strtol(entry->d_name, NULL, 10);

		if (pid > 0)
			return (pid_t)pid;
	}
	return -1;
}

pid_t process_find_marked(const char *mark)
{
	DIR *proc = opendir("/proc");
	uint64_t newest = 0;
	pid_t pid, found = -1;

	if (!proc)
		return -1;
	while ((pid = next_process(proc)) > 0) {
		char *its = mark_of(pid);

		if (its && strcmp(its, mark) == 0 &&
		    process_start(pid) >= newest) {
			newest = process_start(pid);
			found = newest ? pid : found;
		}
		free(its);
	}
	closedir(proc);
	return found;
}
