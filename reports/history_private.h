/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_private - what the formats of a history share.
 */
#ifndef REPORTS_HISTORY_PRIVATE_H
#define REPORTS_HISTORY_PRIVATE_H

#include "reports/grid.h"
#include "reports/history.h"
#include "reports/history_print.h"

extern const struct history_format history_text, history_md, history_csv,
	history_json, history_html;

/* Every trend in a row, with its graph. */
MUST_USE bool history_grid(const struct history *history,
			   const struct render_view *view, struct grid *grid,
			   struct err *err);
/* Every run of a trend in a row, or the newest of them. */
MUST_USE bool history_runs_grid(const struct history *history,
				const struct history_trend *trend,
				const struct history_view *view,
				struct grid *grid, struct err *err);
/* "alpha disk NTFS seq W"; owned, NULL: out of memory. */
char *history_title(const struct history *history,
		    const struct history_trend *trend);

/*
 * "block 4KiB, depth 8": of a trend's settings what tells it from those that
 * look the same but for that; "" where there is none. Owned; NULL: out of
 * memory.
 */
char *history_settings(const struct history *history,
		       const struct history_trend *trend);
bool history_settings_differ(const struct history *history);

/* What is said below the tables, in words. */
struct history_lines {
	struct compare_lines legend; /* owned; what the columns mean */
	struct compare_lines steps;  /* owned; where levels changed */
};

MUST_USE bool history_words(const struct history *history,
			    const struct history_view *view,
			    struct history_lines *lines, struct err *err);
void history_lines_done(struct history_lines *lines);

/*
 * Which volumes lie elsewhere than before and which filesystems are made
 * otherwise, once for each: a name alone does not make what is measured the
 * same. False when out of memory.
 */
MUST_USE bool history_sites(const struct history *history,
			    struct compare_lines *lines);

/* The step that begins at this point; NULL: none does. */
const struct step *history_step_at(const struct history_trend *trend,
				   size_t point);

/* Rate before and after it, in KB/s. */
double history_before(const struct step *step);
double history_after(const struct step *step);

#endif
