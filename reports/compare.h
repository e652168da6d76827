/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare - from samples to judgement: which rows there are, what each is
 * compared with, by how much it differs, and whether that is real.
 *
 * Rows are groups of cells (as a rule one cell each) by phase. A difference
 * is taken inside the rounds of one run where there are any; rows of
 * different runs share none, and are compared as independent samples. A ratio
 * across hosts is formed only when the base is an OS. Only samples that are
 * ok count; none is dropped for being far out.
 *
 * It knows datasets and statistics. It refuses to know the store, and how
 * anything is printed: every renderer prints the same comparison.
 */
#ifndef REPORTS_COMPARE_H
#define REPORTS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "reports/dataset.h"

#define COMPARE_ALPHA     0.05
#define COMPARE_THRESHOLD 0.02 /* of the base: "about the same" */
#define COMPARE_NONE      SIZE_MAX

enum compare_test { COMPARE_T, COMPARE_MANN_WHITNEY, COMPARE_WILCOXON };

enum compare_sort { COMPARE_IN_ORDER, COMPARE_BY_CHANGE, COMPARE_BY_RATE };

/* One term of --filter: the cell's value must be (or not be) one of these. */
struct compare_filter {
	bool is_op; /* of the phase; else of a dimension */
	enum dataset_dimension dimension;
	bool negated;
	char *text;    /* owned; what the values point into */
	char **values; /* owned array, NULL-terminated */
};

struct compare_options {
	enum compare_test test;
	double alpha, threshold;
	/*
	 * The threshold was asked for: what is significant, and smaller, is
	 * about the same, too. Else it is for what is not significant.
	 */
	bool has_threshold;
	bool has_base; /* else each run's own baseline */
	enum dataset_dimension base_dimension;
	const char *base;
	/*
	 * --rows: these dimensions make a row, whatever differs otherwise is
	 * pooled (and warned of). None: every cell is a row, and the columns
	 * are those that are needed.
	 */
	enum dataset_dimension rows[DATASET_DIMENSIONS];
	size_t row_dimensions;
	bool has_columns; /* --cols: its values stand beside each other */
	enum dataset_dimension columns;
	struct compare_filter *filters; /* owned */
	size_t filter_count;
	const char *filter_names; /* that there are, for errors; NULL: all */
	bool only_changed;
	enum compare_sort sort;
	bool reversed;
	bool as_article; /* only OS and filesystem are shown */
};

/* The defaults: Student's t, 0.05, 2 %. */
void compare_options_init(struct compare_options *options);
void compare_options_done(struct compare_options *options);

/* "DIM=VALUE"; `text` is borrowed and must outlive the options. */
MUST_USE bool compare_parse_base(struct compare_options *options,
				 const char *text, struct err *err);
/* "DIM,DIM": for --rows. */
MUST_USE bool compare_parse_rows(struct compare_options *options,
				 const char *text, struct err *err);
/* "DIM=VALUE|VALUE,DIM!=VALUE": adds terms, all of which must hold. */
MUST_USE bool compare_parse_filter(struct compare_options *options,
				   const char *text, struct err *err);
/* "order", "change", "rate"; a '-' in front reverses. */
MUST_USE bool compare_parse_sort(struct compare_options *options,
				 const char *text, struct err *err);

enum compare_verdict {
	COMPARE_UNTESTED,    /* nothing to compare with, or too few samples */
	COMPARE_SIGNIFICANT, /* and not below a threshold that was asked for */
	COMPARE_SAME,        /* the whole interval, or this, is inside it */
	COMPARE_UNCLEAR,
};

struct compare_row {
	const char *names[DATASET_DIMENSIONS]; /* borrowed; "" when absent */
	bool directory;
	char op;
	size_t first_cell, cells; /* of comparison.members */
	size_t n;                 /* samples that are ok and have a rate */
	size_t samples;           /* of whatever status */
	double kb_per_s;          /* geometric mean; NaN when n is 0 */
	double half;              /* of its interval, as a part; NaN: none */
	double app_kb_per_s;      /* of a write without its flush; NaN: none */
	char *status;       /* owned; "FAILED (EIO)", ...; NULL when n > 0 */
	unsigned int flags; /* enum dataset_flag, of any sample that counts */
	bool brief;         /* one that counts took less than 1 s */

	bool is_base;   /* others are compared with it */
	size_t base;    /* the row it is compared with, or COMPARE_NONE */
	bool has_ratio; /* both sides have a rate */
	bool paired;    /* inside shared rounds */
	size_t test_n;  /* pairs, or samples of the smaller side */
	bool tested;    /* test_n was enough */
	bool constant;  /* all samples equal */
	bool has_interval;
	double ratio, low, high; /* rate / base rate; 1 is no difference */
	double p, p_holm;        /* when tested */
	enum compare_verdict verdict;
	const char *mark; /* "", "?" or "~"; "" when not tested */
	bool left_out;    /* by --only-changed, until it goes */
};

/* Of the test alone, whatever the threshold. */
static inline bool compare_is_significant(const struct compare_row *row)
{
	return row->tested && !*row->mark;
}

/* The geometric mean of ratios over what else varies. */
struct compare_mean {
	const char *names[DATASET_DIMENSIONS]; /* "" where it is over all */
	bool over[DATASET_DIMENSIONS];
	char op;
	double kb_per_s, base_kb_per_s, ratio;
	size_t valid, of; /* rows with both sides valid, of those compared */
};

/* What one machine says of a cell against its base. */
struct compare_fleet_host {
	const char *machine, *name; /* interned; its host name, else its OS */
	double ratio;               /* geometric mean over its runs */
	bool disagrees;             /* faster where the fleet is slower */
	double log;                 /* while it is made */
	size_t cells;
};

/* The same over all machines: the geometric mean of their ratios. */
struct compare_fleet {
	/* Of the cell and of its base: volume, filesystem, workload. */
	const char *names[3], *base_names[3];
	char op;
	struct compare_fleet_host *hosts; /* owned; in the order of cells */
	size_t count, disagree;
	double ratio;
	bool tested; /* hosts were enough for what follows */
	double low, high, p;
};

struct compare_lines {
	char **items; /* owned */
	size_t count, room;
};

/* False when out of memory. */
MUST_USE bool compare_lines_add(struct compare_lines *lines, const char *fmt,
				...) PRINTF(2, 3);
void compare_lines_done(struct compare_lines *lines);

struct comparison {
	const struct dataset *data;            /* borrowed */
	const struct compare_options *options; /* borrowed */
	enum dataset_metric metric;
	struct compare_row *rows; /* owned; in the order to be shown */
	size_t count;
	size_t *members; /* cells of the dataset that rows name; owned */
	struct compare_mean *means; /* owned */
	size_t mean_count;
	bool any_left_out; /* rows that --only-changed took, and means have */
	/* What is to be shown of a row's names, in order. */
	enum dataset_dimension shown[DATASET_DIMENSIONS];
	size_t shown_count;
	/* As the article has it: what there is a table for each value of. */
	enum dataset_dimension apart[DATASET_DIMENSIONS];
	size_t apart_count;
	size_t comparisons; /* that Holm's correction is over */
	/* Rows that have a base, and those tested against it: of W, of R. */
	size_t compared[2], tested[2];
	bool any_paired, any_unpaired; /* among those tested */
	bool has_base; /* a base is named, or the runs had baselines */
	enum dataset_dimension base_dimension; /* that of most rows */
	struct compare_lines bases; /* "filesystem FAT": what it is against */
	struct compare_lines sentences; /* what was found, in words */
	struct compare_lines untested;  /* the same below STATS_LEAST samples */
	/* Where several machines have ratios of their own. */
	struct compare_fleet *fleets; /* owned; a cell's W before its R */
	size_t fleet_count;
	struct compare_lines fleet;    /* the same in words */
	struct compare_lines notes;    /* what the numbers do not show */
	struct compare_lines warnings; /* hidden dimensions, dubious pairs */
};

/*
 * NULL with `err` set. The comparison borrows from dataset and options; both
 * must outlive it. ERR_INPUT names what did not match when nothing is left
 * to show, or nothing to compare with a base that was asked for.
 */
struct comparison *compare_new(const struct dataset *data,
			       const struct compare_options *options,
			       struct err *err);
void compare_free(struct comparison *comparison);

/*
 * A row's or a mean's name in a dimension as it is shown: where labels are,
 * a run without one is "run 3". It is the name itself, or in `text`.
 */
#define COMPARE_NAME_SIZE 32
#define COMPARE_NO_LABEL  "(no label)" /* of several such runs */
const char *compare_shown_name(const char *const *names,
			       enum dataset_dimension dimension,
			       char text[COMPARE_NAME_SIZE]);
/* The same in a sentence, where a number alone does not say that it is a run.
 */
const char *compare_said_name(const char *const *names,
			      enum dataset_dimension dimension,
			      char text[COMPARE_NAME_SIZE]);

/* Whether this sample counts. */
bool compare_counts(const struct dataset_sample *sample);

/* Whether the dimension is among those shown. */
bool compare_shows(const struct comparison *comparison,
		   enum dataset_dimension dimension);

/*
 * For each row the first that agrees with it in all that there are tables
 * apart of. NULL: out of memory; the caller frees it.
 */
MUST_USE size_t *compare_tables(const struct comparison *comparison);

/* "W<-5%": fails if a write is significantly slower, and by more than 5 %. */
struct compare_gate {
	char op; /* 'W', 'R', or 0 for both */
	bool below;
	double change; /* -0.05 */
};

MUST_USE bool compare_parse_gate(const char *text, struct compare_gate *gate,
				 struct err *err);
/*
 * False with ERR_FAILED that names the first row that failed it. A row that
 * could not be tested fails none.
 */
MUST_USE bool compare_gate(const struct comparison *comparison,
			   const struct compare_gate *gate, struct err *err);
/* How many rows the gate is about, and how many of these were tested. */
void compare_gate_rows(const struct comparison *comparison,
		       const struct compare_gate *gate, size_t *rows,
		       size_t *tested);

#endif
