/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmsg - what the kernel said about a device while it was measured.
 *
 * Warnings and worse: what every mount says is not kept. A message is about a
 * device if the device's name is a word of it.
 */
#ifndef RUNNER_KMSG_H
#define RUNNER_KMSG_H

#include <stdbool.h>
#include <stddef.h>

enum { KMSG_TEXT_MAX = 4096 }; /* bytes kept of one sample's */

/* -1 where it may not be read. */
int kmsg_open(void);

/* Forget what was said until now. -1 is fine. */
void kmsg_skip(int fd);

/*
 * What was said since then about any of `names` ("loop3", "sda"), one message
 * a line; on the heap. NULL if there is nothing, or `fd` is -1.
 */
char *kmsg_collect(int fd, const char *const *names, size_t count);

#endif
