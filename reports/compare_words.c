/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"
#include "reports/words.h"

/* The rows of one group, as one sentence sees them. */
struct saying {
	const struct compare_work *work;
	const struct compare_row *rows[2];
	size_t count;
	enum dataset_dimension differs_in;
};

static const char *verb(const struct compare_row *row)
{
	return row->op == 'W' ? "writes" : "reads";
}

/* The row's name in the dimension in which it is compared. */
static void say_name(FILE *out, const struct saying *saying,
		     const struct compare_row *row,
		     const struct compare_row *other)
{
	const char *filesystem = row->names[DATASET_FILESYSTEM];
	char text[COMPARE_NAME_SIZE];

	fputs(compare_said_name(row->names, saying->differs_in, text), out);
	if (saying->differs_in == DATASET_VOLUME &&
	    filesystem != other->names[DATASET_FILESYSTEM])
		fprintf(out, " (%s)", filesystem);
}

static void say_base(FILE *out, const struct saying *saying)
{
	const struct compare_row *row = saying->rows[0];
	const struct compare_row *base = &saying->work->out->rows[row->base];

	say_name(out, saying, base, row);
}

static void say_named(FILE *out, const char *before, const char *name,
		      const char *after)
{
	if (*name)
		fprintf(out, "%s%s%s", before, name, after);
}

/* What varies besides, so that the sentence is about one thing. */
static void say_rest(FILE *out, const struct saying *saying)
{
	const char *const *names = saying->rows[0]->names;
	const struct compare_work *work = saying->work;
	enum dataset_dimension d = saying->differs_in;
	const char *label;

	if (work->varies[DATASET_WORKLOAD] && d != DATASET_WORKLOAD)
		say_named(out, " (", names[DATASET_WORKLOAD], ")");
	if (work->varies[DATASET_OS] && d != DATASET_OS)
		say_named(out, " under ", names[DATASET_OS], "");
	if (compare_shows(work->out, DATASET_HOST) && d != DATASET_OS)
		say_named(out, " at host ", names[DATASET_HOST], "");
	if (d == DATASET_RUN || d == DATASET_LABEL || d == DATASET_OS)
		return;
	label = names[DATASET_LABEL];
	if (compare_shows(work->out, DATASET_LABEL) && *label &&
	    !compare_shows(work->out, DATASET_RUN))
		say_named(out, " in run ", label, "");
	else if (compare_shows(work->out, DATASET_RUN) ||
		 compare_shows(work->out, DATASET_LABEL))
		say_named(out, " in run ", names[DATASET_RUN], "");
}

/* Where this was found: " on sda1", " on FAT volumes". */
static void say_where(FILE *out, const struct saying *saying)
{
	const char *const *names = saying->rows[0]->names;
	const struct compare_row *base =
		&saying->work->out->rows[saying->rows[0]->base];
	const char *filesystem = names[DATASET_FILESYSTEM];

	switch ((int)saying->differs_in) {
	case DATASET_FILESYSTEM:
		say_named(out, " on ", names[DATASET_VOLUME], "");
		break;
	case DATASET_OS:
		say_named(out, " on ", filesystem, " volumes");
		if (saying->work->varies[DATASET_VOLUME])
			say_named(out, " (", names[DATASET_VOLUME], ")");
		break;
	case DATASET_VOLUME:
		if (filesystem == base->names[DATASET_FILESYSTEM])
			say_named(out, " with ", filesystem, "");
		break;
	default:
		say_named(out, " with ", filesystem, "");
		say_named(out, " on ", names[DATASET_VOLUME], "");
	}
	say_rest(out, saying);
}

static bool takes_as(const struct compare_row *row)
{
	return words_take_as(row->ratio);
}

/* What a reader must know of a figure that is beside others. */
static void say_flags(FILE *out, unsigned int flags)
{
	if (flags & DATASET_CACHED)
		fputs(" (from memory)", out);
	if (flags & DATASET_BUFFERED)
		fputs(" (buffered)", out);
}

/* What is so of the base of any of these rows, and not of the row. */
static unsigned int flags_of_base(const struct saying *saying,
				  const struct compare_row *const *rows,
				  size_t count)
{
	unsigned int flags = 0;

	for (size_t i = 0; i < count; i++)
		flags |= saying->work->out->rows[rows[i]->base].flags &
			 ~rows[i]->flags;
	return flags;
}

/* " reads about 75% faster": one phase's finding. */
static void say_ratio(FILE *out, const struct compare_row *row)
{
	char words[64];

	words_ratio(row->ratio, words, sizeof(words));
	fprintf(out, " %s %s", verb(row), words);
	say_flags(out, row->flags);
}

/* "faster than", "2.8 times as fast as". */
static void say_than(FILE *out, const struct saying *saying,
		     const struct compare_row *row, unsigned int base_flags)
{
	fputs(takes_as(row) ? " as " : " than ", out);
	say_base(out, saying);
	say_flags(out, base_flags);
}

static void say_found(FILE *out, const struct saying *saying,
		      const struct compare_row *const *rows, size_t count)
{
	bool mixed = count == 2 && takes_as(rows[0]) != takes_as(rows[1]);

	say_name(out, saying, rows[0], &saying->work->out->rows[rows[0]->base]);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputs(" and", out);
		say_ratio(out, rows[i]);
		/* "26% faster than b and reads 2.8 times as fast" */
		if (mixed ? i == 0 : i + 1 == count)
			say_than(out, saying, rows[i],
				 flags_of_base(saying, rows, count));
	}
	say_where(out, saying);
}

/* Its difference is one until all comparisons are corrected for. */
static bool is_corrected_away(const struct compare_row *row)
{
	return row->verdict != COMPARE_SAME && strcmp(row->mark, "?") == 0;
}

static void say_not_found_of(FILE *out, const struct compare_options *options,
			     const struct compare_row *row)
{
	if (row->verdict != COMPARE_SAME) {
		fprintf(out, " show no clear difference%s",
			is_corrected_away(row) ? " after correction" : "");
		return;
	}
	fputs(" are about the same", out);
	if (options->has_threshold)
		fprintf(out, " (within %g%%)", options->threshold * 100);
}

static void say_not_found(FILE *out, const struct compare_options *options,
			  const struct compare_row *const *rows, size_t count)
{
	bool alike = count == 2 && rows[0]->verdict == rows[1]->verdict &&
		     is_corrected_away(rows[0]) == is_corrected_away(rows[1]);

	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			fputs(alike ? " and " : ", ", out);
		fputs(verb(rows[i]), out);
		if (!alike || i + 1 == count)
			say_not_found_of(out, options, rows[i]);
	}
}

static void say_verdicts(FILE *out, const struct saying *saying)
{
	const struct compare_row *found[2], *rest[2];
	size_t found_count = 0, rest_count = 0;

	for (size_t i = 0; i < saying->count; i++) {
		if (saying->rows[i]->verdict == COMPARE_SIGNIFICANT)
			found[found_count++] = saying->rows[i];
		else
			rest[rest_count++] = saying->rows[i];
	}
	if (found_count > 0) {
		say_found(out, saying, found, found_count);
		fputs(rest_count > 0 ? "; " : "", out);
	} else {
		say_name(out, saying, rest[0],
			 &saying->work->out->rows[rest[0]->base]);
		fputs(" against ", out);
		say_base(out, saying);
		say_where(out, saying);
		fputs(": ", out);
	}
	say_not_found(out, saying->work->options, rest, rest_count);
	fputs(".", out);
}

static void say_untested(FILE *out, const struct saying *saying)
{
	size_t n = saying->rows[0]->test_n;

	for (size_t i = 1; i < saying->count; i++) {
		if (saying->rows[i]->test_n < n)
			n = saying->rows[i]->test_n;
	}
	say_found(out, saying, saying->rows, saying->count);
	fprintf(out, " (n=%zu: not tested).", n);
}

/* What say() writes, as one more of the lines. */
static bool add_saying(struct compare_lines *lines, const struct saying *saying,
		       void (*say)(FILE *, const struct saying *))
{
	char *text = NULL;
	size_t size = 0;
	FILE *out;
	bool ok;

	if (saying->count == 0)
		return true;
	out = open_memstream(&text, &size);
	if (!out)
		return false;
	say(out, saying);
	ok = !ferror(out);
	ok = fclose(out) == 0 && ok && compare_lines_add(lines, "%s", text);
	free(text);
	return ok;
}

/* Those rows of a group that were (not) tested against the same base. */
static struct saying saying_of(const struct compare_work *work, size_t g,
			       bool tested)
{
	struct saying saying = { .work = work };

	for (size_t op = 0; work->ops[op]; op++) {
		const struct compare_row *row =
			&work->out->rows[compare_row_at(work, g, op)];

		if (row->has_ratio && row->tested == tested)
			saying.rows[saying.count++] = row;
	}
	if (saying.count > 0)
		saying.differs_in = compare_differs_in(
			work->options, saying.rows[0],
			&work->out->rows[saying.rows[0]->base]);
	return saying;
}

/* Whether the table has none of its rows. */
static bool is_left_out(const struct compare_work *work, size_t g)
{
	for (size_t op = 0; work->ops[op]; op++) {
		if (!work->out->rows[compare_row_at(work, g, op)].left_out)
			return false;
	}
	return true;
}

static bool say_sentences(struct compare_work *work)
{
	for (size_t g = 0; g < work->group_count; g++) {
		struct saying tested = saying_of(work, g, true);
		struct saying untested = saying_of(work, g, false);

		if (is_left_out(work, g))
			continue;
		if (!add_saying(&work->out->sentences, &tested, say_verdicts) ||
		    !add_saying(&work->out->untested, &untested, say_untested))
			return false;
	}
	return true;
}

/* "filesystem FAT", once. */
static bool add_base(struct comparison *out, enum dataset_dimension dimension,
		     const struct compare_row *base)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s %s", dataset_dimension_name(dimension),
		 base->names[dimension]);
	for (size_t j = 0; j < out->bases.count; j++) {
		if (strcmp(out->bases.items[j], text) == 0)
			return true;
	}
	return compare_lines_add(&out->bases, "%s", text);
}

/* Where nothing has a base, and lacks it: what there is none of. */
static bool say_bases_alone(struct comparison *out)
{
	bool lacking = false;

	for (size_t i = 0; i < out->count; i++)
		lacking |= out->rows[i].n > 0 && !out->rows[i].is_base;
	for (size_t i = 0; lacking && i < out->count; i++) {
		if (out->rows[i].is_base &&
		    !add_base(out, out->base_dimension, &out->rows[i]))
			return false;
	}
	return true;
}

static bool say_bases(struct compare_work *work)
{
	struct comparison *out = work->out;

	for (size_t i = 0; i < out->count; i++) {
		const struct compare_row *row = &out->rows[i], *base;

		if (row->base == COMPARE_NONE)
			continue;
		base = &out->rows[row->base];
		if (!add_base(out, compare_differs_in(work->options, row, base),
			      base))
			return false;
	}
	return out->bases.count > 0 || say_bases_alone(out);
}

bool compare_say(struct compare_work *work, struct err *err)
{
	return (say_sentences(work) && say_bases(work) && compare_note(work) &&
		compare_warn(work)) ||
	       err_nomem(err);
}
