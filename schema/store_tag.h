/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_tag - what people say of a run: its label, a note, that it is a
 * baseline, that it does not count.
 */
#ifndef SCHEMA_STORE_TAG_H
#define SCHEMA_STORE_TAG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"

struct store;

enum store_tag_word { STORE_TAG_KEEP, STORE_TAG_YES, STORE_TAG_NO };

struct store_tag {
	const char *label, *note; /* NULL: as it is; "": none any more */
	enum store_tag_word pinned, ignored;
};

/*
 * `now` is the time of day as it is stored. ERR_INPUT for a run that is not
 * there, and for a baseline that would be ignored.
 */
MUST_USE bool store_tag_run(struct store *store, int64_t run,
			    const struct store_tag *tag, const char *now,
			    struct err *err);

/* How many other runs have this label. */
MUST_USE bool store_count_label(struct store *store, const char *label,
				int64_t other_than, int64_t *count,
				struct err *err);

#endif
