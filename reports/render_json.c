/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "core/text.h"
#include "reports/render_private.h"

/*
 * Version 1 of what is printed. Members may be added to it; one that is
 * removed or changes its meaning makes version 2.
 */
enum { FORMAT = 1 };

/* Absent is null. */
static json_t *number(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

/* A name that is not UTF-8 is spelt out, since JSON could not have it. */
static json_t *string(const char *text)
{
	char *safe;
	json_t *value;

	if (text_is_utf8(text))
		return json_string(text);
	safe = text_safe(text);
	value = safe ? json_string(safe) : NULL;
	free(safe);
	return value;
}

static json_t *name(const char *text)
{
	return *text ? string(text) : json_null();
}

static double percent(double ratio)
{
	return (ratio - 1) * 100;
}

/* Steals `value`, which may be NULL; false once anything failed. */
static bool put(json_t *object, const char *key, json_t *value)
{
	return value && json_object_set_new(object, key, value) == 0;
}

static bool put_names(json_t *object, const char *const *names)
{
	for (size_t d = 0; d < DATASET_DIMENSIONS; d++) {
		const char *key =
			dataset_dimension_name((enum dataset_dimension)d);

		if (!put(object, key, name(names[d])))
			return false;
	}
	return true;
}

static bool put_test(json_t *object, const struct compare_row *row)
{
	static const char *const verdicts[] = {
		[COMPARE_UNTESTED] = "untested",
		[COMPARE_SIGNIFICANT] = "significant",
		[COMPARE_SAME] = "about the same",
		[COMPARE_UNCLEAR] = "no clear difference",
	};
	bool bounded = row->has_interval;

	return put(object, "base_row",
		   row->base == COMPARE_NONE
			   ? json_null()
			   : json_integer((json_int_t)row->base)) &&
	       put(object, "change_pct",
		   number(row->has_ratio, percent(row->ratio))) &&
	       put(object, "ci_low_pct", number(bounded, percent(row->low))) &&
	       put(object, "ci_high_pct",
		   number(bounded, percent(row->high))) &&
	       put(object, "p", number(row->tested, row->p)) &&
	       put(object, "p_holm", number(row->tested, row->p_holm)) &&
	       put(object, "mark",
		   row->tested ? json_string(row->mark) : json_null()) &&
	       put(object, "verdict", json_string(verdicts[row->verdict])) &&
	       put(object, "test_n", json_integer((json_int_t)row->test_n)) &&
	       put(object, "paired", json_boolean(row->paired)) &&
	       put(object, "all_equal", json_boolean(row->constant));
}

static json_t *row_of(const struct compare_row *row)
{
	json_t *object = json_object();
	char op[2] = { row->op, '\0' };
	unsigned int flags = row->flags;

	if (object && put_names(object, row->names) &&
	    put(object, "op", json_string(op)) &&
	    put(object, "n", json_integer((json_int_t)row->n)) &&
	    put(object, "samples", json_integer((json_int_t)row->samples)) &&
	    put(object, "kb_per_s", number(true, row->kb_per_s)) &&
	    put(object, "half_width_pct", number(true, row->half * 100)) &&
	    put(object, "status", string(row->status ? row->status : "ok")) &&
	    put(object, "base", json_boolean(row->is_base)) &&
	    put_test(object, row) &&
	    put(object, "cached", json_boolean(flags & DATASET_CACHED)) &&
	    put(object, "shortened", json_boolean(flags & DATASET_SHORTENED)) &&
	    put(object, "buffered", json_boolean(flags & DATASET_BUFFERED)) &&
	    put(object, "several_files", json_boolean(flags & DATASET_FILES)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *mean_of(const struct compare_mean *mean)
{
	json_t *object = json_object();
	char op[2] = { mean->op, '\0' };
	bool known = mean->valid > 0;

	if (object && put_names(object, mean->names) &&
	    put(object, "op", json_string(op)) &&
	    put(object, "rows", json_integer((json_int_t)mean->of)) &&
	    put(object, "valid", json_integer((json_int_t)mean->valid)) &&
	    put(object, "kb_per_s", number(known, mean->kb_per_s)) &&
	    put(object, "base_kb_per_s", number(known, mean->base_kb_per_s)) &&
	    put(object, "change_pct", number(known, percent(mean->ratio))))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *rows_of(const struct comparison *comparison)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < comparison->count; i++) {
		if (json_array_append_new(array,
					  row_of(&comparison->rows[i])) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *means_of(const struct comparison *comparison)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < comparison->mean_count; i++) {
		if (json_array_append_new(
			    array, mean_of(&comparison->means[i])) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *lines_of(const struct compare_lines *lines)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < lines->count; i++) {
		if (json_array_append_new(array, string(lines->items[i])) !=
		    0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *document_of(const struct comparison *comparison)
{
	static const char *const tests[] = {
		[COMPARE_T] = "t",
		[COMPARE_MANN_WHITNEY] = "mwu",
		[COMPARE_WILCOXON] = "wilcoxon",
	};
	static const char *const metrics[] = {
		[DATASET_DURABLE] = "durable",
		[DATASET_APP] = "app",
		[DATASET_SUSTAINED] = "sustained",
	};
	const struct compare_options *options = comparison->options;
	json_t *object = json_object();

	if (object && put(object, "format", json_integer(FORMAT)) &&
	    put(object, "kb_bytes", json_integer(1024)) &&
	    put(object, "metric", json_string(metrics[comparison->metric])) &&
	    put(object, "test", json_string(tests[options->test])) &&
	    put(object, "alpha", json_real(options->alpha)) &&
	    put(object, "threshold_pct", json_real(options->threshold * 100)) &&
	    put(object, "comparisons",
		json_integer((json_int_t)comparison->comparisons)) &&
	    put(object, "bases", lines_of(&comparison->bases)) &&
	    put(object, "rows", rows_of(comparison)) &&
	    put(object, "geometric_means", means_of(comparison)) &&
	    put(object, "sentences", lines_of(&comparison->sentences)) &&
	    put(object, "notes", lines_of(&comparison->notes)) &&
	    put(object, "warnings", lines_of(&comparison->warnings)))
		return object;
	json_decref(object);
	return NULL;
}

static bool print_json(const struct comparison *comparison,
		       const struct render_view *view, FILE *out,
		       struct err *err)
{
	json_t *document = document_of(comparison);

	(void)view;
	if (!document)
		return err_nomem(err);
	/* What cannot be written shows in ferror(out). */
	(void)json_dumpf(document, out,
			 JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(document);
	return true;
}

const struct render render_json = { .name = "json", .print = print_json };
