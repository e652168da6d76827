/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "reports/compare_private.h"
#include "reports/intern.h"

enum { NAMES_MAX = 4 }; /* of the rows that a reason is said of */

struct compare_reason {
	char *text;
	/* Each once: their number, the names of the first; owned tree. */
	size_t count;
	const char *rows[NAMES_MAX];
	void *known;
};

static bool add_once(struct compare_reason *reason, const char *row)
{
	const char *text;
	bool fresh;

	if (!intern_once(&reason->known, row, &fresh))
		return false;
	if (!fresh)
		return true;
	text = intern_text(&reason->known, row);
	if (reason->count < NAMES_MAX)
		reason->rows[reason->count] = text;
	reason->count++;
	return true;
}

static struct compare_reason *reason_for(struct compare_reasons *reasons,
					 const char *text)
{
	struct compare_reason *items = reasons->items;
	char *copy;

	for (size_t i = 0; i < reasons->count; i++) {
		if (strcmp(items[i].text, text) == 0)
			return &items[i];
	}
	items = reallocarray(items, reasons->count + 1, sizeof(*items));
	if (items)
		reasons->items = items;
	copy = items ? strdup(text) : NULL;
	if (!copy)
		return NULL;
	items[reasons->count] = (struct compare_reason){ .text = copy };
	return &items[reasons->count++];
}

bool compare_reasons_add(struct compare_reasons *reasons, const char *row,
			 const char *text)
{
	struct compare_reason *reason = reason_for(reasons, text);

	return reason && add_once(reason, row);
}

/* "FAT on a, NTFS on a and 3 more: skipped: needs root" */
static bool say(const struct compare_reason *reason,
		struct compare_lines *notes)
{
	size_t count = reason->count, size = 0, told;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		return false;
	told = count > NAMES_MAX ? NAMES_MAX - 1 : count;
	for (size_t i = 0; i < told; i++)
		fprintf(out, "%s%s", i > 0 ? ", " : "", reason->rows[i]);
	if (told < count)
		fprintf(out, " and %zu more", count - told);
	ok = fclose(out) == 0 &&
	     compare_lines_add(notes, "%s: %s", text, reason->text);
	free(text);
	return ok;
}

bool compare_reasons_say(const struct compare_reasons *reasons,
			 struct compare_lines *notes)
{
	for (size_t i = 0; i < reasons->count; i++) {
		if (!say(&reasons->items[i], notes))
			return false;
	}
	return true;
}

void compare_reasons_done(struct compare_reasons *reasons)
{
	for (size_t i = 0; i < reasons->count; i++) {
		free(reasons->items[i].text);
		tdestroy(reasons->items[i].known, free);
	}
	free(reasons->items);
	*reasons = (struct compare_reasons){ 0 };
}
