/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/units.h"

/*
 * How people write a unit that has another name here. "MB" in small letters
 * is still MB; but KB is 1024 bytes, as in the tables.
 */
struct spelling {
	const char *written, *unit;
};

static const struct spelling byte_spellings[] = {
	{ "byte", "B" },       { "bytes", "B" },       { "k", "KiB" },
	{ "kb", "KiB" },       { "ki", "KiB" },        { "kib", "KiB" },
	{ "kilobyte", "KiB" }, { "kilobytes", "KiB" }, { "m", "MiB" },
	{ "mb", "MB" },        { "mi", "MiB" },        { "mib", "MiB" },
	{ "megabyte", "MiB" }, { "megabytes", "MiB" }, { "g", "GiB" },
	{ "gb", "GB" },        { "gi", "GiB" },        { "gib", "GiB" },
	{ "gigabyte", "GiB" }, { "gigabytes", "GiB" }, { "t", "TiB" },
	{ "tb", "TB" },        { "ti", "TiB" },        { "tib", "TiB" },
	{ "terabyte", "TiB" }, { "terabytes", "TiB" }, { "", "" },
	{ NULL, NULL },
};

static const struct spelling duration_spellings[] = {
	{ "msec", "ms" },    { "millisecond", "ms" },
	{ "ms", "ms" },      { "milliseconds", "ms" },
	{ "s", "s" },        { "sec", "s" },
	{ "secs", "s" },     { "second", "s" },
	{ "seconds", "s" },  { "m", "min" },
	{ "min", "min" },    { "mins", "min" },
	{ "minute", "min" }, { "minutes", "min" },
	{ "h", "h" },        { "hr", "h" },
	{ "hrs", "h" },      { "hour", "h" },
	{ "hours", "h" },    { "d", "d" },
	{ "day", "d" },      { "days", "d" },
	{ "", "" },          { NULL, NULL },
};

/* The unit that the word at `text`, `length` letters, stands for; or NULL. */
static const char *unit_of(const struct spelling *spellings, const char *text,
			   size_t length)
{
	for (; spellings->written; spellings++) {
		if (strlen(spellings->written) == length &&
		    strncasecmp(spellings->written, text, length) == 0)
			return spellings->unit;
	}
	return NULL;
}

/* Numbers as they are, and behind each the unit by its name here. */
static bool respell(const struct spelling *spellings, const char *text,
		    char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	text += strspn(text, " ");
	while (*text) {
		size_t digits = strspn(text, "0123456789."), letters = 0;
		const char *word, *unit;
		int length;

		word = text + digits + strspn(text + digits, " ");
		while (isalpha((unsigned char)word[letters]))
			letters++;
		unit = unit_of(spellings, word, letters);
		if (digits == 0 || !unit)
			return false;
		length = snprintf(out + used, size - used, "%.*s%s",
				  (int)digits, text, unit);
		if (length < 0 || (size_t)length >= size - used)
			return false;
		used += (size_t)length;
		text = word + letters;
		text += strspn(text, " ");
	}
	return true;
}

bool units_near_bytes(const char *text, char *out, size_t size)
{
	uint64_t bytes;

	return respell(byte_spellings, text, out, size) &&
	       strcmp(out, text) != 0 && units_parse_bytes(out, &bytes);
}

bool units_near_duration(const char *text, char *out, size_t size)
{
	uint64_t ns;

	return respell(duration_spellings, text, out, size) &&
	       strcmp(out, text) != 0 && units_parse_duration(out, &ns);
}
