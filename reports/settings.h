/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings - what a workload does, in the words that tables print and filters
 * take. It knows nothing of the tables.
 */
#ifndef REPORTS_SETTINGS_H
#define REPORTS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/workload.h"

enum { SETTINGS_SIZE = 256 }; /* room for any settings_text() */

/* In what two workloads may differ. */
enum settings_part {
	SETTINGS_BLOCK = 1,
	SETTINGS_AMOUNT = 2,
	SETTINGS_DURATION = 4,
	SETTINGS_FILE_LIMIT = 8,
	SETTINGS_IO = 16,
	SETTINGS_READ = 32,
	SETTINGS_DEPTH = 64,
	SETTINGS_STREAMS = 128,
	SETTINGS_VERIFY = 256,
};

/* The parts in which they differ. */
unsigned int settings_difference(const struct workload *a,
				 const struct workload *b);

/*
 * "4KiB, 480MiB, buffered, cold, depth 8, streams 1": all of a workload but
 * what is as usual; the size of its files where it is not the usual one.
 */
void settings_text(const struct workload *w, char out[SETTINGS_SIZE]);

/* ", block 4KiB, direct": these parts, each with a comma in front. */
void settings_put_parts(const struct workload *w, unsigned int parts,
			FILE *out);

/*
 * Whether a settings_text() is meant: by the same text, or by parts of it as
 * settings_put_parts() prints them ("size 16MiB, direct"; "depth 1" is usual).
 */
bool settings_match(const char *text, const char *wanted);

#endif
