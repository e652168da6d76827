/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard - a small process that cleans up after us when we are killed.
 *
 * It waits for the end of a pipe that only we hold open. If that end comes
 * without a word, we did not get to clean up: it ends the FUSE daemon, aborts
 * its connection if it does not answer, unmounts, and removes the folders
 * noted here. It lives outside of the private mount namespace and in its own
 * process group.
 */
#ifndef RUNNER_GUARD_H
#define RUNNER_GUARD_H

#include <sys/types.h>

#include "core/err.h"

struct guard;

/* NULL with `err` set. Call it before files are opened, for it gets copies. */
struct guard *guard_new(struct err *err);

/* A mount point, to be unmounted and removed; NULL: no more. */
void guard_mount(struct guard *guard, const char *path);
/* A folder of plain files, to be removed with them; NULL: no more. */
void guard_folder(struct guard *guard, const char *path);
/* A FUSE daemon and the device number of its mount; 0: no more. */
void guard_daemon(struct guard *guard, pid_t pid);
void guard_connection(struct guard *guard, dev_t device);

/* Nothing is left to do: it ends. NULL is fine. */
void guard_free(struct guard *guard);

/*
 * Make a FUSE connection fail, so that nobody waits for its daemon any more.
 * `device` is that of its mount. Where fusectl is not mounted it is, so call
 * it only in a mount namespace of one's own.
 */
void guard_abort_fuse(dev_t device);

#endif
