/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
#include "reports/history_private.h"

enum { MOVES_MAX = 3 }; /* of one thing that are told */

/* What of a site is told when it is not as it was, and of what. */
struct aspect {
	enum dataset_dimension of;
	const char *what, *verb;
	bool (*differs)(const struct site *a, const struct site *b);
	void (*put)(const struct site *site, FILE *out);
};

static const struct aspect aspects[] = {
	{ DATASET_VOLUME, "Volume", "lies elsewhere", site_is_elsewhere,
	  site_put_place },
	{ DATASET_FILESYSTEM, "Filesystem", "is made otherwise",
	  site_is_made_otherwise, site_put_making },
};

/* That it was otherwise in a run than in the one before. */
struct move {
	size_t first; /* of the trends that are of it */
	const struct history_point *from, *to;
};

struct moves {
	const struct aspect *aspect;
	const struct history *history;
	struct move *items; /* owned */
	size_t count, room;
};

static int by_machine_and_name(const void *a, const void *b, void *ctx)
{
	const struct moves *moves = ctx;
	const struct history_trend *trends = moves->history->trends;
	const struct history_trend *x = &trends[*(const size_t *)a];
	const struct history_trend *y = &trends[*(const size_t *)b];
	enum dataset_dimension of = moves->aspect->of;
	int order = alike_pointers(x->machine, y->machine);

	return order ? order : alike_pointers(x->names[of], y->names[of]);
}

static int by_time(const void *a, const void *b)
{
	const struct move *x = a, *y = b;
	int order = (x->first > y->first) - (x->first < y->first);

	if (order == 0)
		order = strcmp(x->to->started_at, y->to->started_at);
	return order ? order
		     : (x->to->run > y->to->run) - (x->to->run < y->to->run);
}

static bool add_move(struct moves *moves, size_t first,
		     const struct history_point *from,
		     const struct history_point *to)
{
	size_t room = moves->room ? 2 * moves->room : 8;
	struct move *items;

	if (!from || !from->site || !to->site ||
	    !moves->aspect->differs(from->site, to->site))
		return true;
	if (moves->count == moves->room) {
		items = reallocarray(moves->items, room, sizeof(*items));
		if (!items)
			return false;
		moves->items = items;
		moves->room = room;
	}
	moves->items[moves->count++] = (struct move){ first, from, to };
	return true;
}

/* From the base on, if it is before all that are shown. */
static bool find_moves(struct moves *moves, const struct history_trend *trend,
		       size_t first)
{
	const struct history_point *last = NULL;
	bool ok = true;

	if (trend->has_base && trend->count > 0 &&
	    strcmp(trend->base.started_at, trend->points[0].started_at) < 0)
		last = &trend->base;
	for (size_t k = 0; ok && k < trend->count; k++) {
		if (!trend->points[k].site) /* was not asked for */
			continue;
		ok = add_move(moves, first, last, &trend->points[k]);
		last = &trend->points[k];
	}
	return ok;
}

/* Another cell may have told the same already. */
static size_t drop_repeated(const struct aspect *aspect, struct move *moves,
			    size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || aspect->differs(moves[kept - 1].to->site,
						 moves[i].to->site))
			moves[kept++] = moves[i];
	}
	return kept;
}

static void put_moves(FILE *out, const struct aspect *aspect,
		      const struct history_trend *trend,
		      const struct move *moves, size_t count)
{
	const char *host = trend->names[DATASET_HOST];
	size_t first = count > MOVES_MAX ? count - MOVES_MAX : 0;

	fprintf(out, "%s %s%s%s %s", aspect->what, trend->names[aspect->of],
		*host ? " of " : "", host, aspect->verb);
	for (size_t i = first; i < count; i++) {
		const struct history_point *to = moves[i].to;

		fprintf(out, "%s since run %" PRId64 " of %.10s: ",
			i > first ? "," : "", to->run, to->started_at);
		aspect->put(to->site, out);
	}
	fputs(first > 0 ? "; at first: " : "; before: ", out);
	aspect->put(moves[0].from->site, out);
	if (first > 0)
		fprintf(out, ", and %zu more in between", first);
}

static bool say_moves(const struct moves *all, struct move *moves, size_t count,
		      struct compare_lines *lines)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		return false;
	put_moves(out, all->aspect, &all->history->trends[moves->first], moves,
		  drop_repeated(all->aspect, moves, count));
	ok = fclose(out) == 0 && compare_lines_add(lines, "%s", text);
	free(text);
	return ok;
}

static bool tell(const struct history *history, const struct aspect *aspect,
		 struct compare_lines *lines)
{
	struct moves moves = { .aspect = aspect, .history = history };
	size_t *firsts =
		alike_firsts(history->count, by_machine_and_name, &moves);
	bool ok = firsts;

	for (size_t i = 0; ok && i < history->count; i++)
		ok = find_moves(&moves, &history->trends[i], firsts[i]);
	if (moves.count > 0)
		qsort(moves.items, moves.count, sizeof(*moves.items), by_time);
	for (size_t i = 0, end; ok && i < moves.count; i = end) {
		for (end = i + 1; end < moves.count; end++) {
			if (moves.items[end].first != moves.items[i].first)
				break;
		}
		ok = say_moves(&moves, &moves.items[i], end - i, lines);
	}
	free(moves.items);
	free(firsts);
	return ok;
}

bool history_sites(const struct history *history, struct compare_lines *lines)
{
	bool ok = true;

	for (size_t i = 0; ok && i < sizeof(aspects) / sizeof(*aspects); i++)
		ok = tell(history, &aspects[i], lines);
	return ok;
}
