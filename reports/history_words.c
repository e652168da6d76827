/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/history_private.h"
#include "reports/words.h"

void history_lines_done(struct history_lines *lines)
{
	compare_lines_done(&lines->legend);
	compare_lines_done(&lines->steps);
}

static void put_if_new(FILE *out, bool *first, const char *what,
		       const char *before, const char *after)
{
	if (!*before || !*after || strcmp(before, after) == 0)
		return;
	fprintf(out, "%s %s %s (before: %s)", *first ? "; new with it:" : ",",
		what, after, before);
	*first = false;
}

/* By other commands of the same driver; a new one is told by itself. */
static void put_making(FILE *out, bool *first, const struct site *before,
		       const struct site *after)
{
	if (!before || !after || !site_is_made_otherwise(before, after))
		return;
	put_if_new(out, first, "made by", before->mkfs, after->mkfs);
	if (strcmp(before->driver, after->driver) == 0)
		put_if_new(out, first, "mounted by", before->mount,
			   after->mount);
}

/* What changed with the step, of what is known of its runs. */
static void put_causes(FILE *out, const struct history *history,
		       const struct history_trend *trend, size_t at)
{
	const struct history_point *points = trend->points;
	const struct history_run *before =
		history_run(history, points[at - 1].run);
	const struct history_run *after = history_run(history, points[at].run);
	bool first = true;

	put_if_new(out, &first, "driver", points[at - 1].driver,
		   points[at].driver);
	put_making(out, &first, points[at - 1].site, points[at].site);
	if (!before || !after)
		return;
	put_if_new(out, &first, "OS", before->os, after->os);
	if (strcmp(before->os, after->os) == 0)
		put_if_new(out, &first, "kernel", before->kernel,
			   after->kernel);
	put_if_new(out, &first, "program", before->program, after->program);
}

/* " (alpha, seq)" */
static void put_place(FILE *out, const struct history_trend *trend)
{
	const char *host = trend->names[DATASET_HOST];
	const char *workload = trend->names[DATASET_WORKLOAD];

	if (*host || *workload)
		fprintf(out, " (%s%s%s)", host, *host && *workload ? ", " : "",
			workload);
}

static void put_step(FILE *out, const struct history *history,
		     const struct history_trend *trend, const struct step *step,
		     const struct figure_unit *unit)
{
	const struct history_point *point = &trend->points[step->at];
	char ratio[64], before[FIGURE_SIZE], after[FIGURE_SIZE];

	words_ratio(exp(step->after - step->before), ratio, sizeof(ratio));
	figure_rate(history_before(step), unit, true, before);
	figure_rate(history_after(step), unit, true, after);
	fprintf(out, "%s on %s", trend->names[DATASET_FILESYSTEM],
		trend->names[DATASET_VOLUME]);
	put_place(out, trend);
	fprintf(out,
		" %s %s since run %" PRId64 " of %.10s: %s instead of %s "
		"%s/Sec",
		trend->op == 'W' ? "writes" : "reads", ratio, point->run,
		point->started_at, after, before, unit->name);
	put_causes(out, history, trend, step->at);
}

static bool add_step(const struct history *history,
		     const struct history_trend *trend, const struct step *step,
		     const struct figure_unit *unit,
		     struct compare_lines *lines)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		return false;
	put_step(out, history, trend, step, unit);
	ok = fclose(out) == 0 && compare_lines_add(lines, "%s.", text);
	free(text);
	return ok;
}

static bool add_steps(const struct history *history,
		      const struct figure_unit *unit,
		      struct compare_lines *lines)
{
	size_t tested = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < history->count; i++) {
		const struct history_trend *trend = &history->trends[i];

		tested += trend->count >= 2 * (size_t)STEPS_RUNS;
		for (size_t k = 0; ok && k < trend->steps.count; k++)
			ok = add_step(history, trend, &trend->steps.items[k],
				      unit, lines);
	}
	if (ok && lines->count == 0 && tested > 0)
		ok = compare_lines_add(lines,
				       "No level changed by %g%% or more.",
				       history->threshold * 100);
	if (ok && tested < history->count)
		ok = compare_lines_add(lines,
				       "Steps were not looked for in %zu of "
				       "%zu rows: fewer than %d runs.",
				       history->count - tested, history->count,
				       2 * STEPS_RUNS);
	return ok;
}

/* The baseline of a host is said once, whatever it is the baseline of. */
static bool is_new_base(const struct history *history, size_t i)
{
	const struct history_trend *trends = history->trends;

	if (!trends[i].has_base)
		return false;
	/* The trends of a host, which share it, stand together. */
	for (size_t j = i; j-- > 0;) {
		if (trends[j].has_base &&
		    trends[j].base.run == trends[i].base.run)
			return false;
	}
	return true;
}

static bool add_bases(const struct history *history,
		      struct compare_lines *lines)
{
	bool ok = true;

	for (size_t i = 0; ok && i < history->count; i++) {
		const struct history_trend *trend = &history->trends[i];
		const struct history_run *run;
		const char *host = trend->names[DATASET_HOST];

		if (!is_new_base(history, i))
			continue;
		run = history_run(history, trend->base.run);
		ok = compare_lines_add(
			lines,
			"Baseline%s%s: the change against run %" PRId64
			" of %.10s%s%s",
			*host ? " of " : "", host, trend->base.run,
			trend->base.started_at, run && *run->label ? ", " : "",
			run ? run->label : "");
	}
	return ok;
}

/* What stands in the column of intervals instead of one, where it does. */
static bool add_interval(const struct history *history,
			 const struct history_view *view,
			 struct compare_lines *lines)
{
	bool few = false, wide = false;

	for (size_t i = 0; i < history->count; i++) {
		const struct history_trend *trend = &history->trends[i];
		size_t k = view->runs ? 0 : trend->count - 1;

		for (; k < trend->count; k++) {
			const struct history_point *point = &trend->points[k];
			bool has = history_has_interval(point);

			few |= !has;
			wide |= has && figure_half_is_wide(history_half(point));
		}
	}
	return compare_lines_add(
		lines,
		"%s95%%: that rate's 95%% interval, by its run alone: 1.3%% is "
		"rate / 1.013 to rate x 1.013%s%s%s",
		view->view->utf8 ? "\xc2\xb1" : "+-",
		few ? "; n=1, n=2: too few samples for one" : "",
		wide ? "; " : "", wide ? figure_half_note : "");
}

static bool add_columns(const struct history *history,
			const struct history_view *view,
			const struct figure_unit *unit,
			struct compare_lines *lines)
{
	return compare_lines_add(lines,
				 "Runs: that measured the cell; %s/Sec: the "
				 "rate of the newest of them; %s = %.0f bytes",
				 unit->name, unit->name, unit->bytes) &&
	       add_interval(history, view, lines) &&
	       compare_lines_add(lines,
				 "Change: against the run before, and no test: "
				 "runs differ by chance, too; whether a level "
				 "changed is told from %d runs on",
				 2 * STEPS_RUNS) &&
	       compare_lines_add(lines,
				 "Graph: the rates of the runs, the oldest "
				 "first; %s where a level changed",
				 view->view->utf8
					 ? "a bar"
					 : "from _ (low) to # (high); /") &&
	       (!view->runs ||
		compare_lines_add(lines,
				  "Of each run: n: its samples; Step: by how "
				  "much the level changed with it; Cached: "
				  "samples that memory served"));
}

bool history_words(const struct history *history,
		   const struct history_view *view, struct history_lines *lines,
		   struct err *err)
{
	const char *name = view->view->unit;
	const struct figure_unit *unit = figure_unit(name ? name : "KB", err);
	bool ok;

	*lines = (struct history_lines){ 0 };
	if (!unit)
		return false;
	ok = add_columns(history, view, unit, &lines->legend) &&
	     add_bases(history, &lines->legend) &&
	     history_sites(history, &lines->legend) &&
	     add_steps(history, unit, &lines->steps);
	if (ok)
		return true;
	history_lines_done(lines);
	return err_nomem(err);
}
