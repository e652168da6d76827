/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choices - the different values that there are, for the message to somebody
 * who asked for one that there is not. It knows nothing of what they are of.
 */
#ifndef REPORTS_CHOICES_H
#define REPORTS_CHOICES_H

#include <stdbool.h>
#include <stddef.h>

enum { CHOICES_MAX = 10 }; /* more are "..." */

/* Begins as { 0 }; choices_done() frees what is in it. */
struct choices {
	char *values[CHOICES_MAX]; /* owned; different ones */
	size_t count;
	bool more; /* or no memory: then no more are taken */
};

void choices_add(struct choices *choices, const char *value);
/* "a, b, ..."; an empty one is "(none)". The caller's; NULL: no memory. */
char *choices_text(const struct choices *choices, const char *between);
void choices_done(struct choices *choices);

#endif
