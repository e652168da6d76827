/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dataset - the samples of one or more runs as plain arrays, by cell.
 *
 * What a comparison is made from. It knows rows, as schema/record.h has
 * them, and refuses to know where they come from. Strings are interned: two
 * names are equal if and only if their pointers are.
 *
 * Not thread-safe.
 */
#ifndef REPORTS_DATASET_H
#define REPORTS_DATASET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "reports/detail.h"
#include "reports/site.h"
#include "schema/record.h"

/* What a row of a comparison can differ in. The words are the users'. */
enum dataset_dimension {
	DATASET_OS,
	DATASET_HOST,
	DATASET_RUN,
	DATASET_LABEL,
	DATASET_MATRIX,
	DATASET_VOLUME,
	DATASET_FILESYSTEM,
	DATASET_DRIVER,
	DATASET_WORKLOAD,
	DATASET_SETTINGS,   /* of the workload: "512KiB, 480MiB, buffered" */
	DATASET_DIMENSIONS, /* their number */
};

/* "os", "host", ...; plural for lists of values. */
const char *dataset_dimension_name(enum dataset_dimension dimension);
#define DATASET_DIMENSION_NAMES                                                \
	"os, host, run, label, matrix, volume (or drive), filesystem (or "     \
	"fs), "                                                                \
	"driver, workload, settings"
/* In any case of letters. ERR_INPUT that names the known ones. */
MUST_USE bool dataset_dimension_parse(const char *name,
				      enum dataset_dimension *dimension,
				      struct err *err);

/* Which of its rates counts for a write. */
enum dataset_metric {
	DATASET_DURABLE, /* until the data was on the device */
	DATASET_APP,     /* until the last write returned */
	DATASET_SUSTAINED,
};

enum dataset_flag {
	DATASET_CACHED = 1,    /* memory, not the device, served it */
	DATASET_SHORTENED = 2, /* the user ended the write phase */
	DATASET_BUFFERED = 4,  /* direct was asked for and not to be had */
	DATASET_FILES = 8,     /* it took more than one file */
};

struct dataset_sample {
	int64_t round;       /* 0: unknown */
	double kb_per_s;     /* by the metric; NaN: none */
	double app_kb_per_s; /* of a write without its flush; NaN: none */
	const char *reason;  /* interned; NULL when ok */
	uint8_t status;      /* enum record_status */
	uint8_t flags;       /* enum dataset_flag */
	int16_t errnum;      /* 0: none or unknown */
	bool brief;          /* known to have taken less than 1 s */
};

struct dataset_samples {
	struct dataset_sample *items; /* owned; in the order added */
	struct detail *details; /* owned; one each, of a detailed dataset */
	size_t count, room;
};

struct dataset_cell {
	int64_t id, run;
	int64_t base; /* the id of its base by its run's baseline; 0: none */
	bool directory;
	const char *names[DATASET_DIMENSIONS]; /* interned; "" when absent */
	/* The same for all of one machine: its id, else its name, else its OS;
	 * interned. */
	const char *machine;
	const char *type; /* of the filesystem; interned; "" if not known */
	const char *host; /* interned; its name, though several have it */
	struct site site; /* of it nothing may be known */
	struct dataset_samples writes, reads;
};

/* One execution, as a reader wants to know it. Strings are interned. */
struct dataset_run {
	int64_t id;
	const char *label, *matrix, *host, *os; /* "" when absent */
	const char *cpu, *virtualization, *program, *status;
	const char *started_at, *ended_at;
	const char *machine;  /* as of a cell */
	int64_t memory_bytes; /* 0: unknown */
};

/* What the changes of a run were planned to be against. */
struct dataset_plan {
	int64_t run;
	bool imported;
	const char *dimension, *baseline; /* interned; "" when there is none */
};

struct dataset {
	enum dataset_metric metric;
	bool detailed;              /* keep runs and details too */
	struct dataset_cell *cells; /* owned; in the order added */
	size_t count, room;
	struct dataset_run *runs; /* owned; of a detailed dataset */
	size_t run_count;
	struct dataset_plan *plans; /* owned; of runs that were added */
	size_t plan_count;
	/* Whether a run planned too few rounds for a test, nobody knows how
	 * many, and planned enough but was ended before. */
	bool few_rounds, unknown_rounds, unfinished;
	size_t series_left_out; /* samples whose rate over time is not here */
	void *strings, *index;  /* search trees of what is owned */
};

/* Zero-initialise and set the metric, and whether it is detailed. */
void dataset_done(struct dataset *data);

/* Only its plan is kept of it unless the dataset is detailed. */
MUST_USE bool dataset_add_run(struct dataset *data,
			      const struct record_run_info *info,
			      struct err *err);
/*
 * A cell that may get no samples. Adding it twice does no harm. `settings` are
 * its workload's, NULL if they are not known.
 */
MUST_USE bool dataset_add_cell(struct dataset *data,
			       const struct record_result *row,
			       const struct workload *settings,
			       struct err *err);
/* Where a cell that is there was measured. */
MUST_USE bool dataset_set_site(struct dataset *data, int64_t cell,
			       const struct record_site *site, struct err *err);
/* One phase of a sample, and its cell if it is new. */
MUST_USE bool dataset_add(struct dataset *data, const struct record_result *row,
			  struct err *err);

/*
 * When all cells are there: where several machines have one host name it gets
 * what tells them apart behind it.
 */
MUST_USE bool dataset_name_machines(struct dataset *data, struct err *err);

/* NULL when there is none of this id. */
const struct dataset_cell *dataset_find(const struct dataset *data, int64_t id);

/* NULL when that run was not added. */
const struct dataset_plan *dataset_plan(const struct dataset *data,
					int64_t run);

/* 'W' or 'R'. */
const struct dataset_samples *dataset_op(const struct dataset_cell *cell,
					 char op);

#endif
