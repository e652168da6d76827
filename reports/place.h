/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place - where a volume of a name lay when it was measured, and whether that
 * of another run is the same.
 *
 * The same disk is the same place: for an image wherever its file is, for a
 * directory and a device if it is also the same filesystem or partition. The
 * kernel may name a disk otherwise after each start, so where the path is the
 * same, a disk of the same vendor, model and size is the same.
 *
 * It knows what was stored with a run. It refuses to look at this machine.
 * Thread-safe but for the tree of strings.
 */
#ifndef REPORTS_PLACE_H
#define REPORTS_PLACE_H

#include <stdio.h>

#include "core/err.h"
#include "schema/record.h"

/* Strings are the tree's; "" when unknown, and for a disk when there is none.
 */
struct place {
	const char *kind, *path, *type, *device;
	const char *disk, *vendor, *model;
	int64_t disk_bytes; /* 0: unknown */
};

/* Into a tree of intern.h. False when out of memory. */
MUST_USE bool place_set(struct place *place, void **strings,
			const struct record_place *from);

/* False where not enough is known to say so: of an import. */
bool place_differs(const struct place *a, const struct place *b);

/*
 * "/dev/shm on tmpfs", "/srv/a.img on sda (Samsung SSD 870)"; on
 * "no single disk" where there is none, or there are several.
 */
void place_put(const struct place *place, FILE *out);

#endif
