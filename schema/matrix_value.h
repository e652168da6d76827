/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix_value - a JSON value of the document, seen by those who need not
 * know which library parsed it (only schema/matrix.c does). Values are
 * borrowed and live as long as the document is being read.
 */
#ifndef SCHEMA_MATRIX_VALUE_H
#define SCHEMA_MATRIX_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct matrix_value;

/* NULL if it is no string. The text may hold NULs: `length` says. */
const char *matrix_value_text(const struct matrix_value *v, size_t *length);
/* False if it is no whole number; 5.0 and 5e0 are 5, as in the schema. */
bool matrix_value_whole(const struct matrix_value *v, int64_t *number);
/* Any number, near enough to be shown. False if it is none. */
bool matrix_value_number(const struct matrix_value *v, double *number);
/* False if it is neither true nor false. */
bool matrix_value_bool(const struct matrix_value *v, bool *truth);
/* False if it is no array. */
bool matrix_value_array(const struct matrix_value *v, size_t *length);
const struct matrix_value *matrix_value_at(const struct matrix_value *v,
					   size_t index);
bool matrix_value_is_object(const struct matrix_value *v);
/* NULL if the object has no such member, or if it is no object. */
const struct matrix_value *matrix_value_member(const struct matrix_value *v,
					       const char *name);
/* The key behind `key`, or the first for NULL; NULL at the end. */
const char *matrix_value_key(const struct matrix_value *v, const char *key);

#endif
