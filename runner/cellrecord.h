/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cellrecord - a planned cell as the store knows it.
 *
 * The same cell is the same record in every run, from whichever directory it
 * is started: that is how history is found.
 */
#ifndef RUNNER_CELLRECORD_H
#define RUNNER_CELLRECORD_H

#include "runner/plan.h"
#include "schema/record.h"

struct cellrecord {
	struct record_cell record; /* borrows from the cell and from below */
	const struct matrix_volume *of; /* what the next two are known of */
	char type[64];
	char *path; /* owned */
};

/*
 * `out` is zero-initialised, or the record of another cell: what that has told
 * of the same volume still holds. The base is left to the caller. False: out
 * of memory.
 */
bool cellrecord_make(struct cellrecord *out, const struct plan_cell *cell);
void cellrecord_done(struct cellrecord *record);

#endif
