/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/dataset.h"
#include "runner/command.h"
#include "runner/completion_private.h"
#include "runner/selection.h"
#include "schema/store.h"
#include "schema/store_list.h"

enum { RUNS_OFFERED = 20, VALUES_MAX = 200 };

/* Words that were offered, each once. */
struct offering {
	const struct completion *c;
	enum dataset_dimension dimension;
	char *seen[VALUES_MAX]; /* owned */
	size_t count;
};

void completion_split(struct completion *c, const char *word, size_t length)
{
	size_t used = strlen(c->before);

	snprintf(c->before + used, sizeof(c->before) - used, "%.*s",
		 (int)length, word);
	c->begun = word + length;
}

void completion_take_database(const char *option, const char *value)
{
	if (strncmp(option, "--db=", 5) == 0)
		value = option + 5;
	else if (strcmp(option, "--db") != 0)
		return;
	if (value && *value)
		(void)setenv("FSMATRIX_DB", value, 1);
}

/* Reading only, and never a migration's wait: no file, no store. */
static struct store *open_store(void)
{
	struct err ignored = { 0 };

	if (access(command_database(), R_OK) != 0)
		return NULL;
	return store_open(command_database(), STORE_READ, &ignored);
}

static bool offer_run(void *ctx, const struct record_listed *run)
{
	const struct completion *c = ctx;
	char number[32], meaning[256];

	snprintf(number, sizeof(number), "%" PRId64, run->id);
	snprintf(meaning, sizeof(meaning), "%s %s%s%s",
		 run->started_at ? run->started_at : "",
		 run->matrix ? run->matrix : run->source,
		 run->tag.label ? " " : "",
		 run->tag.label ? run->tag.label : "");
	completion_offer(c, number, meaning);
	if (run->tag.label)
		completion_offer(c, run->tag.label, meaning);
	return true;
}

void completion_offer_runs(const struct completion *c)
{
	struct store *store = open_store();
	struct err ignored = { 0 };

	completion_offer(c, "last", "the newest run");
	if (store)
		(void)!store_list_runs(store, "", RUNS_OFFERED, offer_run,
				       (void *)c, &ignored);
	store_close(store);
}

static void offer_once(struct offering *offering, const char *word)
{
	if (!word || !*word || offering->count == VALUES_MAX)
		return;
	for (size_t i = 0; i < offering->count; i++) {
		if (strcmp(offering->seen[i], word) == 0)
			return;
	}
	offering->seen[offering->count] = strdup(word);
	if (!offering->seen[offering->count])
		return;
	offering->count++;
	completion_offer(offering->c, word, NULL);
}

static bool offer_result(void *ctx, const struct record_result *row)
{
	struct offering *offering = ctx;
	const char *words[DATASET_DIMENSIONS] = {
		[DATASET_OS] = row->os,
		[DATASET_HOST] = row->host,
		[DATASET_LABEL] = row->label,
		[DATASET_MATRIX] = row->matrix,
		[DATASET_VOLUME] = row->volume,
		[DATASET_FILESYSTEM] = row->filesystem,
		[DATASET_DRIVER] = row->driver,
		[DATASET_WORKLOAD] = row->workload,
	};

	offer_once(offering, words[offering->dimension]);
	return true;
}

static bool collect(void *ctx, const struct record_listed *run)
{
	struct selection *runs = ctx;
	struct err ignored = { 0 };

	return selection_add(runs, run->id, &ignored);
}

/* The values that a dimension has in the newest runs. */
static void offer_values(const struct completion *c,
			 enum dataset_dimension dimension)
{
	struct offering offering = { .c = c, .dimension = dimension };
	struct store *store = open_store();
	struct selection runs = { 0 };
	struct err ignored = { 0 };

	if (dimension == DATASET_RUN)
		completion_offer_runs(c);
	else if (store && store_list_runs(store, "", RUNS_OFFERED, collect,
					  &runs, &ignored))
		(void)!store_each_result(store, runs.runs, runs.count,
					 offer_result, &offering, &ignored);
	for (size_t i = 0; i < offering.count; i++)
		free(offering.seen[i]);
	selection_done(&runs);
	store_close(store);
}

/* Whether the words up to the next option have this one. */
static bool has_word(const char *words, const char *word)
{
	const char *end = strstr(words, " --"), *at = words;
	size_t length = strlen(word);

	while ((at = strstr(at, word)) && (!end || at < end)) {
		if ((at == words || !isalpha((unsigned char)at[-1])) &&
		    !isalpha((unsigned char)at[length]))
			return true;
		at += length;
	}
	return false;
}

/* `known` may list the ones that an option takes. */
static void offer_dimension_names(const struct completion *c, const char *end,
				  const char *known)
{
	if (known && has_word(known, "op"))
		completion_offer(c, "op=", NULL);
	for (int i = 0; i < DATASET_DIMENSIONS; i++) {
		const char *name =
			dataset_dimension_name((enum dataset_dimension)i);
		char word[64];

		snprintf(word, sizeof(word), "%s%s", name, end);
		if (!known || has_word(known, name))
			completion_offer(c, word, NULL);
	}
}

void completion_offer_dimensions(struct completion *c, const char *shape,
				 const char *text)
{
	bool list = strchr(shape, ',') != NULL;
	bool valued = strchr(shape, '=') || strncmp(shape, "TERM", 4) == 0;
	const char *comma = strrchr(c->begun, ','), *equals;
	enum dataset_dimension dimension = DATASET_OS;
	struct err ignored = { 0 };
	char name[64];

	if (list && comma)
		completion_split(c, c->begun, (size_t)(comma + 1 - c->begun));
	equals = strchr(c->begun, '=');
	if (!valued || !equals) {
		offer_dimension_names(c, valued ? "=" : "",
				      strstr(text, "DIM is"));
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(c->begun, "!="),
		 c->begun);
	completion_split(c, c->begun, (size_t)(equals + 1 - c->begun));
	if (strcmp(name, "op") == 0) {
		completion_offer(c, "W", "writes");
		completion_offer(c, "R", "reads");
	} else if (dataset_dimension_parse(name, &dimension, &ignored))
		offer_values(c, dimension);
}
