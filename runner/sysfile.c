/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/sysfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Format the path of the caller's variadic arguments into `path`. */
#define FORMAT_PATH(path, fmt)                                                 \
	do {                                                                   \
		va_list ap_;                                                   \
		int length_;                                                   \
                                                                               \
		va_start(ap_, fmt);                                            \
		length_ = vsnprintf(path, sizeof(path), fmt, ap_);             \
		va_end(ap_);                                                   \
		if (length_ < 0 || (size_t)length_ >= sizeof(path))            \
			(path)[0] = '\0';                                      \
	} while (0)

static ssize_t read_bytes(const char *path, void *out, size_t size)
{
	/* A FIFO in the place of a file must not stop us. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return -1;
	do {
		got = read(fd, out, size);
	} while (got < 0 && errno == EINTR);
	close(fd);
	return got;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool read_line(const char *path, char *out, size_t size)
{
	ssize_t got = read_bytes(path, out, size - 1);
	size_t length, start = 0;

	out[got < 0 ? 0 : got] = '\0';
	length = strcspn(out, "\n");
	while (length > 0 && is_blank(out[length - 1]))
		length--;
	out[length] = '\0';
	while (is_blank(out[start]))
		start++;
	memmove(out, out + start, length - start + 1);
	return got >= 0;
}

static bool read_number(const char *path, uint64_t *value)
{
	char line[32];

	if (!read_line(path, line, sizeof(line)) || line[0] < '0' ||
	    line[0] > '9')
		return false;
	*value = strtoull(line, NULL, 10);
	return true;
}

bool sysfile_line(char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];

	FORMAT_PATH(path, fmt);
	return read_line(path, out, size);
}

bool sysfile_number(uint64_t *value, const char *fmt, ...)
{
	char path[PATH_MAX];

	FORMAT_PATH(path, fmt);
	return read_number(path, value);
}

bool sysfile_flag(const char *fmt, ...)
{
	char path[PATH_MAX];
	uint64_t value = 0;

	FORMAT_PATH(path, fmt);
	return read_number(path, &value) && value != 0;
}

ssize_t sysfile_bytes(void *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];

	FORMAT_PATH(path, fmt);
	return read_bytes(path, out, size);
}

bool sysfile_exists(const char *fmt, ...)
{
	char path[PATH_MAX];

	FORMAT_PATH(path, fmt);
	return access(path, F_OK) == 0;
}

char *sysfile_real(const char *fmt, ...)
{
	char path[PATH_MAX];

	FORMAT_PATH(path, fmt);
	return realpath(path, NULL);
}

char *sysfile_beside_program(const char *path)
{
	char *program = sysfile_real("/proc/self/exe");
	char *slash = program ? strrchr(program, '/') : NULL;
	char *found = NULL;

	if (slash) {
		*slash = '\0';
		found = sysfile_real("%s/%s", program, path);
	}
	free(program);
	return found;
}

bool sysfile_names_have(const struct sysfile_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->items[i], name) == 0)
			return true;
	}
	return false;
}

static bool append(struct sysfile_names *names, const char *name)
{
	char **grown, *copy;

	grown = reallocarray(names->items, names->count + 1, sizeof(*grown));
	if (!grown)
		return false;
	names->items = grown;
	copy = strdup(name);
	if (!copy)
		return false;
	names->items[names->count++] = copy;
	return true;
}

bool sysfile_names_add(struct sysfile_names *names, const char *name)
{
	return sysfile_names_have(names, name) || append(names, name);
}

void sysfile_names_done(struct sysfile_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct sysfile_names){ 0 };
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static bool read_entries(struct sysfile_names *names, DIR *folder)
{
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		if (entry->d_name[0] != '.' && !append(names, entry->d_name))
			return false;
	}
	return true;
}

bool sysfile_names_read(struct sysfile_names *names, const char *fmt, ...)
{
	char path[PATH_MAX];
	DIR *folder;
	bool ok;

	FORMAT_PATH(path, fmt);
	folder = opendir(path);
	if (!folder)
		return true;
	ok = read_entries(names, folder);
	closedir(folder);
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(*names->items),
		      compare_names);
	return ok;
}
