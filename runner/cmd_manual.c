/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/command.h"
#include "runner/manual.h"

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option none[] = { { NULL, 0, NULL, 0 } };

	if (command_getopt(argc, argv, "", none, err) != -1 ||
	    !command_arguments(argc, argv, 0, 1, "PAGE", err))
		return false;
	return manual_print(optind < argc ? argv[optind] : manual_page(0),
			    stdout, err);
}

const struct command cmd_manual = {
	.name = "manual",
	.synopsis = "[PAGE]",
	.brief = "print a page of the manual, for man -l -",
	.options = "  PAGE                fsmatrix (the default), "
		   "fsmatrix-matrix or fsmatrix-db\n",
	.run = run,
};
