/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/err.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

enum { LIST_MAX = 1000 };

bool err_vset(struct err *err, enum err_code code, const char *fmt, va_list ap)
{
	if (err->code != ERR_NONE)
		return false;
	err->code = code;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	return false;
}

bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(err, code, fmt, ap);
	va_end(ap);
	return false;
}

bool err_sys(struct err *err, int errnum, const char *fmt, ...)
{
	va_list ap;
	size_t used;

	if (err->code != ERR_NONE)
		return false;
	va_start(ap, fmt);
	err_vset(err, ERR_FAILED, fmt, ap);
	va_end(ap);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s",
		 strerror(errnum));
	return false;
}

bool err_usage(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (err->code != ERR_NONE)
		return false;
	va_start(ap, fmt);
	err_vset(err, ERR_INPUT, fmt, ap);
	va_end(ap);
	err->usage = true;
	return false;
}

bool err_nomem(struct err *err)
{
	return err_set(err, ERR_FAILED, "out of memory");
}

bool err_advise(struct err *err, const char *fmt, ...)
{
	size_t used = strlen(err->text);
	va_list ap;

	if (err->code == ERR_NONE || used + 2 >= sizeof(err->text))
		return false;
	memcpy(err->text + used, "; ", 3);
	va_start(ap, fmt);
	vsnprintf(err->text + used + 2, sizeof(err->text) - used - 2, fmt, ap);
	va_end(ap);
	return false;
}

void err_at(struct err *err, const char *source, int line, int column)
{
	if (err->source[0] || err->line)
		return;
	snprintf(err->source, sizeof(err->source), "%s", source);
	err->line = line;
	err->column = column;
}

void err_print(const struct err *err, FILE *out)
{
	if (err->source[0]) {
		text_fputs_safe(err->source, out);
		if (err->line)
			fprintf(out, ":%d", err->line);
		if (err->line && err->column)
			fprintf(out, ":%d", err->column);
		fputs(": ", out);
	}
	text_fputs_safe(err->text, out);
	fputc('\n', out);
}

bool err_list_add(struct err_list *list, const struct err *err)
{
	struct err *grown;

	if (list->count == LIST_MAX) {
		list->truncated = true;
		return false;
	}
	grown = reallocarray(list->items, list->count + 1, sizeof(*grown));
	if (!grown) {
		list->truncated = true;
		return false;
	}
	list->items = grown;
	list->items[list->count++] = *err;
	return false;
}

void err_list_done(struct err_list *list)
{
	free(list->items);
	*list = (struct err_list){ 0 };
}
