/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/command.h"
#include "schema/store_upkeep.h"

static const struct option options[] = {
	{ 0 },
};

static bool run(int argc, char **argv, struct err *err)
{
	return command_getopt(argc, argv, "", options, err) == -1 &&
	       command_arguments(argc, argv, 1, 1, "FILE", err) &&
	       store_backup(command_database(), argv[optind], err);
}

const struct command cmd_backup = {
	.name = "backup",
	.synopsis = "FILE",
	.brief = "copy the database, also while a run goes on",
	.options = "  FILE                the copy; it must not be there yet\n",
	.run = run,
};
