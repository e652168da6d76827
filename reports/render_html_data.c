/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/intern.h"
#include "reports/page.h"
#include "reports/render_html.h"
#include "reports/render_private.h"

enum {
	ROW_DIGITS = 15, /* as in JSON */
	SAMPLE_DIGITS = 7,
	POINT_DIGITS = 4, /* of a rate over time, or of a latency */
};

/* Figures of a row, under the names that the JSON format gives them. */
static const char *const figure_names[] = {
	"kb_per_s", "half_width_pct", "change_pct", "ci_low_pct", "ci_high_pct",
	"p",        "p_holm",         "base_row",
};

enum { FIGURES = sizeof(figure_names) / sizeof(*figure_names) };

static void figures_of(const struct compare_row *row, double *out)
{
	const double figures[FIGURES] = {
		row->kb_per_s,
		row->half * 100,
		row->has_ratio ? figure_percent(row->ratio) : NAN,
		row->has_interval ? figure_percent(row->low) : NAN,
		row->has_interval ? figure_percent(row->high) : NAN,
		row->tested ? row->p : NAN,
		row->tested ? row->p_holm : NAN,
		row->base == COMPARE_NONE ? NAN : (double)row->base,
	};

	memcpy(out, figures, sizeof(figures));
}

static void put_comma(size_t i, FILE *out)
{
	if (i > 0)
		fputc(',', out);
}

static void put_figures(const struct comparison *from, FILE *out)
{
	double figures[FIGURES];

	for (size_t k = 0; k < FIGURES; k++) {
		fprintf(out, ",\n\"%s\":[", figure_names[k]);
		for (size_t i = 0; i < from->count; i++) {
			figures_of(&from->rows[i], figures);
			put_comma(i, out);
			page_data_number(figures[k], ROW_DIGITS, out);
		}
		fputc(']', out);
	}
}

/* The rate as the table has it, or why there is none. */
static bool put_rate_texts(const struct comparison *from,
			   const struct figure_unit *unit, FILE *out)
{
	fputs(",\n\"rate_text\":[", out);
	for (size_t i = 0; i < from->count; i++) {
		const struct compare_row *row = &from->rows[i];
		char text[FIGURE_SIZE];

		put_comma(i, out);
		figure_rate(row->kb_per_s, unit, true, text);
		if (!page_data_text(row->status ? row->status : text, out))
			return false;
	}
	fputc(']', out);
	return true;
}

/* "+75.5% [+72.4, +78.6], p <.001", as far as there is any of it. */
static void put_change_text(const struct compare_row *row, double alpha,
			    FILE *out)
{
	char change[FIGURE_SIZE], low[FIGURE_SIZE], high[FIGURE_SIZE];
	char p[FIGURE_SIZE];

	figure_change(row->ratio, change);
	fputs(change, out);
	if (row->has_interval) {
		figure_bound(row->low, low);
		figure_bound(row->high, high);
		fprintf(out, " [%s, %s]", low, high);
	}
	figure_p(row->p, alpha, p);
	if (row->tested)
		fprintf(out, ", p %s%s%s", p, *row->mark ? " " : "", row->mark);
	else
		fprintf(out, ", n=%zu: no test", row->test_n);
}

/* ... and "up" or "down" for a change that is real. */
static bool put_change_texts(const struct comparison *from, FILE *out)
{
	bool ok = true;

	fputs(",\n\"change_text\":[", out);
	for (size_t i = 0; ok && i < from->count; i++) {
		char *text = NULL;
		size_t size;
		FILE *memory = open_memstream(&text, &size);

		if (!memory)
			return false;
		if (from->rows[i].has_ratio)
			put_change_text(&from->rows[i], from->options->alpha,
					memory);
		put_comma(i, out);
		ok = fclose(memory) == 0 && page_data_text(text, out);
		free(text);
	}
	fputs("],\n\"way\":[", out);
	for (size_t i = 0; i < from->count; i++) {
		put_comma(i, out);
		fprintf(out, "\"%s\"", render_html_way(&from->rows[i]));
	}
	fputc(']', out);
	return ok;
}

/* A name and its place in the list of names. Names are interned. */
struct numbered {
	const char *name;
	size_t number;
};

static int by_address(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->name > y->name) - (x->name < y->name);
}

struct names {
	void *tree;              /* of struct numbered, owned */
	struct numbered **items; /* by number; owned */
	size_t count;
	void *made; /* names that no row has, owned */
};

/* The name's number, a new one if need be; SIZE_MAX: out of memory. */
static size_t number_of(struct names *names, const char *name)
{
	struct numbered wanted = { .name = name }, *added;
	struct numbered **node = tfind(&wanted, &names->tree, by_address);

	if (node)
		return (*node)->number;
	added = malloc(sizeof(*added));
	if (!added)
		return SIZE_MAX;
	*added = (struct numbered){ name, names->count };
	if (!tsearch(added, &names->tree, by_address)) {
		free(added);
		return SIZE_MAX;
	}
	names->items[names->count++] = added;
	return added->number;
}

/* As it is shown; it lives as long as the others. NULL: out of memory. */
static const char *name_of(struct names *names, const struct compare_row *row,
			   enum dataset_dimension dimension)
{
	char text[COMPARE_NAME_SIZE];
	const char *name = compare_shown_name(row->names, dimension, text);

	return name == text ? intern_text(&names->made, text) : name;
}

/* Which names each row shows, as numbers, then the names themselves. */
static bool put_names(const struct comparison *from, FILE *out)
{
	struct names names = {
		.items = calloc(from->count * DATASET_DIMENSIONS + 1,
				sizeof(*names.items)),
	};
	bool ok = names.items;

	fputs(",\n\"row_names\":[", out);
	for (size_t i = 0; ok && i < from->count; i++) {
		fputs(i > 0 ? ",[" : "[", out);
		for (size_t k = 0; ok && k < from->shown_count; k++) {
			const char *name =
				name_of(&names, &from->rows[i], from->shown[k]);
			size_t number =
				name ? number_of(&names, name) : SIZE_MAX;

			ok = number != SIZE_MAX;
			put_comma(k, out);
			fprintf(out, "%zu", number);
		}
		fputc(']', out);
	}
	fputs("],\n\"names\":[", out);
	for (size_t i = 0; ok && i < names.count; i++) {
		put_comma(i, out);
		ok = page_data_text(names.items[i]->name, out);
	}
	fputc(']', out);
	tdestroy(names.tree, free);
	tdestroy(names.made, free);
	free(names.items);
	return ok;
}

/*
 * [p50, p90, p99, p99.9, max] in microseconds, or null. A percentile is the
 * bound of its bucket, which may lie above the longest there was.
 */
static void put_latency(const struct record_latency *latency, FILE *out)
{
	const int64_t ns[] = { latency->p50_ns, latency->p90_ns,
			       latency->p99_ns, latency->p99_9_ns };
	double most = (double)latency->max_ns;

	fputc(',', out);
	if (latency->count <= 0 || most < 0) {
		fputs("null", out);
		return;
	}
	fputc('[', out);
	for (size_t i = 0; i < sizeof(ns) / sizeof(*ns); i++) {
		page_data_number(fmin((double)ns[i], most) / 1e3, POINT_DIGITS,
				 out);
		fputc(',', out);
	}
	page_data_number(most / 1e3, POINT_DIGITS, out);
	fputc(']', out);
}

/* [seconds of a point, of the last point, KB/s, ...] */
static void put_points(const struct detail *detail, FILE *out)
{
	fputs(",[", out);
	page_data_number(detail->point_seconds, SAMPLE_DIGITS, out);
	fputc(',', out);
	page_data_number(detail->last_seconds, SAMPLE_DIGITS, out);
	for (size_t i = 0; i < detail->count; i++) {
		fputc(',', out);
		page_data_number((double)detail->points[i], POINT_DIGITS, out);
	}
	fputc(']', out);
}

/*
 * [round, KB/s, latency, points], as far as there is any of it; a word instead
 * of the rate: it does not count.
 */
static bool put_sample(const struct dataset_sample *sample,
		       const struct detail *detail, FILE *out)
{
	enum record_status status = (enum record_status)sample->status;

	fprintf(out, "[%" PRId64 ",", sample->round);
	if (compare_counts(sample))
		page_data_number(sample->kb_per_s, SAMPLE_DIGITS, out);
	else if (!page_data_text(status == RECORD_OK
					 ? "no rate"
					 : record_status_word(status),
				 out))
		return false;
	if (detail->latency.count > 0 || detail->points)
		put_latency(&detail->latency, out);
	if (detail->points)
		put_points(detail, out);
	fputc(']', out);
	return true;
}

static bool put_samples_of(const struct comparison *from,
			   const struct compare_row *row, FILE *out)
{
	static const struct detail nothing = { .latency = { .count = -1 } };
	size_t put = 0;

	for (size_t j = 0; j < row->cells; j++) {
		size_t at = from->members[row->first_cell + j];
		const struct dataset_samples *samples =
			dataset_op(&from->data->cells[at], row->op);

		for (size_t i = 0; i < samples->count; i++) {
			put_comma(put++, out);
			if (!put_sample(&samples->items[i],
					samples->details ? &samples->details[i]
							 : &nothing,
					out))
				return false;
		}
	}
	return true;
}

static bool put_samples(const struct comparison *from, FILE *out)
{
	fputs(",\n\"samples\":[\n", out);
	for (size_t i = 0; i < from->count; i++) {
		fputs(i > 0 ? ",\n[" : "[", out);
		if (!put_samples_of(from, &from->rows[i], out))
			return false;
		fputc(']', out);
	}
	fputs("\n]", out);
	return true;
}

bool render_html_data(const struct comparison *from,
		      const struct render_view *view, FILE *out,
		      struct err *err)
{
	const struct figure_unit *unit =
		figure_unit(view->unit ? view->unit : "KB", err);
	bool ok;

	if (!unit)
		return false;
	page_data_begin(out);
	fprintf(out,
		"{\"format\":1,\"unit\":\"%s\",\"unit_bytes\":%.0f,"
		"\"confidence_pct\":%g,\"series_left_out\":%zu,\n\"op\":\"",
		unit->name, unit->bytes, (1 - from->options->alpha) * 100,
		from->data->series_left_out);
	for (size_t i = 0; i < from->count; i++)
		fputc(from->rows[i].op, out);
	fputc('"', out);
	put_figures(from, out);
	ok = put_rate_texts(from, unit, out) && put_change_texts(from, out) &&
	     put_names(from, out) && put_samples(from, out);
	fputs("}", out);
	page_data_end(out);
	return ok || err_nomem(err);
}
