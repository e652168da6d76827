/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * since - from when on runs are of interest: the option --since.
 *
 * Times are UTC here, as in the database and in every list of runs.
 */
#ifndef RUNNER_SINCE_H
#define RUNNER_SINCE_H

#include <stdbool.h>
#include <time.h>

#include "core/err.h"
#include "runner/timestamp.h"

/* What --help says of it, behind the name of the option. */
#define SINCE_HELP                                                             \
	"only runs that started then or later: a date\n"                       \
	"                      (2026-11-30), a time (\"2026-11-30 19:05\"), "  \
	"both UTC as\n"                                                        \
	"                      in `list`, or so long ago (7d, 36h)\n"

/*
 * "2026", "2026-11", "2026-11-30", and with "T19:05" or " 19:05:47" behind it
 * and with a "Z" or "+01:00" behind that; or a duration with its unit, back
 * from `now`. What is written compares well, as text, to a stored time.
 * ERR_INPUT, of the command line, names the option.
 */
MUST_USE bool since_parse(const char *text, time_t now,
			  char since[TIMESTAMP_SIZE], struct err *err);

#endif
