/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/misfit.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/units.h"
#include "runner/command.h"

/* Less is no file that says anything of a disk: a unit was left out. */
#define SIZE_LEAST 4096

enum { TEXT_MAX = 256 };

/* Free where the image will be; UINT64_MAX: without a limit, or not known. */
static uint64_t free_bytes(const struct matrix_volume *v)
{
	char folder[PATH_MAX];
	struct statvfs st;

	snprintf(folder, sizeof(folder), "%s", v->path);
	if (statvfs(dirname(folder), &st) < 0 || st.f_blocks == 0)
		return UINT64_MAX;
	return (uint64_t)st.f_bavail * st.f_frsize;
}

static bool volume_fits(const struct matrix_volume *v, char *why, size_t size)
{
	char wanted[UNITS_TEXT_MAX], room[UNITS_TEXT_MAX];
	uint64_t available;

	if (v->kind != MATRIX_IMAGE || !v->allocate)
		return true;
	available = free_bytes(v);
	if (available >= v->size_bytes)
		return true;
	units_format_bytes(v->size_bytes, wanted, sizeof(wanted));
	units_format_bytes(available, room, sizeof(room));
	snprintf(why, size, "image %s needs %s, and %s are free there", v->path,
		 wanted, room);
	return false;
}

bool misfit_cell(const struct plan_cell *cell, char *why, size_t size)
{
	const struct matrix_volume *v = cell->volume;
	uint64_t wanted_bytes = cell->workload->core.size_bytes;
	char wanted[UNITS_TEXT_MAX], room[UNITS_TEXT_MAX];

	if (!volume_fits(v, why, size))
		return true;
	/* A filesystem needs some of it: less than all will do, perhaps. */
	if (v->kind != MATRIX_IMAGE || wanted_bytes < v->size_bytes ||
	    cell->workload->core.duration_ns > 0)
		return false;
	units_format_bytes(wanted_bytes, wanted, sizeof(wanted));
	units_format_bytes(v->size_bytes, room, sizeof(room));
	snprintf(why, size, "%s do not fit on a volume of %s", wanted, room);
	return true;
}

/* Whether "~" is one of the path's components. */
static bool has_tilde(const char *path)
{
	const char *at = path;

	while ((at = strchr(at, '~'))) {
		if ((at == path || at[-1] == '/') && (at[1] == '/' || !at[1]))
			return true;
		at++;
	}
	return false;
}

/* A folder can be called so, and then is there. */
static bool is_there(const struct matrix_volume *v)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s", v->path);
	return access(v->kind == MATRIX_IMAGE ? dirname(folder) : folder,
		      F_OK) == 0;
}

void misfit_warn(const struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->volume_count; i++) {
		const struct matrix_volume *v = &matrix->volumes[i];

		if (has_tilde(v->path) && !is_there(v))
			command_warn("volume %s: ~ is not expanded in %s: "
				     "write the path of the home directory",
				     v->name, v->path);
	}
	for (size_t i = 0; i < matrix->workload_count; i++) {
		const struct matrix_workload *w = &matrix->workloads[i];
		uint64_t bytes = w->core.size_bytes;

		if (bytes > 0 && bytes < SIZE_LEAST)
			command_warn("workload %s: a size of %" PRIu64
				     " bytes: is a unit missing?",
				     w->name, bytes);
	}
}

static void warn_of_cell(const struct plan_cell *cell)
{
	char why[PATH_MAX + TEXT_MAX];

	if (volume_fits(cell->volume, why, sizeof(why)) &&
	    misfit_cell(cell, why, sizeof(why)))
		command_warn("workload %s on volume %s: %s",
			     cell->workload->name, cell->volume->name, why);
}

/* Its filesystems make no difference. */
static void warn_of_cells(const struct matrix *matrix, const struct plan *plan)
{
	bool *seen = calloc(matrix->volume_count * matrix->workload_count + 1,
			    sizeof(*seen));

	for (size_t i = 0; seen && i < plan->cell_count; i++) {
		const struct plan_cell *cell = &plan->cells[i];
		size_t volume = (size_t)(cell->volume - matrix->volumes);
		size_t workload = (size_t)(cell->workload - matrix->workloads);
		size_t at = volume * matrix->workload_count + workload;

		if (!seen[at])
			warn_of_cell(cell);
		seen[at] = true;
	}
	free(seen);
}

void misfit_warn_of_room(const struct matrix *matrix, const struct plan *plan)
{
	char why[PATH_MAX + TEXT_MAX];

	for (size_t i = 0; i < matrix->volume_count; i++) {
		if (!volume_fits(&matrix->volumes[i], why, sizeof(why)))
			command_warn("volume %s: %s", matrix->volumes[i].name,
				     why);
	}
	warn_of_cells(matrix, plan);
}

/* Of what has a "~" the warning has said enough. */
static void note_place(const char *volume, const char *what, const char *path)
{
	struct stat st;

	if (has_tilde(path))
		return;
	if (stat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		command_note("volume %s: there is no %s %s on this machine",
			     volume, what, path);
}

void misfit_note_places(const struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->volume_count; i++) {
		const struct matrix_volume *v = &matrix->volumes[i];
		char folder[PATH_MAX];

		snprintf(folder, sizeof(folder), "%s", v->path);
		if (v->kind == MATRIX_IMAGE)
			note_place(v->name, "folder", dirname(folder));
		else
			note_place(v->name,
				   v->kind == MATRIX_DEVICE ? "device"
							    : "directory",
				   v->path);
	}
}
