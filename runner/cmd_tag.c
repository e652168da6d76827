/* SPDX-License-Identifier: GPL-2.0-or-later */
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

static bool run(int argc, char **argv, struct err *err)
{
	struct store_tag tag = { 0 };
	struct store *store;
	char now[TIMESTAMP_SIZE];
	int64_t id;
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
	timestamp_now(now);
	ok = store && store_find_run(store, argv[optind], &id, err) &&
	     store_tag_run(store, id, &tag, now, err);
	store_close(store);
	return ok;
}

const struct command cmd_tag = {
	.name = "tag",
	.synopsis = "[OPTION]... RUN",
	.brief = "label a run, pin it as a baseline, ignore it, add a note",
	.options =
		"  RUN                 a number, a uuid, a label, or \"last\"\n"
		"      --label TEXT    its label; '' takes it away\n"
		"      --note TEXT     a note; '' takes it away\n"
		"      --baseline      history shows changes against it, too\n"
		"      --ignore        keep it, but leave it out of history "
		"and of \"last\"\n"
		"      --no-baseline, --no-ignore  take these back\n",
	.run = run,
};
