/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/jsonvalue.h"
#include "reports/render_private.h"

/*
 * Version 1 of what is printed. Members may be added to it; one that is
 * removed or changes its meaning makes version 2.
 */
enum { FORMAT = 1 };

static json_t *number(bool known, double value)
{
	return jsonvalue_number(known ? value : NAN);
}

static json_t *name(const char *text)
{
	return jsonvalue_text(*text ? text : NULL);
}

static bool put_names(json_t *object, const char *const *names)
{
	for (size_t d = 0; d < DATASET_DIMENSIONS; d++) {
		const char *key =
			dataset_dimension_name((enum dataset_dimension)d);

		json_t *value = name(names[d]);

		if (d == DATASET_RUN && *names[d]) {
			json_decref(value);
			value = json_integer(strtoll(names[d], NULL, 10));
		}
		if (!jsonvalue_put(object, key, value))
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

	return jsonvalue_put(object, "base_row",
			     row->base == COMPARE_NONE
				     ? json_null()
				     : json_integer((json_int_t)row->base)) &&
	       jsonvalue_put(
		       object, "change_pct",
		       number(row->has_ratio, figure_percent(row->ratio))) &&
	       jsonvalue_put(object, "ci_low_pct",
			     number(bounded, figure_percent(row->low))) &&
	       jsonvalue_put(object, "ci_high_pct",
			     number(bounded, figure_percent(row->high))) &&
	       jsonvalue_put(object, "p", number(row->tested, row->p)) &&
	       jsonvalue_put(object, "p_holm",
			     number(row->tested, row->p_holm)) &&
	       jsonvalue_put(object, "mark",
			     row->tested ? json_string(row->mark)
					 : json_null()) &&
	       jsonvalue_put(object, "verdict",
			     json_string(verdicts[row->verdict])) &&
	       jsonvalue_put(object, "test_n",
			     json_integer((json_int_t)row->test_n)) &&
	       jsonvalue_put(object, "paired", json_boolean(row->paired)) &&
	       jsonvalue_put(object, "all_equal", json_boolean(row->constant));
}

static json_t *row_of(const struct compare_row *row)
{
	json_t *object = json_object();
	char op[2] = { row->op, '\0' };
	unsigned int flags = row->flags;

	if (object && put_names(object, row->names) &&
	    jsonvalue_put(object, "op", json_string(op)) &&
	    jsonvalue_put(object, "n", json_integer((json_int_t)row->n)) &&
	    jsonvalue_put(object, "samples",
			  json_integer((json_int_t)row->samples)) &&
	    jsonvalue_put(object, "kb_per_s", number(true, row->kb_per_s)) &&
	    jsonvalue_put(object, "half_width_pct",
			  number(true, row->half * 100)) &&
	    jsonvalue_put(object, "app_kb_per_s",
			  number(true, row->app_kb_per_s)) &&
	    jsonvalue_put(object, "status",
			  jsonvalue_text(row->status ? row->status : "ok")) &&
	    jsonvalue_put(object, "base", json_boolean(row->is_base)) &&
	    put_test(object, row) &&
	    jsonvalue_put(object, "cached",
			  json_boolean(flags & DATASET_CACHED)) &&
	    jsonvalue_put(object, "shortened",
			  json_boolean(flags & DATASET_SHORTENED)) &&
	    jsonvalue_put(object, "buffered",
			  json_boolean(flags & DATASET_BUFFERED)) &&
	    jsonvalue_put(object, "several_files",
			  json_boolean(flags & DATASET_FILES)))
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
	    jsonvalue_put(object, "op", json_string(op)) &&
	    jsonvalue_put(object, "rows", json_integer((json_int_t)mean->of)) &&
	    jsonvalue_put(object, "valid",
			  json_integer((json_int_t)mean->valid)) &&
	    jsonvalue_put(object, "kb_per_s", number(known, mean->kb_per_s)) &&
	    jsonvalue_put(object, "base_kb_per_s",
			  number(known, mean->base_kb_per_s)) &&
	    jsonvalue_put(object, "change_pct",
			  number(known, figure_percent(mean->ratio))))
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

static json_t *host_of(const struct compare_fleet_host *host)
{
	json_t *object = json_object();

	if (object &&
	    jsonvalue_put(object, "host", jsonvalue_text(host->name)) &&
	    jsonvalue_put(object, "change_pct",
			  jsonvalue_number(figure_percent(host->ratio))) &&
	    jsonvalue_put(object, "disagrees", json_boolean(host->disagrees)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *hosts_of(const struct compare_fleet *fleet)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < fleet->count; i++) {
		if (json_array_append_new(array, host_of(&fleet->hosts[i])) !=
		    0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static bool put_fleet_names(json_t *object, const struct compare_fleet *fleet)
{
	static const char *const keys[] = { "volume", "filesystem",
					    "workload" };
	static const char *const base_keys[] = { "base_volume",
						 "base_filesystem",
						 "base_workload" };
	bool ok = true;

	for (size_t i = 0; ok && i < 3; i++) {
		const char *name = fleet->names[i];
		const char *base = fleet->base_names[i];

		ok = jsonvalue_put(object, keys[i],
				   jsonvalue_text(*name ? name : NULL)) &&
		     jsonvalue_put(object, base_keys[i],
				   jsonvalue_text(*base ? base : NULL));
	}
	return ok;
}

static json_t *fleet_of(const struct compare_fleet *fleet)
{
	json_t *object = json_object();
	const char op[2] = { fleet->op, '\0' };
	bool tested = fleet->tested;

	if (object && put_fleet_names(object, fleet) &&
	    jsonvalue_put(object, "op", json_string(op)) &&
	    jsonvalue_put(object, "n",
			  json_integer((json_int_t)fleet->count)) &&
	    jsonvalue_put(object, "change_pct",
			  jsonvalue_number(figure_percent(fleet->ratio))) &&
	    jsonvalue_put(object, "ci_low_pct",
			  number(tested, figure_percent(fleet->low))) &&
	    jsonvalue_put(object, "ci_high_pct",
			  number(tested, figure_percent(fleet->high))) &&
	    jsonvalue_put(object, "p", number(tested, fleet->p)) &&
	    jsonvalue_put(object, "hosts", hosts_of(fleet)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *fleets_of(const struct comparison *comparison)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < comparison->fleet_count; i++) {
		if (json_array_append_new(
			    array, fleet_of(&comparison->fleets[i])) != 0) {
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
		if (json_array_append_new(
			    array, jsonvalue_text(lines->items[i])) != 0) {
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

	if (object && jsonvalue_put(object, "format", json_integer(FORMAT)) &&
	    jsonvalue_put(object, "kb_bytes", json_integer(1024)) &&
	    jsonvalue_put(object, "metric",
			  json_string(metrics[comparison->metric])) &&
	    jsonvalue_put(object, "test", json_string(tests[options->test])) &&
	    jsonvalue_put(object, "alpha", json_real(options->alpha)) &&
	    jsonvalue_put(object, "threshold_pct",
			  json_real(options->threshold * 100)) &&
	    jsonvalue_put(object, "comparisons",
			  json_integer((json_int_t)comparison->comparisons)) &&
	    jsonvalue_put(object, "bases", lines_of(&comparison->bases)) &&
	    jsonvalue_put(object, "rows", rows_of(comparison)) &&
	    jsonvalue_put(object, "geometric_means", means_of(comparison)) &&
	    jsonvalue_put(object, "fleet", fleets_of(comparison)) &&
	    jsonvalue_put(object, "sentences",
			  lines_of(&comparison->sentences)) &&
	    jsonvalue_put(object, "notes", lines_of(&comparison->notes)) &&
	    jsonvalue_put(object, "warnings", lines_of(&comparison->warnings)))
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
	(void)jsonvalue_print(document,
			      JSON_INDENT(2) | JSON_REAL_PRECISION(15), out);
	fputc('\n', out);
	json_decref(document);
	return true;
}

const struct render render_json = { .name = "json", .print = print_json };
