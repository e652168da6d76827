/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jsonvalue - values as JSON has them: what is absent is null, and what is
 * not UTF-8 is spelt out.
 *
 * Makers return NULL when out of memory; jsonvalue_put() takes that NULL and
 * says false, so that a chain of them needs one check.
 */
#ifndef REPORTS_JSONVALUE_H
#define REPORTS_JSONVALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* NULL is null. */
json_t *jsonvalue_text(const char *text);
/* NaN and infinity are null. */
json_t *jsonvalue_number(double value);
/* `absent` is null. */
json_t *jsonvalue_count(int64_t value, int64_t absent);

/*
 * Print it with json_dumpf()'s `flags`, in ASCII: what acts on a terminal or
 * breaks a line there, DEL too, is escaped. False: it cannot be written.
 */
bool jsonvalue_print(const json_t *value, size_t flags, FILE *out);

/* Takes `value` over. */
bool jsonvalue_put(json_t *object, const char *key, json_t *value);

#endif
