/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completion - what may come next on a command line.
 *
 * The shells' scripts (runner/completion) only ask: all knowledge is here, and
 * comes from the table of commands, the words of their --help and the
 * database. It never fails: where nothing is known, nothing is offered.
 */
#ifndef RUNNER_COMPLETION_H
#define RUNNER_COMPLETION_H

#include <stdio.h>

/*
 * Print what may stand for the last of the words, which are what follows the
 * program's name; the last may be "" or begun. A line each: the whole word,
 * and behind a tab what it means. A word that ends in "=" is to be gone on
 * with. The line ":files SUFFIX" asks for names of files, of any for none.
 */
void completion_print(int count, char **words, FILE *out);

/* The script for this shell ("bash", "zsh", "fish"); NULL if there is none. */
const char *completion_script(const char *shell);

#endif
