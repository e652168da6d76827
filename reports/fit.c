/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/fit.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "core/text.h"

/* Bytes and columns of the character at `text`, which is not at its end. */
static size_t character(const char *text, size_t *width)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t bytes;
	int columns;

	*width = 1;
	if (*text >= ' ' && *text <= '~')
		return 1;
	bytes = mbrtowc(&wide, text, strnlen(text, MB_LEN_MAX), &state);
	if (bytes == 0 || bytes == (size_t)-1 || bytes == (size_t)-2)
		return 1; /* not of this locale: a byte is a column */
	columns = wcwidth(wide);
	if (columns >= 0)
		*width = (size_t)columns;
	return bytes;
}

size_t fit_width(const char *text)
{
	size_t total = 0, width;

	while (*text) {
		text += character(text, &width);
		total += width;
	}
	return total;
}

/* The code point of a well-formed sequence; *bytes of it. */
static uint32_t code_point(const char *text, size_t *bytes)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t point;

	*bytes = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	point = *bytes == 1 ? s[0] : s[0] & (0x7fu >> *bytes);
	for (size_t i = 1; i < *bytes; i++)
		point = point << 6 | (s[i] & 0x3fu);
	return point;
}

char *fit_safe(const char *text, bool utf8)
{
	char *safe = text_safe(text), *ascii, *end;

	if (!safe || utf8)
		return safe;
	/* At most two bytes become seven ("\u{416}"), and four ten. */
	ascii = malloc(4 * strlen(safe) + 1);
	end = ascii;
	for (const char *at = safe; ascii && *at;) {
		size_t bytes;
		uint32_t point = code_point(at, &bytes);

		if (point < 0x80)
			*end++ = (char)point;
		else
			end += sprintf(end, "\\u{%x}", (unsigned int)point);
		at += bytes;
	}
	if (ascii)
		*end = '\0';
	free(safe);
	return ascii;
}

size_t fit_head(const char *text, size_t width)
{
	size_t bytes = 0, taken = 0;

	while (text[bytes]) {
		size_t columns, n = character(text + bytes, &columns);

		if (taken + columns > width)
			break;
		taken += columns;
		bytes += n;
	}
	return bytes;
}

/* The longest end of `text` that takes at most `width` columns. */
static const char *tail_of(const char *text, size_t width)
{
	size_t total = fit_width(text), columns;

	while (total > width) {
		text += character(text, &columns);
		total -= columns;
	}
	return text;
}

char *fit_shorten(const char *text, size_t width, bool utf8)
{
	const char *ellipsis = utf8 ? "\xe2\x80\xa6" : "...";
	size_t gap = utf8 ? 1 : 3;
	char *out;

	if (fit_width(text) <= width)
		return strdup(text);
	if (width <= gap)
		return strndup(text, fit_head(text, width));
	/* The end of a name tells more than its middle. */
	if (asprintf(&out, "%.*s%s%s",
		     (int)fit_head(text, (width - gap + 1) / 2), text, ellipsis,
		     tail_of(text, (width - gap) / 2)) < 0)
		return NULL;
	return out;
}

/*
 * Bytes of `text` for one line of `room` columns: up to its last space. A
 * word that does not fit into the `next` columns of the next line either is
 * begun here, if half of the line is left for it.
 */
static size_t line_bytes(const char *text, size_t room, size_t next)
{
	size_t bytes = fit_head(text, room), at = bytes, width;

	if (!text[bytes] || text[bytes] == ' ')
		return bytes;
	while (at > 0 && text[at - 1] != ' ')
		at--;
	if ((bytes - at) * 2 < room ||
	    fit_head(text + at, next) >= strcspn(text + at, " ")) {
		while (at > 0 && text[at - 1] == ' ')
			at--;
		if (at > 0)
			return at;
	}
	/* A list without spaces ("rw,noatime") goes on behind a comma. */
	for (size_t end = bytes; end > at; end--) {
		if (text[end - 1] == ',')
			return end;
	}
	/* At least one character moves on. */
	return bytes > 0 ? bytes : character(text, &width);
}

void fit_fold(const char *text, size_t width, size_t indent, FILE *out)
{
	size_t margin = 0;

	do {
		size_t room = width > margin ? width - margin : 1;
		size_t next = width > indent ? width - indent : 1;
		size_t bytes = line_bytes(text, room, next);

		fprintf(out, "%*s%.*s\n", (int)margin, "", (int)bytes, text);
		text += bytes;
		text += strspn(text, " ");
		margin = indent;
	} while (*text);
}
