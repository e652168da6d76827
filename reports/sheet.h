/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sheet - one run in full, as text for people or as JSON: its environment,
 * its cells with the commands that made them, every sample with its evidence.
 *
 * It is fed in order - the run, then for each cell its setups and its
 * results - and prints a cell when it ends. It refuses to know where these
 * come from.
 */
#ifndef REPORTS_SHEET_H
#define REPORTS_SHEET_H

#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"
#include "reports/figure.h"
#include "reports/render.h"
#include "schema/record.h"

struct sheet;

/* What the reader wants; borrowed, and must outlive the sheet. */
struct sheet_view {
	const struct render_view *view;
	FILE *out; /* a failed write shows in ferror() */
	bool json;
};

/* NULL with `err` set. */
struct sheet *sheet_new(const struct sheet_view *view, struct err *err);
void sheet_free(struct sheet *sheet);

MUST_USE bool sheet_run(struct sheet *sheet, const struct record_run_info *info,
			const struct record_listed *listed, struct err *err);
MUST_USE bool sheet_cell(struct sheet *sheet,
			 const struct record_cell_info *cell, struct err *err);
/* Of the cell begun last; all setups before the first result. */
MUST_USE bool sheet_setup(struct sheet *sheet, const struct record_setup *setup,
			  struct err *err);
MUST_USE bool sheet_result(struct sheet *sheet,
			   const struct record_result *result, struct err *err);
MUST_USE bool sheet_cell_end(struct sheet *sheet, struct err *err);
MUST_USE bool sheet_end(struct sheet *sheet, struct err *err);

#endif
