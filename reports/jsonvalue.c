/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/jsonvalue.h"

#include <math.h>
#include <stdlib.h>

#include "core/text.h"

json_t *jsonvalue_text(const char *text)
{
	char *safe;
	json_t *value;

	if (!text)
		return json_null();
	if (text_is_utf8(text))
		return json_string(text);
	safe = text_safe(text);
	value = safe ? json_string(safe) : NULL;
	free(safe);
	return value;
}

json_t *jsonvalue_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *jsonvalue_count(int64_t value, int64_t absent)
{
	return value == absent ? json_null() : json_integer(value);
}

bool jsonvalue_put(json_t *object, const char *key, json_t *value)
{
	return value && json_object_set_new(object, key, value) == 0;
}

/* Jansson takes DEL for a character as good as any; it is in strings only. */
static int write_ascii(const char *text, size_t length, void *ctx)
{
	FILE *out = ctx;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == 0x7f)
			fputs("\\u007F", out);
		else
			putc(text[i], out);
	}
	return ferror(out) ? -1 : 0;
}

bool jsonvalue_print(const json_t *value, size_t flags, FILE *out)
{
	return json_dump_callback(value, write_ascii, out,
				  flags | JSON_ENSURE_ASCII) == 0;
}
