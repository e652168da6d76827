/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place - folders in which a directory volume could be: one for each
 * filesystem that is mounted, lives on a disk and lets us write, and memory.
 *
 * It never waits for a server: what a network filesystem holds is only looked
 * at if it is our home or the current directory.
 */
#ifndef RUNNER_PLACE_H
#define RUNNER_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/err.h"

/* The folder that is in memory on any machine, to compare a disk with. */
#define PLACE_MEMORY "/dev/shm"

struct place {
	char *path;                      /* owned; every link followed */
	char *type;                      /* owned; the mount's: "ext4" */
	char *source;                    /* owned; the mount's: "/dev/sda2" */
	dev_t number;                    /* of the filesystem */
	uint64_t size_bytes, free_bytes; /* free: for us */
};

struct place_list {
	struct place *items;
	size_t count;
};

/* False with `err` set, and the list empty. place_list_done() ends it. */
MUST_USE bool place_list_read(struct place_list *list, struct err *err);
void place_list_done(struct place_list *list);

#endif
