/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_private - each kind of thing: whether it is there, and its undoing.
 *
 * A probe is true only for what is still what was recorded. An undo returns
 * whether the thing is gone; if not, the reason is in `err`.
 */
#ifndef RUNNER_GUARD_PRIVATE_H
#define RUNNER_GUARD_PRIVATE_H

#include "runner/guard_undo.h"

bool guard_mount_probe(const struct guard_entry *entry);
bool guard_mount_undo(const struct guard_entry *entry, struct err *err);
/*
 * Make whoever waits for this filesystem wait no more: abort the connection
 * to its FUSE daemon, or let it forget what it has not yet written.
 */
void guard_mount_give_up(const struct guard_entry *entry);

bool guard_loop_probe(const struct guard_entry *entry);
/*
 * Make whoever waits for a FUSE daemon on it wait no more, and forget what
 * has not reached its file. A daemon that was the last user of a mount
 * namespace waits for itself: its unmount is part of its end.
 */
void guard_loop_give_up(const struct guard_entry *entry);
bool guard_loop_undo(const struct guard_entry *entry, struct err *err);

/* Of a file or a directory: true also if it is to be refused. */
bool guard_file_probe(const struct guard_entry *entry);
bool guard_file_undo(const struct guard_entry *entry, struct err *err);
/*
 * Have it on the disk that nothing has this path any more. The kernel may
 * hold who calls it for as long as it likes. 0, or an errno.
 */
int guard_file_settle(const char *path);

/* Whether a path is one that guard_make_directory() gives. */
bool guard_is_our_directory(const char *path);

#endif
