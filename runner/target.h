/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target - a volume made ready for one cell, and put back as it was.
 *
 * Prepare makes the image, attaches it, runs mkfs, mounts, and reads back
 * what really serves; evict mounts anew with cold caches; finish undoes all
 * of it in the reverse order, and is safe after any failure in between.
 *
 * It knows mkfs, mount and loop devices. It refuses to know samples and the
 * store.
 */
#ifndef RUNNER_TARGET_H
#define RUNNER_TARGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"
#include "runner/guard.h"
#include "schema/matrix.h"

struct target;

/* What was found after mounting, as stored with the sample. */
struct target_facts {
	char driver[32]; /* "vfat", "ntfs3", "ntfs-3g", "fusefat", ... */
	char type[32];   /* libblkid's word for what is on the device; for a
			    directory the mount's own type */
	char device[64]; /* "/dev/loop3"; a directory: the mount's source */
	char device_stat[256]; /* see measure_spec; "" if there is none */
	char mounted_stat[256];
	char *mkfs_command, *mount_command; /* owned; as typed; NULL: none */
	char *mount_options; /* owned; as the kernel says in mountinfo */
	bool buffered_loop;  /* the image's filesystem refuses direct I/O */
	bool caches_kept;    /* the last evict could not drop the host's */
};

enum target_outcome {
	TARGET_READY,
	TARGET_SKIPPED, /* something is missing here; `err` says what and
			   which package has it, in the words of a reason:
			   "no mkfs.ntfs (install ntfs-3g)" */
	TARGET_FAILED,  /* `err` says how; ERR_REFUSED if for safety */
};

/*
 * What can be refused before anything is made: an image path that exists, a
 * directory that is none. False with `err` set.
 */
MUST_USE bool target_check(const struct matrix_volume *volume, struct err *err);

/* The filesystem that an image or a directory is on now; 0: a device, none. */
dev_t target_home(const struct matrix_volume *volume);

/* Whether the right to mount is ours; in a container, root may lack it. */
bool target_may_mount(void);

/*
 * The type of the filesystem a directory is on ("ext4", "tmpfs"); "" if it
 * cannot be known.
 */
void target_directory_type(const char *path, char *out, size_t size);

/*
 * Always sets *target to what must be given to target_finish() (NULL if
 * nothing was made). `filesystem` is NULL for a directory volume. All that is
 * made is recorded with `guard`; NULL: with none. When *stop becomes true
 * (NULL: it never does) mkfs is killed, and nothing is waited for any longer
 * than it must be. The four are borrowed and must outlive the target.
 */
enum target_outcome target_prepare(const struct matrix_volume *volume,
				   const struct matrix_filesystem *filesystem,
				   struct guard *guard, const atomic_bool *stop,
				   struct target **target, struct err *err);

/* An fd of the directory to write in, the target's; changes on evict. */
int target_dir(const struct target *target);
const struct target_facts *target_facts(const struct target *target);
/*
 * An fd of the block device that is mounted, the target's; 0: none. A flush
 * ends with its fsync: a FUSE driver's may leave all in the device's cache.
 */
int target_device(const struct target *target);

/*
 * Flush, mount anew and drop every cache there is on the way to the disk.
 * The files of a directory volume are not the target's to know: there,
 * call measure_evict() too (before this, which then drops the host's caches
 * where root allows).
 */
bool target_evict(struct target *target, struct err *err);

/* What failed on it may have a reason that its errno does not tell. */
void target_explain(const struct target *target, struct err *err);

/* Undo and free; the first thing that did not work is in `err`. */
bool target_finish(struct target *target, struct err *err);

/*
 * What prepare would do, one command per line with a newline behind each, as
 * on the heap and the caller's; a name in capitals (LOOP, MOUNTPOINT) stands
 * for what is only known then. Reason as for TARGET_SKIPPED in `err` and
 * TARGET_SKIPPED returned if the machine cannot do it.
 */
enum target_outcome target_plan(const struct matrix_volume *volume,
				const struct matrix_filesystem *filesystem,
				char **commands, struct err *err);

#endif
