/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - one subcommand: a const table entry and one cmd_*.c behind it.
 */
#ifndef RUNNER_COMMAND_H
#define RUNNER_COMMAND_H

#include <stdbool.h>

#include "core/err.h"

#define PROGRAM "fsmatrix"

struct command {
	const char *name;
	const char *synopsis; /* what follows the name: "[-q] MATRIX" */
	const char *brief;    /* completes "this command will ..." */
	const char *options;  /* one line each, ending in \n; may be "" */
	/*
	 * argv[0] is the command's name; optind is 1 on entry, for
	 * getopt_long(). Prints its result on stdout. False with `err` set.
	 * Common options (--db, --help) are taken out of argv by main.
	 */
	bool (*run)(int argc, char **argv, struct err *err);
};

/* The database that --db, $FSMATRIX_DB or the default name; never NULL. */
const char *command_database(void);

/*
 * getopt_long() with our wording: returns -1 at the end of the options, '?'
 * with `err` set to ERR_INPUT ("unknown option --foo", with the nearest known
 * one; "option --rounds needs a value").
 */
struct option;
int command_getopt(int argc, char **argv, const char *letters,
		   const struct option *options, struct err *err);

extern const struct command cmd_check;
extern const struct command cmd_compare;
extern const struct command cmd_plan;
extern const struct command cmd_run;

#endif
