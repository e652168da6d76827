/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/samples.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "reports/csv.h"
#include "reports/samples_private.h"

static void begin_csv(FILE *out)
{
	fputs("os,host,label,volume,volume_kind,filesystem,driver,workload,"
	      "round,op,kb_per_s,bytes,seconds,app_seconds,"
	      "sustained_kb_per_s,files,end,status,reason,cached,started_at,"
	      "baseline,type,block_bytes,size_bytes,duration_ns,"
	      "file_limit_bytes,io,read,depth,streams,io_effective,matrix,"
	      "verify,run,run_uuid,host_uuid,machine_id,sample_uuid\n",
	      out);
}

static void put_text(const char *text, FILE *out)
{
	if (text && *text)
		csv_put_text(text, out);
	fputc(',', out);
}

static void put_count(int64_t value, int64_t absent, FILE *out)
{
	if (value != absent)
		fprintf(out, "%" PRId64, value);
	fputc(',', out);
}

/* 17 digits give back the same double. */
static void put_number(double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%.17g", value);
	fputc(',', out);
}

/* What is ok and has no rate all the same does not count; nor when read. */
static void put_status(const struct record_result *row, FILE *out)
{
	bool rated = isfinite(row->kb_per_s) && row->kb_per_s > 0;
	const char *reason = row->reason;

	if (row->sample == 0) {
		fputs("n/a,,", out);
		return;
	}
	if (row->status == RECORD_OK && !rated) {
		fputs("invalid,\"no rate\",", out);
		return;
	}
	fprintf(out, "%s,", record_status_word(row->status));
	put_text(row->status == RECORD_OK ? NULL : reason, out);
}

static void put_settings(const struct workload *w, FILE *out)
{
	if (!w) {
		fputs(",,,,,,,,", out);
		return;
	}
	put_count((int64_t)w->block_bytes, 0, out);
	put_count((int64_t)w->size_bytes, 0, out);
	put_count((int64_t)w->duration_ns, 0, out);
	put_count((int64_t)w->file_limit_bytes, 0, out);
	fprintf(out, "%s,%s,", record_io_name(w->io),
		record_read_word(w->read));
	put_count(w->depth, 0, out);
	put_count(w->streams, 0, out);
}

/* What an import knows them by again. */
static void put_keys(const struct samples_row *sample, FILE *out)
{
	const struct record_result *row = sample->result;

	put_count(row->run, 0, out);
	put_text(row->run_uuid, out);
	put_text(row->host_uuid, out);
	put_text(sample->machine_id, out);
	if (row->sample != 0 && row->sample_uuid)
		fputs(row->sample_uuid, out);
}

static bool put_csv(const struct samples_row *sample, bool first, FILE *out,
		    struct err *err)
{
	const struct record_result *row = sample->result;
	bool counts = row->status == RECORD_OK && row->kb_per_s > 0;

	(void)first;
	(void)err;
	put_text(row->os, out);
	put_text(row->host, out);
	put_text(row->label, out);
	put_text(row->volume, out);
	put_text(row->volume_kind, out);
	put_text(row->filesystem, out);
	put_text(row->driver, out);
	put_text(row->workload, out);
	put_count(row->round, 0, out);
	fprintf(out, "%c,", row->op ? row->op : 'W');
	put_number(counts ? row->kb_per_s : NAN, out);
	put_count(row->bytes, -1, out);
	put_number(row->seconds, out);
	put_number(row->op == 'W' ? row->seconds - row->flush_seconds : NAN,
		   out);
	put_number(row->sustained_kb_per_s, out);
	put_count(row->files > 0 ? row->files : -1, -1, out);
	put_text(row->end, out);
	put_status(row, out);
	fprintf(out, "%d,", row->cached);
	put_text(row->started_at, out);
	put_text(sample->baseline, out);
	put_text(row->type, out);
	put_settings(sample->settings, out);
	put_text(row->io_effective, out);
	put_text(row->matrix, out);
	if (sample->settings)
		fputs(record_verify_word(sample->settings->verify), out);
	fputc(',', out);
	put_keys(sample, out);
	fputc('\n', out);
	return true;
}

static void end_csv(FILE *out)
{
	(void)out;
}

static const struct samples_format samples_csv = {
	.name = "csv", .begin = begin_csv, .put = put_csv, .end = end_csv
};

const struct samples_format *samples_find(const char *name, struct err *err)
{
	if (strcmp(name, samples_csv.name) == 0)
		return &samples_csv;
	if (strcmp(name, samples_json.name) == 0)
		return &samples_json;
	err_set(err, ERR_INPUT, "no format %s; there are csv, json", name);
	return NULL;
}
