/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_source - a database of someone else's, to be read and never written,
 * attached to ours.
 *
 * Whether it is whole is looked at by a thread of its own, on a connection
 * of its own, while its rows are read: that takes as long again. Until
 * store_source_is_whole() nothing that came of it may be committed.
 */
#ifndef SCHEMA_STORE_SOURCE_H
#define SCHEMA_STORE_SOURCE_H

#include <pthread.h>

#include "schema/store_private.h"

struct store_source {
	struct store *into; /* that it is attached to; borrowed */
	struct store *own;  /* owned: a connection to the file alone; NULL */
	const char *path;   /* borrowed; for errors */
	char name[16];      /* of the attached schema */
	bool attached;
	bool checking;  /* the thread runs */
	bool whole;     /* the thread found nothing */
	bool keeps_log; /* its write-ahead log is not ours to work in */
	pthread_t thread;
	struct err fault; /* the thread's */
};

/* Whether the file can be merged at all; nothing stays open. */
MUST_USE bool store_source_probe(const struct store *into, const char *path,
				 struct err *err);

/*
 * Attach the file as schema `src<number>` with our newest schema: itself, or
 * a copy that was upgraded. Outside a transaction. Zero-initialise;
 * store_source_close() ends it in any case.
 */
MUST_USE bool store_source_open(struct store_source *source, struct store *into,
				const char *path, size_t number,
				struct err *err);
/* The same with a copy of what is in a store of our newest schema. */
MUST_USE bool store_source_take(struct store_source *source, struct store *into,
				struct store *from, struct err *err);
/* Begin to check it. */
MUST_USE bool store_source_check(struct store_source *source, struct err *err);
/* Wait for the end of the check. */
MUST_USE bool store_source_is_whole(struct store_source *source,
				    struct err *err);
/* Outside a transaction. Stops a check that still runs. */
void store_source_close(struct store_source *source);

#endif
