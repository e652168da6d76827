/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device - the block devices of a machine as facts, and the consent without
 * which none of them is erased.
 *
 * Facts are read below a root prefix, so that a recorded machine is a test
 * case; on the machine itself (the prefix is "") libudev and libblkid are
 * asked too. Nothing here writes to a device.
 *
 * It refuses to know what a device is wanted for: mkfs, mounts and samples
 * are the target's.
 */
#ifndef RUNNER_DEVICE_H
#define RUNNER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/err.h"
#include "runner/sysfile.h"
#include "schema/matrix.h"

#define DEVICE_NAME_MAX  64
#define DEVICE_TEXT_MAX  128
#define DEVICE_ERASE_MAX (DEVICE_TEXT_MAX + 24)

/* Text is as the hardware or the disk has it: data, and maybe not UTF-8. */
struct device {
	char name[DEVICE_NAME_MAX];     /* the kernel's: "sdb1" */
	char path[DEVICE_NAME_MAX + 8]; /* "/dev/sdb1" */
	dev_t number;
	uint64_t size_bytes;    /* 0: there is no medium */
	uint64_t start_bytes;   /* of a partition: where on its disk */
	uint64_t sequence;      /* new for every disk plugged in; 0: unknown */
	unsigned int partition; /* its number; 0: a whole disk */
	char disk[DEVICE_NAME_MAX]; /* the same by name */
	char vendor[DEVICE_TEXT_MAX], model[DEVICE_TEXT_MAX];
	char firmware[DEVICE_TEXT_MAX];
	char serial[DEVICE_TEXT_MAX], wwn[DEVICE_TEXT_MAX];
	char uuid[DEVICE_TEXT_MAX]; /* of a dm or md device */
	char partuuid[DEVICE_TEXT_MAX];
	char scheduler[32], write_cache[32];
	char type[32];               /* what is on it: "vfat", "LVM2_member" */
	char label[DEVICE_TEXT_MAX]; /* its name, decoded */
	char table[32];              /* partition table: "gpt", "dos" */
	unsigned int table_entries;  /* read from the disk; 0: not read */
	bool rotational, removable, read_only, optical;
	bool swap;                       /* in use as swap */
	struct sysfile_names links;      /* stable paths that lead to it */
	struct sysfile_names claims;     /* stable paths udev gave it */
	struct sysfile_names partitions; /* of a disk: names */
	struct sysfile_names holders;    /* "dm-0 (cryptroot)", "loop3" */
	struct sysfile_names mounts;     /* where it is mounted */
};

/*
 * What /sys/class/block/NAME says, and no other source. False: there is no
 * such device. `device` is zero before, and the caller's: device_done().
 */
bool device_sysfs_read(const char *root, const char *name,
		       struct device *device);

struct device_list {
	char *root; /* owned; "" for the machine itself */
	struct device *items;
	size_t count;
};

/*
 * Every block device there is. `root` is "" or the folder of a recorded
 * machine. False with `err` set if a fact could not be read that a refusal may
 * hang on; `list` is then empty. device_list_done() ends it.
 */
MUST_USE bool device_list_read(const char *root, struct device_list *list,
			       struct err *err);
void device_list_done(struct device_list *list);

/* NULL if there is none. */
const struct device *device_list_named(const struct device_list *list,
				       const char *name);
const struct device *device_list_numbered(const struct device_list *list,
					  dev_t number);

/*
 * The device a path leads to, every link followed below the list's root; NULL
 * if it is not that of a block device of the list.
 */
const struct device *device_list_at(const struct device_list *list,
				    const char *path);

/* A copy of its own; false with `err` set when out of memory. */
MUST_USE bool device_copy(const struct device *from, struct device *to,
			  struct err *err);
void device_done(struct device *device);

/*
 * Whether nothing on the machine uses the device, and it is one that can
 * hold a filesystem: not mounted, no swap, not held by another device, no
 * partitions, not read-only, and its disk not in use as a whole. Else
 * ERR_REFUSED, with the reason in `err` ("mounted at /home") and, unless
 * `step` is NULL, what to do about it in `step` ("unmount it first"; not to
 * be freed).
 */
bool device_is_free(const struct device_list *list, const struct device *device,
		    const char **step, struct err *err);

/*
 * The words that consent to erasing it: what tells it from others (its serial
 * number; a device without one: its WWN; a dm or md device: its UUID; else
 * the partition's UUID) and its size in bytes. Bytes that would need quoting
 * are '_', as udev has it. False, and "", if nothing tells it from others.
 */
bool device_erase_text(const struct device *device, char out[DEVICE_ERASE_MAX]);

/*
 * The stable path to name it by: the one in by-id that has its serial
 * number, else any in by-id, else in by-partuuid. NULL if it has none.
 */
const char *device_stable_path(const struct device *device);

/*
 * Whether a matrix can have it erased at all: it is free, has a stable path,
 * and something tells it from others. Else ERR_REFUSED, in short.
 */
bool device_is_erasable(const struct device_list *list,
			const struct device *device, struct err *err);

/* "sdb1 (SanDisk Ultra, 57.3GiB, vfat "PHOTOS")"; safe to print. */
void device_describe(const struct device *device, char *out, size_t size);

/*
 * Whether the volume, a MATRIX_DEVICE, may be erased by this list's facts:
 * it is named by a stable path that leads to one device and no other claims,
 * device_is_free(), and its `erase` is device_erase_text(). Else ERR_REFUSED
 * that says what is the matter and what to do.
 */
MUST_USE bool device_check_facts(const struct device_list *list,
				 const struct matrix_volume *volume,
				 struct device *found, struct err *err);

/*
 * The same with this machine's facts as they are now, what is on the disk
 * read anew, and opened O_EXCL to prove that nobody else has it open so.
 * To be asked before every mkfs. `found` is the caller's: device_done().
 */
MUST_USE bool device_check(const struct matrix_volume *volume,
			   struct device *found, struct err *err);

/* That part of device_check() which is about the path alone. */
MUST_USE bool device_check_path(const char *path, struct err *err);

/*
 * Take the lock by which programs keep udev, and with it a desktop that
 * mounts what it sees, from a disk (flock(2) on the whole disk's node), for
 * the device at `path`. It ends when *fd is closed. False with `err` set:
 * ERR_BUSY if another process keeps it. A disk that cannot be opened is for
 * device_check() to refuse: it is not locked, and *fd is -1.
 */
MUST_USE bool device_lock(const char *path, int *fd, struct err *err);

/*
 * Open the very device that was found (its number, size and sequence are
 * compared), read-only. While it is open the kernel gives its name and number
 * to no other, so that a path that led to it leads to it or nowhere.
 * -1 with `err` set.
 */
int device_open(const struct device *device, struct err *err);

/*
 * As device_open() with O_EXCL: while it is open nobody can mount it, use it
 * as swap or hold it, and neither can we: mkfs and mount claim the device in
 * the same way, so this must be closed before them.
 */
int device_open_exclusive(const struct device *device, struct err *err);

#endif
