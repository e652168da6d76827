/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "reports/figure.h"
#include "reports/history_private.h"
#include "reports/jsonvalue.h"

/* Members may be added within a version. */
enum {
	FORMAT = 1,
	STYLE = JSON_COMPACT | JSON_REAL_PRECISION(15),
};

static bool text(json_t *object, const char *key, const char *value)
{
	return jsonvalue_put(object, key,
			     jsonvalue_text(*value ? value : NULL));
}

static bool number(json_t *object, const char *key, double value)
{
	return jsonvalue_put(object, key, jsonvalue_number(value));
}

static bool count(json_t *object, const char *key, size_t value)
{
	return jsonvalue_put(object, key, json_integer((json_int_t)value));
}

static bool put_run(json_t *object, const struct history *history,
		    const struct history_point *point)
{
	const struct history_run *run = history_run(history, point->run);

	return jsonvalue_put(object, "run", json_integer(point->run)) &&
	       text(object, "started_at", point->started_at) &&
	       text(object, "run_uuid", run ? run->uuid : "") &&
	       text(object, "label", run ? run->label : "") &&
	       text(object, "os", run ? run->os : "");
}

static json_t *point_of(const struct history *history,
			const struct history_trend *trend,
			const struct history_point *point)
{
	json_t *object = json_object();
	bool base = trend->has_base && trend->base.run == point->run;

	if (object && put_run(object, history, point) &&
	    text(object, "driver", point->driver) &&
	    count(object, "n", point->n) &&
	    number(object, "kb_per_s", point->kb_per_s) &&
	    number(object, "min_kb_per_s", point->min_kb_per_s) &&
	    number(object, "max_kb_per_s", point->max_kb_per_s) &&
	    number(object, "half_width_pct", history_half(point) * 100) &&
	    count(object, "cached", point->cached) &&
	    number(object, "change_pct", figure_percent(point->change)) &&
	    jsonvalue_put(object, "baseline", json_boolean(base)) &&
	    number(object, "baseline_change_pct",
		   figure_percent(point->base_change)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *step_of(const struct history *history,
		       const struct history_trend *trend,
		       const struct step *step)
{
	json_t *object = json_object();

	if (object && put_run(object, history, &trend->points[step->at]) &&
	    count(object, "point", step->at) &&
	    number(object, "before_kb_per_s", history_before(step)) &&
	    number(object, "after_kb_per_s", history_after(step)) &&
	    number(object, "change_pct",
		   figure_percent(exp(step->after - step->before))) &&
	    number(object, "p", step->p))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *points_of(const struct history *history,
			 const struct history_trend *trend)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < trend->count; i++) {
		if (json_array_append_new(array, point_of(history, trend,
							  &trend->points[i])) !=
		    0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *steps_of(const struct history *history,
			const struct history_trend *trend)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < trend->steps.count; i++) {
		if (json_array_append_new(
			    array, step_of(history, trend,
					   &trend->steps.items[i])) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static bool put_base(json_t *object, const struct history_trend *trend)
{
	return jsonvalue_put(object, "baseline_run",
			     trend->has_base ? json_integer(trend->base.run)
					     : json_null()) &&
	       number(object, "baseline_kb_per_s",
		      trend->has_base ? trend->base.kb_per_s : NAN);
}

static json_t *trend_of(const struct history *history,
			const struct history_trend *trend)
{
	const char op[2] = { trend->op, '\0' };
	json_t *object = json_object();

	if (object && text(object, "host", trend->names[DATASET_HOST]) &&
	    text(object, "volume", trend->names[DATASET_VOLUME]) &&
	    text(object, "volume_kind", trend->volume_kind) &&
	    text(object, "filesystem", trend->names[DATASET_FILESYSTEM]) &&
	    text(object, "type", trend->type) &&
	    text(object, "workload", trend->names[DATASET_WORKLOAD]) &&
	    text(object, "settings", trend->names[DATASET_SETTINGS]) &&
	    text(object, "op", op) && count(object, "runs", trend->count) &&
	    put_base(object, trend) &&
	    jsonvalue_put(object, "points", points_of(history, trend)) &&
	    jsonvalue_put(object, "steps", steps_of(history, trend)))
		return object;
	json_decref(object);
	return NULL;
}

/* Trend by trend, so that memory is that of the largest. */
static bool print_json(const struct history *history,
		       const struct history_view *view, FILE *out,
		       struct err *err)
{
	(void)view;
	fprintf(out,
		"{\n\"format\": %d,\n\"kb_bytes\": 1024,\n"
		"\"step_alpha\": %g,\n\"step_threshold_pct\": %g,\n"
		"\"trends\": [",
		FORMAT, history->alpha, history->threshold * 100);
	for (size_t i = 0; i < history->count; i++) {
		json_t *object = trend_of(history, &history->trends[i]);

		if (!object)
			return err_nomem(err);
		fputs(i > 0 ? ",\n" : "\n", out);
		/* What cannot be written shows in ferror(out). */
		(void)jsonvalue_print(object, STYLE, out);
		json_decref(object);
	}
	fputs("\n]\n}\n", out);
	return true;
}

const struct history_format history_json = { .name = "json",
					     .all_runs = true,
					     .print = print_json };
