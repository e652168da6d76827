/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysfile - the small files and links of /sys, /proc and /dev in which the
 * kernel says what there is.
 *
 * Every path is given as a format, so that a root prefix goes in front and a
 * recorded machine is a test case. What cannot be read is absent: nothing
 * here fails in words.
 */
#ifndef RUNNER_SYSFILE_H
#define RUNNER_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"

/* The first line without blanks at its ends. False, and "", if absent. */
bool sysfile_line(char *out, size_t size, const char *fmt, ...) PRINTF(3, 4);

/* A decimal number that begins the file; false if there is none. */
bool sysfile_number(uint64_t *value, const char *fmt, ...) PRINTF(2, 3);

/* Whether the file is there and begins with a number other than 0. */
bool sysfile_flag(const char *fmt, ...) PRINTF(1, 2);

/* Up to `size` bytes as they are; -1 if absent. */
ssize_t sysfile_bytes(void *out, size_t size, const char *fmt, ...)
	PRINTF(3, 4);

bool sysfile_exists(const char *fmt, ...) PRINTF(1, 2);

/*
 * The path with every link followed, on the heap; NULL if absent. A link of a
 * recorded machine must be relative to stay below its root.
 */
char *sysfile_real(const char *fmt, ...) PRINTF(1, 2);
/* The same of a path from the folder that the running program is in. */
char *sysfile_beside_program(const char *path);

/* Strings, owned. Zero-initialise. */
struct sysfile_names {
	char **items;
	size_t count;
};

/*
 * Append a copy, unless it is there already. False when out of memory.
 */
bool sysfile_names_add(struct sysfile_names *names, const char *name);
bool sysfile_names_have(const struct sysfile_names *names, const char *name);
void sysfile_names_done(struct sysfile_names *names);

/*
 * The entries of a folder, without dot files, numbers in them in the order
 * of their value ("sda9" before "sda10"). A folder that is not there is
 * empty; false only when out of memory.
 */
bool sysfile_names_read(struct sysfile_names *names, const char *fmt, ...)
	PRINTF(2, 3);

#endif
