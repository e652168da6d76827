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

static bool vpath(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int length = vsnprintf(path, PATH_MAX, fmt, ap);

	return length >= 0 && length < PATH_MAX;
}

static ssize_t vbytes(void *out, size_t size, const char *fmt, va_list ap)
{
	char path[PATH_MAX];
	ssize_t got;
	int fd;

	if (!vpath(path, fmt, ap))
		return -1;
	/* A FIFO in the place of a file must not stop us. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

static bool vline(char *out, size_t size, const char *fmt, va_list ap)
{
	ssize_t got = vbytes(out, size - 1, fmt, ap);
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

bool sysfile_line(char *out, size_t size, const char *fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = vline(out, size, fmt, ap);
	va_end(ap);
	return ok;
}

static bool vnumber(uint64_t *value, const char *fmt, va_list ap)
{
	char line[32];

	if (!vline(line, sizeof(line), fmt, ap) || line[0] < '0' ||
	    line[0] > '9')
		return false;
	*value = strtoull(line, NULL, 10);
	return true;
}

bool sysfile_number(uint64_t *value, const char *fmt, ...)
{
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = vnumber(value, fmt, ap);
	va_end(ap);
	return ok;
}

bool sysfile_flag(const char *fmt, ...)
{
	uint64_t value = 0;
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = vnumber(&value, fmt, ap);
	va_end(ap);
	return ok && value != 0;
}

ssize_t sysfile_bytes(void *out, size_t size, const char *fmt, ...)
{
	va_list ap;
	ssize_t got;

	va_start(ap, fmt);
	got = vbytes(out, size, fmt, ap);
	va_end(ap);
	return got;
}

bool sysfile_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = vpath(path, fmt, ap);
	va_end(ap);
	return ok && access(path, F_OK) == 0;
}

bool sysfile_link_name(char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t length = -1;
	va_list ap;

	out[0] = '\0';
	va_start(ap, fmt);
	if (vpath(path, fmt, ap))
		length = readlink(path, target, sizeof(target) - 1);
	va_end(ap);
	if (length <= 0)
		return false;
	target[length] = '\0';
	name = strrchr(target, '/');
	name = name ? name + 1 : target;
	if (strlen(name) >= size)
		return false;
	memcpy(out, name, strlen(name) + 1);
	return true;
}

char *sysfile_real(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	ok = vpath(path, fmt, ap);
	va_end(ap);
	return ok ? realpath(path, NULL) : NULL;
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
	DIR *folder = NULL;
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	if (vpath(path, fmt, ap))
		folder = opendir(path);
	va_end(ap);
	if (!folder)
		return true;
	ok = read_entries(names, folder);
	closedir(folder);
	if (names->count > 1)
		qsort(names->items, names->count, sizeof(*names->items),
		      compare_names);
	return ok;
}
