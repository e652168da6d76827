/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet_private - what the files of the sheet share.
 */
#ifndef REPORTS_SHEET_PRIVATE_H
#define REPORTS_SHEET_PRIVATE_H

#include "reports/compare.h"
#include "reports/grid.h"
#include "reports/jsonvalue.h"
#include "reports/sheet.h"

enum { SHEET_NAME = 12 }; /* columns of the name of a fact */

/* What a setup leaves for the results of its sample. */
struct sheet_times {
	int64_t sample, prepare_ns, evict_ns, clean_ns;
};

struct sheet {
	const struct sheet_view *view;
	const struct figure_unit *unit;
	bool base; /* the cell is its own base */

	/* Of the cell begun last. */
	struct sheet_times *times; /* owned */
	size_t time_count, time_room;
	struct compare_lines commands; /* distinct lines about the setups */
	struct compare_lines failures; /* a line each */
	struct compare_lines kernel;   /* what it said, with the round */
	struct grid grid;              /* owned: text */
	struct grid_build build;
	json_t *cell, *samples; /* owned: JSON */
	size_t sample;          /* the index of the one in turn */

	size_t cells;         /* printed so far */
	unsigned int columns; /* a bit for each that anything stood in */
};

/* NULL: none of this sample. */
const struct sheet_times *sheet_times_of(const struct sheet *sheet,
					 int64_t sample);

/* How far too high the rate without the flush is, as a part; NaN: unknown. */
double sheet_cache_error(const struct record_result *result);

/* "480MiB in blocks of 512KiB, buffered, cold read"; owned, NULL: no memory. */
char *sheet_settings(const struct workload *w);

bool sheet_text_run(struct sheet *sheet, const struct record_run_info *info,
		    const struct record_listed *listed, struct err *err);
bool sheet_text_cell(struct sheet *sheet, const struct record_cell_info *cell,
		     struct err *err);
bool sheet_text_result(struct sheet *sheet, const struct record_result *result,
		       struct err *err);
bool sheet_text_cell_end(struct sheet *sheet, struct err *err);

bool sheet_json_run(struct sheet *sheet, const struct record_run_info *info,
		    const struct record_listed *listed, struct err *err);
bool sheet_json_cell(struct sheet *sheet, const struct record_cell_info *cell,
		     struct err *err);
bool sheet_json_setup(struct sheet *sheet, const struct record_setup *setup,
		      struct err *err);
bool sheet_json_result(struct sheet *sheet, const struct record_result *result,
		       struct err *err);
bool sheet_json_cell_end(struct sheet *sheet, struct err *err);
bool sheet_json_end(struct sheet *sheet, struct err *err);

#endif
