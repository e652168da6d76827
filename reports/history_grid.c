/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/graph.h"
#include "reports/history_private.h"

enum { GRAPH_WIDTH = 24 };

static const struct {
	const char *title;
	enum dataset_dimension dimension;
	bool always;
} names[] = {
	{ "Host", DATASET_HOST, false },
	{ "Drive", DATASET_VOLUME, true },
	{ "FS", DATASET_FILESYSTEM, true },
	{ "Workload", DATASET_WORKLOAD, false },
	{ "Settings", DATASET_SETTINGS, false },
};

enum { NAMES = sizeof(names) / sizeof(*names) };

const struct step *history_step_at(const struct history_trend *trend,
				   size_t point)
{
	for (size_t i = 0; i < trend->steps.count; i++) {
		if (trend->steps.items[i].at == point)
			return &trend->steps.items[i];
	}
	return NULL;
}

double history_before(const struct step *step)
{
	return exp(step->before);
}

double history_after(const struct step *step)
{
	return exp(step->after);
}

/* A machine that has no name is known by its OS. */
static const char *name_of(const struct history_trend *trend,
			   enum dataset_dimension dimension)
{
	const char *name = trend->names[dimension];

	return dimension == DATASET_HOST && !*name ? trend->names[DATASET_OS]
						   : name;
}

/* What of a trend is shown. */
struct showing {
	bool names[NAMES];
	bool base;
	const struct figure_unit *unit;
};

/* Settings are shown only where a workload's name does not tell them. */
static bool is_shown(const struct history *history, size_t name)
{
	enum dataset_dimension d = names[name].dimension;

	if (names[name].always)
		return true;
	if (d == DATASET_SETTINGS)
		return history_settings_differ(history);
	for (size_t i = 1; i < history->count; i++) {
		if (history->trends[i].names[d] != history->trends[0].names[d])
			return true;
	}
	return false;
}

static bool any_base(const struct history *history)
{
	for (size_t i = 0; i < history->count; i++) {
		if (history->trends[i].has_base)
			return true;
	}
	return false;
}

static void put_number(struct grid_build *b, size_t row, size_t column,
		       uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	grid_set(b, row, column, text);
}

static void put_rate(struct grid_build *b, size_t row, size_t column,
		     double kb_per_s, const struct figure_unit *unit)
{
	char text[FIGURE_SIZE];

	figure_rate(kb_per_s, unit, true, text);
	grid_set(b, row, column, text);
}

static void put_change(struct grid_build *b, size_t row, size_t column,
		       double ratio)
{
	char text[FIGURE_SIZE];

	if (!isfinite(ratio))
		return;
	figure_change(ratio, text);
	grid_set(b, row, column, text);
}

static void put_half(struct grid_build *b, size_t row, size_t column,
		     const struct history_point *point)
{
	double half = history_half(point);
	char text[FIGURE_SIZE];

	if (!history_has_interval(point))
		snprintf(text, sizeof(text), "n=%zu", (size_t)point->n);
	else if (!isfinite(half))
		return;
	else
		figure_half(half, text);
	grid_set(b, row, column, text);
}

static void put_graph(struct grid_build *b, size_t row, size_t column,
		      const struct history_trend *trend, bool utf8)
{
	double *logs = calloc(trend->count + 1, sizeof(*logs));
	size_t *breaks = calloc(trend->steps.count + 1, sizeof(*breaks));
	char *line = NULL;

	for (size_t i = 0; logs && i < trend->count; i++)
		logs[i] = log(trend->points[i].kb_per_s);
	for (size_t i = 0; breaks && i < trend->steps.count; i++)
		breaks[i] = trend->steps.items[i].at;
	if (logs && breaks)
		line = graph_line(logs, trend->count, breaks,
				  trend->steps.count, GRAPH_WIDTH, utf8);
	if (line)
		grid_set(b, row, column, line);
	else
		b->failed = true;
	free(logs);
	free(breaks);
	free(line);
}

static const char *confidence_title(bool utf8)
{
	return utf8 ? "\xc2\xb1"
		      "95%"
		    : "+-95%";
}

static void rate_title(const struct figure_unit *unit, char out[32])
{
	snprintf(out, 32, "%s/Sec", unit->name);
}

/* What a row is known by. */
static size_t put_names(struct grid_build *b, size_t row,
			const struct history *history,
			const struct history_trend *trend,
			const struct showing *shown)
{
	size_t column = 0;

	for (size_t i = 0; i < NAMES; i++) {
		char *settings;

		if (!shown->names[i])
			continue;
		if (names[i].dimension != DATASET_SETTINGS) {
			grid_set(b, row, column++,
				 name_of(trend, names[i].dimension));
			continue;
		}
		settings = history_settings(history, trend);
		if (settings)
			grid_set(b, row, column++, settings);
		else
			b->failed = true;
		free(settings);
	}
	return column;
}

static void add_trend(struct grid_build *b, const struct history *history,
		      const struct history_trend *trend,
		      const struct showing *shown,
		      const struct render_view *view)
{
	const struct history_point *newest = &trend->points[trend->count - 1];
	const char op[2] = { trend->op, '\0' };
	size_t row = grid_add_row(b), column;

	column = put_names(b, row, history, trend, shown);
	grid_set(b, row, column++, op);
	put_number(b, row, column++, trend->count);
	put_rate(b, row, column++, newest->kb_per_s, shown->unit);
	put_half(b, row, column++, newest);
	put_change(b, row, column++, newest->change);
	if (shown->base)
		put_change(b, row, column++, newest->base_change);
	put_graph(b, row, column, trend, view->utf8);
}

bool history_grid(const struct history *history, const struct render_view *view,
		  struct grid *grid, struct err *err)
{
	const struct figure_unit *unit =
		figure_unit(view->unit ? view->unit : "KB", err);
	struct grid_build b = { grid, false };
	struct showing shown = { .base = any_base(history), .unit = unit };
	char rate[32];

	*grid = (struct grid){ 0 };
	if (!unit)
		return false;
	rate_title(unit, rate);
	for (size_t i = 0; i < NAMES; i++) {
		shown.names[i] = is_shown(history, i);
		/* What tells rows apart that look the same is never cut. */
		if (shown.names[i])
			grid_add_column(&b,
					names[i].dimension == DATASET_SETTINGS
						? GRID_OP
						: GRID_NAME,
					false, 0, names[i].title);
	}
	grid_add_column(&b, GRID_OP, false, 0, "Op");
	grid_add_column(&b, GRID_FIGURE, true, 0, "Runs");
	grid_add_column(&b, GRID_FIGURE, true, 9, rate);
	grid_add_column(&b, GRID_FIGURE, true, 0, confidence_title(view->utf8));
	grid_add_column(&b, GRID_FIGURE, true, 7, "Change");
	if (shown.base)
		grid_add_column(&b, GRID_FIGURE, true, 0, "Baseline");
	grid_add_column(&b, GRID_FIGURE, false, 0, "Graph");
	for (size_t i = 0; i < history->count && !b.failed; i++)
		add_trend(&b, history, &history->trends[i], &shown, view);
	return grid_finish(&b, err);
}

enum run_column {
	RUN,
	STARTED,
	LABEL,
	DRIVER,
	N,
	RATE,
	HALF,
	CHANGE,
	BASE,
	STEP,
	CACHED,
};

static void make_run_columns(struct grid_build *b, const char *rate, bool utf8)
{
	grid_add_column(b, GRID_OP, true, 0, "Run");
	grid_add_column(b, GRID_OP, false, 0, "Started (UTC)");
	grid_add_column(b, GRID_NAME, false, 0, "Label");
	grid_add_column(b, GRID_NAME, false, 0, "Driver");
	grid_add_column(b, GRID_FIGURE, true, 0, "n");
	grid_add_column(b, GRID_FIGURE, true, 9, rate);
	grid_add_column(b, GRID_FIGURE, true, 0, confidence_title(utf8));
	grid_add_column(b, GRID_FIGURE, true, 7, "Change");
	grid_add_column(b, GRID_FIGURE, true, 0, "Baseline");
	grid_add_column(b, GRID_FIGURE, true, 0, "Step");
	grid_add_column(b, GRID_FIGURE, true, 0, "Cached");
}

/* "2026-11-30 19:05" of "2026-11-30T19:05:47.123Z". */
static void put_started(struct grid_build *b, size_t row, const char *iso)
{
	char text[17];

	snprintf(text, sizeof(text), "%.16s", iso);
	if (strlen(text) > 10)
		text[10] = ' ';
	grid_set(b, row, STARTED, text);
}

static void add_run(struct grid_build *b, const struct history *history,
		    const struct history_trend *trend, size_t i,
		    const struct figure_unit *unit)
{
	const struct history_point *point = &trend->points[i];
	const struct history_run *run = history_run(history, point->run);
	const struct step *step = history_step_at(trend, i);
	size_t row = grid_add_row(b);

	put_number(b, row, RUN, (uint64_t)point->run);
	put_started(b, row, point->started_at);
	grid_set(b, row, LABEL, run ? run->label : "");
	put_number(b, row, N, point->n);
	put_rate(b, row, RATE, point->kb_per_s, unit);
	put_half(b, row, HALF, point);
	put_change(b, row, CHANGE, point->change);
	if (trend->has_base && trend->base.run == point->run)
		grid_set(b, row, BASE, "base");
	else
		put_change(b, row, BASE, point->base_change);
	if (step)
		put_change(b, row, STEP, exp(step->after - step->before));
	if (point->cached > 0)
		put_number(b, row, CACHED, point->cached);
	grid_set(b, row, DRIVER, point->driver);
}

bool history_runs_grid(const struct history *history,
		       const struct history_trend *trend,
		       const struct history_view *view, struct grid *grid,
		       struct err *err)
{
	const char *name = view->view->unit;
	const struct figure_unit *unit = figure_unit(name ? name : "KB", err);
	struct grid_build b = { grid, false };
	size_t from = 0;
	char rate[32];

	*grid = (struct grid){ 0 };
	if (!unit)
		return false;
	rate_title(unit, rate);
	make_run_columns(&b, rate, view->view->utf8);
	if (view->limit > 0 && trend->count > view->limit)
		from = trend->count - view->limit;
	for (size_t i = from; i < trend->count && !b.failed; i++)
		add_run(&b, history, trend, i, unit);
	grid_drop_blank(&b);
	return grid_finish(&b, err);
}

char *history_title(const struct history *history,
		    const struct history_trend *trend)
{
	char *settings = history_settings(history, trend), *text = NULL;
	size_t size;
	FILE *out = settings ? open_memstream(&text, &size) : NULL;

	if (!out) {
		free(settings);
		return NULL;
	}
	for (size_t i = 0; i < NAMES; i++) {
		const char *name = names[i].dimension == DATASET_SETTINGS
					   ? settings
					   : name_of(trend, names[i].dimension);

		if (*name)
			fprintf(out, "%s ", name);
	}
	fputc(trend->op, out);
	free(settings);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
