/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix - the JSON document a user writes, read into plain structs.
 *
 * The reader checks everything that the document alone can tell (syntax,
 * members, types, ranges, names that refer to each other) and reports every
 * fault at once. It refuses to know whether a device, an image or a program
 * exists: that is the runner's to find out. matrix.schema.json says the same
 * to an editor; a test holds the two together.
 */
#ifndef SCHEMA_MATRIX_H
#define SCHEMA_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/workload.h"

#define MATRIX_NAME_MAX   128 /* bytes of a name, without the NUL */
#define MATRIX_ROUNDS_MAX 10000
#define MATRIX_CELLS_MAX  100000
#define MATRIX_LIST_MAX   1000 /* entries of any array */
#define MATRIX_MKFS_MAX   100  /* but of mkfs */
#define MATRIX_TEXT_MAX   1000 /* bytes of an option of mkfs or of mount */
#define MATRIX_FILE_MAX   (UINT64_C(16) << 20) /* bytes of a document */
#define MATRIX_IMAGE_MIN  (UINT64_C(1) << 20)  /* bytes of an image */
#define MATRIX_BYTES_MAX  (UINT64_C(1) << 62)  /* any size; fits in off_t */

enum matrix_dimension {
	MATRIX_FILESYSTEM,
	MATRIX_VOLUME,
	MATRIX_WORKLOAD,
};

enum matrix_volume_kind { MATRIX_IMAGE, MATRIX_DEVICE, MATRIX_DIRECTORY };

struct matrix_volume {
	char *name;
	enum matrix_volume_kind kind;
	char *path; /* absolute, or relative to the current directory */
	uint64_t size_bytes; /* image: its size */
	bool allocate;       /* image: reserve its blocks; else sparse */
	char *erase;         /* device: the consent; NULL if not given */
	bool allow_fill;     /* directory: "full" may fill a system's disk */
};

struct matrix_filesystem {
	char *name;
	char *type;   /* one of matrix_types */
	char **mkfs;  /* options, NULL-terminated; never NULL */
	char *mount;  /* options as for mount -o; NULL: none */
	char *driver; /* wanted driver; NULL: the best there is */
};

struct matrix_workload {
	char *name;
	struct workload core;
};

/* One entry of include or exclude: a NULL member matches everything. */
struct matrix_filter {
	char *volume, *filesystem, *workload;
};

struct matrix {
	char *name;
	char *source; /* the path it was loaded from */
	char *text;   /* the document, byte for byte */
	struct matrix_volume *volumes;
	size_t volume_count;
	struct matrix_filesystem *filesystems;
	size_t filesystem_count;
	struct matrix_workload *workloads;
	size_t workload_count;
	struct matrix_filter *include, *exclude;
	size_t include_count, exclude_count;
	unsigned int rounds;
	enum matrix_dimension baseline_dimension;
	char *baseline;      /* a name in that dimension; never NULL */
	uint64_t timeout_ns; /* per cell; 0: none */
};

/*
 * Read and check the file. Returns NULL with every fault in `errs`, of code
 * ERR_INPUT (ERR_FAILED only when memory ran out): a file that cannot be read
 * is one too. The matrix is the caller's, to be freed with matrix_free().
 */
struct matrix *matrix_load(const char *path, struct err_list *errs);

/* As matrix_load() from memory; relative paths are relative to `source`. */
struct matrix *matrix_parse(const char *text, size_t length, const char *source,
			    struct err_list *errs);
void matrix_free(struct matrix *matrix);

/*
 * The filesystem types that a matrix may name, and the drivers that each may
 * ask for, in the order in which the runner prefers them (NULL-terminated).
 */
struct matrix_type {
	const char *name;
	const char *const *drivers;
};
extern const struct matrix_type matrix_types[]; /* ends with a NULL name */

/* NULL if there is none of this name. */
const struct matrix_type *matrix_type_find(const char *name);
/* What somebody may have meant by this: "vfat" for "FAT32"; NULL: no idea. */
const char *matrix_type_near(const char *name);

/* Whether include and exclude keep this cell; names may be NULL (none). */
bool matrix_keeps(const struct matrix *matrix, const char *volume,
		  const char *filesystem, const char *workload);

/* The cells of one round: what include and exclude keep of all. */
size_t matrix_cell_count(const struct matrix *matrix);

/* "filesystem", "volume", "workload". */
const char *matrix_dimension_name(enum matrix_dimension dimension);

#endif
