/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
#include "reports/history_private.h"

enum { MOVES_MAX = 3 }; /* of a volume that are told */

/* That a volume lay elsewhere in a run than in the one before. */
struct move {
	size_t volume; /* the first trend that is of it */
	const struct history_point *from, *to;
};

struct moves {
	struct move *items; /* owned */
	size_t count, room;
};

static int by_volume(const void *a, const void *b, void *ctx)
{
	const struct history *const *of = ctx, *history = *of;
	const struct history_trend *x = &history->trends[*(const size_t *)a];
	const struct history_trend *y = &history->trends[*(const size_t *)b];
	int order = alike_pointers(x->machine, y->machine);

	return order ? order
		     : alike_pointers(x->names[DATASET_VOLUME],
				      y->names[DATASET_VOLUME]);
}

static int by_time(const void *a, const void *b)
{
	const struct move *x = a, *y = b;
	int order = (x->volume > y->volume) - (x->volume < y->volume);

	if (order == 0)
		order = strcmp(x->to->started_at, y->to->started_at);
	return order ? order
		     : (x->to->run > y->to->run) - (x->to->run < y->to->run);
}

static bool add_move(struct moves *moves, size_t volume,
		     const struct history_point *from,
		     const struct history_point *to)
{
	size_t room = moves->room ? 2 * moves->room : 8;
	struct move *items;

	if (!from || !from->place || !to->place ||
	    !place_differs(from->place, to->place))
		return true;
	if (moves->count == moves->room) {
		items = reallocarray(moves->items, room, sizeof(*items));
		if (!items)
			return false;
		moves->items = items;
		moves->room = room;
	}
	moves->items[moves->count++] = (struct move){ volume, from, to };
	return true;
}

/* From the base on, if it is before all that are shown. */
static bool find_moves(struct moves *moves, const struct history_trend *trend,
		       size_t volume)
{
	const struct history_point *last = NULL;
	bool ok = true;

	if (trend->has_base && trend->count > 0 &&
	    strcmp(trend->base.started_at, trend->points[0].started_at) < 0)
		last = &trend->base;
	for (size_t k = 0; ok && k < trend->count; k++) {
		ok = add_move(moves, volume, last, &trend->points[k]);
		last = &trend->points[k];
	}
	return ok;
}

/* Another cell of the volume may have told it already. */
static size_t drop_repeated(struct move *moves, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || place_differs(moves[kept - 1].to->place,
					       moves[i].to->place))
			moves[kept++] = moves[i];
	}
	return kept;
}

static void put_moves(FILE *out, const struct history_trend *trend,
		      const struct move *moves, size_t count)
{
	const char *host = trend->names[DATASET_HOST];
	size_t first = count > MOVES_MAX ? count - MOVES_MAX : 0;

	fprintf(out, "Volume %s%s%s lies elsewhere",
		trend->names[DATASET_VOLUME], *host ? " of " : "", host);
	for (size_t i = first; i < count; i++) {
		const struct history_point *to = moves[i].to;

		fprintf(out, "%s since run %" PRId64 " of %.10s: ",
			i > first ? "," : "", to->run, to->started_at);
		place_put(to->place, out);
	}
	fputs(first > 0 ? "; at first: " : "; before: ", out);
	place_put(moves[0].from->place, out);
	if (first > 0)
		fprintf(out, ", and %zu more in between", first);
}

static bool say_moves(const struct history *history, struct move *moves,
		      size_t count, struct compare_lines *lines)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		return false;
	put_moves(out, &history->trends[moves->volume], moves,
		  drop_repeated(moves, count));
	ok = fclose(out) == 0 && compare_lines_add(lines, "%s", text);
	free(text);
	return ok;
}

bool history_places(const struct history *history, struct compare_lines *lines)
{
	size_t *firsts = alike_firsts(history->count, by_volume, &history);
	struct moves moves = { 0 };
	bool ok = firsts;

	for (size_t i = 0; ok && i < history->count; i++)
		ok = find_moves(&moves, &history->trends[i], firsts[i]);
	if (moves.count > 0)
		qsort(moves.items, moves.count, sizeof(*moves.items), by_time);
	for (size_t i = 0, end; ok && i < moves.count; i = end) {
		for (end = i + 1; end < moves.count; end++) {
			if (moves.items[end].volume != moves.items[i].volume)
				break;
		}
		ok = say_moves(history, &moves.items[i], end - i, lines);
	}
	free(moves.items);
	free(firsts);
	return ok;
}
