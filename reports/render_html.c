/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/render_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page.h"
#include "reports/render_private.h"

/* The script of this page alone. */
extern const struct embed render_html_files[];

bool render_html_lines(const struct compare_lines *lines, const char *class,
		       FILE *out)
{
	if (lines->count == 0)
		return true;
	fprintf(out, "<ul class=\"%s\">\n", class);
	for (size_t i = 0; i < lines->count; i++) {
		fputs("<li>", out);
		if (!page_text(lines->items[i], out))
			return false;
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
	return true;
}

static bool put_findings(const struct comparison *comparison, FILE *out)
{
	fputs("<section>\n<h2>Findings</h2>\n", out);
	if (comparison->count == 0)
		fputs("<p>Nothing changed significantly.</p>\n", out);
	else if (comparison->sentences.count == 0 &&
		 comparison->fleet.count == 0)
		fputs("<p>None: nothing was tested.</p>\n", out);
	if (!render_html_lines(&comparison->sentences, "findings", out) ||
	    !render_html_lines(&comparison->fleet, "fleet", out) ||
	    !render_html_lines(&comparison->warnings, "warnings", out))
		return false;
	fputs("</section>\n", out);
	return true;
}

static bool put_comparison(const struct comparison *comparison,
			   const struct render_view *view, FILE *out,
			   struct err *err)
{
	struct compare_lines legend = { 0 };
	struct grid grid;
	bool ok;

	if (!grid_make(comparison, view, &grid, err))
		return false;
	fputs("<section>\n<h2>Comparison</h2>\n", out);
	ok = render_legend(comparison, view, &legend, err) &&
	     ((render_html_table(comparison, &grid, out) &&
	       render_html_lines(&legend, "legend", out) &&
	       render_html_lines(&comparison->notes, "notes", out)) ||
	      err_nomem(err));
	fputs("</section>\n", out);
	compare_lines_done(&legend);
	grid_done(&grid);
	return ok;
}

/* The scripts fill it. */
static void put_charts(const struct comparison *comparison, FILE *out)
{
	if (comparison->count == 0)
		return;
	fputs("<section id=\"charts\">\n<h2>Charts</h2>\n"
	      "<noscript><p>The charts are drawn by JavaScript, which is "
	      "switched off. The tables have their figures.</p></noscript>\n"
	      "</section>\n",
	      out);
}

/* "fat-vs-ntfs", or "fat-vs-ntfs and 2 more"; NULL: out of memory. */
static char *title_of(const struct dataset *data)
{
	const char *first = NULL;
	size_t others = 0;
	char *title;

	for (size_t i = 0; i < data->run_count; i++) {
		const char *matrix = data->runs[i].matrix;
		bool known = !*matrix;

		for (size_t j = 0; !known && j < i; j++)
			known = data->runs[j].matrix == matrix;
		if (known)
			continue;
		others += first != NULL;
		first = first ? first : matrix;
	}
	first = first ? first : "Comparison";
	if (others == 0)
		return strdup(first);
	return asprintf(&title, "%s and %zu more", first, others) < 0 ? NULL
								      : title;
}

static bool put_header(const char *title, FILE *out)
{
	fputs("<header>\n<p>fsmatrix: filesystems compared</p>\n<h1>", out);
	if (!page_text(title, out))
		return false;
	fputs("</h1>\n</header>\n", out);
	return true;
}

static bool put_body(const struct comparison *comparison,
		     const struct render_view *view, FILE *out, struct err *err)
{
	if (!put_findings(comparison, out))
		return err_nomem(err);
	if (!put_comparison(comparison, view, out, err))
		return false;
	put_charts(comparison, out);
	return (render_html_runs(comparison->data, out) &&
		render_html_data(comparison, view, out, err)) ||
	       err_nomem(err);
}

static bool print_html(const struct comparison *comparison,
		       const struct render_view *view, FILE *out,
		       struct err *err)
{
	/* The file says its encoding, whatever the terminal's is. */
	struct render_view page = { .utf8 = true,
				    .proportional = true,
				    .unit = view->unit };
	char *title = title_of(comparison->data);
	bool ok;

	ok = (title && page_begin(title, render_html_files, out) &&
	      put_header(title, out)) ||
	     err_nomem(err);
	ok = ok && put_body(comparison, &page, out, err);
	if (ok)
		page_end(render_html_files, out);
	free(title);
	return ok;
}

const struct render render_html = { .name = "html",
				    .detailed = true,
				    .print = print_html };
