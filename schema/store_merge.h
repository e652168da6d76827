/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_merge - results of other databases into this one.
 *
 * Runs, hosts and samples are known by their uuids, so that merging again
 * adds nothing, and the order of sources does not matter. Either everything
 * of every source gets in or nothing does, whatever happens to the process.
 * Sources are never written: an older one is upgraded as a copy that has no
 * name. What two databases say differently of one run is settled the same way
 * whichever is merged into which: a status that is further along wins, and
 * the tags that were said last; a run gives way, where it came by export and
 * import, to the same as it was measured. What must not differ is an error.
 */
#ifndef SCHEMA_STORE_MERGE_H
#define SCHEMA_STORE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct store;

/* What came of all sources together. */
struct store_merged {
	int64_t runs;       /* that were added */
	int64_t known_runs; /* that were there already; of each source */
	int64_t samples;    /* that were added, to either */
};

/*
 * Whether the file could be merged, as far as its first page tells; it is not
 * even touched. For those who would make a database to merge into.
 */
MUST_USE bool store_merge_probe(const char *path, struct err *err);

/*
 * ERR_INPUT that names the file: it is not
 * one of ours, newer, damaged, or says what cannot be true together with what
 * is here; ERR_BUSY: a run uses this database.
 */
MUST_USE bool store_merge(struct store *store, const char *const *paths,
			  size_t count, struct store_merged *merged,
			  struct err *err);

#endif
