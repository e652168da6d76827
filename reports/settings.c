/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/settings.h"

#include <string.h>
#include <strings.h>

#include "core/units.h"
#include "schema/record.h"

unsigned int settings_difference(const struct workload *a,
				 const struct workload *b)
{
	unsigned int found = 0;

	found |= a->block_bytes != b->block_bytes ? SETTINGS_BLOCK : 0;
	found |= a->size_bytes != b->size_bytes ? SETTINGS_AMOUNT : 0;
	found |= a->duration_ns != b->duration_ns ? SETTINGS_DURATION : 0;
	found |= a->file_limit_bytes != b->file_limit_bytes
			 ? SETTINGS_FILE_LIMIT
			 : 0;
	found |= a->io != b->io ? SETTINGS_IO : 0;
	found |= a->read != b->read ? SETTINGS_READ : 0;
	found |= a->depth != b->depth ? SETTINGS_DEPTH : 0;
	found |= a->streams != b->streams ? SETTINGS_STREAMS : 0;
	found |= a->verify != b->verify ? SETTINGS_VERIFY : 0;
	return found;
}

void settings_text(const struct workload *w, char out[SETTINGS_SIZE])
{
	char block[32], amount[32] = "full", duration[32] = "";
	char depth[32] = "", limit[32] = "", files[48] = "";
	const char *verify = "";

	units_format_bytes(w->block_bytes, block, sizeof(block));
	if (w->size_bytes > 0)
		units_format_bytes(w->size_bytes, amount, sizeof(amount));
	if (w->duration_ns > 0)
		units_format_duration(w->duration_ns, duration,
				      sizeof(duration));
	if (w->depth > 1 || w->streams > 1)
		snprintf(depth, sizeof(depth), ", depth %u, streams %u",
			 w->depth, w->streams);
	if (w->file_limit_bytes > 0 &&
	    w->file_limit_bytes != WORKLOAD_FILE_LIMIT_BYTES) {
		units_format_bytes(w->file_limit_bytes, limit, sizeof(limit));
		snprintf(files, sizeof(files), ", files of %s", limit);
	}
	if (w->verify != WORKLOAD_VERIFY_BYTES)
		verify = ", stamps verified";
	snprintf(out, SETTINGS_SIZE, "%s, %s%s%s, %s, %s%s%s%s", block, amount,
		 *duration ? ", " : "", duration, record_io_name(w->io),
		 record_read_word(w->read), depth, files, verify);
}

static void put_bytes(FILE *out, const char *what, uint64_t bytes,
		      const char *none)
{
	char text[UNITS_TEXT_MAX];

	if (bytes > 0)
		units_format_bytes(bytes, text, sizeof(text));
	fprintf(out, ", %s %s", what, bytes > 0 ? text : none);
}

static void put_duration(FILE *out, uint64_t ns)
{
	char text[UNITS_TEXT_MAX];

	if (ns > 0)
		units_format_duration(ns, text, sizeof(text));
	fprintf(out, ", %s", ns > 0 ? text : "no duration");
}

void settings_put_parts(const struct workload *w, unsigned int parts, FILE *out)
{
	if (parts & SETTINGS_BLOCK)
		put_bytes(out, "block", w->block_bytes, "");
	if (parts & SETTINGS_AMOUNT)
		put_bytes(out, "size", w->size_bytes, "full");
	if (parts & SETTINGS_DURATION)
		put_duration(out, w->duration_ns);
	if (parts & SETTINGS_FILE_LIMIT)
		put_bytes(out, "files of", w->file_limit_bytes, "any size");
	if (parts & SETTINGS_IO)
		fprintf(out, ", %s", record_io_name(w->io));
	if (parts & SETTINGS_READ)
		fprintf(out, ", %s", record_read_word(w->read));
	if (parts & SETTINGS_DEPTH)
		fprintf(out, ", depth %u", w->depth);
	if (parts & SETTINGS_STREAMS)
		fprintf(out, ", streams %u", w->streams);
	if (parts & SETTINGS_VERIFY)
		fprintf(out, ", %s verified", record_verify_word(w->verify));
}

/* One of the list "a, b", from *list on, which moves behind it; its length. */
static size_t next_part(const char **list, const char **part)
{
	size_t length;

	*part = *list + strspn(*list, ", ");
	length = strcspn(*part, ",");
	*list = *part + length;
	while (length > 0 && (*part)[length - 1] == ' ')
		length--;
	return length;
}

static bool is_part(const char *part, size_t length, const char *text)
{
	return strlen(text) == length && strncasecmp(part, text, length) == 0;
}

/* What settings_text() leaves out, since it is as usual. */
static bool is_usual(const char *part, size_t length, const char *text)
{
	static const struct {
		const char *part, *other;
	} usual[] = {
		{ "depth 1", ", depth " },
		{ "streams 1", ", depth " },
		{ "bytes verified", " verified" },
	};
	char limit[UNITS_TEXT_MAX], files[sizeof(limit) + 16];

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		if (is_part(part, length, usual[i].part))
			return !strstr(text, usual[i].other);
	}
	units_format_bytes(WORKLOAD_FILE_LIMIT_BYTES, limit, sizeof(limit));
	snprintf(files, sizeof(files), "files of %s", limit);
	return is_part(part, length, files) && !strstr(text, ", files of ");
}

/* Block and size stand first, and without their names; then a duration. */
static bool has_part(const char *text, const char *wanted, size_t length)
{
	static const char *const names[] = { "block ", "size " };
	bool timed = false;
	const char *rest = text, *part;

	for (size_t i = 0, size; (size = next_part(&rest, &part)) > 0; i++) {
		size_t skip = i < 2 ? strlen(names[i]) : 0;

		timed = timed || (i == 2 && *part >= '0' && *part <= '9');
		if (length == skip + size &&
		    (skip == 0 || strncasecmp(wanted, names[i], skip) == 0) &&
		    strncasecmp(wanted + skip, part, size) == 0)
			return true;
	}
	return is_part(wanted, length, "no duration")
		       ? !timed
		       : is_usual(wanted, length, text);
}

bool settings_match(const char *text, const char *wanted)
{
	const char *part;
	size_t length;
	bool any = false;

	if (strcmp(text, wanted) == 0)
		return true;
	if (!*text)
		return strcmp(wanted, "not known") == 0;
	while ((length = next_part(&wanted, &part)) > 0) {
		if (!has_part(text, part, length))
			return false;
		any = true;
	}
	return any;
}
