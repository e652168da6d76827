/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor - whether a run would work here: which filesystems can be made and
 * mounted, by which drivers, and what the machine lets us do besides.
 *
 * It asks the machine and tries harmless things (an io_uring, a loop device
 * over a file without a name), and leaves nothing behind. Printing knows only
 * what was found.
 */
#ifndef RUNNER_DOCTOR_H
#define RUNNER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/err.h"
#include "runner/fstype.h"

enum {
	DOCTOR_TYPES_MAX = 32,
	DOCTOR_DRIVERS_MAX = 8, /* of one type */
	DOCTOR_TEXT_MAX = 256,
};

struct doctor_driver {
	const struct fstype_driver *driver;
	bool available;
	char reason[DOCTOR_TEXT_MAX]; /* why not; "" */
};

struct doctor_type {
	const struct fstype *type;
	bool mkfs;                    /* it can be made */
	char reason[DOCTOR_TEXT_MAX]; /* why not; "" */
	struct doctor_driver drivers[DOCTOR_DRIVERS_MAX];
	size_t driver_count;
};

/* In the order in which they are listed. */
enum doctor_check {
	DOCTOR_ROOT,    /* mkfs and mount are allowed */
	DOCTOR_LOOP,    /* image volumes have loop devices */
	DOCTOR_DIRECT,  /* and these bypass the page cache */
	DOCTOR_FUSE,    /* drivers that are programs can serve */
	DOCTOR_FUSECTL, /* and one that hangs can be ended */
	DOCTOR_URING,   /* workloads may have a depth */
	DOCTOR_CACHES,  /* the caches can be dropped before a cold read */
	DOCTOR_DATABASE,
	DOCTOR_CHECKS,
};

struct doctor_finding {
	bool ok;
	char text[DOCTOR_TEXT_MAX]; /* what was found */
	char step[DOCTOR_TEXT_MAX]; /* what to do about it; "" */
};

struct doctor {
	struct doctor_type types[DOCTOR_TYPES_MAX];
	size_t type_count;
	struct doctor_finding findings[DOCTOR_CHECKS];
	size_t directories; /* in which a directory volume could be */
	size_t devices;     /* that may be erased */
	char database[DOCTOR_TEXT_MAX];
};

/* `database` is the path that would be used. */
MUST_USE bool doctor_read(struct doctor *doctor, const char *database,
			  struct err *err);

/* The driver that would serve the type here; NULL: it cannot be tested. */
const struct fstype_driver *doctor_best_driver(const struct doctor *doctor,
					       const struct doctor_type *type);

/* How many types can be made and mounted here. */
size_t doctor_testable(const struct doctor *doctor);

/* "root", "loop", "fuse", ...: a word for scripts. */
const char *doctor_check_word(enum doctor_check check);

/* `width` as of table_new(). */
MUST_USE bool doctor_print(const struct doctor *doctor, size_t width, FILE *out,
			   struct err *err);
MUST_USE bool doctor_print_json(const struct doctor *doctor, FILE *out,
				struct err *err);

#endif
