/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/safety.h"

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/units.h"
#include "runner/disk.h"

#define RESERVE_MIN (UINT64_C(64) << 20)
#define RESERVE_MAX (UINT64_C(1) << 30)

/* A folder, and the filesystem that it is on. */
struct spot {
	char path[PATH_MAX]; /* without symbolic links; "" if it is not there */
	dev_t number, disk;  /* disk: 0 if there is none */
	ino_t inode;
	uint64_t total_bytes, available_bytes;
};

/* The matrix and the places that must not be filled. */
struct check {
	const struct matrix *matrix;
	const char *database;
	struct spot root, results; /* results: the database's folder */
};

uint64_t safety_reserve(uint64_t total_bytes)
{
	uint64_t reserve = total_bytes / 20;

	if (reserve < RESERVE_MIN)
		return RESERVE_MIN;
	return reserve > RESERVE_MAX ? RESERVE_MAX : reserve;
}

static void look(const char *path, struct spot *spot)
{
	struct statvfs fs;
	struct stat st;
	int fd;

	*spot = (struct spot){ 0 };
	if (!realpath(path, spot->path)) {
		spot->path[0] = '\0';
		return;
	}
	fd = open(spot->path, O_PATH | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0 || fstatvfs(fd, &fs) < 0) {
		spot->path[0] = '\0';
	} else {
		spot->number = st.st_dev;
		spot->inode = st.st_ino;
		spot->disk = disk_of_file(fd);
		spot->total_bytes = (uint64_t)fs.f_blocks * fs.f_frsize;
		spot->available_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	}
	if (fd >= 0)
		close(fd);
}

/* The folder of a file that need not be there; a link is followed. */
static void look_at_folder(const char *path, struct spot *spot)
{
	char copy[PATH_MAX];

	if (!realpath(path, copy))
		snprintf(copy, sizeof(copy), "%s", path);
	look(dirname(copy), spot);
}

/* One of btrfs may have several numbers, but they are on one disk. */
static bool same_filesystem(const struct spot *a, const struct spot *b)
{
	return a->path[0] && b->path[0] &&
	       (a->number == b->number || (a->disk && a->disk == b->disk));
}

static bool same_folder(const struct spot *a, const struct stat *st)
{
	return a->path[0] && a->number == st->st_dev && a->inode == st->st_ino;
}

/* By inodes: a bind mount gives the same folder another name. */
static bool is_within(const struct spot *inner, const struct spot *outer)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s", inner->path);
	while (path[0]) {
		if (stat(path, &st) == 0 && same_folder(outer, &st))
			return true;
		*strrchr(path, '/') = '\0';
	}
	return stat("/", &st) == 0 && same_folder(outer, &st);
}

/* Whether what is in that folder is on the volume. */
static bool is_on(const struct spot *spot, const struct matrix_volume *v)
{
	struct spot volume;
	struct stat st;

	if (v->kind == MATRIX_DIRECTORY) {
		look(v->path, &volume);
		return is_within(spot, &volume);
	}
	return v->kind == MATRIX_DEVICE && spot->disk &&
	       stat(v->path, &st) == 0 && S_ISBLK(st.st_mode) &&
	       st.st_rdev == spot->disk;
}

static bool may_hold_results(const struct check *c, const char *folder)
{
	struct spot spot;

	look(folder, &spot);
	if (!spot.path[0] || access(spot.path, W_OK | X_OK) != 0)
		return false;
	for (size_t i = 0; i < c->matrix->volume_count; i++) {
		if (is_on(&spot, &c->matrix->volumes[i]))
			return false;
	}
	return true;
}

/* A place that will do: home, beside the volume, or anybody's. */
static void advise_place(const struct check *c, const struct matrix_volume *v,
			 struct err *err)
{
	char beside[PATH_MAX];
	const char *folders[] = { getenv("HOME"), NULL, "/var/tmp", "/tmp" };

	if (v->kind == MATRIX_DIRECTORY && realpath(v->path, beside))
		folders[1] = dirname(beside);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *folder = folders[i];

		if (!folder || !may_hold_results(c, folder))
			continue;
		err_advise(err, "keep it elsewhere: --db %s/fsmatrix.db",
			   strcmp(folder, "/") == 0 ? "" : folder);
		return;
	}
	err_advise(err, "keep it elsewhere, with --db FILE");
}

static bool check_results(const struct check *c, const struct matrix_volume *v,
			  struct err *err)
{
	if (!is_on(&c->results, v))
		return true;
	err_set(err, ERR_REFUSED,
		"the database %s %s volume %s (%s), which is under test",
		c->database,
		v->kind == MATRIX_DIRECTORY ? "lies below the directory of"
					    : "is on",
		v->name, v->path);
	advise_place(c, v, err);
	return false;
}

/* What a cell's write of the volume may be at most; UINT64_MAX: until full. */
static uint64_t most_written(const struct matrix *m, size_t volume)
{
	const char *name = m->volumes[volume].name;
	uint64_t most = 0, bytes;

	for (size_t w = 0; w < m->workload_count; w++) {
		const struct matrix_workload *workload = &m->workloads[w];
		bool kept = m->volumes[volume].kind == MATRIX_DIRECTORY &&
			    matrix_keeps(m, name, NULL, workload->name);

		for (size_t f = 0; !kept && f < m->filesystem_count; f++)
			kept = m->volumes[volume].kind != MATRIX_DIRECTORY &&
			       matrix_keeps(m, name, m->filesystems[f].name,
					    workload->name);
		bytes = workload->core.size_bytes;
		if (kept && (bytes == 0 || bytes > most))
			most = bytes ? bytes : UINT64_MAX;
	}
	return most;
}

/* Which of the places that must not be filled is there; NULL: none. */
static const char *held(const struct check *c, const struct spot *spot)
{
	struct spot image;

	if (same_filesystem(spot, &c->root))
		return "/";
	if (same_filesystem(spot, &c->results))
		return "the database";
	for (size_t i = 0; i < c->matrix->volume_count; i++) {
		if (c->matrix->volumes[i].kind != MATRIX_IMAGE)
			continue;
		look_at_folder(c->matrix->volumes[i].path, &image);
		if (same_filesystem(spot, &image))
			return "the images";
	}
	return NULL;
}

/* Where the size is known less will do than where the end is to be found. */
static uint64_t small_reserve(const struct spot *spot)
{
	uint64_t reserve = spot->total_bytes / 20;

	return reserve < RESERVE_MIN ? reserve : RESERVE_MIN;
}

static bool check_room(const struct spot *spot, uint64_t needed,
		       const char *what, const char *path, const char *held,
		       struct err *err)
{
	char needed_text[UNITS_TEXT_MAX], free_text[UNITS_TEXT_MAX];

	if (spot->available_bytes >= needed &&
	    spot->available_bytes - needed >= small_reserve(spot))
		return true;
	units_format_bytes(needed, needed_text, sizeof(needed_text));
	units_format_bytes(spot->available_bytes, free_text, sizeof(free_text));
	return err_set(err, ERR_REFUSED,
		       "%s %s may grow to %s, and of the %s that are free "
		       "there, on the filesystem that holds %s, some must stay "
		       "free; make it or the size of the workloads smaller, or "
		       "place it elsewhere",
		       what, path, needed_text, free_text, held);
}

static bool check_directory(const struct check *c, size_t i, uint64_t *reserve,
			    struct err *err)
{
	const struct matrix_volume *v = &c->matrix->volumes[i];
	uint64_t needed = most_written(c->matrix, i);
	struct spot spot;
	const char *what;

	look(v->path, &spot);
	what = held(c, &spot);
	if (!what)
		return true;
	if (needed != UINT64_MAX)
		return check_room(&spot, needed, "directory", v->path, what,
				  err);
	if (!v->allow_fill)
		return err_set(err, ERR_REFUSED,
			       "a write until volume %s (%s) is full would "
			       "fill the filesystem that holds %s; "
			       "\"allow_fill\": true allows it, but for a "
			       "reserve",
			       v->name, v->path, what);
	*reserve = safety_reserve(spot.total_bytes);
	return true;
}

/* Sparse, it takes room when it is written. */
static bool check_image(const struct check *c, size_t i, struct err *err)
{
	const struct matrix_volume *v = &c->matrix->volumes[i];
	uint64_t needed = most_written(c->matrix, i);
	struct spot spot;

	look_at_folder(v->path, &spot);
	if (!same_filesystem(&spot, &c->root) &&
	    !same_filesystem(&spot, &c->results))
		return true;
	if (v->allocate || needed > v->size_bytes)
		needed = v->size_bytes;
	return check_room(
		&spot, needed, "image", v->path,
		same_filesystem(&spot, &c->root) ? "/" : "the database", err);
}

bool safety_check(const struct matrix *matrix, const char *database,
		  uint64_t *reserves, struct err *err)
{
	struct check c = { .matrix = matrix, .database = database };
	bool ok = true;

	look("/", &c.root);
	look_at_folder(database, &c.results);
	for (size_t i = 0; ok && i < matrix->volume_count; i++) {
		const struct matrix_volume *v = &matrix->volumes[i];

		reserves[i] = 0;
		ok = check_results(&c, v, err);
		if (ok && v->kind == MATRIX_DIRECTORY)
			ok = check_directory(&c, i, &reserves[i], err);
		else if (ok && v->kind == MATRIX_IMAGE)
			ok = check_image(&c, i, err);
	}
	return ok;
}
