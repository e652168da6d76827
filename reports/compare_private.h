/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare_private - what the files of compare share while one comparison is
 * made, and with those of history what tells of a filter. Nobody else includes
 * it.
 */
#ifndef REPORTS_COMPARE_PRIVATE_H
#define REPORTS_COMPARE_PRIVATE_H

#include "reports/choices.h"
#include "reports/compare.h"

/* The cells of one row and its sister of the other phase. */
struct compare_group {
	size_t first, count; /* in compare_work.members */
};

struct compare_work {
	const struct dataset *data;
	const struct compare_options *options;
	struct comparison *out;
	/* By cell of the dataset; owned. COMPARE_NONE: filtered out; no base.
	 */
	size_t *group_of, *base_of;
	/* By cell: --base finds its base among what is filtered out. Owned;
	 * NULL where nothing is. */
	bool *left_out;
	/* Of the last cell that was asked of: see compare_no_change(). */
	struct compare_distance {
		const char *machine, *os, *where;
	} distance;
	/* Of the run that was asked of last: it has cells on the volume that is
	 * its baseline, and they have filesystems of the matrix. */
	struct compare_baseline {
		int64_t run;
		bool asked, has_filesystems;
	} baseline;
	size_t *members;              /* cells, group by group; owned */
	struct compare_group *groups; /* owned */
	size_t group_count;
	char ops[3]; /* the phases that the filters let pass: "WR" */
	bool any_kept;
	bool varies[DATASET_DIMENSIONS]; /* among the cells kept */
};

/* Rows stand as groups x ops until they are sorted at the very end. */
static inline size_t compare_row_at(const struct compare_work *work,
				    size_t group, size_t op)
{
	return group * (work->ops[1] ? 2 : 1) + op;
}

/* The values of a dimension among the cells kept, or among all if none is. */
void compare_choices(const struct compare_work *work,
		     enum dataset_dimension dimension, struct choices *choices);
/* False: no cell has (or lacks) the value, and these are the ones there are. */
bool compare_fail_value(enum dataset_dimension dimension, bool negated,
			const char *value, const struct choices *choices,
			struct err *err);

/* Whether the filters keep this cell, and rows of this phase. */
bool compare_keeps(const struct compare_options *options,
		   const struct dataset_cell *cell);
bool compare_keeps_op(const struct compare_options *options, char op);

/* Fill base_of; ERR_INPUT when a base asked for matches nothing. */
MUST_USE bool compare_find_bases(struct compare_work *work, struct err *err);

/* The dimension in which a row and its base differ, as words would say it. */
enum dataset_dimension compare_differs_in(const struct compare_options *options,
					  const struct compare_row *row,
					  const struct compare_row *base);

/* Which dimensions tell rows apart: comparison->shown. */
void compare_choose_columns(struct compare_work *work);

/*
 * Sort the rows, and with --only-changed drop what did not change. False when
 * out of memory.
 */
MUST_USE bool compare_arrange(struct comparison *out);

/* Rates, tests, Holm's correction, verdicts of all rows. */
MUST_USE bool compare_judge(struct compare_work *work, struct err *err);

/*
 * The logarithm of what a cell is to its base, as a row of it alone would have
 * it; not *known where either has no valid sample. False when out of memory.
 */
MUST_USE bool compare_cell_difference(const struct compare_work *work,
				      size_t cell, char op, double *difference,
				      bool *known);

/* What several machines say together. False when out of memory. */
MUST_USE bool compare_fleet(struct compare_work *work);
void compare_fleet_done(struct comparison *out);

/* Sentences, and all that compare_note() and compare_warn() do. */
MUST_USE bool compare_say(struct compare_work *work, struct err *err);

/*
 * What is to be said of rows, once for all of which it is true. Zero-init;
 * done ends the contents. False when out of memory.
 */
struct compare_reasons {
	struct compare_reason *items; /* owned */
	size_t count;
};
MUST_USE bool compare_reasons_add(struct compare_reasons *reasons,
				  const char *row, const char *text);
MUST_USE bool compare_reasons_say(const struct compare_reasons *reasons,
				  struct compare_lines *notes);
void compare_reasons_done(struct compare_reasons *reasons);

/*
 * Why the row of a group has a rate and no Change; "": it has, or needs none.
 * Owned; NULL: out of memory.
 */
MUST_USE char *compare_no_change(struct compare_work *work, size_t group,
				 const struct compare_row *row);

/* Status texts and notes. False when out of memory. */
MUST_USE bool compare_note(struct compare_work *work);

/* What the table does not show. False when out of memory. */
MUST_USE bool compare_warn(struct compare_work *work);

#endif
