/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/render.h"

#include <stdio.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/render_private.h"
#include "reports/stats.h"

static const struct render *const renderers[] = {
	&render_text, &render_md,      &render_csv, &render_json,
	&render_html, &render_classic, NULL,
};

const struct render *render_find(const char *name, struct err *err)
{
	for (size_t i = 0; renderers[i]; i++) {
		if (strcmp(renderers[i]->name, name) == 0)
			return renderers[i];
	}
	err_set(err, ERR_INPUT,
		"no format %s; there are text, md, csv, json, html, classic",
		name);
	return NULL;
}

/* Which marks there are among the rows shown. */
struct marks {
	bool any;      /* '~', '?' */
	bool none;     /* significant */
	bool untested; /* a change, and too few samples */
};

static struct marks marks_of(const struct comparison *comparison)
{
	struct marks marks = { 0 };

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		marks.untested |= row->has_ratio && !row->tested;
		if (!row->tested)
			continue;
		marks.any |= *row->mark != '\0';
		marks.none |= compare_is_significant(row);
	}
	return marks;
}

static bool say_marks(const struct comparison *comparison,
		      struct compare_lines *lines)
{
	struct marks marks = marks_of(comparison);
	char corrected[96];

	snprintf(corrected, sizeof(corrected),
		 "after correction for %zu comparison%s (Holm, %g)",
		 comparison->comparisons,
		 comparison->comparisons == 1 ? "" : "s",
		 comparison->options->alpha);
	if (marks.any &&
	    !compare_lines_add(lines, "~ no difference shown   ? not %s",
			       corrected))
		return false;
	return !marks.none ||
	       compare_lines_add(lines, "no mark: significant%s%s",
				 marks.any ? "" : " ",
				 marks.any ? "" : corrected);
}

static bool say_untested(const struct comparison *comparison,
			 struct compare_lines *lines)
{
	if (!marks_of(comparison).untested)
		return true;
	return compare_lines_add(lines,
				 "no test: a verdict needs %d samples or more "
				 "of both sides (run --rounds 5)",
				 STATS_LEAST);
}

/* "KB = 1024 bytes; Change is against filesystem vfat". */
static bool say_unit(const struct comparison *comparison,
		     const struct figure_unit *unit,
		     struct compare_lines *lines)
{
	const struct compare_lines *bases = &comparison->bases;

	if (bases->count == 0)
		return compare_lines_add(lines, "%s = %.0f bytes", unit->name,
					 unit->bytes);
	if (bases->count == 1)
		return compare_lines_add(lines,
					 "%s = %.0f bytes; Change is against "
					 "%s",
					 unit->name, unit->bytes,
					 bases->items[0]);
	return compare_lines_add(
		lines, "%s = %.0f bytes; Change is against %s and %zu other%s",
		unit->name, unit->bytes, bases->items[0], bases->count - 1,
		bases->count == 2 ? "" : "s");
}

static bool say_metric(const struct comparison *comparison,
		       struct compare_lines *lines)
{
	switch (comparison->metric) {
	case DATASET_APP:
		return compare_lines_add(
			lines, "W counts until the last write returned; the "
			       "cache may not have been written yet");
	case DATASET_SUSTAINED:
		return compare_lines_add(
			lines, "W is the sustained rate, where a steady state "
			       "was reached");
	case DATASET_DURABLE:
		break;
	}
	return true;
}

/* Which test it was, unless it is the one that is always meant. */
static bool say_test(const struct comparison *comparison,
		     struct compare_lines *lines)
{
	static const char *const paired[] = {
		[COMPARE_T] = "Student's t",
		[COMPARE_WILCOXON] = "Wilcoxon's signed ranks",
	};
	enum compare_test test = comparison->options->test;
	const char *unpaired =
		test == COMPARE_T ? "Welch's t" : "Mann and Whitney's ranks";
	const char *interval = test == COMPARE_T ? ""
						 : "; the interval is Hodges "
						   "and Lehmann's";

	if (!comparison->any_unpaired &&
	    (test == COMPARE_T || !comparison->any_paired))
		return true;
	if (!comparison->any_unpaired)
		return compare_lines_add(lines, "p is by %s%s", paired[test],
					 interval);
	if (comparison->any_paired)
		return compare_lines_add(lines,
					 "p is by %s inside rounds, by %s "
					 "where none are shared%s",
					 paired[test], unpaired, interval);
	return compare_lines_add(
		lines, "p is by %s%s%s", unpaired,
		test == COMPARE_MANN_WHITNEY ? "" : ": no rounds are shared",
		interval);
}

static bool say_flags(const struct comparison *comparison,
		      struct compare_lines *lines)
{
	static const char *const words[] = {
		"c cached: memory, not the device, served it",
		"s shortened: the write was ended by the user",
		"b buffered: direct I/O was asked for and not to be had",
		"f files: it took more than one file",
	};
	unsigned int flags = 0;

	for (size_t i = 0; i < comparison->count; i++)
		flags |= comparison->rows[i].flags;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (flags & 1u << i &&
		    !compare_lines_add(lines, "%s", words[i]))
			return false;
	}
	return true;
}

static bool say_means(const struct comparison *comparison,
		      struct compare_lines *lines)
{
	if (comparison->mean_count == 0 || comparison->options->has_columns)
		return true;
	return compare_lines_add(lines,
				 "geomean: the geometric mean of those N of "
				 "the M rows that have a rate on both sides");
}

bool render_legend(const struct comparison *comparison,
		   const struct render_view *view, struct compare_lines *lines,
		   struct err *err)
{
	const struct figure_unit *unit =
		figure_unit(view->unit ? view->unit : "KB", err);

	if (!unit)
		return false;
	if (comparison->count == 0)
		return true; /* there is nothing to explain */
	return (say_marks(comparison, lines) &&
		say_untested(comparison, lines) &&
		say_unit(comparison, unit, lines) &&
		say_metric(comparison, lines) && say_test(comparison, lines) &&
		say_means(comparison, lines) && say_flags(comparison, lines)) ||
	       err_nomem(err);
}
