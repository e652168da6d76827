/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/history.h"

#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
#include "reports/intern.h"
#include "reports/machines.h"
#include "reports/settings.h"
#include "reports/stats.h"

#define INTERVAL_ALPHA 0.05 /* 95 % */

void history_init(struct history *history)
{
	*history = (struct history){ .alpha = STEPS_ALPHA,
				     .threshold = STEPS_THRESHOLD };
}

void history_done(struct history *history)
{
	for (size_t i = 0; i < history->count; i++) {
		free(history->trends[i].points);
		steps_done(&history->trends[i].steps);
	}
	free(history->trends);
	free(history->runs);
	tdestroy(history->sites, free);
	tdestroy(history->strings, free);
	*history = (struct history){ 0 };
}

/* The same text is the same pointer. NULL: out of memory. */
static const char *intern(struct history *history, const char *text)
{
	return text && *text ? intern_text(&history->strings, text) : "";
}

/* Room for one more; it doubles. NULL: out of memory. */
static void *grow(void *items, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 8;
	void *grown;

	if (count < *room)
		return items;
	grown = reallocarray(items, more, size);
	if (grown)
		*room = more;
	return grown;
}

static bool set_names(struct history *history, struct history_trend *trend,
		      const struct record_trend *from)
{
	const char **names = trend->names;
	char settings[SETTINGS_SIZE] = "";

	if (from->settings) {
		trend->has_settings = true;
		trend->settings = *from->settings;
		settings_text(from->settings, settings);
	}
	for (size_t i = 0; i < DATASET_DIMENSIONS; i++)
		names[i] = "";
	names[DATASET_HOST] = intern(history, from->host);
	names[DATASET_OS] = intern(history, from->os);
	names[DATASET_VOLUME] = intern(history, from->volume);
	names[DATASET_FILESYSTEM] = intern(history, from->filesystem);
	names[DATASET_WORKLOAD] = intern(history, from->workload);
	names[DATASET_SETTINGS] = intern(history, settings);
	trend->volume_kind = intern(history, from->volume_kind);
	trend->type = intern(history, from->type);
	trend->machine = intern(history, from->machine);
	for (size_t i = 0; i < DATASET_DIMENSIONS; i++) {
		if (!names[i])
			return false;
	}
	return trend->volume_kind && trend->type && trend->machine;
}

bool history_name_machines(struct history *history, struct err *err)
{
	struct machines machines = { 0 };
	bool ok = true;
	size_t at;

	for (size_t i = 0; ok && i < history->count; i++) {
		struct history_trend *trend = &history->trends[i];

		ok = machines_note(&machines, trend->names[DATASET_HOST],
				   trend->machine, &at);
	}
	for (size_t i = 0; ok && i < history->count; i++) {
		struct history_trend *trend = &history->trends[i];
		const char **name = &trend->names[DATASET_HOST];
		char full[MACHINES_NAME_SIZE];

		ok = machines_note(&machines, *name, trend->machine, &at);
		if (ok && machines_name(&machines, at, full))
			*name = intern(history, full);
		ok = ok && *name;
	}
	machines_done(&machines);
	return ok || err_nomem(err);
}

bool history_add_trend(struct history *history, const struct record_trend *from,
		       char op, struct err *err)
{
	struct history_trend *trends = grow(history->trends, history->count,
					    &history->room, sizeof(*trends));
	struct history_trend *trend;

	if (!trends)
		return err_nomem(err);
	history->trends = trends;
	trend = &trends[history->count++];
	*trend = (struct history_trend){ .id = from->id, .op = op };
	return set_names(history, trend, from) || err_nomem(err);
}

static bool make_point(struct history *history, const struct record_point *from,
		       struct history_point *point)
{
	bool equal = from->min_kb_per_s == from->max_kb_per_s;

	*point = (struct history_point){
		.run = from->run,
		.cell = from->cell,
		.driver = intern(history, from->driver),
		.n = (size_t)from->n,
		.cached = (size_t)from->cached,
		/* Of equal values it is that value, as the views have it. */
		.kb_per_s = equal ? from->min_kb_per_s : exp(from->mean_ln),
		.min_kb_per_s = from->min_kb_per_s,
		.max_kb_per_s = from->max_kb_per_s,
		.squares = from->m2_ln,
		.change = NAN,
		.base_change = NAN,
	};
	snprintf(point->started_at, sizeof(point->started_at), "%s",
		 from->started_at);
	return point->driver;
}

bool history_add_point(struct history *history, const struct record_point *from,
		       struct err *err)
{
	struct history_trend *trend = &history->trends[history->count - 1];
	struct history_point *points = grow(trend->points, trend->count,
					    &trend->room, sizeof(*points));

	if (!points)
		return err_nomem(err);
	trend->points = points;
	return make_point(history, from, &points[trend->count++]) ||
	       err_nomem(err);
}

bool history_set_base(struct history *history, const struct record_point *from,
		      struct err *err)
{
	struct history_trend *trend = &history->trends[history->count - 1];

	trend->has_base = true;
	return make_point(history, from, &trend->base) || err_nomem(err);
}

/* Where the run is, or would have to be. */
static size_t place_of(const struct history *history, int64_t run)
{
	size_t from = 0, to = history->run_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (history->runs[middle].id < run)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct history_run *history_run(const struct history *history,
				      int64_t run)
{
	size_t at = place_of(history, run);

	return at < history->run_count && history->runs[at].id == run
		       ? &history->runs[at]
		       : NULL;
}

bool history_add_run(struct history *history,
		     const struct record_run_name *name, struct err *err)
{
	size_t at = place_of(history, name->id);
	struct history_run run = { .id = name->id }, *runs;

	if (history_run(history, name->id))
		return true;
	run.uuid = intern(history, name->uuid);
	run.label = intern(history, name->label);
	run.os = intern(history, name->os);
	run.kernel = intern(history, name->kernel);
	run.program = intern(history, name->program);
	runs = grow(history->runs, history->run_count, &history->run_room,
		    sizeof(*runs));
	if (runs)
		history->runs = runs;
	if (!runs || !run.uuid || !run.label || !run.os || !run.kernel ||
	    !run.program)
		return err_nomem(err);
	memmove(&runs[at + 1], &runs[at],
		(history->run_count - at) * sizeof(*runs));
	runs[at] = run;
	history->run_count++;
	return true;
}

/* Of a filesystem on a volume in a run; the names are interned. */
struct measured_at {
	int64_t run;
	const char *volume, *filesystem;
	struct site site;
};

static int by_run_and_names(const void *a, const void *b)
{
	const struct measured_at *x = a, *y = b;
	int order = (x->run > y->run) - (x->run < y->run);

	if (order == 0)
		order = alike_pointers(x->volume, y->volume);
	return order ? order : alike_pointers(x->filesystem, y->filesystem);
}

const struct site *history_site(const struct history *history,
				const struct history_trend *trend, int64_t run)
{
	const struct measured_at wanted = {
		.run = run,
		.volume = trend->names[DATASET_VOLUME],
		.filesystem = trend->names[DATASET_FILESYSTEM],
	};
	struct measured_at **node =
		tfind(&wanted, &history->sites, by_run_and_names);

	return node ? &(*node)->site : NULL;
}

const struct site *history_add_site(struct history *history,
				    const struct history_trend *trend,
				    int64_t run, const struct record_site *site,
				    struct err *err)
{
	struct measured_at *added = malloc(sizeof(*added));

	if (added) {
		*added = (struct measured_at){
			.run = run,
			.volume = trend->names[DATASET_VOLUME],
			.filesystem = trend->names[DATASET_FILESYSTEM],
		};
		if (site_set(&added->site, &history->strings, site) &&
		    tsearch(added, &history->sites, by_run_and_names))
			return &added->site;
	}
	free(added);
	err_nomem(err);
	return NULL;
}

static bool judge(struct history *history, struct history_trend *trend,
		  struct err *err)
{
	struct history_point *points = trend->points;
	double *logs = calloc(trend->count + 1, sizeof(*logs));
	bool ok;

	if (!logs)
		return err_nomem(err);
	for (size_t i = 0; i < trend->count; i++) {
		logs[i] = log(points[i].kb_per_s);
		if (i > 0)
			points[i].change =
				points[i].kb_per_s / points[i - 1].kb_per_s;
		if (trend->has_base)
			points[i].base_change =
				points[i].kb_per_s / trend->base.kb_per_s;
	}
	ok = steps_find(logs, trend->count, history->alpha, history->threshold,
			&trend->steps, err);
	free(logs);
	return ok;
}

double history_half(const struct history_point *point)
{
	return stats_half(point->squares, point->n, INTERVAL_ALPHA);
}

bool history_has_interval(const struct history_point *point)
{
	return point->n >= STATS_LEAST;
}

bool history_judge(struct history *history, struct err *err)
{
	for (size_t i = 0; i < history->count; i++) {
		if (!judge(history, &history->trends[i], err))
			return false;
	}
	return true;
}
