/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* The folder that the matrix tests in; it may be there already. */
static bool make_folder(const char *beside, struct err *err)
{
	char path[PATH_MAX + sizeof("/" INITIAL_FOLDER)];

	snprintf(path, sizeof(path), "%s/" INITIAL_FOLDER, beside);
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return true;
	return err_sys(err, errno, "making the folder %.256s", path);
}

static void tell(const char *path, bool of_directories)
{
	printf("%s is a matrix of what this machine can test", path);
	if (of_directories)
		printf(",\n" INITIAL_FOLDER
		       " a folder for its files on the filesystem here");
	printf(". Next:\n\n"
	       "  " PROGRAM
	       " plan %s    what would be done, and what it writes\n"
	       "  " PROGRAM " run %s     measure, and print the comparison\n",
	       path, path);
}

static bool write_file(const struct doctor *doctor, const char *path,
		       struct err *err)
{
	bool of_directories = initial_of_directories(doctor), ok;
	char copy[PATH_MAX];
	const char *folder;
	FILE *file = create(path, err);

	if (!file)
		return false;
	snprintf(copy, sizeof(copy), "%s", path);
	folder = dirname(copy);
	ok = initial_print(doctor, folder, file, err);
	if ((ferror(file) || fclose(file) != 0) && ok)
		ok = err_sys(err, errno, "writing %.256s", path);
	if (ok && of_directories)
		ok = make_folder(folder, err);
	if (ok)
		tell(path, of_directories);
	else
		unlink(path);
	return ok;
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
	.options = "  FILE                what to write (" DEFAULT_FILE
		   "); \"-\" is standard output.\n"
		   "                      Never a file that is there already. "
		   "Where it compares\n"
		   "                      folders, it makes one beside "
		   "it: " INITIAL_FOLDER "\n",
	.run = run,
};
