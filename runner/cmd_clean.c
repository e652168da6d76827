/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/text.h"
#include "runner/command.h"
#include "runner/guard.h"

static const struct option options[] = {
	{ "dry-run", no_argument, NULL, 'n' },
	{ "quiet", no_argument, NULL, 'q' },
	{ 0 },
};

struct found {
	bool dry_run;
	unsigned int count;
};

static void tell(void *ctx, const char *what, const char *problem)
{
	struct found *found = ctx;

	found->count++;
	if (problem) {
		command_warn("cannot remove %s: %s", what, problem);
		return;
	}
	fputs(found->dry_run ? "would remove " : "removed ", stdout);
	text_fputs_safe(what, stdout);
	putchar('\n');
}

static bool run(int argc, char **argv, struct err *err)
{
	struct found found = { 0 };
	bool quiet = false, ok;
	int letter;

	while ((letter = command_getopt(argc, argv, "nq", options, err)) !=
	       -1) {
		if (letter == 'n')
			found.dry_run = true;
		else if (letter == 'q')
			quiet = true;
		else
			return false;
	}
	if (!command_arguments(argc, argv, 0, 0, "argument", err))
		return false;
	ok = guard_sweep(found.dry_run, tell, &found, err);
	if (ok && found.count == 0 && !quiet)
		puts("nothing left behind");
	return ok;
}

const struct command cmd_clean = {
	.name = "clean",
	.synopsis = "[-nq]",
	.brief = "remove what a crash or a power cut left behind",
	.options = "  -n, --dry-run       only say what would be removed\n"
		   "  -q, --quiet         say nothing if there is nothing\n"
		   "\nA run records what it makes in /var/lib/fsmatrix (a "
		   "user's in\n~/.local/state/fsmatrix, or else in "
		   "/var/tmp/fsmatrix-UID); $FSMATRIX_STATE names\nanother "
		   "directory. What is removed is only what a record names, of "
		   "a run that is\nno more, and what is proved to be its; the "
		   "rest is left alone, and said.\n\n",
	.run = run,
};
