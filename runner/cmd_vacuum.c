/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/units.h"
#include "runner/command.h"
#include "runner/lock.h"
#include "schema/store.h"
#include "schema/store_upkeep.h"

static const struct option options[] = {
	{ 0 },
};

static void print(int64_t before, int64_t after)
{
	char was[UNITS_TEXT_MAX], is[UNITS_TEXT_MAX];

	units_format_bytes((uint64_t)before, was, sizeof(was));
	units_format_bytes((uint64_t)after, is, sizeof(is));
	printf("%s, before %s\n", is, was);
}

static bool run(int argc, char **argv, struct err *err)
{
	struct lock *lock = NULL;
	struct store *store;
	int64_t before, after;
	bool ok;

	if (command_getopt(argc, argv, "", options, err) != -1 ||
	    !command_arguments(argc, argv, 0, 0, "argument", err))
		return false;
	store = command_store(err);
	if (store)
		lock = lock_take_database(command_database(), err);
	ok = lock && store_claim(store, err) &&
	     store_vacuum(store, &before, &after, err);
	store_close(store);
	lock_free(lock);
	if (ok)
		print(before, after);
	return ok;
}

const struct command cmd_vacuum = {
	.name = "vacuum",
	.synopsis = "",
	.brief = "give space that the database does not use any more back",
	.options = "",
	.run = run,
};
