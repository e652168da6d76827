/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "reports/figure.h"
#include "reports/render_private.h"

/* "Drive scratch, Workload seq": which of several tables this is. */
static bool print_heading(const struct comparison *comparison, size_t first,
			  const struct render_view *view, FILE *out,
			  struct err *err)
{
	const char *const *names = comparison->rows[first].names;
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);
	bool ok;

	if (!line)
		return err_nomem(err);
	for (size_t i = 0; i < comparison->apart_count; i++) {
		enum dataset_dimension d = comparison->apart[i];

		fprintf(line, "%s%s %s", i > 0 ? ", " : "", grid_title(d),
			*names[d] ? names[d] : "(none)");
	}
	ok = fclose(line) == 0 || err_nomem(err);
	if (ok && first > 0)
		fputc('\n', out);
	ok = ok && render_prose(text, view, out, err);
	free(text);
	return ok;
}

/* The table of a row and of those that `next` says come after it. */
static bool print_table(const struct comparison *comparison, size_t first,
			const size_t *next, const struct render_view *view,
			FILE *out, struct err *err)
{
	static const struct render_style style = { .by_cell = true };
	struct grid grid;
	bool ok;

	if (comparison->apart_count > 0 &&
	    !print_heading(comparison, first, view, out, err))
		return false;
	if (!grid_make_article(comparison, first, next, view, &grid, err))
		return false;
	ok = render_table(&grid, view, &style, out, err);
	grid_done(&grid);
	return ok;
}

static bool print_tables(const struct comparison *comparison,
			 const struct render_view *view, FILE *out,
			 struct err *err)
{
	size_t *firsts = compare_tables(comparison);
	size_t *next = calloc(comparison->count + 1, sizeof(*next));
	size_t *last = calloc(comparison->count + 1, sizeof(*last));
	bool ok = (firsts && next && last) || err_nomem(err);

	for (size_t i = 0; ok && i < comparison->count; i++) {
		next[i] = COMPARE_NONE;
		if (firsts[i] != i)
			next[last[firsts[i]]] = i;
		last[firsts[i]] = i;
	}
	for (size_t i = 0; ok && i < comparison->count; i++) {
		if (firsts[i] == i)
			ok = print_table(comparison, i, next, view, out, err);
	}
	free(firsts);
	free(next);
	free(last);
	return ok;
}

/*
 * The table of the article that this program descends from: one line a phase,
 * four columns, and below it what was found, in words.
 */
static bool print_classic(const struct comparison *comparison,
			  const struct render_view *view, FILE *out,
			  struct err *err)
{
	const struct compare_lines *const all[] = { &comparison->sentences,
						    &comparison->untested };
	const struct figure_unit *unit =
		figure_unit(view->unit ? view->unit : "KB", err);
	bool ok;

	if (!unit)
		return false;
	ok = print_tables(comparison, view, out, err);
	if (ok && comparison->apart_count > 0 && comparison->count > 0)
		fputc('\n', out);
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; ok && j < all[i]->count; j++)
			ok = render_prose(all[i]->items[j], view, out, err);
	}
	if (ok && comparison->count > 0)
		fprintf(out, "%s = %.0f bytes\n", unit->name, unit->bytes);
	return ok;
}

const struct render render_classic = { .name = "classic",
				       .print = print_classic };
