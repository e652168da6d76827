/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_tag.h"

#include "schema/store_private.h"

static const char doing[] = "tagging a run";

static void bind_word(struct store_query *q, enum store_tag_word word)
{
	store_bind_known(q, word == STORE_TAG_YES, word != STORE_TAG_KEEP);
}

static bool update(struct store *store, int64_t run,
		   const struct store_tag *tag, const char *now,
		   struct err *err)
{
	static const char sql[] =
		"UPDATE run SET label = nullif(ifnull(?1, label), ''), "
		"note = nullif(ifnull(?2, note), ''), "
		"pinned = ifnull(?3, pinned), ignored = ifnull(?4, ignored), "
		"tagged_at = ?5 WHERE id = ?6";
	struct store_query q = store_query(store, sql);

	store_bind_text(&q, tag->label);
	store_bind_text(&q, tag->note);
	bind_word(&q, tag->pinned);
	bind_word(&q, tag->ignored);
	store_bind_text(&q, now);
	store_bind_int(&q, run);
	if (!store_run(&q, doing, err))
		return false;
	return sqlite3_changes(store->db) == 1 ||
	       store_refuse(store, ERR_INPUT, err, "no run %lld",
			    (long long)run);
}

static bool check(struct store *store, int64_t run, struct err *err)
{
	static const char sql[] = "SELECT 1 FROM run WHERE id = ? "
				  "AND pinned = 1 AND ignored = 1";
	struct store_query q = store_query(store, sql);
	int64_t one;
	bool both;

	store_bind_int(&q, run);
	if (!store_one(&q, &one, &both, doing, err))
		return false;
	return !both || store_refuse(store, ERR_INPUT, err,
				     "run %lld cannot be a baseline and be "
				     "ignored; take back one of them",
				     (long long)run);
}

bool store_tag_run(struct store *store, int64_t run,
		   const struct store_tag *tag, const char *now,
		   struct err *err)
{
	if (!store_begin(store, err))
		return false;
	if (update(store, run, tag, now, err) && check(store, run, err) &&
	    store_commit(store, err))
		return true;
	store_rollback(store);
	return false;
}

bool store_count_label(struct store *store, const char *label,
		       int64_t other_than, int64_t *count, struct err *err)
{
	static const char sql[] =
		"SELECT count(*) FROM run WHERE label = ? AND id <> ?";
	struct store_query q = store_query(store, sql);
	bool found;

	store_bind_text(&q, label);
	store_bind_int(&q, other_than);
	return store_one(&q, count, &found, doing, err);
}
