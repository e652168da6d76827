/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop - a file as a block device, for as long as somebody has it open.
 *
 * The device is attached in one step (LOOP_CONFIGURE) with autoclear, so that
 * it goes by itself when the last user closes it, however we end. Direct I/O
 * keeps its data out of the page cache a second time; where the file's own
 * filesystem refuses that, the device is buffered and `direct` says so.
 */
#ifndef RUNNER_LOOP_H
#define RUNNER_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"

struct loop {
	int fd;        /* read-only; holds the device; -1: not attached */
	int number;    /* of /dev/loopN */
	char path[64]; /* "/dev/loop3" */
	bool direct;
};

/* The initial value of a struct loop. */
#define LOOP_NONE                                                              \
	{                                                                      \
		.fd = -1                                                       \
	}

/* Whether loop devices can be had here; false with the reason in `err`. */
MUST_USE bool loop_available(struct err *err);

/* Attach the open file `image`. Names in `err` are `name`'s. */
MUST_USE bool loop_attach(struct loop *loop, int image, const char *name,
			  struct err *err);

/*
 * Throw the content away, unwritten as far as it is: the image is about to
 * go. Nobody may have the device mounted. Best effort.
 */
void loop_discard(const struct loop *loop);

/* Close, and wait until the kernel has let go of the file. */
MUST_USE bool loop_detach(struct loop *loop, struct err *err);

#endif
