/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * safety - what a run must not do to the machine it runs on: lose its own
 * results with a volume under test, or fill the filesystem that holds /, the
 * database or the images.
 *
 * It looks before anything is made. What devices may be erased, and which
 * paths exist already, is the target's to refuse.
 */
#ifndef RUNNER_SAFETY_H
#define RUNNER_SAFETY_H

#include <stdint.h>

#include "core/err.h"
#include "schema/matrix.h"

/*
 * ERR_REFUSED with the names of both, when the database is on a volume under
 * test; or when a write "until full" goes to a filesystem of the system's
 * without allow_fill, or an image would grow into what is to stay free there.
 *
 * Of those volumes that may fill such a filesystem `reserves[i]` becomes what
 * a write must leave: a twentieth of it, at least 64 MiB, at most 1 GiB. The
 * others' becomes 0.
 */
MUST_USE bool safety_check(const struct matrix *matrix, const char *database,
			   uint64_t *reserves, struct err *err);

/* Of a filesystem of that size. */
uint64_t safety_reserve(uint64_t total_bytes);

#endif
