/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "runner/command.h"
#include "runner/doctor.h"

/* Without root, the filesystems that are mounted still can be tested. */
static bool judge(const struct doctor *doctor, struct err *err)
{
	if (doctor_testable(doctor) > 0 || doctor->directories > 0)
		return true;
	return err_set(err, ERR_FAILED, "no filesystem can be tested here");
}

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	struct doctor *doctor = NULL;
	bool json = false, ok;
	int option;

	while ((option = command_getopt(argc, argv, "", options, err)) != -1) {
		if (option != 'j')
			return false;
		json = true;
	}
	if (!command_arguments(argc, argv, 0, 0, "", err))
		return false;
	doctor = malloc(sizeof(*doctor));
	if (!doctor)
		return err_nomem(err);
	ok = doctor_read(doctor, command_database(), err) &&
	     (json ? doctor_print_json(doctor, stdout, err)
		   : doctor_print(doctor, 0, stdout, err)) &&
	     judge(doctor, err);
	free(doctor);
	return ok;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.synopsis = "[--json]",
	.brief = "say which filesystems can be made and mounted here, and what "
		 "is missing",
	.options = "      --json          as JSON\n",
	.run = run,
};
