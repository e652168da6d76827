/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target_private - what the files of target share. Not for others.
 */
#ifndef RUNNER_TARGET_PRIVATE_H
#define RUNNER_TARGET_PRIVATE_H

#include "runner/child.h"
#include "runner/device.h"
#include "runner/fstype.h"
#include "runner/guard.h"
#include "runner/loop.h"
#include "runner/target.h"

#define TARGET_FOLDER ".fsmatrix-" /* of test files; see guard.h */
#define TARGET_MOUNT  "fsmatrix-"  /* of mount points */

struct target {
	const struct matrix_volume *volume;
	const struct matrix_filesystem *filesystem; /* NULL: directory */
	const atomic_bool *stop;                    /* NULL: none */

	const struct fstype *type;
	const struct fstype_driver *driver; /* that is tried, or serves */

	struct guard *guard; /* borrowed; NULL: nothing is recorded */
	int image;           /* open, and has no name; -1 */
	struct loop loop;
	guard_ticket loop_ticket;

	struct device device; /* of a device volume, as it was checked */
	int device_fd;        /* keeps its name for it while open; -1 */

	char *mount_point; /* made by us; NULL */
	guard_ticket mount_point_ticket;
	bool mounted;
	dev_t mount_device;
	guard_ticket mount_ticket;
	struct child *daemon; /* NULL: a kernel driver */
	guard_ticket daemon_ticket;

	char *folder; /* directory volume: our own in it; NULL */
	guard_ticket folder_ticket;
	int dir; /* where to write; -1 */
	struct target_facts facts;
};

/* Whether a volume that is not a directory can be prepared here. */
enum target_outcome target_possible(const struct matrix_volume *volume,
				    const struct matrix_filesystem *filesystem,
				    const struct fstype **type,
				    const struct fstype_driver **driver,
				    struct err *err);

/* ERR_REFUSED if there is something at the image's path. */
bool target_image_check(const char *path, struct err *err);
/* The file, without a name, and its loop device. */
bool target_image_attach(struct target *target, struct err *err);
/* Adds to what failed that there is no room for the image, if that is so. */
void target_image_explain(const struct target *target, struct err *err);
bool target_image_detach(struct target *target, struct err *err);
/* Write out and forget what the kernel caches of the file, if there is one. */
bool target_image_flush(const struct target *target, struct err *err);

/* The device that may be erased, held so that no other takes its name. */
bool target_device_attach(struct target *target, struct err *err);
void target_device_detach(struct target *target);

/* The block device below the filesystem, loop or not: its path and an fd. */
const char *target_block_path(const struct target *target);
int target_block_fd(const struct target *target);
/* Write out and forget what the kernel caches of it. */
bool target_block_flush(const struct target *target, struct err *err);

/* Unlink the plain files of a folder. */
void target_folder_empty(int dir);

bool target_mkfs(struct target *target, struct err *err);
/* Mount with the first driver that can, and open its root directory. */
enum target_outcome target_mount(struct target *target, struct err *err);
/* Mount again as before. */
bool target_mount_again(struct target *target, struct err *err);
/* `discard`: nothing will be read any more, so little need be written. */
bool target_unmount(struct target *target, bool discard, struct err *err);
/* ERR_REFUSED if an option leads mkfs to a device or file of others. */
bool target_mkfs_options_check(const char *const *options, struct err *err);
/* Refuses what would change the device that is measured. NULL is fine. */
bool target_mount_options_check(const char *options, struct err *err);

/* Fill facts from what is mounted, and check the wanted driver. */
bool target_facts_of_mount(struct target *target, struct err *err);
/* After it was mounted anew: by the same driver, or not well. */
bool target_facts_again(struct target *target, struct err *err);
bool target_facts_of_directory(struct target *target, struct err *err);

#endif
