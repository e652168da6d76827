/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "schema/store_private.h"
#include "schema/store_upkeep.h"

static const char doing[] = "checking the database";

struct looking {
	struct store *store;
	store_fault_fn *fn;
	void *ctx;
	struct err *err;
	bool more;
};

/* Every row of `sql` is a fault; integrity_check says "ok" for none. */
static bool look(struct looking *l, const char *sql)
{
	struct store_query q;

	if (!l->more)
		return true;
	q = store_query(l->store, sql);
	while (l->more && store_step(&q) == SQLITE_ROW) {
		const char *text = store_next_text(&q);

		if (text && strcmp(text, "ok") != 0)
			l->more = l->fn(l->ctx, text);
	}
	return store_finish(&q, doing, l->err);
}

/* In all digits that matter; sums are made in another order here. */
#define DIFFER(a, b) "abs(" a " - " b ") > 1e-9 * max(1, abs(" b "))"

static const char *const questions[] = {
	"PRAGMA integrity_check",
	"SELECT 'row ' || ifnull(rowid, '?') || ' of ' || \"table\" || "
	"' refers to a row of ' || parent || ' that is not there' "
	"FROM pragma_foreign_key_check",
	"SELECT 'cell ' || id || ' has no trend' FROM cell "
	"WHERE trend IS NULL",
	"SELECT 'a half of round ' || half.round || ' of cell ' || half.cell "
	"|| ' stands beside a whole' FROM sample AS half "
	"JOIN sample AS whole ON whole.cell = half.cell "
	"AND whole.round = half.round AND whole.ops = 'WR' "
	"WHERE half.ops <> 'WR'",
	/* Both ways: points that are wrong, and samples without one. */
	"SELECT 'the point of cell ' || truth.cell || ', ' || truth.op || "
	"', is not what its samples add up to' FROM ("
	" SELECT sample.cell AS cell, phase.op AS op, count(*) AS n,"
	"  avg(ln(phase.kb_per_s)) AS mean, min(phase.kb_per_s) AS low,"
	"  max(phase.kb_per_s) AS high, sum(phase.cached) AS cached"
	",  sum(ln(phase.kb_per_s) * ln(phase.kb_per_s)) AS squares"
	" FROM sample JOIN phase_rate AS phase ON phase.sample = sample.id"
	" WHERE sample.status = 'ok' AND phase.kb_per_s > 0"
	" GROUP BY sample.cell, phase.op) AS truth "
	"JOIN cell ON cell.id = truth.cell JOIN run ON run.id = cell.run "
	"LEFT JOIN point ON point.trend = cell.trend AND point.op = truth.op "
	"AND point.started_at = run.started_at AND point.run = run.id "
	"WHERE point.n IS NOT truth.n OR point.cell IS NOT truth.cell "
	/* a small difference of large sums: to what they have in common */
	"OR abs(point.m2_ln - (truth.squares - truth.n * truth.mean "
	"* truth.mean)) > 1e-9 * max(1, truth.squares) "
	"OR " DIFFER("point.mean_ln",
		     "truth.mean") " OR point.min_kb_per_s <> truth.low "
				   "OR point.max_kb_per_s <> truth.high OR "
				   "point.cached <> truth.cached",
	"SELECT 'there is a point of cell ' || cell || ', ' || op || "
	"', without samples' FROM point WHERE NOT EXISTS (SELECT 1 "
	"FROM sample JOIN phase_rate AS phase ON phase.sample = sample.id "
	"WHERE sample.cell = point.cell AND phase.op = point.op "
	"AND sample.status = 'ok' AND phase.kb_per_s > 0)",
	NULL,
};

bool store_check(struct store *store, store_fault_fn *fn, void *ctx,
		 struct err *err)
{
	struct looking l = { store, fn, ctx, err, true };

	for (size_t i = 0; questions[i]; i++) {
		if (!look(&l, questions[i]))
			return false;
	}
	return true;
}

bool store_each_compared(struct store *store, int64_t run,
			 store_compared_fn *fn, void *ctx, struct err *err)
{
	static const char sql[] =
		"SELECT volume, filesystem, workload, op, n, kb_per_s, "
		"change_pct, is_base FROM comparison WHERE run = ?";
	struct store_query q = store_keep(store, sql);

	store_bind_int(&q, run);
	while (store_step(&q) == SQLITE_ROW) {
		struct record_compared row = { 0 };
		const char *op;

		row.volume = store_next_text(&q);
		row.filesystem = store_next_text(&q);
		row.workload = store_next_text(&q);
		op = store_next_text(&q);
		row.op = op ? *op : 'W';
		row.n = store_next_int(&q, 0);
		row.kb_per_s = store_next_real(&q);
		row.change_pct = store_next_real(&q);
		row.is_base = store_next_int(&q, 0) != 0;
		if (!fn(ctx, &row))
			break;
	}
	return store_finish(&q, doing, err);
}
