/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * running - a run in progress: what the commands run and resume have in
 * common from an open store to the printed table and the exit status.
 */
#ifndef RUNNER_RUNNING_H
#define RUNNER_RUNNING_H

#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"
#include "runner/planning.h"
#include "runner/session.h"
#include "schema/store.h"

/* Zero-initialise; running_finish() ends all of it. */
struct running {
	struct planning planning;
	struct store *store; /* owned */
	int64_t run;
	int64_t *cells; /* owned; the store's ids of the plan's cells */
	struct measure_control *control; /* owned; shared with the workers */
	struct timelimit limit;
	const char *notify; /* borrowed; a command; NULL: none */
	FILE *table;        /* owned; for the command */
	struct session_totals totals;
	const char *status; /* how the run ended; NULL: it did not begin */
	bool resumed;       /* rounds may hold samples already */
	struct guard *guard;
	struct inhibit *inhibit; /* owned; NULL: the machine may sleep */
	struct lock *database;
	struct lock **volumes; /* owned; one per volume of the matrix */
	uint64_t *reserves;    /* owned; one per volume: see safety_check() */
	dev_t *homes; /* owned; one per volume: the filesystem that it was on
			 when the run began; 0 of a device */
};

/*
 * The options that run and resume share: "budget" is 'b', "until" 'u',
 * "notify-cmd" 'n'. False with `err` set for a bad value, and without for a
 * letter of none of them.
 */
#define RUNNING_OPTIONS                                                        \
	"      --budget TIME   begin nothing that would not end within e.g. "  \
	"7h;\n"                                                                \
	"                      a number alone is seconds\n"                    \
	"      --until TIME    the same by the clock: 06:30, or a date and\n"  \
	"                      time such as 2030-12-24T06:30\n"                \
	"      --notify-cmd COMMAND\n"                                         \
	"                      a shell command for the end, however it "       \
	"comes: "                                                              \
	"the\n"                                                                \
	"                      table is its input, $FSMATRIX_STATUS, _EXIT, "  \
	"_RUN,\n"                                                              \
	"                      _DB, _MESSAGE, _OK, _FAILED and _SKIPPED say "  \
	"more\n"
MUST_USE bool running_option(struct running *r, int letter, const char *value,
			     struct err *err);

/* Lock and open the database that --db names. */
MUST_USE bool running_open(struct running *r, struct err *err);

/*
 * What can be refused is refused before anything is made or stored; what an
 * earlier run left behind is removed, and a guard started for what this one
 * will make.
 */
MUST_USE bool running_prepare(struct running *r, struct err *err);

/*
 * Measure what is to be measured, end the run in the store, and print the
 * table. The error, if any, is the exit status: cells that failed, a signal,
 * or work that failed as a whole.
 */
MUST_USE bool running_measure(struct running *r, struct err *err);

/*
 * The end of it, which --notify-cmd is told of: `err` is what main will get.
 * Never fails: what does not work then is warned of.
 */
void running_finish(struct running *r, const struct err *err);

#endif
