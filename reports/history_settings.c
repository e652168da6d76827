/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "reports/alike.h"
#include "reports/history_private.h"
#include "schema/record.h"

/* In what the settings of two workloads differ. */
enum difference {
	BLOCK = 1,
	SIZE = 2,
	DURATION = 4,
	FILE_LIMIT = 8,
	IO = 16,
	READ = 32,
	DEPTH = 64,
	STREAMS = 128,
	VERIFY = 256,
};

static unsigned int difference(const struct history_trend *a,
			       const struct history_trend *b)
{
	const struct workload *x = &a->settings, *y = &b->settings;
	unsigned int found = 0;

	if (!a->has_settings || !b->has_settings)
		return a->has_settings != b->has_settings ? BLOCK | SIZE : 0;
	found |= x->block_bytes != y->block_bytes ? BLOCK : 0;
	found |= x->size_bytes != y->size_bytes ? SIZE : 0;
	found |= x->duration_ns != y->duration_ns ? DURATION : 0;
	found |= x->file_limit_bytes != y->file_limit_bytes ? FILE_LIMIT : 0;
	found |= x->io != y->io ? IO : 0;
	found |= x->read != y->read ? READ : 0;
	found |= x->depth != y->depth ? DEPTH : 0;
	found |= x->streams != y->streams ? STREAMS : 0;
	found |= x->verify != y->verify ? VERIFY : 0;
	return found;
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

static void put_bytes(FILE *out, const char *what, uint64_t bytes,
		      const char *none)
{
	char text[UNITS_TEXT_MAX];

	if (bytes > 0)
		units_format_bytes(bytes, text, sizeof(text));
	fprintf(out, ", %s %s", what, bytes > 0 ? text : none);
}

static void put_duration(FILE *out, uint64_t ns)
{
	char text[UNITS_TEXT_MAX];

	if (ns > 0)
		units_format_duration(ns, text, sizeof(text));
	fprintf(out, ", %s", ns > 0 ? text : "no duration");
}

/* Each with a comma in front. */
static void put_parts(FILE *out, const struct workload *w, unsigned int parts)
{
	if (parts & BLOCK)
		put_bytes(out, "block", w->block_bytes, "");
	if (parts & SIZE)
		put_bytes(out, "size", w->size_bytes, "full");
	if (parts & DURATION)
		put_duration(out, w->duration_ns);
	if (parts & FILE_LIMIT)
		put_bytes(out, "files of", w->file_limit_bytes, "any size");
	if (parts & IO)
		fprintf(out, ", %s", record_io_name(w->io));
	if (parts & READ)
		fprintf(out, ", %s", record_read_word(w->read));
	if (parts & DEPTH)
		fprintf(out, ", depth %u", w->depth);
	if (parts & STREAMS)
		fprintf(out, ", streams %u", w->streams);
	if (parts & VERIFY)
		fprintf(out, ", %s verified", record_verify_word(w->verify));
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
		put_parts(out, &trend->settings, parts);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	/* Without the first comma. */
	if (*text)
		memmove(text, text + 2, strlen(text) - 1);
	return text;
}
