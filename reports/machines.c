/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/machines.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ID_LENGTH = 36, /* a uuid */
	ID_SHOWN = 6,
};

void machines_done(struct machines *machines)
{
	for (size_t i = 0; i < machines->count; i++) {
		free(machines->items[i].name);
		free(machines->items[i].id);
	}
	free(machines->items);
	*machines = (struct machines){ 0 };
}

static bool is_machine(const struct machine *machine, const char *name,
		       const char *id)
{
	return strcmp(machine->name, name) == 0 && strcmp(machine->id, id) == 0;
}

static bool add(struct machines *machines, const char *name, const char *id)
{
	struct machine *items = reallocarray(
		machines->items, machines->count + 1, sizeof(*items));
	struct machine machine = { strdup(name), strdup(id) };

	if (items)
		machines->items = items;
	if (items && machine.name && machine.id) {
		items[machines->count++] = machine;
		return true;
	}
	free(machine.name);
	free(machine.id);
	return false;
}

bool machines_note(struct machines *machines, const char *name, const char *id,
		   size_t *at)
{
	name = name ? name : "";
	/* The newest first: cells of one machine follow each other. */
	for (size_t i = machines->count; i > 0; i--) {
		*at = i - 1;
		if (is_machine(&machines->items[*at], name, id))
			return true;
	}
	*at = machines->count;
	return add(machines, name, id);
}

void machines_full_name(const char *name, const char *id,
			char out[MACHINES_NAME_SIZE])
{
	if (strlen(id) != ID_LENGTH || strcmp(name, id) == 0)
		snprintf(out, MACHINES_NAME_SIZE, "%s (no id)", name);
	else
		snprintf(out, MACHINES_NAME_SIZE, "%s (%.*s)", name, ID_SHOWN,
			 id);
}

bool machines_name(const struct machines *machines, size_t at,
		   char out[MACHINES_NAME_SIZE])
{
	const struct machine *machine = &machines->items[at];

	snprintf(out, MACHINES_NAME_SIZE, "%s", machine->name);
	/* What has no name is called by its OS, and never more than that. */
	for (size_t i = 0; *machine->name && i < machines->count; i++) {
		if (i == at ||
		    strcmp(machines->items[i].name, machine->name) != 0)
			continue;
		machines_full_name(machine->name, machine->id, out);
		return true;
	}
	return false;
}
