/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mountinfo - what is mounted where, as the kernel says it.
 *
 * libmount reads and unescapes; this picks the one mount that was asked for.
 * It asks for the calling thread's own view, which a private mount namespace
 * makes different from that of other threads.
 */
#ifndef RUNNER_MOUNTINFO_H
#define RUNNER_MOUNTINFO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"

#define MOUNTINFO_SELF "/proc/thread-self/mountinfo"
#define MOUNTINFO_INIT "/proc/1/mountinfo"

struct mountinfo {
	int id;
	dev_t device;
	char *target;  /* owned, as all of these */
	char *type;    /* "ext4", "fuseblk", "fuse.fusefat" */
	char *source;  /* "/dev/loop3"; may be "none" */
	char *options; /* the mount's and the filesystem's, joined */
};

/*
 * The mount on top at `path`, which must be a mount point, or the mount with
 * that id. `file` is MOUNTINFO_SELF or a recorded one. False with `err` set
 * when there is none; `out` is then untouched.
 */
MUST_USE bool mountinfo_at(const char *file, const char *path,
			   struct mountinfo *out, struct err *err);
MUST_USE bool mountinfo_by_id(const char *file, int id, struct mountinfo *out,
			      struct err *err);

/*
 * The mount that holds an open file. In a chroot it may be out of sight: then
 * it is as process 1 sees it, and if that cannot be read either, its type is
 * what statfs(2) says and its source "none".
 */
MUST_USE bool mountinfo_of(int fd, struct mountinfo *out, struct err *err);

void mountinfo_done(struct mountinfo *info);

#endif
