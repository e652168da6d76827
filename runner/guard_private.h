/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_private - each kind of thing: whether it is there, and its undoing.
 *
 * A probe says what has the place of the thing now. An undo returns whether
 * the thing is gone; if not, the reason is in `err`. Which identity proves a
 * thing ours, and why that is enough, is in ARCHITECTURE.md.
 */
#ifndef RUNNER_GUARD_PRIVATE_H
#define RUNNER_GUARD_PRIVATE_H

#include "runner/guard_undo.h"

struct statx;

enum guard_look {
	GUARD_GONE,    /* ours is: nothing is there, or surely another's */
	GUARD_OURS,    /* it is still what was recorded */
	GUARD_REFUSED, /* nothing proves it, or it is in the way: see `err` */
};

enum guard_look guard_mount_probe(const struct guard_entry *entry,
				  struct err *err);
bool guard_mount_undo(const struct guard_entry *entry, struct err *err);
/*
 * Make whoever waits for this filesystem wait no more: abort the connection
 * to its FUSE daemon, or let it forget what it has not yet written.
 */
void guard_mount_give_up(const struct guard_entry *entry);

enum guard_look guard_loop_probe(const struct guard_entry *entry,
				 struct err *err);
/* What tells attachments apart, of the open device; 0: the kernel does not. */
uint64_t guard_loop_sequence(int fd);
/*
 * Make whoever waits for a FUSE daemon on it wait no more, and forget what
 * has not reached its file. A daemon that was the last user of a mount
 * namespace waits for itself: its unmount is part of its end.
 */
void guard_loop_give_up(const struct guard_entry *entry);
bool guard_loop_undo(const struct guard_entry *entry, struct err *err);

enum guard_look guard_file_probe(const struct guard_entry *entry,
				 struct err *err);
/* When it was made, in ns; 0: its filesystem does not say. */
uint64_t guard_file_born(const struct statx *stx);
bool guard_file_undo(const struct guard_entry *entry, struct err *err);
/*
 * Have it on the disk that nothing has this path any more. The kernel may
 * hold who calls it for as long as it likes. 0, or an errno.
 */
int guard_file_settle(const char *path);

/* Whether a path is one that guard_make_directory() gives. */
bool guard_is_our_directory(const char *path);

#endif
