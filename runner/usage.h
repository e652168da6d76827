/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage - the help of a command's options, taken apart.
 *
 * `struct command` says its options once, as people read them; manual pages
 * and completion are made of the same text. It knows the layout of that text
 * and nothing of commands.
 */
#ifndef RUNNER_USAGE_H
#define RUNNER_USAGE_H

#include <stdbool.h>
#include <stddef.h>

enum { USAGE_HEAD_MAX = 64, USAGE_TEXT_MAX = 1024, USAGE_WORD_MAX = 32 };

/* "  -n, --limit N       the newest N (20); 0: all of them" */
struct usage_entry {
	char head[USAGE_HEAD_MAX]; /* "-n, --limit N" */
	char text[USAGE_TEXT_MAX]; /* with lines joined by a blank */
};

/*
 * The next entry, and *rest behind it; false at the end, which is *rest or
 * the blank line before prose.
 */
bool usage_next(const char **rest, struct usage_entry *entry);

/* One of the names in a head. */
struct usage_name {
	char name[USAGE_WORD_MAX];  /* "--limit"; an argument: "RUN" */
	char value[USAGE_WORD_MAX]; /* "N"; "": takes none */
};

/* The next name, and *head behind it; false at the end. */
bool usage_name_next(const char **head, struct usage_name *name);

/* The value that an entry's options take; "" if none does. */
void usage_value(const struct usage_entry *entry, char value[USAGE_WORD_MAX]);

/*
 * The words of the first list in a text: "csv" and "json" of "csv (the
 * default) or json". Returns how many; 0: there is no list.
 */
size_t usage_choices(const char *text, char words[][USAGE_WORD_MAX],
		     size_t most);

#endif
