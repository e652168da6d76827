/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * initial - a first matrix for this machine, of what can be tested here.
 *
 * With root and loop devices it is an image with every filesystem that can be
 * made and mounted; else directories, which need neither.
 */
#ifndef RUNNER_INITIAL_H
#define RUNNER_INITIAL_H

#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"

struct doctor;

/*
 * What the first of the directories is called: results are never on a volume
 * under test, so it cannot be the folder that the run is started in.
 */
#define INITIAL_FOLDER "fsmatrix.d"

/* Whether it will be a matrix of directories. */
bool initial_of_directories(const struct doctor *doctor);

/*
 * Print the matrix, which is to lie in `folder`. ERR_FAILED when nothing can
 * be tested here, or there is no room.
 */
MUST_USE bool initial_print(const struct doctor *doctor, const char *folder,
			    FILE *out, struct err *err);

#endif
