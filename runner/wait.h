/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait - waiting that a signal does not cut short: what was asked for is
 * waited for until it is there, or until all of the time has passed.
 *
 * Threads: any.
 */
#ifndef RUNNER_WAIT_H
#define RUNNER_WAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t wait_now_ns(void);

/* All of that time. */
void wait_ms(unsigned int ms);

/* Whether there is something to read from `fd`, or its end, in that time. */
bool wait_readable(int fd, unsigned int ms);

/*
 * Whether a child has ended in that time, and is no more; *status (may be
 * NULL) is then as of waitpid(2), and 0 if somebody else was told of it.
 */
bool wait_child(pid_t pid, int *status, unsigned int ms);

#endif
