/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv - comma-separated values: records in, fields out.
 *
 * Reading streams: memory is that of the longest record. Text that a
 * spreadsheet would take for a formula gets an apostrophe in front when it is
 * written; csv_restore() takes it away again.
 */
#ifndef REPORTS_CSV_H
#define REPORTS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/err.h"

struct csv_record {
	char **fields; /* NUL-terminated, without quotes; may be changed */
	size_t count;
	int line; /* 1-based, where the record starts */
};

/* False with its error set elsewhere: reading ends. */
typedef bool csv_record_fn(void *ctx, struct csv_record *record);

/*
 * Call `fn` for each record of `in` that is not empty, the header included.
 * A byte order mark at the start is skipped. False when `fn` returned false,
 * or with `err` set, its source and line included: a quote out of place, a
 * NUL byte, a failed read.
 */
MUST_USE bool csv_each_record(FILE *in, const char *source, csv_record_fn *fn,
			      void *ctx, struct err *err);

/*
 * A text field, quoted and protected from spreadsheets; what could act on a
 * terminal is spelt out, as text_safe() does. Failed: ferror().
 */
void csv_put_text(const char *text, FILE *out);

/* What csv_put_text() printed, of what was read back; in place. */
char *csv_restore(char *field);

#endif
