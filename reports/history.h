/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history - how the rate of each cell developed over runs: against the run
 * before, against a baseline, and where its level really changed.
 *
 * A trend is a cell on one machine and one op; a point is one run of it.
 * Points are the geometric means of samples that are ok; runs without one
 * have no point. It refuses to know the store (history_load.c does) and how
 * anything is printed.
 *
 * Not thread-safe.
 */
#ifndef REPORTS_HISTORY_H
#define REPORTS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "reports/compare.h"
#include "reports/dataset.h"
#include "reports/site.h"
#include "reports/steps.h"
#include "schema/record.h"

struct history_point {
	int64_t run, cell;
	char started_at[32];
	const char *driver; /* interned; "" when unknown */
	size_t n, cached;
	double kb_per_s, min_kb_per_s, max_kb_per_s;
	double squares;     /* of the logarithms of the n, around their mean */
	double change;      /* rate / that of the point before; NaN: none */
	double base_change; /* rate / that of the base; NaN: there is none */
	const struct site *site; /* NULL: was not asked for */
};

struct history_trend {
	int64_t id;
	/* Interned: volume, filesystem, workload, settings, host, os. */
	const char *names[DATASET_DIMENSIONS];
	const char *volume_kind, *type; /* interned; "" */
	const char *machine;            /* interned; its id or name */
	bool has_settings;              /* they are known */
	struct workload settings;
	char op;
	struct history_point *points; /* owned; oldest first */
	size_t count, room;
	bool has_base;
	struct history_point base; /* of the newest pinned run */
	struct steps steps;        /* owned; `at` is a number of a point */
};

/* What a reader knows a run by. Strings are interned; "" when unknown. */
struct history_run {
	int64_t id;
	const char *uuid, *label, *os, *kernel, *program;
};

struct history {
	double alpha, threshold;      /* of steps */
	struct history_trend *trends; /* owned */
	size_t count, room;
	struct history_run *runs; /* owned; by id; those that were asked for */
	size_t run_count, run_room;
	void *strings, *sites; /* search trees of what is owned */
};

/* Zero-initialises but for the defaults of steps. */
void history_init(struct history *history);
void history_done(struct history *history);

/* The new one is the last of history->trends. */
MUST_USE bool history_add_trend(struct history *history,
				const struct record_trend *trend, char op,
				struct err *err);
/* To the last trend; oldest first. */
MUST_USE bool history_add_point(struct history *history,
				const struct record_point *point,
				struct err *err);
MUST_USE bool history_set_base(struct history *history,
			       const struct record_point *point,
			       struct err *err);
/* Where a run measured the filesystem of a trend; NULL: not added. */
const struct site *history_site(const struct history *history,
				const struct history_trend *trend, int64_t run);
/* NULL with `err` set. */
MUST_USE const struct site *history_add_site(struct history *history,
					     const struct history_trend *trend,
					     int64_t run,
					     const struct record_site *site,
					     struct err *err);
/* Runs may be added in any order; twice does no harm. */
MUST_USE bool history_add_run(struct history *history,
			      const struct record_run_name *name,
			      struct err *err);

/* When all trends are there: hosts of one name are told apart. */
MUST_USE bool history_name_machines(struct history *history, struct err *err);

/* When all points are there: changes and steps, of every trend. */
MUST_USE bool history_judge(struct history *history, struct err *err);

/*
 * How far the point's interval of 95 % goes above its rate, as a part of it
 * (below it the rate is divided by the same factor); NaN when it has too few
 * samples.
 */
double history_half(const struct history_point *point);
/* Whether it has samples enough for an interval that says something. */
bool history_has_interval(const struct history_point *point);

/* NULL when it was not added. */
const struct history_run *history_run(const struct history *history,
				      int64_t run);

#endif
