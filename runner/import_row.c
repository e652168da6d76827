/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/import_row.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <uuid/uuid.h>

#include "core/text.h"
#include "runner/command.h"

enum { NAME_MAX_BYTES = 255 };

/* What is beyond is no rate of a disk, and of no use in a ratio. */
#define RATE_LEAST 1e-6 /* KB/s */
#define RATE_MOST  1e15

static const struct column {
	const char *name;
	bool required;
} columns[IMPORT_COLUMNS] = {
	[IMPORT_OS] = { "os", true },
	[IMPORT_HOST] = { "host", false },
	[IMPORT_LABEL] = { "label", false },
	[IMPORT_RUN] = { "run", false },
	[IMPORT_VOLUME] = { "volume", true },
	[IMPORT_FILESYSTEM] = { "filesystem", true },
	[IMPORT_WORKLOAD] = { "workload", false },
	[IMPORT_DRIVER] = { "driver", false },
	[IMPORT_OP] = { "op", true },
	[IMPORT_KB_PER_S] = { "kb_per_s", true },
	[IMPORT_ROUND] = { "round", false },
	[IMPORT_BYTES] = { "bytes", false },
	[IMPORT_SECONDS] = { "seconds", false },
	[IMPORT_APP_SECONDS] = { "app_seconds", false },
	[IMPORT_SUSTAINED] = { "sustained_kb_per_s", false },
	[IMPORT_FILES] = { "files", false },
	[IMPORT_END] = { "end", false },
	[IMPORT_STATUS] = { "status", false },
	[IMPORT_REASON] = { "reason", false },
	[IMPORT_STARTED_AT] = { "started_at", false },
	[IMPORT_CACHED] = { "cached", false },
	[IMPORT_VOLUME_KIND] = { "volume_kind", false },
	[IMPORT_BASELINE] = { "baseline", false },
	[IMPORT_TYPE] = { "type", false },
	[IMPORT_BLOCK] = { "block_bytes", false },
	[IMPORT_SIZE] = { "size_bytes", false },
	[IMPORT_DURATION] = { "duration_ns", false },
	[IMPORT_FILE_LIMIT] = { "file_limit_bytes", false },
	[IMPORT_IO] = { "io", false },
	[IMPORT_READ] = { "read", false },
	[IMPORT_DEPTH] = { "depth", false },
	[IMPORT_STREAMS] = { "streams", false },
	[IMPORT_IO_EFFECTIVE] = { "io_effective", false },
	[IMPORT_MATRIX] = { "matrix", false },
	[IMPORT_VERIFY] = { "verify", false },
	[IMPORT_RUN_UUID] = { "run_uuid", false },
	[IMPORT_HOST_UUID] = { "host_uuid", false },
	[IMPORT_MACHINE_ID] = { "machine_id", false },
	[IMPORT_SAMPLE_UUID] = { "sample_uuid", false },
};

const char *import_row_column(enum import_column column)
{
	return columns[column].name;
}

/* IMPORT_COLUMNS: there is none of this name. */
static enum import_column find_column(const char *name)
{
	for (int i = 0; i < IMPORT_COLUMNS; i++) {
		if (strcasecmp(name, columns[i].name) == 0)
			return (enum import_column)i;
	}
	return IMPORT_COLUMNS;
}

static bool take_unknown(const char *name, struct err *err)
{
	/* As filters call them. */
	static const struct {
		const char *name, *column;
	} short_names[] = { { "fs", "filesystem" }, { "drive", "volume" } };
	const char *known[IMPORT_COLUMNS + 1] = { NULL };
	const char *nearest;

	for (int i = 0; i < IMPORT_COLUMNS; i++)
		known[i] = columns[i].name;
	/* Short, and so near to much. */
	known[IMPORT_RUN] = columns[IMPORT_COLUMNS - 1].name;
	known[IMPORT_COLUMNS - 1] = columns[IMPORT_RUN].name;
	nearest = text_nearest(name, known);
	for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names);
	     i++) {
		if (strcasecmp(name, short_names[i].name) == 0)
			nearest = short_names[i].column;
	}
	if (nearest)
		return err_set(err, ERR_INPUT, "no column %s; did you mean %s?",
			       name, nearest);
	command_warn("column \"%s\" is not known and is ignored", name);
	return true;
}

/* One field that holds what separates fields elsewhere. */
static bool check_separator(const struct csv_record *record, struct err *err)
{
	const char *field = record->count == 1 ? record->fields[0] : "";

	if (!strpbrk(field, ";\t"))
		return true;
	return err_set(err, ERR_INPUT,
		       "the columns are separated by %s; CSV has commas",
		       strchr(field, ';') ? "semicolons" : "tabs");
}

bool import_row_header(const struct csv_record *record,
		       struct import_header *header, struct err *err)
{
	if (!check_separator(record, err))
		return false;
	header->count = record->count;
	for (int i = 0; i < IMPORT_COLUMNS; i++)
		header->at[i] = -1;
	for (size_t i = 0; i < record->count; i++) {
		const char *name = csv_restore(record->fields[i]);
		enum import_column column = find_column(name);

		if (column == IMPORT_COLUMNS) {
			if (!take_unknown(name, err))
				return false;
			continue;
		}
		if (header->at[column] >= 0)
			return err_set(err, ERR_INPUT,
				       "column %s is there twice", name);
		header->at[column] = (int)i;
	}
	for (int i = 0; i < IMPORT_COLUMNS; i++) {
		if (columns[i].required && header->at[i] < 0)
			return err_set(err, ERR_INPUT, "column %s is missing",
				       columns[i].name);
	}
	return true;
}

static bool fail(struct err *err, enum import_column column, const char *what,
		 const char *text)
{
	return err_set(err, ERR_INPUT, "%s: %s: %s", columns[column].name, what,
		       text);
}

/* "" when the column is not there. */
static const char *field(const struct import_header *header,
			 const struct csv_record *record,
			 enum import_column column)
{
	int at = header->at[column];

	return at < 0 ? "" : record->fields[at];
}

static bool take_text(const struct import_header *header,
		      const struct csv_record *record,
		      enum import_column column, const char **text,
		      struct err *err)
{
	int at = header->at[column];

	*text = at < 0 ? "" : csv_restore(record->fields[at]);
	/* A directory's filesystem is not known before it was measured. */
	if (columns[column].required && !**text &&
	    (column != IMPORT_FILESYSTEM ||
	     strcmp(field(header, record, IMPORT_VOLUME_KIND), "directory") !=
		     0))
		return err_set(err, ERR_INPUT, "%s is empty",
			       columns[column].name);
	if (column != IMPORT_REASON && strlen(*text) > NAME_MAX_BYTES)
		return err_set(err, ERR_INPUT, "%s is longer than %d bytes",
			       columns[column].name, NAME_MAX_BYTES);
	if (!text_is_utf8(*text))
		return err_set(err, ERR_INPUT, "%s is not UTF-8",
			       columns[column].name);
	/* As a matrix has it; a reason may be what another program said. */
	if (column != IMPORT_REASON && !text_is_safe(*text))
		return err_set(err, ERR_INPUT,
			       "%s contains a control character",
			       columns[column].name);
	return true;
}

/* A plain decimal number: what strtod() takes besides is refused. */
static bool parse_number(const char *text, double *value)
{
	char *end;

	if (!*text || text[strspn(text, "0123456789+-.eE")])
		return false;
	*value = strtod(text, &end);
	return !*end && isfinite(*value);
}

static bool parse_count(const char *text, int64_t *value)
{
	if (!*text || text[strspn(text, "0123456789")])
		return false;
	errno = 0;
	*value = strtoll(text, NULL, 10);
	return errno == 0;
}

static bool take_op(const char *text, struct import_row *row, struct err *err)
{
	if (strcasecmp(text, "W") == 0 || strcasecmp(text, "write") == 0)
		row->op = 'W';
	else if (strcasecmp(text, "R") == 0 || strcasecmp(text, "read") == 0)
		row->op = 'R';
	else
		return fail(err, IMPORT_OP, "neither W nor R", text);
	return true;
}

static bool take_rate(const char *text, struct import_row *row, struct err *err)
{
	bool derived = row->bytes > 0 && row->total_ns > 0;

	row->kb_per_s = NAN;
	if (!*text && (row->status != RECORD_OK || !row->measured || derived))
		return true;
	if (!*text)
		return err_set(err, ERR_INPUT,
			       "kb_per_s is empty, and bytes and seconds are "
			       "not both there");
	if (!parse_number(text, &row->kb_per_s))
		return fail(err, IMPORT_KB_PER_S, "not a number", text);
	if (row->kb_per_s <= 0)
		return fail(err, IMPORT_KB_PER_S, "not above zero", text);
	if (row->kb_per_s < RATE_LEAST)
		return fail(err, IMPORT_KB_PER_S, "no rate is that low", text);
	if (row->kb_per_s > RATE_MOST)
		return fail(err, IMPORT_KB_PER_S, "no rate is that high", text);
	return true;
}

static bool take_count(const struct import_header *header,
		       const struct csv_record *record,
		       enum import_column column, int64_t least, int64_t *value,
		       struct err *err)
{
	const char *text = field(header, record, column);

	if (!*text || (parse_count(text, value) && *value >= least))
		return true;
	return err_set(err, ERR_INPUT,
		       "%s: not a whole number from %" PRId64 ": %s",
		       columns[column].name, least, text);
}

/* Seconds as nanoseconds; `absent` stays when there are none. */
static bool take_seconds(const struct import_header *header,
			 const struct csv_record *record,
			 enum import_column column, int64_t *ns,
			 struct err *err)
{
	const char *text = field(header, record, column);
	double value;

	if (!*text)
		return true;
	if (!parse_number(text, &value) || value < 0 || value > 1e9)
		return fail(err, column, "not a number of seconds", text);
	*ns = llround(value * 1e9);
	return true;
}

static bool take_sustained(const char *text, struct import_row *row,
			   struct err *err)
{
	row->sustained_kb_per_s = 0;
	if (!*text)
		return true;
	if (!parse_number(text, &row->sustained_kb_per_s) ||
	    row->sustained_kb_per_s < RATE_LEAST ||
	    row->sustained_kb_per_s > RATE_MOST)
		return fail(err, IMPORT_SUSTAINED, "not a rate", text);
	return true;
}

static bool take_end(const char *text, struct import_row *row, struct err *err)
{
	row->end = text;
	for (int end = PHASE_END_NONE; end <= PHASE_END_CORRUPT; end++) {
		if (strcmp(text, phase_end_word((enum phase_end)end)) == 0)
			return true;
	}
	return !*text || fail(err, IMPORT_END, "not how a phase ends", text);
}

static bool take_amounts(const struct import_header *header,
			 const struct csv_record *record,
			 struct import_row *row, struct err *err)
{
	row->bytes = row->total_ns = -1;
	row->app_ns = row->round = row->files = 0;
	if (!take_count(header, record, IMPORT_BYTES, 0, &row->bytes, err) ||
	    !take_count(header, record, IMPORT_ROUND, 1, &row->round, err) ||
	    !take_count(header, record, IMPORT_FILES, 0, &row->files, err) ||
	    !take_seconds(header, record, IMPORT_SECONDS, &row->total_ns,
			  err) ||
	    !take_seconds(header, record, IMPORT_APP_SECONDS, &row->app_ns,
			  err))
		return false;
	if (row->app_ns > 0 && row->app_ns > row->total_ns)
		return err_set(err, ERR_INPUT,
			       "app_seconds is more than seconds");
	return take_sustained(field(header, record, IMPORT_SUSTAINED), row,
			      err) &&
	       take_end(field(header, record, IMPORT_END), row, err);
}

/* strptime() knows how long a month is at most, and not this one. */
static bool is_date(const struct tm *tm)
{
	struct tm day = { .tm_year = tm->tm_year,
			  .tm_mon = tm->tm_mon,
			  .tm_mday = tm->tm_mday };

	timegm(&day);
	return day.tm_mon == tm->tm_mon && day.tm_mday == tm->tm_mday;
}

/* A date, or a date and a time of it, in UTC, as it is stored. */
static bool take_time(const char *text, struct import_row *row, struct err *err)
{
	struct tm tm = { 0 };
	const char *rest = NULL;

	row->started_at[0] = '\0';
	if (!*text)
		return true;
	/* strptime() takes blanks as well. */
	if (!text[strspn(text, "0123456789-T:.Z")])
		rest = strptime(text, "%Y-%m-%d", &tm);
	if (rest && rest - text == 10 && !is_date(&tm))
		return fail(err, IMPORT_STARTED_AT, "there is no such day",
			    text);
	if (rest && rest - text == 10 && !*rest) {
		snprintf(row->started_at, sizeof(row->started_at),
			 "%.10sT00:00:00Z", text);
		return true;
	}
	rest = rest && rest - text == 10 ? strptime(rest, "T%H:%M:%S", &tm)
					 : NULL;
	if (rest && rest - text != 19)
		rest = NULL;
	if (rest && *rest == '.')
		rest += 1 + strspn(rest + 1, "0123456789");
	if (!rest || strcmp(rest, "Z") != 0 ||
	    strlen(text) >= sizeof(row->started_at))
		return fail(err, IMPORT_STARTED_AT,
			    "not like 2026-11-30T19:05:47Z", text);
	memcpy(row->started_at, text, strlen(text) + 1);
	return true;
}

static bool take_flag(const char *text, struct import_row *row, struct err *err)
{
	row->cached = strcmp(text, "1") == 0;
	if (*text && strcmp(text, "0") != 0 && !row->cached)
		return fail(err, IMPORT_CACHED, "neither 0 nor 1", text);
	return true;
}

static bool take_kind(struct import_row *row, struct err *err)
{
	static const char *const kinds[] = { "", "image", "device",
					     "directory" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(row->volume_kind, kinds[i]) == 0)
			return true;
	}
	return fail(err, IMPORT_VOLUME_KIND, "not image, device or directory",
		    row->volume_kind);
}

static bool take_baseline(struct import_row *row, struct err *err)
{
	static const char *const dimensions[] = { "filesystem", "volume",
						  "workload" };
	const char *text = row->baseline;

	row->baseline_dimension[0] = '\0';
	if (!*text)
		return true;
	for (size_t i = 0; i < 3; i++) {
		size_t length = strlen(dimensions[i]);

		if (strncmp(text, dimensions[i], length) != 0 ||
		    text[length] != '=' || !text[length + 1])
			continue;
		memcpy(row->baseline_dimension, dimensions[i], length + 1);
		row->baseline = text + length + 1;
		return true;
	}
	return fail(err, IMPORT_BASELINE, "not like filesystem=FAT", text);
}

static bool take_io(const char *text, struct workload *w, struct err *err)
{
	return record_io_parse(text, &w->io) ||
	       fail(err, IMPORT_IO, "not buffered, direct or direct!", text);
}

static bool take_read(const char *text, struct workload *w, struct err *err)
{
	for (int read = WORKLOAD_COLD; read <= WORKLOAD_WARM; read++) {
		w->read = (enum workload_read)read;
		if (strcmp(text, record_read_word(w->read)) == 0)
			return true;
	}
	return fail(err, IMPORT_READ, "neither cold nor warm", text);
}

/* Exports of older versions have no such column: they compared every byte. */
static bool take_verify(const char *text, struct workload *w, struct err *err)
{
	w->verify = WORKLOAD_VERIFY_BYTES;
	if (!*text || strcmp(text, record_verify_word(w->verify)) == 0)
		return true;
	w->verify = WORKLOAD_VERIFY_STAMPS;
	if (strcmp(text, record_verify_word(w->verify)) == 0)
		return true;
	return fail(err, IMPORT_VERIFY, "neither bytes nor stamps", text);
}

/* Bytes and counts; those that are not there stay. */
static bool take_sizes(const struct import_header *header,
		       const struct csv_record *record, struct workload *w,
		       struct err *err)
{
	int64_t block = 0, size = 0, duration = 0, limit = 0;
	int64_t depth = 1, streams = 1;

	if (!take_count(header, record, IMPORT_BLOCK, 1, &block, err) ||
	    !take_count(header, record, IMPORT_SIZE, 1, &size, err) ||
	    !take_count(header, record, IMPORT_DURATION, 1, &duration, err) ||
	    !take_count(header, record, IMPORT_FILE_LIMIT, 1, &limit, err) ||
	    !take_count(header, record, IMPORT_DEPTH, 1, &depth, err) ||
	    !take_count(header, record, IMPORT_STREAMS, 1, &streams, err))
		return false;
	if (depth > WORKLOAD_DEPTH_MAX || streams > WORKLOAD_STREAMS_MAX)
		return err_set(err, ERR_INPUT,
			       "depth is more than %d or streams more than %d",
			       WORKLOAD_DEPTH_MAX, WORKLOAD_STREAMS_MAX);
	w->block_bytes = (uint64_t)block;
	w->size_bytes = (uint64_t)size;
	w->duration_ns = (uint64_t)duration;
	w->file_limit_bytes = (uint64_t)limit;
	w->depth = (unsigned int)depth;
	w->streams = (unsigned int)streams;
	return true;
}

/* All of a workload or nothing: half of one would be no workload's. */
static bool take_settings(const struct import_header *header,
			  const struct csv_record *record,
			  struct import_row *row, struct err *err)
{
	const char *block = field(header, record, IMPORT_BLOCK);
	const char *io = field(header, record, IMPORT_IO);
	const char *read = field(header, record, IMPORT_READ);

	row->settings = (struct workload){ 0 };
	row->has_settings = *block && *io && *read;
	if (!*block && !*io && !*read)
		return true;
	if (!row->has_settings)
		return err_set(err, ERR_INPUT,
			       "block_bytes, io and read are not all there");
	return take_sizes(header, record, &row->settings, err) &&
	       take_io(io, &row->settings, err) &&
	       take_read(read, &row->settings, err) &&
	       take_verify(field(header, record, IMPORT_VERIFY), &row->settings,
			   err);
}

static bool take_effective(const char *text, struct import_row *row,
			   struct err *err)
{
	row->io_effective = EVIDENCE_IO_UNKNOWN;
	if (!*text)
		return true;
	for (int io = EVIDENCE_IO_BUFFERED; io <= EVIDENCE_IO_DIRECT_IN_NAME;
	     io++) {
		row->io_effective = (enum evidence_io)io;
		if (strcmp(text, record_evidence_word(row->io_effective)) == 0)
			return true;
	}
	return fail(err, IMPORT_IO_EFFECTIVE,
		    "not buffered, direct, direct-refused or direct-in-name",
		    text);
}

static bool take_status(const char *text, struct import_row *row,
			struct err *err)
{
	row->status = RECORD_OK;
	row->measured = strcmp(text, "n/a") != 0;
	if (row->measured && *text && !record_status_parse(text, &row->status))
		return fail(err, IMPORT_STATUS,
			    "not ok, failed, timeout, corrupt, skipped, stuck, "
			    "invalid or n/a",
			    text);
	return true;
}

static bool take_uuid(const struct import_header *header,
		      const struct csv_record *record,
		      enum import_column column, char out[37], struct err *err)
{
	const char *text = field(header, record, column);
	uuid_t uuid;

	out[0] = '\0';
	if (!*text)
		return true;
	if (uuid_parse(text, uuid) != 0)
		return fail(err, column, "not a uuid", text);
	uuid_unparse_lower(uuid, out);
	return true;
}

static bool take_keys(const struct import_header *header,
		      const struct csv_record *record, struct import_row *row,
		      struct err *err)
{
	if (!take_uuid(header, record, IMPORT_RUN_UUID, row->run_uuid, err) ||
	    !take_uuid(header, record, IMPORT_HOST_UUID, row->host_uuid, err) ||
	    !take_uuid(header, record, IMPORT_MACHINE_ID, row->machine_id,
		       err) ||
	    !take_uuid(header, record, IMPORT_SAMPLE_UUID, row->sample_uuid,
		       err))
		return false;
	if (*row->run_uuid)
		row->names[IMPORT_RUN] = row->run_uuid;
	return true;
}

bool import_row_parse(const struct import_header *header,
		      struct csv_record *record, struct import_row *row,
		      struct err *err)
{
	if (record->count != header->count)
		return err_set(err, ERR_INPUT,
			       "%zu fields, and the header has %zu",
			       record->count, header->count);
	for (int i = 0; i < IMPORT_NAMES; i++) {
		if (!take_text(header, record, (enum import_column)i,
			       &row->names[i], err))
			return false;
	}
	return take_text(header, record, IMPORT_DRIVER, &row->driver, err) &&
	       take_text(header, record, IMPORT_REASON, &row->reason, err) &&
	       take_text(header, record, IMPORT_VOLUME_KIND, &row->volume_kind,
			 err) &&
	       take_text(header, record, IMPORT_BASELINE, &row->baseline,
			 err) &&
	       take_op(field(header, record, IMPORT_OP), row, err) &&
	       take_status(field(header, record, IMPORT_STATUS), row, err) &&
	       take_amounts(header, record, row, err) &&
	       take_rate(field(header, record, IMPORT_KB_PER_S), row, err) &&
	       take_time(field(header, record, IMPORT_STARTED_AT), row, err) &&
	       take_flag(field(header, record, IMPORT_CACHED), row, err) &&
	       take_kind(row, err) && take_baseline(row, err) &&
	       take_text(header, record, IMPORT_TYPE, &row->type, err) &&
	       take_text(header, record, IMPORT_MATRIX, &row->matrix, err) &&
	       take_keys(header, record, row, err) &&
	       take_settings(header, record, row, err) &&
	       take_effective(field(header, record, IMPORT_IO_EFFECTIVE), row,
			      err);
}
