/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/alike.h"
#include "reports/history_private.h"
#include "reports/settings.h"

static unsigned int difference(const struct history_trend *a,
			       const struct history_trend *b)
{
	if (!a->has_settings || !b->has_settings)
		return a->has_settings != b->has_settings
			       ? SETTINGS_BLOCK | SETTINGS_AMOUNT
			       : 0;
	return settings_difference(&a->settings, &b->settings);
}

static const enum dataset_dimension look[] = { DATASET_HOST, DATASET_VOLUME,
					       DATASET_FILESYSTEM,
					       DATASET_WORKLOAD };

enum { LOOKS = sizeof(look) / sizeof(*look) };

/* Of all that look the same but for their settings. */
static unsigned int differences(const struct history *history,
				const struct history_trend *trend)
{
	unsigned int found = 0;

	for (size_t i = 0; i < history->count; i++) {
		const struct history_trend *other = &history->trends[i];

		if (other->op == trend->op &&
		    alike_names(other->names, trend->names, look, LOOKS) == 0)
			found |= difference(trend, other);
	}
	return found;
}

static int by_look(const void *a, const void *b, void *ctx)
{
	const struct history *const *of = ctx, *history = *of;
	const struct history_trend *x = &history->trends[*(const size_t *)a];
	const struct history_trend *y = &history->trends[*(const size_t *)b];
	int order = (x->op > y->op) - (x->op < y->op);

	return order ? order : alike_names(x->names, y->names, look, LOOKS);
}

bool history_settings_differ(const struct history *history)
{
	const struct history_trend *trends = history->trends;
	size_t *firsts = alike_firsts(history->count, by_look, &history);
	/* Without memory to find out they might. */
	bool differ = !firsts;

	for (size_t i = 0; !differ && i < history->count; i++)
		differ = difference(&trends[i], &trends[firsts[i]]) != 0;
	free(firsts);
	return differ;
}

char *history_settings(const struct history *history,
		       const struct history_trend *trend)
{
	unsigned int parts = differences(history, trend);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (parts && !trend->has_settings)
		fputs(", not known", out);
	else
		settings_put_parts(&trend->settings, parts, out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	/* Without the first comma. */
	if (*text)
		memmove(text, text + 2, strlen(text) - 1);
	return text;
}
