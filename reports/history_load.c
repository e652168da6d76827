/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/history_load.h"

#include "reports/compare_private.h"
#include "reports/machines.h"
#include "reports/settings.h"
#include "schema/store_history.h"

enum { SITES = 32 }; /* of the newest runs that are looked at */

struct loading {
	struct store *store;
	const struct history_request *request;
	struct history *history;
	struct err *err;
	bool ok;
};

static bool check_filters(const struct compare_options *options,
			  struct err *err)
{
	for (size_t i = 0; i < options->filter_count; i++) {
		const struct compare_filter *filter = &options->filters[i];

		switch (filter->dimension) {
		case DATASET_HOST:
		case DATASET_VOLUME:
		case DATASET_FILESYSTEM:
		case DATASET_WORKLOAD:
		case DATASET_SETTINGS:
			break;
		default:
			if (filter->is_op)
				break;
			return err_set(
				err, ERR_INPUT,
				"a history has no filter by %s; there "
				"are " HISTORY_FILTERS,
				dataset_dimension_name(filter->dimension));
		}
	}
	return true;
}

static bool take_point(void *ctx, const struct record_point *point)
{
	struct loading *l = ctx;

	l->ok = history_add_point(l->history, point, l->err);
	return l->ok;
}

static bool take_base(void *ctx, const struct record_point *point)
{
	struct loading *l = ctx;

	l->ok = history_set_base(l->history, point, l->err);
	return l->ok;
}

/* One without points in the time asked for is as if it were not there. */
static void drop_empty(struct history *history)
{
	if (history->trends[history->count - 1].count == 0)
		history->count--;
}

static bool load_op(struct loading *l, const struct record_trend *trend,
		    char op)
{
	const struct store_points which = {
		.trend = trend->id,
		.op = op,
		.since = l->request->since,
		.last = l->request->last,
	};

	if (!compare_keeps_op(l->request->options, op))
		return true;
	if (!history_add_trend(l->history, trend, op, l->err) ||
	    !store_each_point(l->store, &which, take_point, l, l->err) ||
	    !l->ok ||
	    !store_pinned_point(l->store, trend->id, op, take_base, l,
				l->err) ||
	    !l->ok)
		return false;
	drop_empty(l->history);
	return true;
}

/* A cell with the names of a trend, and room for those that are made. */
struct named {
	struct dataset_cell cell;
	char settings[SETTINGS_SIZE], host[MACHINES_NAME_SIZE];
};

static void name(struct named *named, const struct record_trend *trend)
{
	struct dataset_cell *cell = &named->cell;

	*named = (struct named){ 0 };
	if (trend->settings)
		settings_text(trend->settings, named->settings);
	for (size_t i = 0; i < DATASET_DIMENSIONS; i++)
		cell->names[i] = "";
	cell->host = trend->host ? trend->host : trend->os;
	machines_full_name(cell->host, trend->machine, named->host);
	cell->names[DATASET_HOST] = named->host;
	cell->names[DATASET_VOLUME] = trend->volume;
	cell->names[DATASET_FILESYSTEM] =
		trend->filesystem ? trend->filesystem : "";
	cell->names[DATASET_WORKLOAD] = trend->workload ? trend->workload : "";
	cell->names[DATASET_SETTINGS] = named->settings;
}

static bool take_trend(void *ctx, const struct record_trend *trend)
{
	struct loading *l = ctx;
	struct named named;

	name(&named, trend);
	if (!compare_keeps(l->request->options, &named.cell))
		return true;
	l->ok = load_op(l, trend, 'W') && load_op(l, trend, 'R');
	return l->ok;
}

static bool take_run(void *ctx, const struct record_run_name *name)
{
	struct loading *l = ctx;

	l->ok = history_add_run(l->history, name, l->err);
	return l->ok;
}

static bool need(struct loading *l, int64_t run)
{
	return history_run(l->history, run) ||
	       (store_run_name(l->store, run, take_run, l, l->err) && l->ok);
}

/* Those on both sides of a step, the bases, and those that are shown. */
static bool load_some_runs(struct loading *l)
{
	bool ok = true;

	for (size_t i = 0; ok && i < l->history->count; i++) {
		const struct history_trend *trend = &l->history->trends[i];
		size_t shown = l->request->shown;

		shown = shown < trend->count ? shown : trend->count;
		for (size_t k = 0; ok && k < trend->steps.count; k++) {
			size_t at = trend->steps.items[k].at;

			ok = need(l, trend->points[at].run) &&
			     need(l, trend->points[at - 1].run);
		}
		for (size_t k = trend->count - shown; ok && k < trend->count;
		     k++)
			ok = need(l, trend->points[k].run);
		ok = ok && (!trend->has_base || need(l, trend->base.run));
	}
	return ok;
}

/* Where a point was measured: asked once for all cells of a run there. */
struct placing {
	struct loading *loading;
	const struct history_trend *trend;
	struct history_point *point;
};

static bool take_site(void *ctx, const struct record_site *site)
{
	struct placing *p = ctx;
	struct loading *l = p->loading;

	p->point->site = history_add_site(l->history, p->trend, p->point->run,
					  site, l->err);
	l->ok = p->point->site;
	return l->ok;
}

static bool load_site(struct loading *l, const struct history_trend *trend,
		      struct history_point *point)
{
	struct placing p = { l, trend, point };

	if (!point->site)
		point->site = history_site(l->history, trend, point->run);
	return point->site ||
	       (store_cell_site(l->store, point->cell, take_site, &p, l->err) &&
		l->ok);
}

static bool differ(const struct history_point *a, const struct history_point *b)
{
	return a->site && b->site &&
	       (site_is_elsewhere(a->site, b->site) ||
		site_is_made_otherwise(a->site, b->site));
}

/* The point from which on it is as at `to`, and the one before that. */
static bool find_change(struct loading *l, const struct history_trend *trend,
			size_t from, size_t to)
{
	while (to - from > 1 &&
	       differ(&trend->points[from], &trend->points[to])) {
		size_t middle = from + (to - from) / 2;

		if (!load_site(l, trend, &trend->points[middle]))
			return false;
		if (differ(&trend->points[from], &trend->points[middle]))
			to = middle;
		else
			from = middle;
	}
	return true;
}

/*
 * Of the newest points and the first, of those at steps, and of where it
 * changed between: thousands of runs are not asked one by one.
 */
static bool load_trend_sites(struct loading *l, struct history_trend *trend)
{
	size_t newest = trend->count > SITES ? trend->count - SITES : 0;
	bool ok = !trend->has_base || load_site(l, trend, &trend->base);

	if (trend->count == 0 || (trend->count == 1 && !trend->has_base))
		return true;
	ok = ok && load_site(l, trend, &trend->points[0]);
	for (size_t k = newest; ok && k < trend->count; k++)
		ok = load_site(l, trend, &trend->points[k]);
	for (size_t k = 0; ok && k < trend->steps.count; k++) {
		size_t at = trend->steps.items[k].at;

		ok = load_site(l, trend, &trend->points[at]) &&
		     load_site(l, trend, &trend->points[at - 1]);
	}
	return ok && find_change(l, trend, 0, newest);
}

static bool load_sites(struct loading *l)
{
	bool ok = true;

	for (size_t i = 0; ok && i < l->history->count; i++)
		ok = load_trend_sites(l, &l->history->trends[i]);
	return ok;
}

/* Whether a filter alone keeps a trend, and what it could have asked for. */
struct asking {
	struct compare_options alone;
	struct choices choices;
	bool any;
};

static bool ask_trend(void *ctx, const struct record_trend *trend)
{
	struct asking *asking = ctx;
	const struct compare_filter *filter = asking->alone.filters;
	struct named named;

	name(&named, trend);
	choices_add(&asking->choices, named.cell.names[filter->dimension]);
	asking->any = compare_keeps(&asking->alone, &named.cell);
	return !asking->any;
}

/* False: no cell has what the filter asks for, or that can't be said. */
static bool check_values(struct loading *l, struct compare_filter *filter)
{
	struct asking asking = { .alone.filters = filter,
				 .alone.filter_count = 1 };
	bool ok = store_each_trend(l->store, ask_trend, &asking, l->err);

	if (ok && !asking.any)
		ok = compare_fail_value(filter->dimension, filter->negated,
					filter->values[0], &asking.choices,
					l->err);
	choices_done(&asking.choices);
	return ok;
}

static bool fail_empty(struct loading *l)
{
	const struct compare_options *options = l->request->options;

	for (size_t i = 0; i < options->filter_count; i++) {
		if (!options->filters[i].is_op &&
		    !check_values(l, &options->filters[i]))
			return false;
	}
	if (*l->request->since)
		return err_set(l->err, ERR_INPUT,
			       "no cell%s has a valid sample of %s or later",
			       options->filter_count > 0 ? " that matches" : "",
			       l->request->since);
	return err_set(l->err, ERR_INPUT, "%s",
		       options->filter_count > 0
			       ? "no cell with a valid sample matches"
			       : "no run in it has a valid sample yet");
}

bool history_load(struct store *store, const struct history_request *request,
		  struct history *history, struct err *err)
{
	struct loading l = { store, request, history, err, true };

	if (!check_filters(request->options, err) ||
	    !store_each_trend(store, take_trend, &l, err) || !l.ok)
		return false;
	if (history->count == 0)
		return fail_empty(&l);
	if (!history_name_machines(history, err) ||
	    !history_judge(history, err) || !load_sites(&l))
		return false;
	if (request->all_runs)
		return store_each_run_name(store, take_run, &l, err) && l.ok;
	return load_some_runs(&l);
}
