/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "schema/matrix_private.h"

/* Until the end or until `size` bytes are there; bytes read, or -errno. */
static ssize_t read_all(int fd, char *text, size_t size)
{
	size_t length = 0;

	while (length < size) {
		ssize_t n = read(fd, text + length, size - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		length += (size_t)n;
	}
	return (ssize_t)length;
}

/* Whether it is a file, and not one that nobody wrote by hand. */
static bool is_readable(struct matrix_reader *r, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		matrix_fault(r, "%s", strerror(errno));
	else if (S_ISDIR(st.st_mode))
		matrix_fault(r, "is a directory");
	else if (!S_ISREG(st.st_mode))
		matrix_fault(r, "not a regular file");
	else if ((uint64_t)st.st_size > MATRIX_FILE_MAX)
		matrix_fault(r, "larger than 16MiB: not a matrix");
	else
		return true;
	return false;
}

char *matrix_file_read(struct matrix_reader *r, size_t *length)
{
	char *text = NULL, *result = NULL;
	int fd = open(r->source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n;

	if (fd < 0) {
		matrix_fault(r, "%s", strerror(errno));
		return NULL;
	}
	if (!is_readable(r, fd))
		goto out;
	text = malloc(MATRIX_FILE_MAX + 2);
	if (!text) {
		matrix_nomem(r);
		goto out;
	}
	n = read_all(fd, text, MATRIX_FILE_MAX + 1);
	if (n < 0) {
		matrix_fault(r, "%s", strerror((int)-n));
		goto out;
	}
	if ((uint64_t)n > MATRIX_FILE_MAX) {
		matrix_fault(r, "larger than 16MiB: not a matrix");
		goto out;
	}
	text[n] = '\0';
	*length = (size_t)n;
	result = realloc(text, (size_t)n + 1);
	if (!result)
		result = text;
	text = NULL;
out:
	free(text);
	close(fd);
	return result;
}

char *matrix_file_beside(const char *source, const char *path)
{
	const char *slash = strrchr(source, '/');
	char *joined;

	if (*path == '/' || !slash)
		return strdup(path);
	if (asprintf(&joined, "%.*s%s", (int)(slash + 1 - source), source,
		     path) < 0)
		return NULL;
	return joined;
}

char *matrix_file_name(const char *source)
{
	const char *slash = strrchr(source, '/');
	char *name = text_safe(slash ? slash + 1 : source);
	size_t length;

	if (!name)
		return NULL;
	length = strlen(name);
	if (length > 5 && strcmp(name + length - 5, ".json") == 0)
		length -= 5;
	if (length > MATRIX_NAME_MAX) {
		length = MATRIX_NAME_MAX;
		while ((name[length] & 0xc0) == 0x80)
			length--; /* not inside a character */
	}
	name[length] = '\0';
	return name;
}
