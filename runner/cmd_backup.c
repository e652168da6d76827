/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "runner/command.h"
#include "schema/store_upkeep.h"

static const struct option options[] = {
	{ 0 },
};

static bool run(int argc, char **argv, struct err *err)
{
	const char *to;

	if (command_getopt(argc, argv, "", options, err) != -1 ||
	    !command_arguments(argc, argv, 1, 1, "FILE", err))
		return false;
	to = argv[optind];
	if (!*to)
		return err_usage(err, "the name of the copy is empty");
	if (strcmp(to, "-") == 0)
		return err_usage(err, "a copy is a file and cannot be standard "
				      "output; ./- is a file of this name");
	return store_backup(command_database(), to, err);
}

const struct command cmd_backup = {
	.name = "backup",
	.synopsis = "FILE",
	.brief = "copy the database, also while a run goes on",
	.options = "  FILE                the copy; it must not be there yet\n",
	.run = run,
};
