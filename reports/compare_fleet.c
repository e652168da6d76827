/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"
#include "reports/figure.h"
#include "reports/stats.h"

enum {
	NAMES = 3, /* of a cell, as of its base */
	HOSTS_NAMED = 3,
};

static const enum dataset_dimension dimensions[NAMES] = { DATASET_VOLUME,
							  DATASET_FILESYSTEM,
							  DATASET_WORKLOAD };

/* By how much one cell differs from its base, on its machine. */
struct difference {
	const char *own[NAMES], *base[NAMES]; /* interned */
	const char *machine, *host;
	char op;
	size_t cell, first; /* of all with the same names */
	double log;
};

struct differences {
	struct difference *items; /* owned */
	size_t count;
};

static int by_address(const char *a, const char *b)
{
	return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* Of all machines the same. */
static int by_what(const struct difference *x, const struct difference *y)
{
	int order = (x->op > y->op) - (x->op < y->op);

	for (size_t i = 0; i < NAMES && order == 0; i++) {
		order = by_address(x->own[i], y->own[i]);
		if (order == 0)
			order = by_address(x->base[i], y->base[i]);
	}
	return order;
}

static int by_place(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	int order = by_what(x, y);

	return order ? order : by_place(x->cell, y->cell);
}

/* In the order of the cells, and writes before reads. */
static int by_first(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;
	int order = by_place(x->first, y->first);

	if (order == 0)
		order = (x->op == 'R') - (y->op == 'R');
	if (order == 0)
		order = by_what(x, y);
	return order ? order : by_place(x->cell, y->cell);
}

static bool has_machines(const struct compare_work *work)
{
	const char *first = NULL;

	for (size_t i = 0; i < work->data->count; i++) {
		if (work->base_of[i] == COMPARE_NONE)
			continue;
		if (first && work->data->cells[i].machine != first)
			return true;
		first = work->data->cells[i].machine;
	}
	return false;
}

static bool take_cell(const struct compare_work *work, size_t at, char op,
		      struct differences *all)
{
	const struct dataset_cell *cell = &work->data->cells[at];
	const struct dataset_cell *base = &work->data->cells[work->base_of[at]];
	struct difference *d = &all->items[all->count];
	bool known;

	*d = (struct difference){
		.machine = cell->machine,
		.host = *cell->names[DATASET_HOST] ? cell->names[DATASET_HOST]
						   : cell->names[DATASET_OS],
		.op = op,
		.cell = at,
	};
	for (size_t i = 0; i < NAMES; i++) {
		d->own[i] = cell->names[dimensions[i]];
		d->base[i] = base->names[dimensions[i]];
	}
	if (!compare_cell_difference(work, at, op, &d->log, &known))
		return false;
	all->count += known;
	return true;
}

static bool take_all(const struct compare_work *work, struct differences *all)
{
	all->items = calloc(work->data->count * 2 + 1, sizeof(*all->items));
	if (!all->items)
		return false;
	for (size_t i = 0; i < work->data->count; i++) {
		for (size_t op = 0; work->ops[op]; op++) {
			if (work->base_of[i] != COMPARE_NONE &&
			    !take_cell(work, i, work->ops[op], all))
				return false;
		}
	}
	return true;
}

static void sort(struct differences *all)
{
	if (all->count == 0)
		return;
	qsort(all->items, all->count, sizeof(*all->items), by_key);
	for (size_t i = 0; i < all->count; i++) {
		struct difference *d = &all->items[i];

		d->first =
			i > 0 && by_what(d, d - 1) == 0 ? d[-1].first : d->cell;
	}
	qsort(all->items, all->count, sizeof(*all->items), by_first);
}

/* A machine that is there several times (runs) counts once. */
static void take_hosts(struct compare_fleet *fleet, const struct difference *d,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct compare_fleet_host *host = fleet->hosts;
		const struct compare_fleet_host *end = host + fleet->count;

		while (host < end && host->machine != d[i].machine)
			host++;
		if (host == end)
			fleet->hosts[fleet->count++] =
				(struct compare_fleet_host){
					.machine = d[i].machine,
					.name = d[i].host,
				};
		host->log += d[i].log;
		host->cells++;
	}
}

static bool judge(struct compare_fleet *fleet, double alpha)
{
	double *logs = calloc(fleet->count + 1, sizeof(*logs));
	struct stats_test test;

	if (!logs)
		return false;
	for (size_t i = 0; i < fleet->count; i++) {
		struct compare_fleet_host *host = &fleet->hosts[i];

		logs[i] = host->log / (double)host->cells;
		host->ratio = exp(logs[i]);
	}
	test = stats_paired(logs, fleet->count, alpha);
	fleet->ratio = exp(test.difference);
	fleet->tested = test.tested && test.has_interval;
	fleet->low = exp(test.low);
	fleet->high = exp(test.high);
	fleet->p = test.p;
	for (size_t i = 0; i < fleet->count; i++) {
		fleet->hosts[i].disagrees = logs[i] * test.difference < 0;
		fleet->disagree += fleet->hosts[i].disagrees;
	}
	free(logs);
	return true;
}

static bool add_fleet(struct comparison *out, const struct difference *d,
		      size_t count)
{
	struct compare_fleet *fleet = &out->fleets[out->fleet_count];

	*fleet = (struct compare_fleet){
		.op = d->op,
		.hosts = calloc(count, sizeof(*fleet->hosts)),
	};
	if (!fleet->hosts)
		return false;
	for (size_t i = 0; i < NAMES; i++) {
		fleet->names[i] = d->own[i];
		fleet->base_names[i] = d->base[i];
	}
	out->fleet_count++;
	take_hosts(fleet, d, count);
	return judge(fleet, out->options->alpha);
}

static bool add_fleets(struct comparison *out, const struct differences *all)
{
	out->fleets = calloc(all->count + 1, sizeof(*out->fleets));
	if (!out->fleets)
		return false;
	for (size_t i = 0, end; i < all->count; i = end) {
		const struct difference *d = &all->items[i];

		for (end = i + 1; end < all->count; end++) {
			if (by_what(d, &all->items[end]) != 0)
				break;
		}
		if (!add_fleet(out, d, end - i))
			return false;
	}
	return true;
}

/* "ext4 against FAT on disk", as far as the names tell. */
static void put_what(const struct comparison *out,
		     const struct compare_fleet *f, FILE *text)
{
	const char *const *own = f->names, *const *base = f->base_names;

	fputs(*own[1] ? own[1] : own[0], text);
	if (own[1] != base[1] && own[0] == base[0])
		fprintf(text, " against %s", base[1]);
	if (own[0] != base[0])
		fprintf(text, "%s%s against %s", *own[1] ? " on " : "",
			*own[1] ? own[0] : "", base[0]);
	else if (*own[1])
		fprintf(text, " on %s", own[0]);
	if (*own[2])
		fprintf(text, ", %s", own[2]);
	if (own[2] != base[2])
		fprintf(text, " against %s", base[2]);
	if (out->options->has_base && own[0] == base[0] && own[1] == base[1] &&
	    own[2] == base[2])
		fprintf(text, " against %s %s",
			dataset_dimension_name(out->options->base_dimension),
			out->options->base);
}

static void put_disagreeing(const struct compare_fleet *f, FILE *text)
{
	char change[FIGURE_SIZE];
	size_t put = 0;

	for (size_t i = 0; i < f->count && put < HOSTS_NAMED; i++) {
		if (!f->hosts[i].disagrees)
			continue;
		figure_change(f->hosts[i].ratio, change);
		fprintf(text, "%s %s on %s", put ? "," : ", but", change,
			f->hosts[i].name);
		put++;
	}
	if (f->disagree > put)
		fprintf(text, " and %zu others", f->disagree - put);
}

/* "W +12.1% [+9.0, +15.3] over 3 hosts, but -2.0% on beta" */
static void put_ratio(const struct compare_fleet *f, FILE *text)
{
	char change[FIGURE_SIZE], low[FIGURE_SIZE], high[FIGURE_SIZE];

	figure_change(f->ratio, change);
	fprintf(text, "%c %s", f->op, change);
	if (f->count == 1) {
		fprintf(text, " on %s alone", f->hosts[0].name);
		return;
	}
	figure_bound(f->low, low);
	figure_bound(f->high, high);
	if (f->tested)
		fprintf(text, " [%s, %s]", low, high);
	fprintf(text, " over %zu hosts", f->count);
	put_disagreeing(f, text);
	if (!f->tested)
		fprintf(text, " (n=%zu: no test)", f->count);
}

static bool same_cell(const struct compare_fleet *a,
		      const struct compare_fleet *b)
{
	return memcmp(a->names, b->names, sizeof(a->names)) == 0 &&
	       memcmp(a->base_names, b->base_names, sizeof(a->base_names)) == 0;
}

/* Writes and reads of one cell in one line; *at is the next after them. */
static bool say_one(struct comparison *out, size_t *at)
{
	const struct compare_fleet *first = &out->fleets[*at];
	char *line = NULL;
	size_t size;
	FILE *text = open_memstream(&line, &size);
	bool ok;

	if (!text)
		return false;
	put_what(out, first, text);
	for (; *at < out->fleet_count && same_cell(first, &out->fleets[*at]);
	     (*at)++) {
		fputs(&out->fleets[*at] == first ? ": " : "; ", text);
		put_ratio(&out->fleets[*at], text);
	}
	ok = fclose(text) == 0 &&
	     compare_lines_add(&out->fleet, "fleet: %s", line);
	free(line);
	return ok;
}

static bool say(struct comparison *out)
{
	bool ok = out->fleet_count == 0 ||
		  compare_lines_add(
			  &out->fleet,
			  "fleet: geometric means of the hosts' own ratios; "
			  "nothing is compared across hosts");

	for (size_t at = 0; ok && at < out->fleet_count;)
		ok = say_one(out, &at);
	return ok;
}

bool compare_fleet(struct compare_work *work)
{
	struct comparison *out = work->out;
	struct differences all = { 0 };
	bool ok;

	/* That is a comparison of hosts itself. */
	if ((out->has_base && out->base_dimension == DATASET_OS) ||
	    !has_machines(work))
		return true;
	ok = take_all(work, &all);
	if (ok)
		sort(&all);
	ok = ok && add_fleets(out, &all) && say(out);
	free(all.items);
	return ok;
}

void compare_fleet_done(struct comparison *out)
{
	for (size_t i = 0; i < out->fleet_count; i++)
		free(out->fleets[i].hosts);
	free(out->fleets);
	compare_lines_done(&out->fleet);
}
