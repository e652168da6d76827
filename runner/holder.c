/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/holder.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner/process.h"
#include "runner/sysfile.h"
#include "schema/store.h"

enum { WORD = 64 };

/* "?" where it cannot be told. */
static void read_boot(char out[WORD])
{
	if (!sysfile_line(out, WORD, "/proc/sys/kernel/random/boot_id"))
		snprintf(out, WORD, "?");
}

static void read_namespace(char out[WORD])
{
	ssize_t got = readlink("/proc/self/ns/pid", out, WORD - 1);

	if (got > 0)
		out[got] = '\0';
	else
		snprintf(out, WORD, "?");
}

void holder_own(char out[HOLDER_SIZE])
{
	char boot[WORD], namespace[WORD];

	read_boot(boot);
	read_namespace(namespace);
	snprintf(out, HOLDER_SIZE, "%d %" PRIu64 " %s %s", (int)getpid(),
		 process_start(getpid()), boot, namespace);
}

bool holder_is_there(const char *holder)
{
	char boot[WORD], namespace[WORD], own_boot[WORD], own_namespace[WORD];
	uint64_t start;
	int pid;

	_Static_assert(WORD == 64, "the 63 below");
	if (sscanf(holder, "%d %" SCNu64 " %63s %63s", &pid, &start, boot,
		   namespace) != 4)
		return false;
	read_boot(own_boot);
	if (strcmp(boot, own_boot) != 0)
		return false;
	read_namespace(own_namespace);
	return strcmp(namespace, own_namespace) != 0 ||
	       (start != 0 && process_start(pid) == start);
}

const char *holder_status(const char *status, const char *holder)
{
	if (strcmp(status, "running") != 0 ||
	    (holder && holder_is_there(holder)))
		return status;
	return "broken off";
}

static bool is_there(void *ctx, const char *holder)
{
	(void)ctx;
	return holder_is_there(holder);
}

void holder_settle(struct store *store)
{
	struct err ignored = { 0 };
	bool done = store_settle_runs(store, is_there, NULL, &ignored);

	(void)done;
}
