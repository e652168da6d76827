/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conditions - what makes the same machine fast or slow at one moment: its
 * CPUs' governor, whether it runs on battery, how hot it is.
 *
 * Files are read below a root prefix, so that a recorded machine is a test
 * case. What cannot be read is not known; nothing here fails.
 */
#ifndef RUNNER_CONDITIONS_H
#define RUNNER_CONDITIONS_H

#include "schema/record.h"

struct conditions {
	char governor[64]; /* "performance"; several with a comma; "" */
	enum record_power power;
	bool has_temperature;
	int64_t temperature_mc; /* thousandths of a degree Celsius */
};

/* `root` is "" for this machine. */
void conditions_read(const char *root, struct conditions *conditions);

/* The store's view of it, which borrows from it. */
struct record_conditions conditions_record(const struct conditions *conditions);

#endif
