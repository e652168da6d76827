/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock - one run per volume and per database at a time.
 *
 * A lock belongs to the thing, not to its name: a database or a directory is
 * known by its inode, a device by its number, an image, which comes and
 * goes, by its directory's inode and its name in there. So links, relative
 * paths and bind mounts all lead to the same lock, and root and users exclude
 * each other.
 *
 * The locks are files in /run/lock, else /tmp, whichever everybody may write
 * in; a host without such a place has locks per user ($XDG_RUNTIME_DIR). They
 * end with the process that took them, and its children. What is written in
 * them is for people: everybody may write there, too.
 */
#ifndef RUNNER_LOCK_H
#define RUNNER_LOCK_H

#include "core/attr.h"
#include "core/err.h"
#include "schema/matrix.h"

struct lock;

/*
 * NULL with `err` set: ERR_BUSY names the process that has it, "volume
 * scratch (/x/scratch.img) is in use by fsmatrix run, pid 1234, since
 * 2026-01-31T23:15:00Z". What this process has already it may take again.
 */
MUST_USE struct lock *lock_take_volume(const struct matrix_volume *volume,
				       struct err *err);

/*
 * A database that is missing is created empty: who is to make one takes its
 * lock first. One that is open already is not opened and closed again, which
 * would drop SQLite's locks on it.
 */
MUST_USE struct lock *lock_take_database(const char *path, struct err *err);

/* NULL is fine. */
void lock_free(struct lock *lock);

/*
 * Of what failed, once the database is closed: lock_free(), and if it was the
 * lock that created the file at `path`, it is gone again.
 */
void lock_abandon_database(struct lock *lock, const char *path);

#endif
