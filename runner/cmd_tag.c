/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "runner/command.h"
#include "runner/timestamp.h"
#include "schema/store.h"
#include "schema/store_tag.h"

enum {
	OPTION_LABEL = 256,
	OPTION_NOTE,
	OPTION_BASELINE,
	OPTION_NO_BASELINE,
	OPTION_IGNORE,
	OPTION_NO_IGNORE,
};

static const struct option options[] = {
	{ "baseline", no_argument, NULL, OPTION_BASELINE },
	{ "ignore", no_argument, NULL, OPTION_IGNORE },
	{ "label", required_argument, NULL, OPTION_LABEL },
	{ "no-baseline", no_argument, NULL, OPTION_NO_BASELINE },
	{ "no-ignore", no_argument, NULL, OPTION_NO_IGNORE },
	{ "note", required_argument, NULL, OPTION_NOTE },
	{ 0 },
};

static bool take(struct store_tag *tag, int option)
{
	switch (option) {
	case OPTION_LABEL:
		tag->label = optarg;
		return true;
	case OPTION_NOTE:
		tag->note = optarg;
		return true;
	case OPTION_BASELINE:
		tag->pinned = STORE_TAG_YES;
		return true;
	case OPTION_NO_BASELINE:
		tag->pinned = STORE_TAG_NO;
		return true;
	case OPTION_IGNORE:
		tag->ignored = STORE_TAG_YES;
		return true;
	case OPTION_NO_IGNORE:
		tag->ignored = STORE_TAG_NO;
		return true;
	default:
		return false;
	}
}

static bool is_empty(const struct store_tag *tag)
{
	return !tag->label && !tag->note && tag->pinned == STORE_TAG_KEEP &&
	       tag->ignored == STORE_TAG_KEEP;
}

static bool copy_label(void *ctx, const struct record_run_info *info)
{
	const char *label = info->run.label;

	*(char **)ctx = strdup(label ? label : "");
	return true;
}

/* A label that was there is gone now; one of several runs means the newest. */
static bool tell_label(struct store *store, int64_t run, const char *before,
		       const char *label, struct err *err)
{
	int64_t others, meant;

	if (*before && *label && strcmp(before, label) != 0)
		command_note("run %" PRId64 " had the label %s until now", run,
			     before);
	if (!*label)
		return true;
	if (!store_count_label(store, label, run, &others, err) ||
	    !store_find_run(store, label, &meant, err))
		return false;
	if (others > 0)
		command_note("%" PRId64 " other run%s ha%s the label %s, too; "
			     "of all of them it means the newest, run %" PRId64,
			     others, others == 1 ? "" : "s",
			     others == 1 ? "s" : "ve", label, meant);
	return true;
}

static bool tag_run(struct store *store, const char *which,
		    const struct store_tag *tag, struct err *err)
{
	char now[TIMESTAMP_SIZE], *before = NULL;
	int64_t run;
	bool ok;

	timestamp_now(now);
	ok = store_find_run(store, which, &run, err) &&
	     store_run_info(store, run, copy_label, &before, err) &&
	     (before || err_nomem(err)) &&
	     store_tag_run(store, run, tag, now, err) &&
	     (!tag->label || tell_label(store, run, before, tag->label, err));
	free(before);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	struct store_tag tag = { 0 };
	struct store *store;
	int option;
	bool ok;

	while ((option = command_getopt(argc, argv, "", options, err)) != -1) {
		if (!take(&tag, option))
			return false;
	}
	if (!command_arguments(argc, argv, 1, 1, "RUN", err))
		return false;
	if ((tag.label && !text_is_utf8(tag.label)) ||
	    (tag.note && !text_is_utf8(tag.note)))
		return err_usage(err, "a label or note that is not UTF-8");
	if (tag.label && !store_check_label(tag.label, err))
		return false;
	if (tag.note && !text_is_safe(tag.note))
		return err_set(err, ERR_INPUT,
			       "the note contains a control character");
	if (is_empty(&tag))
		return err_usage(err,
				 "nothing to say of run %s: --label, --note, "
				 "--baseline, --ignore, --no-baseline or "
				 "--no-ignore say it",
				 argv[optind]);
	store = command_store(err);
	ok = store && tag_run(store, argv[optind], &tag, err);
	store_close(store);
	return ok;
}

const struct command cmd_tag = {
	.name = "tag",
	.synopsis = "[OPTION]... RUN",
	.brief = "label a run, pin it as a baseline, ignore it, add a note",
	.options =
		"  RUN                 a number, a uuid, a label, or \"last\"\n"
		"      --label TEXT    its label; '' takes it away. Of "
		"several runs with one\n"
		"                      label it means the newest\n"
		"      --note TEXT     a note; '' takes it away\n"
		"      --baseline      history shows changes against it, too\n"
		"      --ignore        keep it, but leave it out of history "
		"and of \"last\"\n"
		"      --no-baseline, --no-ignore  take these back\n",
	.run = run,
};
