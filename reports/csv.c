/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/csv.h"

#include <csv.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

enum { CHUNK_BYTES = 65536 };

/* What begins a formula, and the apostrophe that protects from one. */
static bool is_formula(const char *text)
{
	return *text && strchr("=+-@\t\r'", *text);
}

void csv_put_text(const char *text, FILE *out)
{
	char *safe = text_safe(text), *guarded = NULL;

	if (safe && is_formula(safe) && asprintf(&guarded, "'%s", safe) > 0)
		csv_fwrite(out, guarded, strlen(guarded));
	else if (safe && !is_formula(safe))
		csv_fwrite(out, safe, strlen(safe));
	else /* no memory: half a row, which no reader takes */
		fputs("\"", out);
	free(guarded);
	free(safe);
}

char *csv_restore(char *field)
{
	return *field == '\'' && is_formula(field + 1) ? field + 1 : field;
}

struct reading {
	csv_record_fn *fn;
	void *ctx;
	char *text; /* owned: the fields of the record, NUL after NUL */
	size_t length, room;
	char **fields; /* owned; into text once the record is whole */
	size_t count, field_room;
	int line;  /* of the byte before the next chunk's part */
	int start; /* where the record started; 0: it has not */
	bool stopped, no_memory;
};

static bool grow_text(struct reading *r, size_t more)
{
	size_t room = r->room ? r->room : 256;
	char *text;

	while (room < r->length + more)
		room *= 2;
	if (room == r->room)
		return true;
	text = realloc(r->text, room);
	if (!text)
		return false;
	r->text = text;
	r->room = room;
	return true;
}

static bool grow_fields(struct reading *r)
{
	size_t room = r->field_room ? 2 * r->field_room : 32;
	char **fields;

	if (r->count < r->field_room)
		return true;
	fields = reallocarray(r->fields, room, sizeof(*fields));
	if (!fields)
		return false;
	r->fields = fields;
	r->field_room = room;
	return true;
}

static void take_field(void *field, size_t length, void *ctx)
{
	struct reading *r = ctx;

	if (r->stopped || r->no_memory)
		return;
	/* A carriage return alone ends a record, too, amid a line. */
	if (r->start == 0)
		r->start = r->line;
	if (!grow_text(r, length + 1) || !grow_fields(r)) {
		r->no_memory = true;
		return;
	}
	memcpy(r->text + r->length, field, length);
	r->text[r->length + length] = '\0';
	r->length += length + 1;
	r->count++;
}

static void take_record(int end, void *ctx)
{
	struct reading *r = ctx;
	struct csv_record record = { .count = r->count, .line = r->start };
	char *at = r->text;

	(void)end;
	if (!r->stopped && !r->no_memory && r->count > 0) {
		for (size_t i = 0; i < r->count; i++) {
			r->fields[i] = at;
			at += strlen(at) + 1;
		}
		record.fields = r->fields;
		r->stopped = !r->fn(r->ctx, &record);
	}
	r->count = 0;
	r->length = 0;
	r->start = 0;
}

static bool fail(struct err *err, const char *source, int line,
		 const char *text)
{
	err_set(err, ERR_INPUT, "%s", text);
	err_at(err, source, line, 0);
	return false;
}

/* Line by line, so that a record's first line is known. */
static bool feed_line(struct csv_parser *parser, struct reading *r,
		      const char *line, size_t length, const char *source,
		      struct err *err)
{
	if (r->start == 0)
		r->start = r->line;
	if (memchr(line, '\0', length))
		return fail(err, source, r->line, "there is a NUL byte");
	if (csv_parse(parser, line, length, take_field, take_record, r) !=
	    length) {
		if (csv_error(parser) == CSV_EPARSE)
			return fail(err, source, r->line,
				    "a quote is out of place");
		return err_nomem(err);
	}
	if (r->no_memory)
		return err_nomem(err);
	/* An empty line is no record; one may start behind another's end. */
	if (r->count == 0 && parser->entry_pos == 0 && !parser->quoted)
		r->start = 0;
	else if (r->start == 0)
		r->start = r->line;
	r->line += line[length - 1] == '\n';
	return !r->stopped;
}

static bool feed(struct csv_parser *parser, struct reading *r,
		 const char *chunk, size_t length, const char *source,
		 struct err *err)
{
	while (length > 0) {
		const char *newline = memchr(chunk, '\n', length);
		size_t part = newline ? (size_t)(newline - chunk) + 1 : length;

		if (!feed_line(parser, r, chunk, part, source, err))
			return false;
		chunk += part;
		length -= part;
	}
	return true;
}

static bool read_all(FILE *in, struct csv_parser *parser, struct reading *r,
		     const char *source, struct err *err)
{
	char *chunk = malloc(CHUNK_BYTES);
	bool first = true, ok = chunk || err_nomem(err);
	size_t length;

	while (ok && (length = fread(chunk, 1, CHUNK_BYTES, in)) > 0) {
		size_t skip =
			first && length >= 3 &&
					memcmp(chunk, "\xef\xbb\xbf", 3) == 0
				? 3
				: 0;

		first = false;
		ok = feed(parser, r, chunk + skip, length - skip, source, err);
	}
	if (ok && ferror(in)) {
		ok = err_sys(err, errno ? errno : EIO, "reading");
		err_at(err, source, 0, 0);
	}
	free(chunk);
	return ok;
}

bool csv_each_record(FILE *in, const char *source, csv_record_fn *fn, void *ctx,
		     struct err *err)
{
	struct reading r = { .fn = fn, .ctx = ctx, .line = 1 };
	struct csv_parser parser;
	bool ok;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		return err_nomem(err);
	ok = read_all(in, &parser, &r, source, err);
	if (ok && csv_fini(&parser, take_field, take_record, &r) != 0)
		ok = fail(err, source, r.start,
			  "a quote is opened and not closed");
	ok = ok && (!r.no_memory || err_nomem(err)) && !r.stopped;
	csv_free(&parser);
	free(r.text);
	free(r.fields);
	return ok;
}
