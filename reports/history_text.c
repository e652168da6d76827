/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "reports/history_private.h"
#include "reports/render_private.h"

const struct history_format *history_format_find(const char *name,
						 struct err *err)
{
	static const struct history_format *const formats[] = {
		&history_text, &history_md,   &history_csv,
		&history_json, &history_html, NULL,
	};
	const struct history_format *const *format = formats;

	while (*format && strcmp((*format)->name, name) != 0)
		format++;
	if (*format)
		return *format;
	err_set(err, ERR_INPUT,
		"no format %s; there are text, md, csv, json and html", name);
	return NULL;
}

static bool say(const struct compare_lines *lines,
		const struct history_view *view, FILE *out, struct err *err)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (!render_prose(lines->items[i], view->view, out, err))
			return false;
	}
	return true;
}

static bool print_grid(struct grid *grid, const struct history_view *view,
		       bool repeated, FILE *out, struct err *err)
{
	const struct render_style style = { .repeated = repeated };
	bool ok = render_table(grid, view->view, &style, out, err);

	grid_done(grid);
	return ok;
}

static bool print_runs(const struct history *history,
		       const struct history_trend *trend,
		       const struct history_view *view, FILE *out,
		       struct err *err)
{
	struct grid grid;
	char *title = history_title(history, trend);
	bool ok = title || err_nomem(err);

	fputc('\n', out);
	ok = ok && render_prose(title, view->view, out, err) &&
	     history_runs_grid(history, trend, view, &grid, err) &&
	     print_grid(&grid, view, true, out, err);
	free(title);
	return ok;
}

static bool print_text(const struct history *history,
		       const struct history_view *view, FILE *out,
		       struct err *err)
{
	struct history_lines lines;
	struct grid grid;
	bool ok;

	if (!history_grid(history, view->view, &grid, err) ||
	    !print_grid(&grid, view, false, out, err) ||
	    !history_words(history, view, &lines, err))
		return false;
	ok = say(&lines.legend, view, out, err) &&
	     say(&lines.steps, view, out, err);
	for (size_t i = 0; ok && view->runs && i < history->count; i++)
		ok = print_runs(history, &history->trends[i], view, out, err);
	history_lines_done(&lines);
	return ok;
}

const struct history_format history_text = { .name = "text",
					     .print = print_text };

static bool md_grid(struct grid *grid, FILE *out)
{
	bool ok = render_md_table(grid, out);

	grid_done(grid);
	return ok;
}

static bool md_runs(const struct history *history,
		    const struct history_trend *trend,
		    const struct history_view *view, FILE *out, struct err *err)
{
	struct compare_lines heading = { 0 };
	struct grid grid;
	char *title = history_title(history, trend);
	bool ok = (title && compare_lines_add(&heading, "%s", title) &&
		   render_md_lines(&heading, "### ", out)) ||
		  err_nomem(err);

	fputc('\n', out);
	ok = ok && history_runs_grid(history, trend, view, &grid, err) &&
	     (md_grid(&grid, out) || err_nomem(err));
	compare_lines_done(&heading);
	free(title);
	return ok;
}

static bool print_md(const struct history *history,
		     const struct history_view *view, FILE *out,
		     struct err *err)
{
	struct history_lines lines;
	struct grid grid;
	bool ok;

	if (!history_grid(history, view->view, &grid, err) ||
	    (!md_grid(&grid, out) && !err_nomem(err)) ||
	    !history_words(history, view, &lines, err))
		return false;
	ok = (render_md_lines(&lines.legend, "- ", out) &&
	      render_md_lines(&lines.steps, "- ", out)) ||
	     err_nomem(err);
	for (size_t i = 0; ok && view->runs && i < history->count; i++)
		ok = md_runs(history, &history->trends[i], view, out, err);
	history_lines_done(&lines);
	return ok;
}

const struct history_format history_md = { .name = "md", .print = print_md };
