/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/skips.h"

#include <stdlib.h>
#include <string.h>

struct skip {
	char *reason;
	unsigned long long more; /* than the one that was told */
};

bool skips_is_new(struct skips *skips, const char *reason)
{
	struct skip *items = skips->items;
	char *copy;

	for (size_t i = 0; i < skips->count; i++) {
		if (strcmp(items[i].reason, reason) == 0) {
			items[i].more++;
			return false;
		}
	}
	/* Without memory each is told: too much is better than nothing. */
	items = reallocarray(items, skips->count + 1, sizeof(*items));
	if (items)
		skips->items = items;
	copy = items ? strdup(reason) : NULL;
	if (copy)
		items[skips->count++] = (struct skip){ .reason = copy };
	return true;
}

void skips_tell(const struct skips *skips, struct progress *progress)
{
	for (size_t i = 0; i < skips->count; i++) {
		const struct skip *skip = &skips->items[i];

		if (skip->more > 0)
			progress_say(progress, "%llu more skipped: %s",
				     skip->more, skip->reason);
	}
}

void skips_done(struct skips *skips)
{
	for (size_t i = 0; i < skips->count; i++)
		free(skips->items[i].reason);
	free(skips->items);
	*skips = (struct skips){ 0 };
}
