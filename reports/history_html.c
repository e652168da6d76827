/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/figure.h"
#include "reports/history_private.h"
#include "reports/page.h"
#include "reports/render_html.h"

enum { DIGITS = 15 }; /* as in JSON */

/* The script of this page alone. */
extern const struct embed history_html_files[];

static bool put_cell(const struct grid *grid, size_t column, const char *text,
		     const char *scope, FILE *out)
{
	const char *class = grid->columns[column].right ? " class=n" : "";

	if (scope)
		fprintf(out, "<th scope=%s%s>", scope, class);
	else
		fprintf(out, "<td%s>", class);
	if (!page_text(text, out))
		return false;
	fputs(scope ? "</th>" : "</td>", out);
	return true;
}

static bool put_titles(const struct grid *grid, FILE *out)
{
	fputs("<thead>\n<tr>", out);
	for (size_t j = 0; j < grid->column_count; j++) {
		if (!put_cell(grid, j, grid->columns[j].title, "col", out))
			return false;
	}
	fputs("</tr>\n</thead>\n<tbody>\n", out);
	return true;
}

static bool put_rows(const struct grid *grid, FILE *out)
{
	for (size_t i = 0; i < grid->row_count; i++) {
		fputs("<tr>", out);
		for (size_t j = 0; j < grid->column_count; j++) {
			bool name = grid->columns[j].kind == GRID_NAME;

			if (!put_cell(grid, j, grid->rows[i].cells[j],
				      name ? "row" : NULL, out))
				return false;
		}
		fputs("</tr>\n", out);
	}
	return true;
}

static bool put_table(const struct grid *grid, FILE *out)
{
	fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	      "aria-labelledby=\"trends\">\n<table class=\"trends\">\n"
	      "<caption id=\"trends\">The newest run of each cell. W: write, "
	      "R: read.</caption>\n",
	      out);
	if (!put_titles(grid, out) || !put_rows(grid, out))
		return false;
	fputs("</tbody>\n</table>\n</div>\n", out);
	return true;
}

static bool put_cells(const struct history *history,
		      const struct render_view *view,
		      const struct compare_lines *legend, FILE *out,
		      struct err *err)
{
	struct grid grid;
	bool ok;

	if (!history_grid(history, view, &grid, err))
		return false;
	fputs("<section>\n<h2>Cells</h2>\n", out);
	ok = put_table(&grid, out) && render_html_lines(legend, "legend", out);
	fputs("</section>\n", out);
	grid_done(&grid);
	return ok || err_nomem(err);
}

static void put_number(double value, FILE *out)
{
	fputc(',', out);
	page_data_number(value, DIGITS, out);
}

static bool put_text(const char *text, FILE *out)
{
	fputc(',', out);
	return page_data_text(text, out);
}

/* [run, started, n, KB/s, least, most, half, change, change to base, cached,
 * label, driver, OS] */
static bool put_point(const struct history *history,
		      const struct history_point *point, FILE *out)
{
	const struct history_run *run = history_run(history, point->run);

	fprintf(out, "[%" PRId64 ",", point->run);
	if (!page_data_text(point->started_at, out))
		return false;
	fprintf(out, ",%zu", point->n);
	put_number(point->kb_per_s, out);
	put_number(point->min_kb_per_s, out);
	put_number(point->max_kb_per_s, out);
	put_number(history_half(point) * 100, out);
	put_number(figure_percent(point->change), out);
	put_number(figure_percent(point->base_change), out);
	fprintf(out, ",%zu", point->cached);
	if (!put_text(run ? run->label : "", out) ||
	    !put_text(point->driver, out) || !put_text(run ? run->os : "", out))
		return false;
	fputc(']', out);
	return true;
}

/* [number of the point, KB/s before, after, change, p] */
static void put_step(const struct step *step, FILE *out)
{
	fprintf(out, "[%zu", step->at);
	put_number(history_before(step), out);
	put_number(history_after(step), out);
	put_number(figure_percent(exp(step->after - step->before)), out);
	put_number(step->p, out);
	fputc(']', out);
}

static bool put_trend(const struct history *history,
		      const struct history_trend *trend, FILE *out)
{
	char *title = history_title(history, trend);
	bool ok = title;

	fprintf(out, "{\"op\":\"%c\",\"title\":", trend->op);
	ok = ok && page_data_text(title, out);
	fputs(",\"base\":", out);
	if (trend->has_base) {
		fprintf(out, "[%" PRId64, trend->base.run);
		put_number(trend->base.kb_per_s, out);
		fputc(']', out);
	} else {
		fputs("null", out);
	}
	fputs(",\"points\":[", out);
	for (size_t i = 0; ok && i < trend->count; i++) {
		fputs(i > 0 ? ",\n" : "", out);
		ok = put_point(history, &trend->points[i], out);
	}
	fputs("],\"steps\":[", out);
	for (size_t i = 0; i < trend->steps.count; i++) {
		fputs(i > 0 ? "," : "", out);
		put_step(&trend->steps.items[i], out);
	}
	fputs("]}", out);
	free(title);
	return ok;
}

static bool put_data(const struct history *history,
		     const struct figure_unit *unit, FILE *out)
{
	bool ok = true;

	page_data_begin(out);
	fprintf(out,
		"{\"format\":1,\"unit\":\"%s\",\"unit_bytes\":%.0f,"
		"\"trends\":[\n",
		unit->name, unit->bytes);
	for (size_t i = 0; ok && i < history->count; i++) {
		fputs(i > 0 ? ",\n" : "", out);
		ok = put_trend(history, &history->trends[i], out);
	}
	fputs("]}", out);
	page_data_end(out);
	return ok;
}

static bool put_body(const struct history *history,
		     const struct render_view *view,
		     const struct figure_unit *unit,
		     const struct history_lines *lines, FILE *out,
		     struct err *err)
{
	fputs("<header>\n<p>fsmatrix: rates over runs</p>\n<h1>History</h1>\n"
	      "</header>\n<section>\n<h2>Steps</h2>\n",
	      out);
	if (!render_html_lines(&lines->steps, "findings", out))
		return err_nomem(err);
	fputs("</section>\n", out);
	if (!put_cells(history, view, &lines->legend, out, err))
		return false;
	/* The scripts fill it. */
	fputs("<section id=\"charts\">\n<h2>Charts</h2>\n"
	      "<noscript><p>The charts are drawn by JavaScript, which is "
	      "switched off. The table has the newest figures.</p></noscript>\n"
	      "</section>\n",
	      out);
	return put_data(history, unit, out) || err_nomem(err);
}

static bool print_html(const struct history *history,
		       const struct history_view *view, FILE *out,
		       struct err *err)
{
	/* The file says its encoding, whatever the terminal's is. */
	struct render_view page = { .utf8 = true,
				    .proportional = true,
				    .unit = view->view->unit };
	const struct history_view words = { .view = &page };
	const struct figure_unit *unit =
		figure_unit(page.unit ? page.unit : "KB", err);
	struct history_lines lines;
	bool ok;

	if (!unit || !history_words(history, &words, &lines, err))
		return false;
	ok = (page_begin("History", history_html_files, out) ||
	      err_nomem(err)) &&
	     put_body(history, &page, unit, &lines, out, err);
	if (ok)
		page_end(history_html_files, out);
	history_lines_done(&lines);
	return ok;
}

const struct history_format history_html = { .name = "html",
					     .all_runs = true,
					     .print = print_html };
