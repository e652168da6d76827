/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify - whether what SQL's view says of a run is what a comparison makes
 * of its samples: rates, counts and changes.
 *
 * It refuses to know the store: rows of the view come one by one.
 */
#ifndef REPORTS_VERIFY_H
#define REPORTS_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "reports/compare.h"
#include "schema/record.h"

struct verify;

/* NULL with `err` set. The comparison is borrowed, and must outlive it. */
MUST_USE struct verify *verify_new(const struct comparison *comparison,
				   struct err *err);
void verify_free(struct verify *verify);

/*
 * What differs, in words that name the cell; "" when nothing does. `seen` is
 * raised by one for each row of the comparison that the view has.
 */
void verify_row(const struct verify *verify, const struct record_compared *row,
		size_t *seen, char *fault, size_t size);

#endif
