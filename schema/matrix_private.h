/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix_private - what the files of the matrix reader share: where in the
 * document it is, and where faults go. For schema/matrix*.c only.
 */
#ifndef SCHEMA_MATRIX_PRIVATE_H
#define SCHEMA_MATRIX_PRIVATE_H

#include "core/attr.h"
#include "schema/matrix.h"

#define MATRIX_WORKLOAD_NAME "seq" /* of one that needs none */

struct matrix_reader {
	const char *source;
	struct err_list *errs;
	struct matrix *matrix; /* what was read until now */
	char path[384];        /* of the member being read: "volumes[0].name" */
	size_t path_length;
	uint64_t file_limit_bytes; /* the document's own; 0: none */
	bool failed; /* a fault was found, whether or not `errs` took it */
	/*
	 * Names that the user did give may be missing in `matrix`, by
	 * dimension, or members of include, exclude and baseline.
	 */
	bool unsure[MATRIX_WORKLOAD + 1], filters_unsure;
};

/* Go to a member or element; returns the mark that leads back. */
size_t matrix_enter(struct matrix_reader *r, const char *fmt, ...) PRINTF(2, 3);
void matrix_leave(struct matrix_reader *r, size_t mark);

/* Add a fault of the member being read. */
void matrix_fault(struct matrix_reader *r, const char *fmt, ...) PRINTF(2, 3);
/* The same of its member `name`, which may not be there. */
void matrix_fault_of(struct matrix_reader *r, const char *name, const char *fmt,
		     ...) PRINTF(3, 4);
/* The same with a position in the document. */
void matrix_fault_at(struct matrix_reader *r, int line, int column,
		     const char *fmt, ...) PRINTF(4, 5);
/* A text that is none of `words`: lists them, and suggests one (NULL: none). */
void matrix_fault_word(struct matrix_reader *r, const char *text,
		       const char *const *words, const char *nearest);
/* Bytes of a user's text to show in a message: few, and whole characters. */
int matrix_clip(const char *text);
void matrix_nomem(struct matrix_reader *r);

/*
 * Every member that an object has twice, however it is spelt ("\u0061" is
 * "a"). `text` is well-formed JSON, NUL-terminated.
 */
void matrix_keys_check(struct matrix_reader *r, const char *text);

/* The file's bytes with a NUL behind them, the caller's; NULL: faulted. */
char *matrix_file_read(struct matrix_reader *r, size_t *length);
/* `path` seen from the directory that the matrix is in; heap, or NULL. */
char *matrix_file_beside(const char *source, const char *path);
/* The matrix file's name without folder and ".json"; heap, or NULL. */
char *matrix_file_name(const char *source);

/* All cells, whatever include and exclude say of them. */
size_t matrix_combinations(const struct matrix *m);
/* Of the cells that are kept, those that match. */
size_t matrix_cells_like(const struct matrix *m,
			 const struct matrix_filter *wanted);

/* A matrix with its text, and defaults for what is not in it. */
struct matrix *matrix_new(struct matrix_reader *r, const char *text,
			  size_t length);
void matrix_put_default_name(struct matrix_reader *r);
struct workload matrix_default_workload(const struct matrix_reader *r);
/* For a document that names no workload. */
void matrix_add_default_workload(struct matrix_reader *r);
/* Moves the member that is set (the others are freed) to the matrix. */
void matrix_take_baseline(struct matrix *m, struct matrix_filter *wanted);

/* Whether a volume wants to be formatted. */
bool matrix_needs_filesystems(const struct matrix *m);
/* What was read of a dimension: refuses a name that is there twice. */
void matrix_check_names(struct matrix_reader *r,
			enum matrix_dimension dimension);
/* Whether the dimension has this name; if it surely has not, a fault. */
bool matrix_check_reference(struct matrix_reader *r,
			    enum matrix_dimension dimension, const char *name);
/*
 * What can only be said of the whole: too many cells or none, and a baseline
 * that no cell has. Chooses a baseline if the document names none.
 */
void matrix_check_cells(struct matrix_reader *r);

#endif
