/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fstype - the filesystem types we can make, and what can serve each.
 *
 * One table entry a type: its mkfs and its drivers, the preferred first. A
 * new type is a new entry, here and in matrix_types; a test holds the two
 * together.
 */
#ifndef RUNNER_FSTYPE_H
#define RUNNER_FSTYPE_H

#include <stdbool.h>

#include "core/err.h"
#include "runner/child.h"

enum fstype_driver_kind {
	FSTYPE_KERNEL,
	FSTYPE_FUSE,          /* stays in the foreground */
	FSTYPE_FUSE_DETACHED, /* only puts itself into the background */
};

struct fstype_driver {
	const char *name; /* as a matrix may want it, and as it is stored */
	enum fstype_driver_kind kind;
	const char *program;          /* FUSE: the daemon; else NULL */
	const char *package;          /* that has it */
	const char *const *arguments; /* before -o; NULL: none */
	const char *options;          /* always in force; NULL: none */
};

struct fstype {
	const char *name;
	const char *mkfs;             /* the program */
	const char *package;          /* that has it */
	const char *const *arguments; /* quiet, unasking, quick; NULL: none */
	const struct fstype_driver *drivers; /* ends with a NULL name */
};

extern const struct fstype fstype_table[]; /* ends with a NULL name */

/* NULL for an unknown name. */
const struct fstype *fstype_find(const char *name);
const struct fstype_driver *fstype_driver_find(const struct fstype *type,
					       const char *name);

/* The daemon's driver, by the name of the program that runs; NULL: none. */
const struct fstype_driver *fstype_by_program(const char *program);

/*
 * Whether the kernel knows this filesystem, or has a module that does. Reads
 * below `root` ("" is this machine).
 */
bool fstype_kernel_has(const char *root, const char *driver);

/* Whether the type can be made here; if not, `err` is the reason of a skip. */
MUST_USE bool fstype_mkfs_available(const struct fstype *type, struct err *err);
/* Whether the driver is here. Likewise. */
MUST_USE bool fstype_driver_available(const struct fstype_driver *driver,
				      struct err *err);

/*
 * Whether the type can be made and mounted here: with the driver `wanted`, or
 * with the first there is if NULL. On success *driver (if not NULL) is that;
 * if not, `err` is the reason of a skip: "no mkfs.ntfs (install ntfs-3g)".
 */
MUST_USE bool fstype_available(const struct fstype *type, const char *wanted,
			       const struct fstype_driver **driver,
			       struct err *err);

/* The commands, with the user's options (NULL: none) in their place. */
void fstype_mkfs_argv(const struct fstype *type, const char *const *options,
		      const char *device, struct child_argv *argv);
/* For a kernel driver it is what mount(8) would be called with. */
void fstype_mount_argv(const struct fstype_driver *driver, const char *options,
		       const char *device, const char *mount_point,
		       struct child_argv *argv);

/*
 * The options of a mount: the driver's own, then the user's. On the heap, the
 * caller's; "" if there are none; NULL when out of memory.
 */
char *fstype_mount_options(const struct fstype_driver *driver,
			   const char *options);

#endif
