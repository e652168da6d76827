/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling - datasets made by hand, for the tests of what is made from them.
 */
#ifndef TESTS_UNIT_SAMPLING_H
#define TESTS_UNIT_SAMPLING_H

#include <math.h>

#include "reports/compare.h"
#include "reports/dataset.h"
#include "tests/unit/unit.h"

/* A row with nothing but what every test needs; set the rest yourself. */
static inline struct record_result sampling_row(int64_t run, int64_t cell,
						int64_t base)
{
	return (struct record_result){
		.run = run,
		.cell = cell,
		.base_cell = base,
		.os = "Linux 6.12.5",
		.host = "box",
		.matrix = "m",
		.volume = "sda1",
		.volume_kind = "image",
		.workload = "seq",
		.op = 'W',
		.kb_per_s = NAN,
		.app_kb_per_s = NAN,
		.sustained_kb_per_s = NAN,
	};
}

static inline void sampling_add(struct dataset *data, struct record_result row)
{
	struct err err = { 0 };

	assert_true(dataset_add(data, &row, &err));
}

/* One sample of `op` a round, from round 1 on. */
static inline void sampling_add_rates(struct dataset *data,
				      struct record_result row, char op,
				      const double *rates, size_t count)
{
	row.op = op;
	for (size_t i = 0; i < count; i++) {
		row.round = (int64_t)i + 1;
		row.kb_per_s = rates[i];
		sampling_add(data, row);
	}
}

static inline struct comparison *sampling_compare(
	const struct dataset *data, const struct compare_options *options)
{
	struct err err = { 0 };
	struct comparison *comparison = compare_new(data, options, &err);

	if (!comparison)
		fail_msg("%s", err.text);
	return comparison;
}

#endif
