/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * site - where a cell was measured, and how its filesystem was made there;
 * and whether that of another run is the same.
 *
 * The same disk is the same place: for an image wherever its file is, for a
 * directory and a device if it is also the same filesystem or partition. The
 * kernel may name a disk otherwise after each start, so where the path is the
 * same, a disk of the same vendor, model and size is the same.
 *
 * A filesystem is made the same by the same commands, whatever the device.
 *
 * It knows what was stored with a run. It refuses to look at this machine.
 * Thread-safe but for the tree of strings.
 */
#ifndef REPORTS_SITE_H
#define REPORTS_SITE_H

#include <stdio.h>

#include "core/err.h"
#include "schema/record.h"

/* Strings are the tree's; "" when unknown, and for a disk when there is none.
 */
struct site {
	const char *kind, *path, *type, *device;
	const char *disk, *vendor, *model;
	int64_t disk_bytes; /* 0: unknown */
	const char *mkfs,
		*mount;     /* without the device, and what is mounted on */
	const char *driver; /* that mounted it */
};

/* Into a tree of intern.h. False when out of memory. */
MUST_USE bool site_set(struct site *site, void **strings,
		       const struct record_site *from);

/* False where not enough is known to say so: of an import. */
bool site_is_elsewhere(const struct site *a, const struct site *b);

/*
 * "/dev/shm on tmpfs", "/srv/a.img on sda (Samsung SSD 870)"; on
 * "no single disk" where there is none, or there are several.
 */
void site_put_place(const struct site *site, FILE *out);

/*
 * Made by another command, or mounted so by the same driver: other drivers
 * have other options. False where not enough is known to say so.
 */
bool site_is_made_otherwise(const struct site *a, const struct site *b);
/* "mkfs.ext4 -q -F -b 1024, mount -t ext4 -o sync" */
void site_put_making(const struct site *site, FILE *out);

#endif
