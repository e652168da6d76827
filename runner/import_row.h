/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_row - one row of a CSV of results, from text to checked values.
 *
 * It knows the columns and what may stand in them. It refuses to know runs,
 * cells and the store.
 */
#ifndef RUNNER_IMPORT_ROW_H
#define RUNNER_IMPORT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "reports/csv.h"
#include "schema/record.h"

enum import_column {
	/* What makes a cell; a run's uuid stands for its number. */
	IMPORT_OS,
	IMPORT_HOST,
	IMPORT_LABEL,
	IMPORT_RUN,
	IMPORT_VOLUME,
	IMPORT_FILESYSTEM,
	IMPORT_WORKLOAD,
	IMPORT_NAMES, /* their number */
	IMPORT_DRIVER = IMPORT_NAMES,
	IMPORT_OP,
	IMPORT_KB_PER_S,
	IMPORT_ROUND,
	IMPORT_BYTES,
	IMPORT_SECONDS,
	IMPORT_APP_SECONDS,
	IMPORT_SUSTAINED,
	IMPORT_FILES,
	IMPORT_END,
	IMPORT_STATUS,
	IMPORT_REASON,
	IMPORT_STARTED_AT,
	IMPORT_CACHED,
	IMPORT_VOLUME_KIND,
	IMPORT_BASELINE,
	/* Of the cell, as its workload had it. */
	IMPORT_TYPE,
	IMPORT_BLOCK,
	IMPORT_SIZE,
	IMPORT_DURATION,
	IMPORT_FILE_LIMIT,
	IMPORT_IO,
	IMPORT_READ,
	IMPORT_DEPTH,
	IMPORT_STREAMS,
	IMPORT_IO_EFFECTIVE,
	IMPORT_MATRIX,
	IMPORT_VERIFY,
	/* By which what is here already is known again. */
	IMPORT_RUN_UUID,
	IMPORT_HOST_UUID,
	IMPORT_MACHINE_ID,
	IMPORT_SAMPLE_UUID,
	IMPORT_COLUMNS, /* the number of all */
};

/* Where each column is in the file; from its header. */
struct import_header {
	int at[IMPORT_COLUMNS]; /* -1: it is not there */
	size_t count;           /* of fields in every row */
};

/* Text is borrowed from the record, "" when absent. */
struct import_row {
	const char *names[IMPORT_NAMES];
	const char *driver, *reason, *volume_kind, *type, *matrix;
	char op;          /* 'W' or 'R' */
	double kb_per_s;  /* NaN: not given */
	int64_t round;    /* 0: not known */
	int64_t bytes;    /* -1: not known */
	int64_t total_ns; /* -1: not known */
	int64_t app_ns;   /* of these, until the last write; 0: not known */
	double sustained_kb_per_s; /* 0: not known */
	int64_t files;             /* 0: not known */
	const char *end;           /* a phase_end_word(), or "" */
	enum record_status status;
	bool measured;       /* else the cell is all there is ("n/a") */
	char started_at[32]; /* ISO-8601 UTC; "" */
	bool cached;
	/* Of a baseline such as "filesystem=FAT"; both "" or neither. */
	char baseline_dimension[16];
	const char *baseline;
	bool has_settings;
	struct workload settings;
	enum evidence_io io_effective;
	/* Or "". */
	char run_uuid[37], host_uuid[37], machine_id[37], sample_uuid[37];
};

/*
 * Take the header. A column that is not known is ignored with a warning, one
 * that is nearly known or there twice is an error, and so is a missing one.
 */
MUST_USE bool import_row_header(const struct csv_record *record,
				struct import_header *header, struct err *err);

/* ERR_INPUT that names the column and what is wrong with its value. */
MUST_USE bool import_row_parse(const struct import_header *header,
			       struct csv_record *record,
			       struct import_row *row, struct err *err);

/* What the header of an export is. */
const char *import_row_column(enum import_column column);

#endif
