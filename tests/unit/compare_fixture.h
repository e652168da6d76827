/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_fixture - two filesystems in five rounds, and what compare makes. */
#ifndef TESTS_UNIT_COMPARE_FIXTURE_H
#define TESTS_UNIT_COMPARE_FIXTURE_H

#include <string.h>

#include "tests/unit/sampling.h"

static const double vfat_w[] = { 11885, 11700, 12010, 11850, 11990 };
static const double vfat_r[] = { 13223, 13010, 13400, 13150, 13290 };
static const double exfat_w[] = { 12075, 11900, 12150, 12100, 11950 };
static const double exfat_r[] = { 23205, 23100, 23310, 22990, 23420 };

static inline bool has_line(const struct compare_lines *lines, const char *text)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (strcmp(lines->items[i], text) == 0)
			return true;
	}
	for (size_t i = 0; i < lines->count; i++)
		print_message("there is: %s\n", lines->items[i]);
	return false;
}

static inline void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= fabs(expected) * 1e-9))
		fail_msg("%.15g is not %.15g", value, expected);
}

/* vfat (cell 1) and exfat (cell 2) on sda1, five rounds, base vfat. */
static inline void add_two(struct dataset *data)
{
	struct record_result vfat = sampling_row(1, 1, 1);
	struct record_result exfat = sampling_row(1, 2, 1);

	vfat.filesystem = vfat.driver = "vfat";
	exfat.filesystem = exfat.driver = "exfat";
	sampling_add_rates(data, vfat, 'W', vfat_w, 5);
	sampling_add_rates(data, vfat, 'R', vfat_r, 5);
	sampling_add_rates(data, exfat, 'W', exfat_w, 5);
	sampling_add_rates(data, exfat, 'R', exfat_r, 5);
}

struct fixture {
	struct dataset data;
	struct compare_options options;
	struct comparison *comparison;
	int64_t runs; /* added so far */
};

static inline int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ 0 };
	compare_options_init(&fixture.options);
	*state = &fixture;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;

	compare_free(f->comparison);
	compare_options_done(&f->options);
	dataset_done(&f->data);
	return 0;
}

static inline const struct comparison *make(struct fixture *f)
{
	compare_free(f->comparison);
	f->comparison = sampling_compare(&f->data, &f->options);
	return f->comparison;
}

static inline void set_base(struct fixture *f, const char *text)
{
	struct err err = { 0 };

	assert_true(compare_parse_base(&f->options, text, &err));
}

#endif
