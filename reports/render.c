/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/render_private.h"
#include "reports/stats.h"

enum { BASES_MAX = 3 }; /* that are named below a table */

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

/* As planned; else by the rounds that there are. */
static bool has_few_rounds(const struct dataset *data)
{
	if (data->few_rounds || !data->unknown_rounds)
		return data->few_rounds;
	for (size_t i = 0; i < data->count; i++) {
		const struct dataset_samples *writes = &data->cells[i].writes;
		const struct dataset_samples *reads = &data->cells[i].reads;

		for (size_t j = 0; j < writes->count; j++)
			if (writes->items[j].round >= STATS_LEAST)
				return false;
		for (size_t j = 0; j < reads->count; j++)
			if (reads->items[j].round >= STATS_LEAST)
				return false;
	}
	return true;
}

static bool say_untested(const struct comparison *comparison,
			 struct compare_lines *lines)
{
	const struct dataset *data = comparison->data;
	bool few = has_few_rounds(data);
	const char *how = "";

	if (!marks_of(comparison).untested)
		return true;
	if (data->unfinished)
		how = few ? " (run --rounds 5, or resume)"
			  : " (resume the run)";
	else if (few)
		how = " (run --rounds 5)";
	return compare_lines_add(lines,
				 "no test: a verdict needs %d samples or more "
				 "of both sides%s",
				 STATS_LEAST, how);
}

/* The least p that ranks can have: all of one side before the other. */
static double least_p(bool paired, double n, double other)
{
	double orders = paired ? pow(2, n) : 1;

	for (double i = 1; !paired && i <= n; i++)
		orders *= (other + i) / i;
	return 2 / orders;
}

/* How many rounds, or samples of each side, could show a difference. */
static int enough_samples(const struct comparison *comparison, bool paired)
{
	int n = STATS_LEAST;

	while (least_p(paired, n, n) * (double)comparison->comparisons >
	       comparison->options->alpha)
		n++;
	return n;
}

static size_t larger_side(const struct comparison *comparison,
			  const struct compare_row *row)
{
	const struct compare_row *base = row->base < comparison->count
						 ? &comparison->rows[row->base]
						 : row;

	return row->n > base->n ? row->n : base->n;
}

/* The tested row whose test could show most; NULL: there is none. */
static const struct compare_row *strongest_row(
	const struct comparison *comparison, double *least)
{
	const struct compare_row *strongest = NULL;

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		double p;

		if (!row->tested)
			continue;
		p = least_p(row->paired, (double)row->test_n,
			    (double)larger_side(comparison, row));
		if (strongest && *least <= p)
			continue;
		strongest = row;
		*least = p;
	}
	return strongest;
}

/* That ranks of so few samples show nothing, however far they are apart. */
static bool say_too_few(const struct comparison *comparison,
			struct compare_lines *lines)
{
	double least = 1, alpha = comparison->options->alpha;
	const struct compare_row *row = strongest_row(comparison, &least);
	double corrected = least * (double)comparison->comparisons;
	char after[64] = "";
	int enough;

	if (comparison->options->test == COMPARE_T || !row ||
	    corrected <= alpha || marks_of(comparison).none)
		return true;
	if (comparison->comparisons > 1)
		snprintf(after, sizeof(after), ", %g after correction",
			 corrected < 1 ? corrected : 1);
	enough = enough_samples(comparison, row->paired);
	if (row->paired)
		return compare_lines_add(
			lines,
			"%zu rounds are too few for this test to show "
			"anything: its p is %g or more%s; %d rounds can (run "
			"--rounds %d)",
			row->test_n, least, after, enough, enough);
	return compare_lines_add(
		lines,
		"%zu samples are too few for this test to show anything: its "
		"p is %g or more%s; %d of each side can (run --rounds %d)",
		row->test_n, least, after, enough, enough);
}

/* Ranks have no interval where even the widest one is too narrow. */
static bool say_no_interval(const struct comparison *comparison,
			    struct compare_lines *lines)
{
	if (comparison->options->test == COMPARE_T)
		return true;
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		if (row->tested && !row->has_interval)
			return compare_lines_add(
				lines,
				"no interval: this test has none of %g%% over "
				"so few samples",
				(1 - comparison->options->alpha) * 100);
	}
	return true;
}

/* "KB = 1024 bytes; Change is against volume a, volume b and 3 others". */
static bool say_bases(const struct compare_lines *bases,
		      const struct figure_unit *unit,
		      struct compare_lines *lines)
{
	size_t told = bases->count > BASES_MAX ? BASES_MAX : bases->count;
	size_t others = bases->count - told, size = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		return false;
	for (size_t i = 0; i < told; i++)
		fprintf(out, "%s%s",
			i == 0                         ? ""
			: i + 1 == told && others == 0 ? " and "
						       : ", ",
			bases->items[i]);
	if (others > 0)
		fprintf(out, " and %zu other%s", others,
			others == 1 ? "" : "s");
	ok = fclose(out) == 0 &&
	     compare_lines_add(lines, "%s = %.0f bytes; Change is against %s",
			       unit->name, unit->bytes, text);
	free(text);
	return ok;
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
	return say_bases(bases, unit, lines);
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

static bool any_interval(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		if (comparison->rows[i].has_interval)
			return true;
	}
	return false;
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
	const char *interval = test != COMPARE_T && any_interval(comparison)
				       ? "; the interval is Hodges and "
					 "Lehmann's"
				       : "";

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

const char *const render_flag_words[RENDER_FLAGS] = {
	"c cached: memory, not the device, served it",
	"s shortened: the write was ended by the user",
	"b buffered: direct I/O was asked for and not to be had",
	"f files: it took more than one file",
};

static bool say_flags(const struct comparison *comparison,
		      struct compare_lines *lines)
{
	unsigned int flags = 0;

	for (size_t i = 0; i < comparison->count; i++)
		flags |= comparison->rows[i].flags;
	for (size_t i = 0; i < RENDER_FLAGS; i++) {
		if (flags & 1u << i &&
		    !compare_lines_add(lines, "%s", render_flag_words[i]))
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
				 "the M rows that have a rate on both sides%s",
				 comparison->any_left_out
					 ? ", with those that are not shown"
					 : "");
}

static bool say_wide(const struct comparison *comparison,
		     struct compare_lines *lines)
{
	for (size_t i = 0; i < comparison->count; i++) {
		if (figure_half_is_wide(comparison->rows[i].half) &&
		    !comparison->options->has_columns)
			return compare_lines_add(lines, "%s", figure_half_note);
	}
	return true;
}

bool render_lines(const struct compare_lines *lines,
		  const struct render_view *view, FILE *out, struct err *err)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (!render_prose(lines->items[i], view, out, err))
			return false;
	}
	return true;
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
		say_too_few(comparison, lines) &&
		say_no_interval(comparison, lines) &&
		say_wide(comparison, lines) && say_means(comparison, lines) &&
		say_flags(comparison, lines)) ||
	       err_nomem(err);
}
