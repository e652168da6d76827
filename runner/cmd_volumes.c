/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "runner/command.h"
#include "runner/jsonout.h"
#include "runner/view.h"
#include "runner/volumes.h"

static bool run(int argc, char **argv, struct err *err)
{
	struct device_list devices = { 0 };
	struct place_list places = { 0 };
	struct volumes volumes = { &devices, &places, geteuid() == 0 };
	bool json, ok;

	ok = jsonout_option(argc, argv, &json, err) &&
	     device_list_read("", &devices, err) &&
	     place_list_read(&places, err) &&
	     (json ? volumes_print_json(&volumes, stdout, err)
		   : volumes_print(&volumes, view_width(stdout), stdout, err));
	device_list_done(&devices);
	place_list_done(&places);
	return ok;
}

const struct command cmd_volumes = {
	.name = "volumes",
	.synopsis = "[--json]",
	.brief =
		"list what can be tested on here, ready to paste into a matrix",
	.options = "      --json          as JSON\n",
	.run = run,
};
