/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>

#include "core/series.h"
#include "schema/store_private.h"

/* "[1,2,3]", as store_add_phase() writes it. False: it is anything else. */
static bool parse_series(const char *text, uint64_t *bytes, size_t *count)
{
	*count = 0;
	if (*text++ != '[')
		return false;
	if (*text == ']')
		return text[1] == '\0';
	do {
		char *end;

		if (*count == SERIES_MAX || *text < '0' || *text > '9')
			return false;
		bytes[(*count)++] = strtoull(text, &end, 10);
		text = end;
	} while (*text++ == ',');
	return text[-1] == ']' && *text == '\0';
}

bool store_sample_series(struct store *store, int64_t sample, char op,
			 store_series_fn *fn, void *ctx, struct err *err)
{
	static const char sql[] = "SELECT interval_ns, bytes FROM series "
				  "WHERE sample = ? AND op = ?";
	struct store_query q = store_keep(store, sql);
	uint64_t bytes[SERIES_MAX];
	struct record_series series = { .bytes = bytes };
	const char *text;
	bool found, parsed = true;

	store_bind_int(&q, sample);
	store_bind_text(&q, op == 'W' ? "W" : "R");
	found = store_step(&q) == SQLITE_ROW;
	if (found) {
		series.interval_ns = (uint64_t)store_next_int(&q, 0);
		text = store_next_text(&q);
		parsed = text && parse_series(text, bytes, &series.count);
	}
	if (!store_finish(&q, "reading a series", err))
		return false;
	if (!parsed)
		return store_refuse(store, ERR_FAILED, err,
				    "the series of sample %" PRId64
				    " is no list of numbers",
				    sample);
	if (found)
		fn(ctx, &series);
	return true;
}
