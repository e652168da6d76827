/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "reports/alike.h"
#include "reports/figure.h"
#include "reports/render_private.h"

enum { PAIRS_MAX = 10 }; /* of a filesystem and a volume, told */

/* In the article a drive is a filesystem: the volume needs its other name. */
static const char *heading_title(enum dataset_dimension dimension)
{
	return dimension == DATASET_VOLUME ? "Volume" : grid_title(dimension);
}

/* "Volume scratch, Workload seq": which of several tables this is. */
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

		fprintf(line, "%s%s %s", i > 0 ? ", " : "", heading_title(d),
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

/* Whether no row before has the same filesystem on the same volume. */
static bool is_new_pair(const struct comparison *comparison, size_t row)
{
	static const enum dataset_dimension pair[] = { DATASET_FILESYSTEM,
						       DATASET_VOLUME };

	for (size_t i = 0; i < row; i++) {
		if (alike_names(comparison->rows[i].names,
				comparison->rows[row].names, pair, 2) == 0)
			return false;
	}
	return true;
}

/* "FAT on C, NTFS on D (seq) R": the rows that have one of `flags`; owned. */
static char *flagged_rows(const struct comparison *comparison,
			  unsigned int flags)
{
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return NULL;
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		const char *const *names = row->names;

		if (!(row->flags & flags))
			continue;
		fprintf(list, "%s%s on %s", count++ > 0 ? ", " : "",
			names[DATASET_FILESYSTEM], names[DATASET_VOLUME]);
		if (*names[DATASET_WORKLOAD])
			fprintf(list, " (%s)", names[DATASET_WORKLOAD]);
		fprintf(list, " %c", row->op);
	}
	if (fclose(list) == 0)
		return text;
	free(text);
	return NULL;
}

/* There is no column for letters: the rows they are of are named. */
static bool say_flagged(const struct comparison *comparison,
			struct compare_lines *lines)
{
	for (size_t i = 0; i < RENDER_FLAGS; i++) {
		char *rows = flagged_rows(comparison, 1u << i);
		bool ok = rows &&
			  (!*rows ||
			   compare_lines_add(lines, "%s: %s",
					     render_flag_words[i] + 2, rows));

		free(rows);
		if (!ok)
			return false;
	}
	return true;
}

static bool volumes_differ(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->apart_count; i++)
		if (comparison->apart[i] == DATASET_VOLUME)
			return false;
	for (size_t i = 1; i < comparison->count; i++)
		if (comparison->rows[i].names[DATASET_VOLUME] !=
		    comparison->rows[0].names[DATASET_VOLUME])
			return true;
	return false;
}

/* Which filesystem is where, if volumes differ inside a table. */
static bool say_volumes(const struct comparison *comparison,
			struct compare_lines *lines)
{
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *list;
	bool ok;

	if (!volumes_differ(comparison))
		return true;
	list = open_memstream(&text, &size);
	if (!list)
		return false;
	/* with few to look back at, no row takes long */
	for (size_t i = 0; count <= PAIRS_MAX && i < comparison->count; i++) {
		const char *const *names = comparison->rows[i].names;

		if (!is_new_pair(comparison, i))
			continue;
		if (count++ < PAIRS_MAX)
			fprintf(list, "%s%s on %s", count > 1 ? ", " : "",
				names[DATASET_FILESYSTEM],
				names[DATASET_VOLUME]);
		else
			fputs(", ...", list);
	}
	ok = fclose(list) == 0 &&
	     compare_lines_add(lines, "Drive is the filesystem: %s", text);
	free(text);
	return ok;
}

/* What the four columns cannot show; nothing of the article's own table. */
static bool print_caveats(const struct comparison *comparison,
			  const struct render_view *view, FILE *out,
			  struct err *err)
{
	struct compare_lines lines = { 0 };
	bool ok = (say_volumes(comparison, &lines) &&
		   say_flagged(comparison, &lines)) ||
		  err_nomem(err);

	ok = ok && render_lines(&lines, view, out, err) &&
	     render_lines(&comparison->notes, view, out, err);
	compare_lines_done(&lines);
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
	const struct figure_unit *unit =
		figure_unit(view->unit ? view->unit : "KB", err);
	bool ok;

	if (!unit)
		return false;
	ok = print_tables(comparison, view, out, err);
	if (ok && comparison->apart_count > 0 && comparison->count > 0)
		fputc('\n', out);
	ok = ok && render_lines(&comparison->sentences, view, out, err) &&
	     render_lines(&comparison->untested, view, out, err);
	if (!ok || comparison->count == 0)
		return ok;
	fprintf(out, "%s = %.0f bytes\n", unit->name, unit->bytes);
	return print_caveats(comparison, view, out, err);
}

const struct render render_classic = { .name = "classic",
				       .print = print_classic };
