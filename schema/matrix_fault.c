/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "schema/matrix_private.h"

enum { CLIP_MAX = 60 };

size_t matrix_enter(struct matrix_reader *r, const char *fmt, ...)
{
	size_t mark = r->path_length;
	va_list ap;

	if (mark && fmt[0] != '[' && mark < sizeof(r->path) - 1)
		r->path[r->path_length++] = '.';
	va_start(ap, fmt);
	vsnprintf(r->path + r->path_length, sizeof(r->path) - r->path_length,
		  fmt, ap);
	va_end(ap);
	if (r->path[r->path_length] == '\0') /* the key "" */
		snprintf(r->path + r->path_length,
			 sizeof(r->path) - r->path_length, "\"\"");
	r->path_length += strlen(r->path + r->path_length);
	return mark;
}

void matrix_leave(struct matrix_reader *r, size_t mark)
{
	r->path_length = mark;
	r->path[mark] = '\0';
}

PRINTF(3, 0)
static void add(struct matrix_reader *r, struct err *err, const char *fmt,
		va_list ap)
{
	char text[sizeof(err->text) - sizeof(r->path)];

	vsnprintf(text, sizeof(text), fmt, ap);
	err_set(err, ERR_INPUT, "%s%s%s", r->path, *r->path ? ": " : "", text);
	snprintf(err->source, sizeof(err->source), "%s", r->source);
	err_list_add(r->errs, err);
	r->failed = true;
}

void matrix_fault(struct matrix_reader *r, const char *fmt, ...)
{
	struct err err = { 0 };
	va_list ap;

	va_start(ap, fmt);
	add(r, &err, fmt, ap);
	va_end(ap);
}

void matrix_fault_of(struct matrix_reader *r, const char *name, const char *fmt,
		     ...)
{
	size_t mark = matrix_enter(r, "%s", name);
	struct err err = { 0 };
	va_list ap;

	va_start(ap, fmt);
	add(r, &err, fmt, ap);
	va_end(ap);
	matrix_leave(r, mark);
}

void matrix_fault_at(struct matrix_reader *r, int line, int column,
		     const char *fmt, ...)
{
	struct err err = { .line = line, .column = column };
	va_list ap;

	va_start(ap, fmt);
	add(r, &err, fmt, ap);
	va_end(ap);
}

int matrix_clip(const char *text)
{
	size_t length = strnlen(text, CLIP_MAX);

	while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	return (int)length;
}

void matrix_fault_word(struct matrix_reader *r, const char *text,
		       const char *const *words, const char *nearest)
{
	char list[256] = "";
	size_t length = 0;

	for (; *words && length < sizeof(list); words++)
		length += (size_t)snprintf(list + length, sizeof(list) - length,
					   "%s%s", length ? ", " : "", *words);
	if (nearest)
		matrix_fault(r, "not one of %s: %.*s (did you mean \"%s\"?)",
			     list, matrix_clip(text), text, nearest);
	else
		matrix_fault(r, "not one of %s: %.*s", list, matrix_clip(text),
			     text);
}

void matrix_nomem(struct matrix_reader *r)
{
	struct err err = { 0 };

	err_nomem(&err);
	err_at(&err, r->source, 0, 0);
	err_list_add(r->errs, &err);
	r->failed = true;
}
