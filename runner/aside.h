/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * aside - a call from which the kernel may not come back soon, or ever, made
 * in a process of its own that holds nothing of ours.
 */
#ifndef RUNNER_ASIDE_H
#define RUNNER_ASIDE_H

#include <stdbool.h>

/*
 * Call `what` there, and wait for it, for at most so long. False if it said
 * so, or has not come back; it then goes on, as nobody's child.
 */
bool aside_do(bool (*what)(const char *path), const char *path,
	      int patience_ms);

/* The same for a call that says 0 or an errno; ETIMEDOUT: not come back. */
int aside_call(int (*call)(const char *path), const char *path,
	       int patience_ms);

#endif
