/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import - results measured elsewhere, from a CSV file into the store.
 *
 * All or nothing: the whole file is checked first, every fault with its line,
 * and then stored in one transaction. Memory is that of the distinct cells,
 * however many rows there are.
 *
 * Each host, label and run of the file becomes one run; the runs share a batch
 * and the digest of the file, by which one that is there already is refused.
 * Where the file has the uuids of runs and samples, as an export has, those
 * that are there already are left out instead.
 */
#ifndef RUNNER_IMPORT_H
#define RUNNER_IMPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

/* A run that was there before. */
struct import_known {
	int64_t run;
	int64_t here, added; /* of its samples in the file */
};

struct import_result {
	size_t runs; /* that are new; their ids follow each other */
	size_t cells;
	int64_t rows;
	int64_t first_run;
	struct import_known *known; /* owned by the caller: free() */
	size_t known_count;
};

struct import_file {
	FILE *in;
	const char *source; /* its name, for errors */
	bool again;         /* though it, or what is in it, is there already */
};

/*
 * `file->in` is read more than once; if it cannot be rewound a copy of it is.
 * The database is not touched, nor made, before the whole file was found good.
 * False with every fault of the file in `faults`, or with `err` set if it was
 * something else.
 */
MUST_USE bool import_file(const char *database, const struct import_file *file,
			  struct import_result *result, struct err_list *faults,
			  struct err *err);

#endif
