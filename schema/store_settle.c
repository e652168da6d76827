/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "schema/store_private.h"

static const char doing[] = "looking for runs that were broken off";

/* A run that nobody is at any more. */
struct left {
	int64_t run; /* 0: there is none */
	char holder[256];
};

/* The next one above `after`. */
static bool find_left(struct store *store, int64_t after, store_holder_fn *fn,
		      void *ctx, struct left *left, struct err *err)
{
	static const char sql[] =
		"SELECT id, holder FROM run WHERE holder IS NOT NULL "
		"AND id > ? ORDER BY id";
	struct store_query q = store_query(store, sql);

	left->run = 0;
	store_bind_int(&q, after);
	while (left->run == 0 && store_step(&q) == SQLITE_ROW) {
		int64_t run = store_next_int(&q, 0);
		const char *holder = store_next_text(&q);

		if (fn(ctx, holder))
			continue;
		left->run = run;
		snprintf(left->holder, sizeof(left->holder), "%s", holder);
	}
	return store_finish(&q, doing, err);
}

/*
 * Unless somebody has gone on with it meanwhile. Nothing is lost where it
 * cannot be written now: who reads the status can tell as well, and the next
 * one tries again.
 */
static void leave(struct store *store, const struct left *left)
{
	struct store_query q = store_query(
		store,
		"UPDATE run SET holder = NULL WHERE id = ? AND holder = ?");
	struct err ignored = { 0 };
	bool done;

	store_bind_int(&q, left->run);
	store_bind_text(&q, left->holder);
	done = store_run(&q, doing, &ignored);
	(void)done;
}

static bool no_wait(void *ctx, unsigned int waited_ms)
{
	(void)ctx;
	(void)waited_ms;
	return false;
}

/* Whether it was; to be given back. */
static bool set_query_only(struct store *store, bool only)
{
	struct store_query q = store_query(store, "PRAGMA query_only");
	struct err ignored = { 0 };
	int64_t was = 0;
	bool found;

	if (!store_one(&q, &was, &found, doing, &ignored))
		was = 0;
	sqlite3_exec(store->db,
		     only ? "PRAGMA query_only = ON"
			  : "PRAGMA query_only = OFF",
		     NULL, NULL, NULL);
	return was != 0;
}

bool store_settle_runs(struct store *store, store_holder_fn *fn, void *ctx,
		       struct err *err)
{
	store_wait_fn *wait = store->wait;
	struct left left = { 0 };
	bool ok, only;

	for (;;) {
		ok = find_left(store, left.run, fn, ctx, &left, err);
		if (!ok || left.run == 0 || store->immutable)
			return ok;
		only = set_query_only(store, false);
		store->wait = no_wait;
		leave(store, &left);
		store->wait = wait;
		set_query_only(store, only);
	}
}
