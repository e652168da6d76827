/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard - whatever a run makes outside of itself is undone, however it ends.
 *
 * Each such thing is written into the run's record before it is made (or, if it
 * goes with us by itself at first, at once after), and struck out when it is
 * gone again. A keeper, a process of its own, waits for
 * the end of the run: when that comes without a word (kill -9), it undoes
 * what the record still holds. A keeper that is killed is replaced at once.
 * A power cut, or the end of all of them together, leaves a record that
 * nobody holds: the next guard_sweep() undoes it.
 *
 * Records lie in /var/lib/fsmatrix for root, else in
 * $XDG_STATE_HOME/fsmatrix or ~/.local/state/fsmatrix, or where that cannot
 * be, in /var/tmp/fsmatrix-UID; $FSMATRIX_STATE names another directory. What
 * must be found again after a power cut (files and directories) is on the disk
 * when the call that records it returns.
 *
 * It touches only what a record names and what is proved to be still what was
 * recorded: no pid that now is another process, no loop device that has been
 * attached anew, no file that was there before or has something in it, no
 * symbolic link, nothing below another mount. What nothing proves is left
 * alone, and said. It refuses to know why things
 * are made, and in which order they are undone when all goes well.
 *
 * Processes and threads: one at a time adds and drops. A child made by
 * fork() may do so too; ending and recovering is for the process that
 * started the guard.
 */
#ifndef RUNNER_GUARD_H
#define RUNNER_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attr.h"
#include "core/err.h"

struct guard;

/* Takes the place of a thing in the record. 0: none. */
typedef uint64_t guard_ticket;

/*
 * Start the keeper, and do as guard_isolate(). Call it before threads are
 * made and big memory is filled. NULL with `err` set.
 */
MUST_USE struct guard *guard_start(struct err *err);

/*
 * Undo what is left in the record, end the keeper, free. False with `err` set
 * when something could not be removed; its record then stays for
 * guard_sweep(). NULL is fine.
 */
bool guard_end(struct guard *guard, struct err *err);

/*
 * Undo what a child of ours has left that was killed. As guard_end(), but
 * the guard goes on.
 */
bool guard_recover(struct guard *guard, struct err *err);

/*
 * From here on what this process mounts is seen by it, its keeper and its
 * children only, and goes with them. Without the right to do so, nothing
 * happens: then nothing can be mounted either. Nor does it in a chroot, where
 * a mount is undone by the keeper alone.
 */
MUST_USE bool guard_isolate(struct err *err);

/*
 * Make a FUSE connection fail, so that nobody waits for its daemon any more.
 * `device` is that of its mount.
 */
void guard_abort_fuse(dev_t device);

/*
 * The calls below take a NULL guard, with which nothing is recorded; the
 * ticket is then 0. Those that add are called before the thing is made, but
 * for loop devices and processes, and leave *ticket as it is when they fail.
 */

/*
 * A file that must not exist yet: ERR_REFUSED if something has its name. Say
 * which file it became with guard_know_file(). It is removed only as long as
 * it is empty: drop it, or its name, before something is written.
 */
MUST_USE bool guard_add_file(struct guard *guard, const char *path,
			     guard_ticket *ticket, struct err *err);
void guard_know_file(struct guard *guard, guard_ticket ticket, int fd);

/*
 * Make a directory of ours, mode 0700: `prefix`, which is "fsmatrix-" or
 * ".fsmatrix-", and six random characters, in `parent`. It is removed with
 * all that is in it. *path is on the heap, the caller's, and absolute.
 */
MUST_USE bool guard_make_directory(struct guard *guard, const char *parent,
				   const char *prefix, char **path,
				   guard_ticket *ticket, struct err *err);

/*
 * A mount on a directory made by guard_make_directory(); and, once it is
 * there, the device number that mountinfo has for it: then a FUSE connection
 * can be aborted and the filesystem's dirty pages be given up.
 */
MUST_USE bool guard_add_mount(struct guard *guard, const char *path,
			      guard_ticket *ticket, struct err *err);
void guard_know_mount(struct guard *guard, guard_ticket ticket, dev_t device);

/*
 * /dev/loop<number>, open as `device`, after it was attached with autoclear:
 * until it is recorded nobody but us has it open, so that it goes with us.
 */
MUST_USE bool guard_add_loop(struct guard *guard, int number, int device,
			     guard_ticket *ticket, struct err *err);

/* A process that runs already, to be killed. */
MUST_USE bool guard_add_process(struct guard *guard, pid_t pid,
				guard_ticket *ticket, struct err *err);

/* It is gone again. Sets *ticket to 0; 0 is fine. */
void guard_drop(struct guard *guard, guard_ticket *ticket);
/* Of a file or directory: have that on its disk before its record goes. */
void guard_drop_removed(struct guard *guard, guard_ticket *ticket,
			const char *path);

/*
 * In a child that may be held by the kernel: close whatever is open above
 * stderr, but for `keep` and what the calls above need.
 */
void guard_close_others(const struct guard *guard, int keep);

/*
 * Told of every thing that was left behind: `what` ("mount /run/fsmatrix-x")
 * and, if it could not be removed, `problem`; else NULL.
 */
typedef void guard_tell_fn(void *ctx, const char *what, const char *problem);

/*
 * Undo every record that nobody holds; with `dry_run` only tell. A keeper
 * that is at work is waited for. False with `err` set when something could
 * not be removed (its name is in `err`) or no record could be looked at.
 */
MUST_USE bool guard_sweep(bool dry_run, guard_tell_fn *tell, void *ctx,
			  struct err *err);

#endif
