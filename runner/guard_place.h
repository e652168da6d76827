/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_place - where records are kept; see guard.h. Not for others.
 */
#ifndef RUNNER_GUARD_PLACE_H
#define RUNNER_GUARD_PLACE_H

#include "core/err.h"

/*
 * The directory, open, and its real path, the caller's. It is made if
 * missing, and refused if others could write there. -1 with `err` set.
 */
int guard_place_open(char **path, struct err *err);

#endif
