/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/figure.h"
#include "reports/render_private.h"

/*
 * The table of the article that this program descends from: one line a phase,
 * four columns, and below it what was found, in words.
 */
static bool print_classic(const struct comparison *comparison,
			  const struct render_view *view, FILE *out,
			  struct err *err)
{
	static const struct render_style style = { .by_cell = true };
	const struct compare_lines *const all[] = { &comparison->sentences,
						    &comparison->untested };
	const struct figure_unit *unit =
		figure_unit(view->unit ? view->unit : "KB", err);
	struct grid grid;
	bool ok;

	if (!unit || !grid_make_article(comparison, view, &grid, err))
		return false;
	ok = render_table(&grid, view, &style, out, err);
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; ok && j < all[i]->count; j++)
			ok = render_prose(all[i]->items[j], view, out, err);
	}
	if (ok)
		fprintf(out, "%s = %.0f bytes\n", unit->name, unit->bytes);
	grid_done(&grid);
	return ok;
}

const struct render render_classic = { .name = "classic",
				       .print = print_classic };
