/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples - raw results, one a line, as they leave the program: for another
 * program, or for an import elsewhere.
 *
 * Rows are written as they come, so memory does not grow with them. A write
 * that failed shows in ferror(out).
 */
#ifndef REPORTS_SAMPLES_H
#define REPORTS_SAMPLES_H

#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"
#include "schema/record.h"

struct samples_row {
	/* One phase; of a cell without a sample: sample is 0. */
	const struct record_result *result;
	const char *baseline;   /* "filesystem=FAT"; "" if its run has none */
	const char *machine_id; /* NULL: not known */
	const struct workload *settings; /* of its cell; NULL: not known */
};

struct samples_format {
	const char *name; /* as in --format */
	void (*begin)(FILE *out);
	/* `first`: of all rows. False: out of memory. */
	bool (*put)(const struct samples_row *row, bool first, FILE *out,
		    struct err *err);
	void (*end)(FILE *out);
};

/* ERR_INPUT that names the known ones. */
MUST_USE const struct samples_format *samples_find(const char *name,
						   struct err *err);

#endif
