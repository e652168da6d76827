/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <time.h>

#include "core/units.h"
#include "runner/command.h"
#include "runner/lock.h"
#include "schema/store.h"
#include "schema/store_upkeep.h"

static const struct option options[] = {
	{ "dry-run", no_argument, NULL, 'n' },
	{ "older-than", required_argument, NULL, 'o' },
	{ 0 },
};

static bool parse(int argc, char **argv, bool *look, uint64_t *age_ns,
		  struct err *err)
{
	int found;

	*age_ns = 0;
	while ((found = command_getopt(argc, argv, "n", options, err)) != -1) {
		if (found == 'n')
			*look = true;
		else if (found != 'o' ||
			 !command_duration("--older-than", optarg, "90d",
					   age_ns, err))
			return false;
	}
	if (*age_ns == 0)
		return err_usage(err, "no --older-than AGE given");
	return command_arguments(argc, argv, 0, 0, "argument", err);
}

/* "2026-11-30T19:05:47": what times of day compare well to. */
static void time_before(uint64_t age_ns, char *out, size_t size)
{
	time_t then = time(NULL) - (time_t)(age_ns / 1000000000);
	struct tm tm;

	if (then < 0)
		then = 0;
	gmtime_r(&then, &tm);
	strftime(out, size, "%Y-%m-%dT%H:%M:%S", &tm);
}

static void print(const struct store_pruned *pruned, bool look)
{
	char size[UNITS_TEXT_MAX];

	units_format_bytes((uint64_t)pruned->bytes, size, sizeof(size));
	printf("the time series and latencies of %" PRId64 " phase%s, %s, %s\n",
	       pruned->phases, pruned->phases == 1 ? "" : "s", size,
	       look ? "would go" : "are gone");
	if (!look && pruned->phases > 0)
		puts("what they took is used again; " PROGRAM
		     " vacuum gives it back");
}

static bool run(int argc, char **argv, struct err *err)
{
	struct store_pruned pruned;
	struct lock *lock = NULL;
	struct store *store;
	char before[32];
	uint64_t age_ns;
	bool look = false, ok;

	if (!parse(argc, argv, &look, &age_ns, err))
		return false;
	time_before(age_ns, before, sizeof(before));
	store = command_store(err);
	if (store && !look)
		lock = lock_take_database(command_database(), err);
	ok = store && (look || (lock && store_claim(store, err))) &&
	     store_prune(store, before, look, &pruned, err);
	store_close(store);
	lock_free(lock);
	if (ok)
		print(&pruned, look);
	return ok;
}

const struct command cmd_prune = {
	.name = "prune",
	.synopsis = "[-n] --older-than AGE",
	.brief = "remove time series and latencies of old runs; rates stay",
	.options = "      --older-than AGE  of runs that started before that: "
		   "90d, 1000h;\n"
		   "                      a number alone is seconds\n"
		   "  -n, --dry-run       only say what would go\n",
	.run = run,
};
