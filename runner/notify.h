/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * notify - tell somebody who is not watching how a run has ended.
 *
 * The command is the user's own text, so it goes through sh -c; it gets the
 * comparison table on its standard input, and in its environment
 *
 *   FSMATRIX_STATUS   done, stopped (its time was up), interrupted, failed
 *   FSMATRIX_EXIT     the exit status
 *   FSMATRIX_MESSAGE  what the program said last; may be empty
 *   FSMATRIX_RUN      the run's id; empty if none was begun
 *   FSMATRIX_DB       the database
 *   FSMATRIX_OK, FSMATRIX_FAILED, FSMATRIX_SKIPPED   samples of this call
 *
 * What it prints goes to stderr. One that does not end is ended.
 */
#ifndef RUNNER_NOTIFY_H
#define RUNNER_NOTIFY_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct notify {
	const char *command;
	FILE *table;        /* a file, read from its beginning; NULL: none */
	const char *status; /* as above */
	const struct err *end;
	int64_t run; /* 0: none */
	const char *database;
	uint64_t ok, failed, skipped;
	unsigned int patience_s;
};

/* False with `err` set if it could not be run, did not end, or failed. */
MUST_USE bool notify_run(const struct notify *notify, struct err *err);

#endif
