/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machines - what to call machines by where several have one host name:
 * "vm (9bd9a7)", by the beginning of their id.
 *
 * A machine is its id; where none is known, its name. It refuses to know
 * where either comes from.
 */
#ifndef REPORTS_MACHINES_H
#define REPORTS_MACHINES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attr.h"

enum { MACHINES_NAME_SIZE = 320 };

struct machine {
	char *name, *id; /* owned; `id` as it was noted */
};

/* Zero-initialise. */
struct machines {
	struct machine *items; /* owned; each once */
	size_t count;
};

void machines_done(struct machines *machines);

/*
 * `id`: the machine's, or what stands for it if there is none. *at is its
 * index from now on. False when out of memory.
 */
MUST_USE bool machines_note(struct machines *machines, const char *name,
			    const char *id, size_t *at);
/* Whether another of them has its name; `out` is what to call it. */
bool machines_name(const struct machines *machines, size_t at,
		   char out[MACHINES_NAME_SIZE]);
/* The same, though no other had its name. */
void machines_full_name(const char *name, const char *id,
			char out[MACHINES_NAME_SIZE]);

#endif
