/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "runner/command.h"
#include "runner/lock.h"
#include "schema/store.h"
#include "schema/store_merge.h"

static const struct option options[] = {
	{ 0 },
};

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

static void print(const struct store_merged *merged)
{
	printf("%" PRId64 " run%s and %" PRId64 " sample%s added", merged->runs,
	       plural(merged->runs), merged->samples, plural(merged->samples));
	if (merged->known_runs > 0)
		printf("; %" PRId64 " run%s %s here already",
		       merged->known_runs, plural(merged->known_runs),
		       merged->known_runs == 1 ? "was" : "were");
	putchar('\n');
}

static bool run(int argc, char **argv, struct err *err)
{
	const char *const *paths;
	struct store_merged merged;
	struct store *store = NULL;
	struct lock *lock;
	bool ok;

	if (command_getopt(argc, argv, "", options, err) != -1 ||
	    !command_arguments(argc, argv, 1, INT32_MAX, "database", err))
		return false;
	paths = (const char *const *)argv + optind;
	/* Before a database is made for what will not get into it. */
	for (int i = optind; i < argc; i++) {
		if (!store_merge_probe(argv[i], err))
			return false;
	}
	lock = lock_take_database(command_database(), err);
	if (lock)
		store = store_open(command_database(), STORE_WRITE, err);
	ok = store &&
	     store_merge(store, paths, (size_t)(argc - optind), &merged, err);
	store_close(store);
	if (ok)
		lock_free(lock);
	else
		lock_abandon_database(lock, command_database());
	if (ok)
		print(&merged);
	return ok;
}

const struct command cmd_merge = {
	.name = "merge",
	.synopsis = "FROM.db...",
	.brief = "take over the results of other databases, all or nothing",
	.options = "  FROM.db             a database of this or another host; "
		   "it is only read\n",
	.run = run,
};
