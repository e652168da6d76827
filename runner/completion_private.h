/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * completion_private - what is offered, and what the database offers.
 */
#ifndef RUNNER_COMPLETION_PRIVATE_H
#define RUNNER_COMPLETION_PRIVATE_H

#include <stddef.h>
#include <stdio.h>

struct completion {
	FILE *out;
	char before[256];  /* what of the word stays: "--base=" */
	const char *begun; /* what follows it, and has to go on */
};

/* Offer a word if it goes on with what was begun; `meaning` may be NULL. */
void completion_offer(const struct completion *c, const char *word,
		      const char *meaning);

/* The first `length` bytes of `word` stay, the rest was begun. */
void completion_split(struct completion *c, const char *word, size_t length);

/* "--db" and its value, or "--db=FILE" and NULL; other options do nothing. */
void completion_take_database(const char *option, const char *value);

/* The numbers and labels of the newest runs. */
void completion_offer_runs(const struct completion *c);

/*
 * For "DIM", "DIM[,DIM]", "DIM=VALUE" and "TERM[,TERM]". `text` is the
 * option's help; where it says "DIM is", only those it names are offered.
 */
void completion_offer_dimensions(struct completion *c, const char *shape,
				 const char *text);

#endif
