/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/changed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 20 }; /* bytes in front of what differs that are shown */

static bool continues(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* What stands around a place, of its line. */
static void excerpt(const char *text, size_t at, char *out, size_t size)
{
	size_t start = at, length;

	while (start > 0 && at - start < BEFORE && text[start - 1] != '\n')
		start--;
	/* A word that is cut in two is left out. */
	while (start > 0 && start < at && text[start - 1] != '\n' &&
	       text[start - 1] != ' ')
		start++;
	while (start < at && (text[start] == ' ' || text[start] == '\t' ||
			      continues(text[start])))
		start++;
	length = strcspn(text + start, "\r\n");
	if (length < size) {
		snprintf(out, size, "%.*s", (int)length, text + start);
	} else {
		length = size - sizeof("...");
		while (length > 0 && continues(text[start + length]))
			length--;
		snprintf(out, size, "%.*s...", (int)length, text + start);
	}
	if (!*out)
		snprintf(out, size, "nothing");
}

static void compare(const char *was, const char *now, struct changed *changed)
{
	size_t at = 0;

	changed->line = 1;
	for (; was[at] && was[at] == now[at]; at++)
		changed->line += was[at] == '\n';
	excerpt(was, at, changed->was, sizeof(changed->was));
	excerpt(now, at, changed->now, sizeof(changed->now));
}

/* What the file has, up to a little more than `most` bytes; owned. */
static char *read_some(FILE *file, size_t most)
{
	char *text = malloc(most + 1);

	if (text)
		text[fread(text, 1, most, file)] = '\0';
	return text;
}

bool changed_since(const char *path, const char *text, struct changed *changed)
{
	FILE *file = fopen(path, "re");
	char *now;
	bool differs;

	*changed = (struct changed){ 0 };
	if (!file)
		return false;
	/* Enough that what was added at the end can be shown. */
	now = read_some(file, strlen(text) + sizeof(changed->now));
	fclose(file);
	differs = !now || strcmp(now, text) != 0;
	if (now && differs)
		compare(text, now, changed);
	free(now);
	return differs;
}
