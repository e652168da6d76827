/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "reports/compare_private.h"

/* The rows `order`, in that order; the others go. Bases are renumbered. */
static bool reorder(struct comparison *out, const size_t *order, size_t count)
{
	struct compare_row *rows = calloc(count + 1, sizeof(*rows));
	size_t *now = malloc((out->count + 1) * sizeof(*now));

	if (!rows || !now) {
		free(rows);
		free(now);
		return false;
	}
	for (size_t i = 0; i < out->count; i++)
		now[i] = COMPARE_NONE;
	for (size_t i = 0; i < count; i++) {
		now[order[i]] = i;
		rows[i] = out->rows[order[i]];
		out->rows[order[i]].status = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].base != COMPARE_NONE)
			rows[i].base = now[rows[i].base];
	}
	for (size_t i = 0; i < out->count; i++)
		free(out->rows[i].status);
	free(out->rows);
	free(now);
	out->rows = rows;
	out->count = count;
	return true;
}

struct sort_key {
	double value; /* NaN: last */
	size_t row;
};

static int by_key(const void *a, const void *b, void *reversed)
{
	const struct sort_key *x = a, *y = b;
	int way = *(const bool *)reversed ? -1 : 1;

	if (isnan(x->value) || isnan(y->value)) {
		if (isnan(x->value) != isnan(y->value))
			return isnan(x->value) ? 1 : -1;
	} else if (x->value != y->value) {
		return way * (x->value < y->value ? 1 : -1);
	}
	return (x->row > y->row) - (x->row < y->row);
}

static double key_of(const struct compare_row *row, size_t at,
		     enum compare_sort sort)
{
	if (sort == COMPARE_BY_CHANGE)
		return row->has_ratio ? row->ratio : NAN;
	if (sort == COMPARE_BY_RATE)
		return row->kb_per_s;
	return -(double)at;
}

/* A table without rows says why it has none. */
static bool say_unchanged(struct comparison *out)
{
	size_t compared = out->compared[0] + out->compared[1];

	if (out->count > 0 || !out->options->only_changed)
		return true;
	out->mean_count = 0;
	compare_lines_done(&out->notes);
	compare_lines_done(&out->sentences);
	compare_lines_done(&out->untested);
	if (out->comparisons == 0)
		return compare_lines_add(&out->sentences,
					 "No row is shown to have changed: "
					 "none could be tested.");
	return compare_lines_add(&out->sentences,
				 "No row is shown: none of %zu changed "
				 "significantly.",
				 compared);
}

bool compare_arrange(struct comparison *out)
{
	const struct compare_options *options = out->options;
	struct sort_key *keys = calloc(out->count + 1, sizeof(*keys));
	size_t *order = calloc(out->count + 1, sizeof(*order));
	bool reversed = options->reversed, ok = false;
	size_t count = 0;

	if (!keys || !order)
		goto out;
	for (size_t i = 0; i < out->count; i++) {
		out->any_left_out |= out->rows[i].left_out;
		if (!out->rows[i].left_out)
			keys[count++] = (struct sort_key){
				key_of(&out->rows[i], i, options->sort), i
			};
	}
	qsort_r(keys, count, sizeof(*keys), by_key, &reversed);
	for (size_t i = 0; i < count; i++)
		order[i] = keys[i].row;
	ok = reorder(out, order, count) && say_unchanged(out);
out:
	free(keys);
	free(order);
	return ok;
}
