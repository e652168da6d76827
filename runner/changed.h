/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changed - whether the file of a matrix is still what a run began with, and
 * if not, where it begins to differ.
 */
#ifndef RUNNER_CHANGED_H
#define RUNNER_CHANGED_H

#include <stdbool.h>

struct changed {
	int line;              /* the first that differs */
	char was[48], now[48]; /* what stands there, as far as it fits */
};

/* A file that is gone has not changed: the run has its own copy. */
bool changed_since(const char *path, const char *text, struct changed *changed);

#endif
