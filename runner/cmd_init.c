/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/command.h"
#include "runner/doctor.h"
#include "runner/initial.h"

#define DEFAULT_FILE PROGRAM ".json"

/* Never what is there already, be it a link that leads nowhere. */
static FILE *create(const char *path, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (file)
		return file;
	if (errno == EEXIST)
		err_set(err, ERR_REFUSED,
			"%.256s is there already and is left as it is; name "
			"another file: " PROGRAM " init FILE",
			path);
	else
		err_sys(err, errno, "%.256s", path);
	if (fd >= 0)
		close(fd);
	return NULL;
}

static bool write_file(const struct doctor *doctor, const char *path,
		       struct err *err)
{
	char folder[PATH_MAX];
	FILE *file = create(path, err);
	bool ok;

	if (!file)
		return false;
	snprintf(folder, sizeof(folder), "%s", path);
	ok = initial_print(doctor, dirname(folder), file, err);
	if ((ferror(file) || fclose(file) != 0) && ok)
		ok = err_sys(err, errno, "writing %.256s", path);
	if (!ok) {
		unlink(path);
		return false;
	}
	printf("%s is a matrix of what this machine can test. Next:\n\n"
	       "  " PROGRAM " plan %s    what would be done, and for how long\n"
	       "  " PROGRAM " run %s     measure, and print the comparison\n",
	       path, path, path);
	return true;
}

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option none[] = { { NULL, 0, NULL, 0 } };
	const char *path = DEFAULT_FILE;
	struct doctor *doctor;
	bool ok;

	if (command_getopt(argc, argv, "", none, err) != -1 ||
	    !command_arguments(argc, argv, 0, 1, "FILE", err))
		return false;
	if (optind < argc)
		path = argv[optind];
	doctor = malloc(sizeof(*doctor));
	if (!doctor)
		return err_nomem(err);
	ok = doctor_read(doctor, command_database(), err);
	if (ok && strcmp(path, "-") == 0)
		ok = initial_print(doctor, ".", stdout, err);
	else if (ok)
		ok = write_file(doctor, path, err);
	free(doctor);
	return ok;
}

const struct command cmd_init = {
	.name = "init",
	.synopsis = "[FILE]",
	.brief = "write a first matrix, for what this machine can test",
	.options =
		"  FILE                what to write (" DEFAULT_FILE
		"); \"-\" is standard output.\n"
		"                      Never a file that is there already.\n",
	.run = run,
};
