/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/fstype.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

const struct fstype *fstype_find(const char *name)
{
	for (const struct fstype *type = fstype_table; type->name; type++)
		if (strcmp(type->name, name) == 0)
			return type;
	return NULL;
}

const struct fstype_driver *fstype_driver_find(const struct fstype *type,
					       const char *name)
{
	for (const struct fstype_driver *d = type->drivers; d->name; d++)
		if (strcmp(d->name, name) == 0)
			return d;
	return NULL;
}

const struct fstype_driver *fstype_by_program(const char *program)
{
	for (const struct fstype *type = fstype_table; type->name; type++)
		for (const struct fstype_driver *d = type->drivers; d->name;
		     d++)
			if (d->program && strcmp(d->program, program) == 0)
				return d;
	return NULL;
}

/* Whether a line of the file has `word` as its last word. */
static bool has_line_ending_in(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	bool found = false;

	while (file && !found && (length = getline(&line, &size, file)) > 0) {
		const char *last;

		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		last = strrchr(line, '\t');
		found = last && strcmp(last + 1, word) == 0;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

/* Whether modules.alias has a line "alias fs-DRIVER MODULE". */
static bool has_module(const char *root, const char *driver)
{
	char path[PATH_MAX], wanted[64], *line = NULL;
	struct utsname os;
	size_t size = 0;
	bool found = false;
	FILE *file;

	if (uname(&os) < 0)
		return false;
	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.alias", root,
		 os.release);
	snprintf(wanted, sizeof(wanted), "alias fs-%s ", driver);
	file = fopen(path, "re");
	while (file && !found && getline(&line, &size, file) > 0)
		found = strncmp(line, wanted, strlen(wanted)) == 0;
	free(line);
	if (file)
		fclose(file);
	return found;
}

bool fstype_kernel_has(const char *root, const char *driver)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/filesystems", root);
	return has_line_ending_in(path, driver) || has_module(root, driver);
}

static bool has_program(const char *program)
{
	char *path = child_find(program);

	free(path);
	return path != NULL;
}

bool fstype_mkfs_available(const struct fstype *type, struct err *err)
{
	if (has_program(type->mkfs))
		return true;
	return err_set(err, ERR_FAILED, "no %s (install %s)", type->mkfs,
		       type->package);
}

bool fstype_driver_available(const struct fstype_driver *driver,
			     struct err *err)
{
	if (driver->kind == FSTYPE_KERNEL) {
		if (fstype_kernel_has("", driver->name))
			return true;
		return err_set(err, ERR_FAILED, "no driver %s in this kernel",
			       driver->name);
	}
	if (!has_program(driver->program))
		return err_set(err, ERR_FAILED, "no %s (install %s)",
			       driver->program, driver->package);
	if (!fstype_kernel_has("", "fuse"))
		return err_set(err, ERR_FAILED, "no FUSE in this kernel for %s",
			       driver->name);
	return true;
}

bool fstype_available(const struct fstype *type, const char *wanted,
		      const struct fstype_driver **driver, struct err *err)
{
	struct err first = { 0 };

	if (!fstype_mkfs_available(type, err))
		return false;
	for (const struct fstype_driver *d = type->drivers; d->name; d++) {
		struct err why = { 0 };

		if (wanted && strcmp(d->name, wanted) != 0)
			continue;
		if (fstype_driver_available(d, &why)) {
			if (driver)
				*driver = d;
			return true;
		}
		/* of several, the last says what can be installed */
		first = why;
	}
	if (first.code == ERR_NONE)
		return err_set(err, ERR_FAILED, "no driver %s for %s", wanted,
			       type->name);
	*err = err->code ? *err : first;
	return false;
}

char *fstype_mount_options(const struct fstype_driver *driver,
			   const char *options)
{
	const char *own = driver->options ? driver->options : "";
	char *joined;

	if (!options)
		options = "";
	if (asprintf(&joined, "%s%s%s", own, *own && *options ? "," : "",
		     options) < 0)
		return NULL;
	return joined;
}

void fstype_mkfs_argv(const struct fstype *type, const char *const *options,
		      const char *device, struct child_argv *argv)
{
	child_argv_add(argv, type->mkfs);
	child_argv_add_all(argv, type->arguments);
	child_argv_add_all(argv, options);
	child_argv_add(argv, device);
}

void fstype_mount_argv(const struct fstype_driver *driver, const char *options,
		       const char *device, const char *mount_point,
		       struct child_argv *argv)
{
	char *joined = fstype_mount_options(driver, options);

	if (driver->kind == FSTYPE_KERNEL) {
		child_argv_add(argv, "mount");
		child_argv_add(argv, "-t");
		child_argv_add(argv, driver->name);
	} else {
		child_argv_add(argv, driver->program);
		child_argv_add_all(argv, driver->arguments);
	}
	if (!joined)
		argv->failed = true;
	if (joined && *joined) {
		child_argv_add(argv, "-o");
		child_argv_add(argv, joined);
	}
	child_argv_add(argv, device);
	child_argv_add(argv, mount_point);
	free(joined);
}
