/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diskfacts - which disk a volume's bytes end up on, as stored with a run: of
 * a device volume that disk, of an image or a directory the one below it.
 *
 * Read below a root prefix, so that a recorded machine is a test case. What
 * cannot be read stays empty; nothing here fails. Serial numbers are nobody's
 * business and are not among it.
 */
#ifndef RUNNER_DISKFACTS_H
#define RUNNER_DISKFACTS_H

#include "schema/matrix.h"
#include "schema/record.h"

struct diskfacts {
	char name[64]; /* "": there is no disk, or none is known */
	char vendor[128], model[128], firmware[128];
	char scheduler[32], write_cache[32];
	int64_t bytes;
	bool rotational;
};

/* The disk of this name; `root` is "" for this machine. */
void diskfacts_read(const char *root, const char *name,
		    struct diskfacts *facts);

/* Of this machine, now. */
void diskfacts_of_volume(const struct matrix_volume *volume,
			 struct diskfacts *facts);

/* The store's view of it, which borrows from it. */
struct record_disk diskfacts_record(const struct diskfacts *facts);

#endif
