/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - one subcommand: a const table entry and one cmd_*.c behind it.
 *
 * Options that every command takes (--db, --help) never reach it:
 * command_dispatch() takes them out of its arguments.
 */
#ifndef RUNNER_COMMAND_H
#define RUNNER_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct matrix;
struct store;

#define PROGRAM "fsmatrix"

struct command {
	const char *name;
	const char *synopsis; /* what follows the name: "[-q] MATRIX" */
	const char *brief;    /* completes "this command will ..." */
	const char *options;  /* one line each, ending in \n; may be "" */
	/*
	 * argv[0] is the command's name; use command_getopt(). Prints its
	 * result on stdout. False with `err` set.
	 */
	bool (*run)(int argc, char **argv, struct err *err);
};

/* Every command there is, in the order of the overview; ends with NULL. */
extern const struct command *const command_table[];

/* Those that every command takes, as in `options`. */
extern const char command_common_options[];

/* NULL if there is none of this name. */
const struct command *command_find(const char *name);

/* Usage lines of one command, and the manual of one or of all. */
void command_print_usage(const struct command *command, FILE *out);
void command_print_help(const struct command *command, FILE *out);
void command_print_overview(FILE *out);

/*
 * What main does: find the command and run it. Sets `err` to ERR_INPUT for an
 * unknown command or option, naming the nearest known one.
 */
bool command_dispatch(int argc, char **argv, struct err *err);

/* The file that --db, $FSMATRIX_DB or the default names; never NULL. */
const char *command_database(void);

/*
 * What to type for a command about one of the database's runs: "fsmatrix
 * compare 7", and --db where it is not the one of this folder. On the heap,
 * the caller's; NULL with `err` set when out of memory.
 */
char *command_about_run(const char *command, int64_t run, struct err *err);

/*
 * The database for writing, which must be there: what changes something in it
 * makes none. NULL with `err` set.
 */
struct store *command_store(struct err *err);

/*
 * getopt_long() with our wording. Returns the option's `val` or letter, -1 at
 * the end, or '?' with `err` set to ERR_INPUT. `letters` as for getopt(3),
 * without its leading characters. The arguments are argv[optind] onwards.
 */
int command_getopt(int argc, char **argv, const char *letters,
		   const struct option *options, struct err *err);

/*
 * Whether between `least` and `most` arguments follow the options; else
 * ERR_INPUT that says so ("no MATRIX given", "unexpected argument x").
 */
bool command_arguments(int argc, char **argv, int least, int most,
		       const char *what, struct err *err);

/*
 * A whole number in [least, most], or ERR_INPUT naming the option:
 * "--rounds: not a whole number from 1 to 10000: x".
 */
bool command_number(const char *option, const char *text,
		    unsigned long long least, unsigned long long most,
		    unsigned long long *value, struct err *err);

/*
 * The matrix in a file. NULL with `err` set, all faults but the last being
 * printed already.
 */
struct matrix *command_matrix(const char *path, struct err *err);

/*
 * A time above 0 such as "7h"; `such_as` names one for the message. Without a
 * unit it is seconds, and a note says so.
 */
bool command_duration(const char *option, const char *text, const char *such_as,
		      uint64_t *ns, struct err *err);

/*
 * For a command that found several faults: prints all but the last on stderr
 * and leaves the last one in `err` for main to print. Returns false.
 */
bool command_fail_list(const struct err_list *errs, struct err *err);

/* A line on stderr, with the program's name in front; also as a warning. */
void command_note(const char *fmt, ...) PRINTF(1, 2);
void command_warn(const char *fmt, ...) PRINTF(1, 2);

#endif
