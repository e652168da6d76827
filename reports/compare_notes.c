/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "reports/compare_private.h"

enum {
	ERRORS_MAX = 6, /* rows whose cache error is told */
};

/* A cache error of less is not told: it does not mislead anybody. */
static const double error_told = 1.01;

/* Whether `text` ends with `end`, or goes on behind it with advice. */
static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(end);

	for (const char *at = text; (at = strstr(at, end)); at++) {
		if (at[n] == '\0' || strncmp(at + n, "; ", 2) == 0)
			return true;
	}
	return false;
}

/* The errno that the text of a reason ends with; 0: none. */
static int errnum_of_text(const char *reason)
{
	for (int e = 1; e < 134; e++) {
		const char *name = strerrorname_np(e);
		const char *words = strerrordesc_np(e);
		char suffix[128];

		if (!name || !words)
			continue;
		snprintf(suffix, sizeof(suffix), "(%s)", name);
		if (ends_with(reason, words) || ends_with(reason, suffix))
			return e;
	}
	return 0;
}

/* "skipped: no mkfs.ntfs", without what could be installed. */
static char *skipped_text(const char *reason)
{
	size_t length = strlen(reason);
	const char *aside = strrchr(reason, '(');
	char *text;

	if (length > 0 && reason[length - 1] == ')' && aside > reason + 1 &&
	    aside[-1] == ' ')
		length = (size_t)(aside - reason) - 1;
	if (asprintf(&text, "skipped%s%.*s", length ? ": " : "", (int)length,
		     reason) < 0)
		return NULL;
	return text;
}

static char *failed_text(const struct dataset_sample *sample)
{
	int errnum = sample->errnum;
	const char *name;
	char *text;

	if (errnum == 0 && sample->reason)
		errnum = errnum_of_text(sample->reason);
	name = errnum ? strerrorname_np(errnum) : NULL;
	if (!name)
		return strdup("FAILED");
	return asprintf(&text, "FAILED (%s)", name) < 0 ? NULL : text;
}

/* Of one sample that does not count. NULL: out of memory. */
static char *status_text(const struct dataset_sample *sample,
			 enum dataset_metric metric)
{
	switch ((enum record_status)sample->status) {
	case RECORD_FAILED:
		return failed_text(sample);
	case RECORD_TIMEOUT:
		return strdup("TIMEOUT");
	case RECORD_CORRUPT:
		return strdup("CORRUPT");
	case RECORD_SKIPPED:
		return skipped_text(sample->reason ? sample->reason : "");
	case RECORD_STUCK:
		return strdup("STUCK");
	case RECORD_INVALID:
		return strdup("INVALID");
	case RECORD_OK:
		break;
	}
	return strdup(metric == DATASET_SUSTAINED ? "not reached"
						  : "not known");
}

/* How much a status tells; the most telling one stands in the table. */
static int weight_of(const struct dataset_sample *sample)
{
	static const int weights[] = {
		[RECORD_OK] = 0,      [RECORD_SKIPPED] = 1,
		[RECORD_INVALID] = 2, [RECORD_TIMEOUT] = 3,
		[RECORD_FAILED] = 4,  [RECORD_STUCK] = 5,
		[RECORD_CORRUPT] = 6,
	};

	return weights[sample->status];
}

/* The most telling of the samples that do not count; NULL: all count. */
static const struct dataset_sample *worst_of(const struct compare_work *work,
					     size_t g, char op)
{
	const struct compare_group *group = &work->groups[g];
	const struct dataset_sample *worst = NULL;

	for (size_t i = 0; i < group->count; i++) {
		size_t at = work->members[group->first + i];
		const struct dataset_samples *samples =
			dataset_op(&work->data->cells[at], op);

		for (size_t j = 0; j < samples->count; j++) {
			const struct dataset_sample *sample =
				&samples->items[j];

			if (!compare_counts(sample) &&
			    (!worst || weight_of(sample) > weight_of(worst)))
				worst = sample;
		}
	}
	return worst;
}

/* "exfat on sda1 (seq)": a row for a note, by what is shown of it. */
static char *row_name(const struct compare_work *work,
		      const struct compare_row *row)
{
	const char *const *names = row->names;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(names[DATASET_FILESYSTEM], out);
	if (*names[DATASET_VOLUME])
		fprintf(out, "%s%s", *names[DATASET_FILESYSTEM] ? " on " : "",
			names[DATASET_VOLUME]);
	if (work->varies[DATASET_WORKLOAD] && *names[DATASET_WORKLOAD])
		fprintf(out, " (%s)", names[DATASET_WORKLOAD]);
	if (work->varies[DATASET_OS] && *names[DATASET_OS])
		fprintf(out, " under %s", names[DATASET_OS]);
	if (work->varies[DATASET_RUN] && *names[DATASET_RUN])
		fprintf(out, " in run %s", names[DATASET_RUN]);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Once, also where both phases of a cell have the same fate. */
static bool add_note(struct comparison *out, const char *text)
{
	for (size_t i = 0; i < out->notes.count; i++) {
		if (strcmp(out->notes.items[i], text) == 0)
			return true;
	}
	return compare_lines_add(&out->notes, "%s", text);
}

static bool note_partial(struct comparison *out, const struct compare_row *row,
			 const char *name, const char *status)
{
	size_t bad = row->samples - row->n;
	char *text;
	bool ok;

	if (asprintf(&text,
		     "%s: %zu of %zu %s %s: %s; the figures are from the "
		     "other %zu",
		     name, bad, row->samples,
		     row->op == 'W' ? "writes" : "reads",
		     bad == 1 ? "does not count" : "do not count", status,
		     row->n) < 0)
		return false;
	ok = add_note(out, text);
	free(text);
	return ok;
}

static bool note_reason(struct compare_reasons *reasons, const char *name,
			const char *status, const char *reason)
{
	const char *known =
		strncmp(status, "skipped", 7) == 0 ? "skipped" : status;
	char *text;
	bool ok;

	if (!reason || !*reason)
		return true;
	if (asprintf(&text, "%s: %s", known, reason) < 0)
		return false;
	ok = compare_reasons_add(reasons, name, text);
	free(text);
	return ok;
}

static bool note_status(struct compare_work *work, size_t g,
			struct compare_row *row,
			struct compare_reasons *reasons)
{
	const struct dataset_sample *worst = worst_of(work, g, row->op);
	char *name = row_name(work, row), *status;
	bool ok = false;

	status = worst ? status_text(worst, work->out->metric) : strdup("n/a");
	if (!name || !status)
		goto out;
	if (worst && row->n > 0)
		ok = note_partial(work->out, row, name, status) &&
		     note_reason(reasons, name, status, worst->reason);
	else
		ok = !worst ||
		     note_reason(reasons, name, status, worst->reason);
	if (row->n == 0) {
		row->status = status;
		status = NULL;
	}
out:
	free(name);
	free(status);
	return ok;
}

/* No spread, so that p is 0 or 1 and the interval a point. */
static bool note_constant(struct compare_work *work,
			  const struct compare_row *row)
{
	const struct compare_row *base;
	char *name, *text = NULL;
	bool ok = true;

	if (!row->constant)
		return true;
	base = &work->out->rows[row->base];
	name = row_name(work, row);
	if (!name || asprintf(&text,
			      "%s: %s: %c has no spread to test the change "
			      "against",
			      name,
			      row->half == 0 && base->half == 0
				      ? "all samples equal"
				      : "the same ratio in every round",
			      row->op) < 0)
		text = NULL;
	ok = text && add_note(work->out, text);
	free(name);
	free(text);
	return ok;
}

/* Where a side has more samples than pairs, rates do not show the change. */
static bool note_unpaired_rest(struct compare_work *work,
			       const struct compare_row *row)
{
	const struct compare_row *base;
	char *name, *text = NULL;
	bool ok = true;

	if (!row->has_ratio || !row->paired)
		return true;
	base = &work->out->rows[row->base];
	if (row->test_n == row->n && row->test_n == base->n)
		return true;
	name = row_name(work, row);
	if (!name ||
	    asprintf(&text,
		     "%s: the change of %c is over %zu pair%s of samples that "
		     "share a round, its rate over %zu sample%s, that of the "
		     "base over %zu",
		     name, row->op, row->test_n, row->test_n == 1 ? "" : "s",
		     row->n, row->n == 1 ? "" : "s", base->n) < 0)
		text = NULL;
	ok = text && add_note(work->out, text);
	free(name);
	free(text);
	return ok;
}

static bool note_no_change(struct compare_work *work, size_t g,
			   const struct compare_row *row,
			   struct compare_reasons *reasons)
{
	char *reason = compare_no_change(work, g, row);
	char *name = row_name(work, row);
	bool ok = reason && name;

	if (ok && *reason)
		ok = compare_reasons_add(reasons, name, reason);
	free(reason);
	free(name);
	return ok;
}

static bool note_row(struct compare_work *work, size_t g,
		     struct compare_row *row, struct compare_reasons *reasons)
{
	/* What failed is told even of what the table leaves out. */
	return note_status(work, g, row, reasons) &&
	       (row->left_out ||
		(note_constant(work, row) && note_unpaired_rest(work, row) &&
		 note_no_change(work, g, row, reasons)));
}

static bool note_rows(struct compare_work *work)
{
	struct compare_reasons reasons = { 0 };
	bool ok = true;

	for (size_t g = 0; ok && g < work->group_count; g++) {
		for (size_t op = 0; ok && work->ops[op]; op++) {
			size_t at = compare_row_at(work, g, op);

			ok = note_row(work, g, &work->out->rows[at], &reasons);
		}
	}
	ok = ok && compare_reasons_say(&reasons, &work->out->notes);
	compare_reasons_done(&reasons);
	return ok;
}

/* Whether the name, or the type of the filesystem, says which driver it is. */
static bool driver_goes_without_saying(const struct compare_work *work,
				       const struct compare_row *row)
{
	const char *driver = row->names[DATASET_DRIVER];
	const char *filesystem = row->names[DATASET_FILESYSTEM];
	size_t cell = work->members[row->first_cell];

	return !*driver || !*filesystem ||
	       strcasecmp(driver, filesystem) == 0 ||
	       strcmp(driver, work->data->cells[cell].type) == 0;
}

/* "drivers: FAT is fusefat, NTFS is ntfs-3g": where it is not plain. */
static bool note_drivers(struct compare_work *work)
{
	struct comparison *out = work->out;
	struct compare_lines known = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *list = open_memstream(&text, &size);
	bool ok = list;

	for (size_t i = 0; ok && i < out->count; i++) {
		const struct compare_row *row = &out->rows[i];
		char pair[512];
		bool said =
			row->left_out || driver_goes_without_saying(work, row);

		snprintf(pair, sizeof(pair), "%s is %s",
			 row->names[DATASET_FILESYSTEM],
			 row->names[DATASET_DRIVER]);
		for (size_t j = 0; !said && j < known.count; j++)
			said = strcmp(known.items[j], pair) == 0;
		if (said)
			continue;
		fprintf(list, "%s%s", known.count ? ", " : "drivers: ", pair);
		ok = compare_lines_add(&known, "%s", pair);
	}
	compare_lines_done(&known);
	if (list && fclose(list) != 0)
		ok = false;
	if (ok && size > 0)
		ok = add_note(out, text);
	free(text);
	return ok;
}

/* How far W without its flush would be off; 0: by nothing to speak of. */
static double cache_error(const struct compare_row *row)
{
	double ratio = row->app_kb_per_s / row->kb_per_s;

	return ratio >= error_told && !row->left_out ? ratio - 1 : 0;
}

/* The largest errors, falling; 0 behind them where there are fewer. */
static void largest_errors(const struct comparison *out,
			   double largest[ERRORS_MAX])
{
	for (size_t i = 0; i < out->count; i++) {
		double error = cache_error(&out->rows[i]);

		for (size_t k = 0; k < ERRORS_MAX; k++) {
			double other = largest[k];

			if (error <= other)
				continue;
			largest[k] = error;
			error = other;
		}
	}
}

/* Takes its place among the largest, which another one cannot have then. */
static bool is_largest(double largest[ERRORS_MAX], double error)
{
	for (size_t k = 0; k < ERRORS_MAX; k++) {
		if (error > 0 && largest[k] == error) {
			largest[k] = 0;
			return true;
		}
	}
	return false;
}

/*
 * What a clock shows that stops when the last write returns:
 * "vfat on sda1 by 12%, ...". Of many rows those that are off furthest.
 */
static char *cache_errors(const struct compare_work *work)
{
	const struct comparison *out = work->out;
	char *text = NULL;
	size_t size = 0, told = 0, untold = 0;
	double largest[ERRORS_MAX] = { 0 };
	FILE *list = open_memstream(&text, &size);
	bool ok = list;

	largest_errors(out, largest);
	for (size_t i = 0; ok && i < out->count; i++) {
		double error = cache_error(&out->rows[i]);
		char *name;

		if (error > 0 && !is_largest(largest, error)) {
			untold++;
		} else if (error > 0) {
			name = row_name(work, &out->rows[i]);
			ok = name && fprintf(list, "%s%s by %.0f%%",
					     told++ > 0 ? ", " : "", name,
					     error * 100) > 0;
			free(name);
		}
	}
	if (ok && untold > 0)
		fprintf(list,
			"; and %zu more row%s by no more than these: --metric "
			"app has the rates without the flush",
			untold, untold == 1 ? "" : "s");
	if (list && fclose(list) == 0 && ok)
		return text;
	free(text);
	return NULL;
}

static bool note_cache_error(struct compare_work *work)
{
	char *errors;
	bool ok;

	if (work->out->metric != DATASET_DURABLE)
		return true;
	errors = cache_errors(work);
	ok = errors && (!*errors ||
			compare_lines_add(&work->out->notes,
					  "cache error, by which W would seem "
					  "faster without its flush: %s",
					  errors));
	free(errors);
	return ok;
}

/* What is over at once is at the mercy of whatever else goes on. */
static bool note_brief(struct compare_work *work)
{
	const double wide = 0.1; /* of an interval's half */
	const struct comparison *out = work->out;

	for (size_t i = 0; i < out->count; i++) {
		const struct compare_row *row = &out->rows[i];

		if (row->brief && row->half > wide && !row->left_out)
			return compare_lines_add(
				&work->out->notes,
				"samples of less than 1 s: a larger size or "
				"more rounds give steadier figures");
	}
	return true;
}

bool compare_note(struct compare_work *work)
{
	return note_rows(work) && note_drivers(work) &&
	       note_cache_error(work) && note_brief(work);
}
