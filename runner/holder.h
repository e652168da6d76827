/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holder - the process that is at a run, as the run's row names it: so that
 * one that was killed is told from one that goes on.
 *
 * "PID START BOOT NAMESPACE": a process and when it began, the boot of the
 * machine, and the namespace in which the pid counts. A database is used by
 * one machine at a time, so what another boot or machine left is not going on.
 */
#ifndef RUNNER_HOLDER_H
#define RUNNER_HOLDER_H

#include <stdbool.h>

#include "schema/record.h"

enum { HOLDER_SIZE = 160 };

struct store;

/* This process. */
void holder_own(char out[HOLDER_SIZE]);

/*
 * Whether it is still there. One of a namespace whose processes cannot be
 * seen from here is taken to be.
 */
bool holder_is_there(const char *holder);

/* "broken off" for a run that says it is running and is not held any more. */
const char *holder_status(const char *status, const char *holder);

/* Have the database say so, where it can be written. */
void holder_settle(struct store *store);

#endif
