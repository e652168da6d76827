/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "runner/command.h"
#include "runner/doctor.h"
#include "runner/jsonout.h"
#include "runner/view.h"

/* Without root, the filesystems that are mounted still can be tested. */
static bool judge(const struct doctor *doctor, struct err *err)
{
	if (doctor_testable(doctor) > 0 || doctor->directories > 0)
		return true;
	return err_set(err, ERR_FAILED, "no filesystem can be tested here");
}

static bool run(int argc, char **argv, struct err *err)
{
	struct doctor *doctor = NULL;
	bool json, ok;

	if (!jsonout_option(argc, argv, &json, err))
		return false;
	doctor = malloc(sizeof(*doctor));
	if (!doctor)
		return err_nomem(err);
	ok = doctor_read(doctor, command_database(), err) &&
	     (json ? doctor_print_json(doctor, stdout, err)
		   : doctor_print(doctor, view_width(stdout), stdout, err)) &&
	     judge(doctor, err);
	free(doctor);
	return ok;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.synopsis = "[--json]",
	.brief = "say which filesystems can be made and mounted, and "
		 "what is missing",
	.options = "      --json          as JSON\n",
	.run = run,
};
