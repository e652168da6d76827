/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/render_private.h"

static bool print_text(const struct comparison *comparison,
		       const struct render_view *view, FILE *out,
		       struct err *err)
{
	static const struct render_style style = { .rules = true };
	struct compare_lines legend = { 0 };
	struct grid grid;
	bool ok;

	if (!grid_make(comparison, view, &grid, err))
		return false;
	ok = render_legend(comparison, view, &legend, err) &&
	     render_table(&grid, view, &style, out, err) &&
	     render_lines(&legend, view, out, err) &&
	     render_lines(&comparison->notes, view, out, err) &&
	     render_lines(&comparison->sentences, view, out, err) &&
	     render_lines(&comparison->fleet, view, out, err);
	compare_lines_done(&legend);
	grid_done(&grid);
	return ok;
}

const struct render render_text = { .name = "text", .print = print_text };
