/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process - processes of this machine, as /proc shows them.
 *
 * Whatever we start carries a mark in its environment, and hands it down to
 * what it starts: so a daemon is found again that put itself into the
 * background.
 */
#ifndef RUNNER_PROCESS_H
#define RUNNER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define PROCESS_MARK      "FSMATRIX_CHILD="
#define PROCESS_MARK_SIZE 64

/* A new mark, unlike any other: "FSMATRIX_CHILD=pid.number". */
void process_mark(char mark[PROCESS_MARK_SIZE]);

/* The newest process that carries exactly this mark; -1 if none does. */
pid_t process_find_marked(const char *mark);

/*
 * When the process began, in clock ticks since boot; with the pid it names a
 * process for good. 0: there is no such process, or it has ended (a zombie).
 */
uint64_t process_start(pid_t pid);

/* The last part of the program's path; false if it cannot be told. */
bool process_program(pid_t pid, char *name, size_t size);

#endif
