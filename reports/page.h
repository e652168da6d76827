/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page - the frame of an HTML document that is one file: its head with the
 * style, its end with the scripts (Chart.js, what pages share, and the page's
 * own), and the ways by which text and numbers get in between.
 *
 * A policy in the head lets a browser run and apply what is compiled in,
 * known by its hash, and load nothing. Text cannot become markup, neither
 * between tags nor inside the JSON that the scripts read. It refuses to know
 * what a page is about.
 *
 * A failed write shows in ferror(out).
 */
#ifndef REPORTS_PAGE_H
#define REPORTS_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attr.h"
#include "core/embed.h"

/*
 * Everything up to <main>, which is left open. `script` is the page's own; it
 * finds page.js before it. False when out of memory.
 */
MUST_USE bool page_begin(const char *title, const struct embed *script,
			 FILE *out);
/* Closes <main>. */
void page_end(const struct embed *script, FILE *out);

/* Text between tags or in a quoted attribute. False when out of memory. */
MUST_USE bool page_text(const char *text, FILE *out);

/*
 * Between these stands one JSON value, which page.js gives as page.data. Of
 * it the following are parts that cannot end the element they stand in.
 */
void page_data_begin(FILE *out);
void page_data_end(FILE *out);
/* With its quotes; spelt out as page_text() has it. */
MUST_USE bool page_data_text(const char *text, FILE *out);
/* What is not finite is null. */
void page_data_number(double value, int digits, FILE *out);

#endif
