/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/initial.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/text.h"
#include "runner/doctor.h"
#include "runner/jsonout.h"
#include "runner/place.h"
#include "schema/matrix.h"

#define MIB         (UINT64_C(1) << 20)
#define IMAGE_LEAST 320 /* MiB; XFS takes no less than 300 */
#define IMAGE_MOST  1024

/* In the order tried; relative to the folder of the program. */
static const char *const schemas[] = {
	"../share/fsmatrix/schema/matrix.schema.json",
	"../../schema/matrix.schema.json", /* build/release of the source */
	NULL,
};

/* Where the schema is, on the heap; NULL: it is not on this machine. */
static char *find_schema(void)
{
	char *found = NULL;

	for (size_t i = 0; !found && schemas[i]; i++)
		found = sysfile_beside_program(schemas[i]);
	return found;
}

static bool free_mib(const char *folder, uint64_t *mib, struct err *err)
{
	struct statvfs space;

	if (statvfs(folder, &space) != 0)
		return err_sys(err, errno, "%s", folder);
	*mib = (uint64_t)space.f_bavail * space.f_frsize / MIB;
	return true;
}

static json_t *size_json(uint64_t mib)
{
	return json_sprintf("%llu%s",
			    (unsigned long long)(mib % 1024 ? mib : mib / 1024),
			    mib % 1024 ? "MiB" : "GiB");
}

/* Written to are at most three quarters of a volume. */
static json_t *workloads(uint64_t mib)
{
	return json_pack("[{s:s, s:s, s:o, s:s, s:s}]", "name", "seq", "block",
			 "512KiB", "size", size_json(mib), "io", "buffered",
			 "read", "cold");
}

static json_t *filesystems(const struct doctor *doctor)
{
	json_t *list = json_array();

	for (size_t i = 0; i < doctor->type_count; i++) {
		const struct doctor_type *type = &doctor->types[i];
		const struct fstype_driver *driver =
			doctor_best_driver(doctor, type);

		if (driver)
			json_array_append_new(
				list, json_pack("{s:s, s:s, s:s}", "name",
						type->type->name, "type",
						type->type->name, "driver",
						driver->name));
	}
	return list;
}

static json_t *of_image(const struct doctor *doctor, const char *folder,
			struct err *err)
{
	uint64_t mib = 0;

	if (!free_mib(folder, &mib, err))
		return NULL;
	mib = mib / 2 > IMAGE_MOST ? IMAGE_MOST : mib / 2;
	if (mib < IMAGE_LEAST) {
		err_set(err, ERR_FAILED,
			"%s: no room for an image of %d MiB; go to a folder "
			"with twice that free",
			folder, IMAGE_LEAST);
		return NULL;
	}
	return json_pack(
		"{s:s, s:[{s:s, s:s, s:o}], s:o, s:o}", "description",
		"Which of the filesystems that this machine can make is the "
		"fastest? On an image: \"fsmatrix volumes\" lists devices and "
		"directories to test on instead. Leave out filesystems that "
		"you do not care for; \"fsmatrix plan\" says what it writes, "
		"and after a first run how long it takes.",
		"volumes", "name", "scratch", "image", "scratch.img", "size",
		size_json(mib), "filesystems", filesystems(doctor), "workloads",
		workloads(mib / 4));
}

/* A volume is called by its path, if that can be a name. */
static json_t *name_json(const char *path, size_t index)
{
	if (strlen(path) <= MATRIX_NAME_MAX && text_is_safe(path))
		return json_string(path);
	return json_sprintf("directory %zu", index + 1);
}

/* `path` is for the matrix; `folder` is there already, on its filesystem. */
static bool add_directory(json_t *volumes, const char *name, const char *path,
			  const char *folder, uint64_t *least_mib)
{
	uint64_t mib = 0;
	struct err ignored = { 0 };

	if (access(folder, W_OK | X_OK) != 0 ||
	    !free_mib(folder, &mib, &ignored) || mib < 64)
		return true; /* not one of them */
	if (mib < *least_mib)
		*least_mib = mib;
	return json_array_append_new(
		       volumes,
		       json_pack("{s:o, s:s}", "name",
				 name_json(name, json_array_size(volumes)),
				 "directory", path)) == 0;
}

/* "here", and each place that is not on the same filesystem. */
static bool add_directories(json_t *volumes, const char *folder,
			    uint64_t *least_mib, struct err *err)
{
	struct place_list places = { 0 };
	struct stat here = { 0 };
	bool ok = place_list_read(&places, err);

	if (ok && stat(folder, &here) != 0)
		ok = err_sys(err, errno, "%s", folder);
	ok = ok && (add_directory(volumes, "here", INITIAL_FOLDER, folder,
				  least_mib) ||
		    err_nomem(err));
	for (size_t i = 0; ok && i < places.count; i++) {
		const struct place *place = &places.items[i];

		const char *path = place->path;
		bool memory = strcmp(path, PLACE_MEMORY) == 0;

		if (place->number != here.st_dev && text_is_utf8(path))
			ok = add_directory(volumes, memory ? "memory" : path,
					   path, path, least_mib) ||
			     err_nomem(err);
	}
	place_list_done(&places);
	return ok;
}

static json_t *of_directories(const char *folder, struct err *err)
{
	json_t *volumes = json_array();
	uint64_t least_mib = IMAGE_MOST;

	if (!add_directories(volumes, folder, &least_mib, err) ||
	    json_array_size(volumes) == 0) {
		err_set(err, ERR_FAILED,
			"there is no folder with 64 MiB free "
			"that may be written to");
		json_decref(volumes);
		return NULL;
	}
	return json_pack(
		"{s:s, s:o, s:o}", "description",
		"Which of these folders' filesystems is the fastest? It needs "
		"no root. Images and devices, with filesystems made for them, "
		"do: run \"fsmatrix init\" as root for a matrix of these. "
		"\"fsmatrix plan\" says what it writes, and after a first run "
		"how long it takes.",
		"volumes", volumes, "workloads", workloads(least_mib / 4));
}

/* The names of what the rest is about come first in the file. */
static json_t *complete(json_t *body)
{
	char *schema = find_schema();
	json_t *matrix = json_object();
	const char *key;
	json_t *value;

	if (schema && text_is_utf8(schema))
		json_object_set_new(matrix, "$schema", json_string(schema));
	json_object_foreach(body, key, value)
		json_object_set(matrix, key, value);
	json_object_set_new(matrix, "rounds", json_integer(5));
	json_object_set_new(matrix, "timeout", json_string("30min"));
	free(schema);
	json_decref(body);
	return matrix;
}

bool initial_of_directories(const struct doctor *doctor)
{
	return doctor_testable(doctor) == 0 ||
	       !doctor->findings[DOCTOR_LOOP].ok;
}

bool initial_print(const struct doctor *doctor, const char *folder, FILE *out,
		   struct err *err)
{
	json_t *body = initial_of_directories(doctor)
			       ? of_directories(folder, err)
			       : of_image(doctor, folder, err);

	if (!body)
		return err->code == ERR_NONE ? err_nomem(err) : false;
	return jsonout_print(complete(body), out, err);
}
