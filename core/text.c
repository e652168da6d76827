/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	BEGUN_MIN = 3,     /* characters that say which name was begun */
	NEAREST_MAX = 64,  /* longer names are not compared */
	SAFE_UNIT_MAX = 8, /* "\u{202e}" */
};

/* Bytes of the well-formed UTF-8 sequence at `s` (0: it is none). */
static size_t sequence(const unsigned char *s, uint32_t *point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length;

	if (s[0] < 0x80) {
		*point = s[0];
		return 1;
	}
	if (s[0] >= 0xf0 && s[0] < 0xf8)
		length = 4;
	else if (s[0] >= 0xe0)
		length = 3;
	else
		length = 2;
	if (s[0] < 0xc2 || s[0] >= 0xf8)
		return 0;
	*point = s[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (s[i] & 0x3fu);
	}
	if (*point < least[length] || *point > 0x10ffff ||
	    (*point >= 0xd800 && *point <= 0xdfff))
		return 0;
	return length;
}

/* Points that move the cursor or reorder what stands around them. */
static bool is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) ||
	       (point >= 0x200e && point <= 0x200f) ||
	       (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2066 && point <= 0x2069);
}

/* Write the unit at `s` to `out` (SAFE_UNIT_MAX + 1); bytes taken. */
static size_t safe_unit(const unsigned char *s, char *out)
{
	uint32_t point = 0;
	size_t length = sequence(s, &point);

	if (length == 0 || (length == 1 && is_control(point))) {
		snprintf(out, SAFE_UNIT_MAX + 1, "\\x%02x", s[0]);
		return 1;
	}
	if (is_control(point)) {
		snprintf(out, SAFE_UNIT_MAX + 1, "\\u{%x}", (unsigned)point);
		return length;
	}
	memcpy(out, s, length);
	out[length] = '\0';
	return length;
}

void text_fputs_safe(const char *text, FILE *out)
{
	const unsigned char *s = (const unsigned char *)text;
	char unit[SAFE_UNIT_MAX + 1];

	while (*s) {
		s += safe_unit(s, unit);
		fputs(unit, out);
	}
}

char *text_safe(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	char *safe = malloc(strlen(text) * SAFE_UNIT_MAX + 1);
	char *end = safe;

	if (!safe)
		return NULL;
	*end = '\0';
	while (*s) {
		s += safe_unit(s, end);
		end += strlen(end);
	}
	return safe;
}

bool text_is_utf8(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t point;

	while (*s) {
		size_t length = sequence(s, &point);

		if (length == 0)
			return false;
		s += length;
	}
	return true;
}

bool text_is_safe(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t point;

	while (*s) {
		size_t length = sequence(s, &point);

		if (length == 0 || is_control(point))
			return false;
		s += length;
	}
	return true;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/*
 * Levenshtein's distance with two neighbours that were swapped as one slip
 * (Damerau's, of strings not edited twice in one place), capitals being as good
 * as small letters; both strings are shorter than NEAREST_MAX.
 */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][NEAREST_MAX + 1], length = strlen(b);

	for (size_t j = 0; j <= length; j++)
		rows[0][j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		const size_t *last = rows[(i - 1) % 3];
		const size_t *before = rows[(i + 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			char x = lower(a[i - 1]), y = lower(b[j - 1]);

			row[j] = last[j - 1] + (x != y);
			if (last[j] + 1 < row[j])
				row[j] = last[j] + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			if (i > 1 && j > 1 && x == lower(b[j - 2]) &&
			    lower(a[i - 2]) == y && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
	}
	return rows[strlen(a) % 3][length];
}

static const char *find_exactly(const char *text, const char *const *known)
{
	while (*known && strcmp(*known, text) != 0)
		known++;
	return *known;
}

/* The one whose beginning is the text; NULL if none or several are. */
static const char *find_begun(const char *text, const char *const *known)
{
	size_t length = strlen(text);
	const char *found = NULL;

	for (; length >= BEGUN_MIN && *known; known++) {
		if (strncasecmp(*known, text, length) != 0)
			continue;
		if (found)
			return NULL;
		found = *known;
	}
	return found;
}

const char *text_nearest(const char *text, const char *const *known)
{
	size_t length = strlen(text);
	size_t limit = length < 4 ? 1 : length / 3 + 1;
	const char *nearest = find_exactly(text, known);

	if (nearest || length >= NEAREST_MAX)
		return nearest;
	nearest = find_begun(text, known);
	if (nearest)
		return nearest;
	for (; *known && limit > 0; known++) {
		size_t d;

		if (strlen(*known) >= NEAREST_MAX)
			continue;
		d = distance(text, *known);
		if (d < strlen(*known) && (nearest ? d < limit : d <= limit)) {
			limit = d;
			nearest = *known;
		}
	}
	return nearest;
}

const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}
