/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * selection - which runs of the store a command is about.
 */
#ifndef RUNNER_SELECTION_H
#define RUNNER_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct store;

/* Zero-initialise. Every run is in it once, in the order added. */
struct selection {
	int64_t *runs; /* owned */
	size_t count;
	/* Machines whose newest run is of another matrix, and that are in it by
	 * no run: "gamma (other), delta (third)"; owned; NULL: none. */
	char *left_out;
};

void selection_done(struct selection *selection);

MUST_USE bool selection_add(struct selection *selection, int64_t run,
			    struct err *err);

/*
 * The run that the user's word means; NULL or "last": the last run, and all
 * runs of the same import.
 */
MUST_USE bool selection_run(struct store *store, const char *which,
			    struct selection *selection, struct err *err);

enum selection_hosts {
	SELECTION_ONE,      /* the last run alone */
	SELECTION_HOSTS,    /* of every machine under every OS */
	SELECTION_MACHINES, /* of every machine */
};

/*
 * As selection_run() for the last run, and the newest one of each other that
 * had the same matrix. A run that was tagged as ignored is none of them.
 */
MUST_USE bool selection_last(struct store *store, enum selection_hosts hosts,
			     struct selection *selection, struct err *err);

#endif
