/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remarks - what is kept with a sample beside its figures: the machine's
 * conditions when it began, and what the kernel said about its device.
 */
#ifndef RUNNER_REMARKS_H
#define RUNNER_REMARKS_H

#include "runner/conditions.h"
#include "runner/target.h"
#include "schema/record.h"

struct remarks {
	int kmsg; /* -1: may not be read */
	struct conditions conditions;
	char *kernel; /* owned; NULL: nothing */
};

struct remarks remarks_open(void);
void remarks_close(struct remarks *remarks);

/* Around one sample; `facts` say which device it was. */
void remarks_begin(struct remarks *remarks);
void remarks_end(struct remarks *remarks, const struct target_facts *facts);

/* The record borrows them until the next sample begins. */
void remarks_put(const struct remarks *remarks, struct record_sample *record);

#endif
