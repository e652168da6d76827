/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host_fixture - a recorded machine, from tests/hosts/NAME.host, as a folder
 * that can be a root prefix.
 *
 *   file PATH TEXT    a file of one line; or of the lines below that begin
 *                     with "| "
 *   bytes PATH TEXT   the same, where \xNN is a byte
 *   link PATH TARGET  a symbolic link
 *   node PATH         an empty file where a device node was
 *   at FOLDER         what "./" in front of the paths below stands for
 */
#ifndef TESTS_UNIT_HOST_FIXTURE_H
#define TESTS_UNIT_HOST_FIXTURE_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

struct host {
	char root[64];
};

static inline int host_remove_entry(const char *path, const struct stat *st,
				    int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static inline void host_remove(struct host *host)
{
	nftw(host->root, host_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Make the folders above `path` and forget the file that may be there. */
static inline void host_clear(char *path)
{
	for (char *c = path + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(path, 0700);
		*c = '/';
	}
	unlink(path);
}

static inline void host_put_bytes(const char *text, FILE *out)
{
	while (*text) {
		unsigned int byte;

		if (sscanf(text, "\\x%2x", &byte) == 1) {
			fputc((int)byte, out);
			text += 4;
		} else {
			fputc(*text++, out);
		}
	}
}

/* One line of a record that makes something; the file it opened, or NULL. */
static inline FILE *host_make(const char *word, char *path, const char *rest)
{
	FILE *file = NULL;

	host_clear(path);
	if (strcmp(word, "link") == 0) {
		assert_int_equal(symlink(rest, path), 0);
		return NULL;
	}
	file = fopen(path, "we");
	assert_non_null(file);
	if (strcmp(word, "bytes") == 0)
		host_put_bytes(rest, file);
	else
		fputs(rest, file);
	if (*rest)
		fputc('\n', file);
	return file;
}

static inline void host_unpack(struct host *host, const char *name)
{
	char line[1024], at[512] = "", path[PATH_MAX];
	FILE *record, *file = NULL;

	strcpy(host->root, "/tmp/fsmatrix-host-XXXXXX");
	assert_non_null(mkdtemp(host->root));
	snprintf(path, sizeof(path), TESTS_DIR "/hosts/%s.host", name);
	record = fopen(path, "re");
	assert_non_null(record);
	while (fgets(line, sizeof(line), record)) {
		char *word = line, *rest, *to;

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "| ", 2) == 0) {
			assert_non_null(file);
			fprintf(file, "%s\n", line + 2);
			continue;
		}
		if (!*line || *line == '#')
			continue;
		to = strchr(word, ' ');
		assert_non_null(to);
		*to++ = '\0';
		rest = strchr(to, ' ');
		if (rest)
			*rest++ = '\0';
		if (strcmp(word, "at") == 0) {
			snprintf(at, sizeof(at), "%s", to);
			continue;
		}
		if (strncmp(to, "./", 2) == 0)
			snprintf(path, sizeof(path), "%s/%s/%s", host->root, at,
				 to + 2);
		else
			snprintf(path, sizeof(path), "%s/%s", host->root, to);
		if (file)
			fclose(file);
		file = host_make(word, path, rest ? rest : "");
	}
	if (file)
		fclose(file);
	fclose(record);
}

#endif
