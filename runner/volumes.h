/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * volumes - what there is to test on, and what to write into a matrix for it,
 * as text and as JSON.
 *
 * It prints facts that others found and finds none itself.
 */
#ifndef RUNNER_VOLUMES_H
#define RUNNER_VOLUMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/err.h"
#include "runner/device.h"
#include "runner/place.h"

struct volumes {
	const struct device_list *devices; /* borrowed, as is `places` */
	const struct place_list *places;
	bool root; /* who asks may read devices, and run mkfs and mount */
};

/* `width` as of table_new(). */
MUST_USE bool volumes_print(const struct volumes *volumes, size_t width,
			    FILE *out, struct err *err);
MUST_USE bool volumes_print_json(const struct volumes *volumes, FILE *out,
				 struct err *err);

#endif
