/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix_read - objects of the document into structs, by tables of members.
 *
 * A reader checks a value, and puts it into a field or adds a fault. What is
 * wrong is left as 0 or NULL, of which no later check has anything to say.
 */
#ifndef SCHEMA_MATRIX_READ_H
#define SCHEMA_MATRIX_READ_H

#include <stddef.h>

#include "schema/matrix_private.h"
#include "schema/matrix_value.h"

#define MATRIX_READ_SECONDS_MAX 1000000000 /* of a duration; 31 years */

/* A member that an object may have. Tables of them end with a NULL name. */
struct matrix_member {
	const char *name;
	void (*read)(struct matrix_reader *r, const struct matrix_member *m,
		     const struct matrix_value *value, void *field);
	size_t offset; /* of the field, in the struct that is being read */
	uint64_t least, most;     /* of a number */
	const char *const *words; /* the field becomes the index of one */
};

/* Entries of tables; `type` is the struct's tag. */
#define MATRIX_MEMBER(key, reader, type, field)                                \
	{                                                                      \
		.name = (key), .read = (reader),                               \
		.offset = offsetof(struct type, field)                         \
	}
#define MATRIX_MEMBER_RANGE(key, reader, type, field, from, to)                \
	{                                                                      \
		.name = (key), .read = (reader),                               \
		.offset = offsetof(struct type, field), .least = (from),       \
		.most = (to)                                                   \
	}
#define MATRIX_MEMBER_WORD(key, list, type, field)                             \
	{                                                                      \
		.name = (key), .read = matrix_read_word,                       \
		.offset = offsetof(struct type, field), .words = (list)        \
	}
/* The reader is given the struct itself. */
#define MATRIX_MEMBER_ALL(key, reader)                                         \
	{                                                                      \
		.name = (key), .read = (reader)                                \
	}

/* What an array holds, and who reads one entry into a zeroed item. */
struct matrix_list {
	size_t item_size, least;
	size_t most;    /* entries; 0: MATRIX_LIST_MAX */
	const char *of; /* " of strings", for the message; NULL: nothing */
	void (*read)(struct matrix_reader *r, const struct matrix_value *value,
		     void *item);
};

/*
 * Read the members that are there, refuse others, and read those that are
 * misspelt all the same; false, faulted, if it is no object at all.
 */
bool matrix_read_object(struct matrix_reader *r,
			const struct matrix_member *members,
			const struct matrix_value *object, void *out);
/* The array's entries on the heap and one zeroed behind them; may be NULL. */
void *matrix_read_list(struct matrix_reader *r,
		       const struct matrix_value *value,
		       const struct matrix_list *list, size_t *count);

/*
 * How the object spells the member: its name, or, where that is missing, a
 * key that was refused as unknown and looks like it, so that what is inside
 * is looked at, too. NULL if it has neither.
 */
const char *matrix_read_key(struct matrix_reader *r,
			    const struct matrix_member *members,
			    const struct matrix_value *object,
			    const char *name);
/* How many of the names (NULL-terminated) the object has, so or so. */
size_t matrix_read_count_of(struct matrix_reader *r,
			    const struct matrix_member *members,
			    const struct matrix_value *object,
			    const char *const *names);

/* A string without NULs, borrowed; NULL, faulted, if it is none. */
const char *matrix_read_string(struct matrix_reader *r,
			       const struct matrix_value *value);
/* Put a copy of the text (NULL: none) in the place of what was there. */
void matrix_read_put(struct matrix_reader *r, const char *text, char **field);

/* Readers for tables. The field of the first group is a char *, owned. */
#define MATRIX_READER(name)                                                    \
	void matrix_read_##name(struct matrix_reader *r,                       \
				const struct matrix_member *m,                 \
				const struct matrix_value *value, void *field)
MATRIX_READER(text); /* of at most MATRIX_TEXT_MAX bytes */
MATRIX_READER(nonempty);
MATRIX_READER(path); /* relative to the matrix file */
MATRIX_READER(name);
MATRIX_READER(texts);    /* a char **, NULL-terminated */
MATRIX_READER(ignored);  /* a string that is not kept */
MATRIX_READER(bool);     /* a bool */
MATRIX_READER(word);     /* an enum */
MATRIX_READER(count);    /* an unsigned int */
MATRIX_READER(bytes);    /* a uint64_t, in [least, most] */
MATRIX_READER(duration); /* a uint64_t of ns, above 0, to `most` seconds */

/* Readers of the document's own members; the field is the struct matrix. */
MATRIX_READER(volumes);
MATRIX_READER(filesystems);
MATRIX_READER(workloads);
MATRIX_READER(include);
MATRIX_READER(exclude);
MATRIX_READER(baseline);

void matrix_read_document(struct matrix_reader *r,
			  const struct matrix_value *root);

#endif
