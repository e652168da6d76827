/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/target_private.h"

#define LOOP        "LOOP"
#define MOUNT_POINT "MOUNTPOINT"

/* One line; the arguments end here. */
static bool print_command(struct child_argv *argv, FILE *out)
{
	char *text = child_command_text(argv);
	bool ok = text != NULL;

	if (ok)
		fprintf(out, "%s\n", text);
	free(text);
	child_argv_done(argv);
	return ok;
}

/* Made by system calls, said in the commands that do the same. */
static bool print_image(const struct matrix_volume *volume, FILE *out)
{
	struct child_argv argv = { 0 };
	char size[32];
	bool ok;

	snprintf(size, sizeof(size), "%" PRIu64, volume->size_bytes);
	child_argv_add(&argv, volume->allocate ? "fallocate" : "truncate");
	child_argv_add(&argv, volume->allocate ? "-l" : "-s");
	child_argv_add(&argv, size);
	child_argv_add(&argv, volume->path);
	ok = print_command(&argv, out);
	child_argv_add(&argv, "losetup");
	child_argv_add(&argv, "--direct-io=on");
	child_argv_add(&argv, LOOP);
	child_argv_add(&argv, volume->path);
	return print_command(&argv, out) && ok;
}

static bool print_all(const struct matrix_volume *volume,
		      const struct matrix_filesystem *filesystem,
		      const struct fstype *type,
		      const struct fstype_driver *driver, FILE *out)
{
	struct child_argv argv = { 0 };
	const char *block = volume->path;
	bool ok = true;

	if (volume->kind == MATRIX_IMAGE) {
		ok = print_image(volume, out);
		block = LOOP;
	}
	fstype_mkfs_argv(type, (const char *const *)filesystem->mkfs, block,
			 &argv);
	ok = print_command(&argv, out) && ok;
	fstype_mount_argv(driver, filesystem->mount, block, MOUNT_POINT, &argv);
	return print_command(&argv, out) && ok;
}

enum target_outcome target_plan(const struct matrix_volume *volume,
				const struct matrix_filesystem *filesystem,
				char **commands, struct err *err)
{
	const struct fstype_driver *driver;
	const struct fstype *type;
	enum target_outcome outcome = TARGET_READY;
	size_t length;
	bool ok = true;
	FILE *out;

	*commands = NULL;
	if (volume->kind != MATRIX_DIRECTORY) {
		outcome = target_possible(volume, filesystem, &type, &driver,
					  err);
		if (outcome != TARGET_READY)
			return outcome;
	}
	if (volume->kind == MATRIX_DEVICE && !target_check(volume, err))
		return TARGET_FAILED;
	out = open_memstream(commands, &length);
	if (!out) {
		err_nomem(err);
		return TARGET_FAILED;
	}
	if (volume->kind != MATRIX_DIRECTORY)
		ok = print_all(volume, filesystem, type, driver, out);
	if (fclose(out) == 0 && ok)
		return outcome;
	free(*commands);
	*commands = NULL;
	err_nomem(err);
	return TARGET_FAILED;
}
