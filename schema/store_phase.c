/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/hist.h"
#include "core/series.h"
#include "schema/store_private.h"

static const char doing[] = "adding a sample";

static void bind_op(struct store_query *q, int64_t sample, char op)
{
	store_bind_int(q, sample);
	store_bind_text(q, op == 'W' ? "W" : "R");
}

static bool insert_stated(struct store *store, int64_t sample, char op,
			  const struct record_phase *phase, struct err *err)
{
	static const char insert[] =
		"INSERT INTO phase (sample, op, cached, stated_kb_per_s, "
		"bytes, total_ns, app_ns, flush_ns, files, "
		"sustained_bytes_per_second, end_word, io_effective) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct store_query q = store_keep(store, insert);
	int64_t app_ns = (int64_t)phase->app_ns;
	bool split = app_ns > 0 && app_ns <= phase->total_ns;

	bind_op(&q, sample, op);
	store_bind_int(&q, phase->cached);
	store_bind_real(&q, phase->stated_kb_per_s);
	store_bind_known(&q, phase->bytes, phase->bytes >= 0);
	store_bind_known(&q, phase->total_ns, phase->total_ns >= 0);
	store_bind_known(&q, app_ns, split);
	store_bind_known(&q, phase->total_ns - app_ns, split);
	store_bind_known(&q, phase->files, phase->files > 0);
	store_bind_known(&q, (int64_t)phase->sustained_bytes_per_second,
			 phase->sustained_bytes_per_second > 0);
	store_bind_text(&q, phase->end);
	store_bind_text(&q, record_evidence_word(phase->io));
	return store_run(&q, doing, err);
}

static void bind_evidence(struct store_query *q, const struct evidence *e)
{
	store_bind_known(q, e->resident_bytes, e->resident_bytes >= 0);
	store_bind_known(q, e->device_bytes, e->device_bytes >= 0);
	store_bind_known(q, e->process_bytes, e->process_bytes >= 0);
	store_bind_text(q, record_evidence_word(e->io));
	store_bind_known(q, e->alignment_bytes, e->alignment_bytes > 0);
}

static void bind_latency(struct store_query *q, const struct hist *h)
{
	static const double percents[] = { 50, 90, 99, 99.9 };
	uint64_t count = h ? hist_count(h) : 0;

	store_bind_known(q, (int64_t)count, h != NULL);
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
		uint64_t ns = count ? hist_percentile(h, percents[i]) : 0;

		store_bind_known(q, (int64_t)ns, count > 0);
	}
	store_bind_known(q, count ? (int64_t)hist_max(h) : 0, count > 0);
}

static bool insert_measured(struct store *store, int64_t sample, char op,
			    const struct record_phase *phase, struct err *err)
{
	static const char insert[] =
		"INSERT INTO phase (sample, op, end_word, cached, "
		"bytes, app_ns, flush_ns, total_ns, user_ns, system_ns, "
		"voluntary_switches, involuntary_switches, files, errnum, "
		"sustained_bytes_per_second, resident_bytes, device_bytes, "
		"process_bytes, io_effective, alignment_bytes, latency_count, "
		"latency_p50_ns, latency_p90_ns, latency_p99_ns, "
		"latency_p99_9_ns, latency_max_ns) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"?, ?, ?, ?, ?, ?, ?, ?)";
	const struct phase_result *r = phase->result;
	struct store_query q = store_keep(store, insert);

	bind_op(&q, sample, op);
	store_bind_text(&q, phase_end_word(r->end));
	store_bind_int(&q, phase->cached);
	store_bind_size(&q, r->bytes);
	store_bind_size(&q, r->app_ns);
	store_bind_size(&q, r->flush_ns);
	store_bind_size(&q, r->app_ns + r->flush_ns);
	store_bind_known(&q, (int64_t)r->user_ns, r->counted);
	store_bind_known(&q, (int64_t)r->system_ns, r->counted);
	store_bind_known(&q, (int64_t)r->voluntary_switches, r->counted);
	store_bind_known(&q, (int64_t)r->involuntary_switches, r->counted);
	store_bind_known(&q, r->files, r->counted);
	store_bind_known(&q, r->errnum, r->errnum > 0);
	store_bind_known(&q, (int64_t)r->sustained.bytes_per_second,
			 r->sustained.reached);
	bind_evidence(&q, &r->evidence);
	bind_latency(&q, r->latency);
	return store_run(&q, doing, err);
}

/* The text that `write` makes, on the heap; NULL: no memory. */
static char *text_of(void (*write)(FILE *out, const void *from),
		     const void *from)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write(out, from);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static void write_series(FILE *out, const void *from)
{
	const struct series *s = from;

	fputc('[', out);
	for (size_t i = 0; i < series_count(s); i++)
		fprintf(out, "%s%" PRIu64, i ? "," : "", series_bytes(s, i));
	fputc(']', out);
}

static void write_buckets(FILE *out, const void *from)
{
	const char *comma = "";
	struct hist_bucket bucket;
	size_t cursor = 0;

	fputc('[', out);
	while (hist_next(from, &cursor, &bucket)) {
		fprintf(out, "%s[%" PRIu64 ",%" PRIu64 "]", comma,
			bucket.bound_ns, bucket.count);
		comma = ",";
	}
	fputc(']', out);
}

static bool insert_series(struct store *store, int64_t sample, char op,
			  const struct series *s, struct err *err)
{
	static const char insert[] =
		"INSERT INTO series (sample, op, interval_ns, bytes) "
		"VALUES (?, ?, ?, ?)";
	char *text = text_of(write_series, s);
	struct store_query q = store_keep(store, insert);

	bind_op(&q, sample, op);
	store_bind_size(&q, series_interval_ns(s));
	store_bind_text(&q, text);
	if (!text)
		q.rc = SQLITE_NOMEM;
	free(text);
	return store_run(&q, doing, err);
}

static bool insert_latency(struct store *store, int64_t sample, char op,
			   const struct hist *h, struct err *err)
{
	static const char insert[] =
		"INSERT INTO latency (sample, op, buckets) VALUES (?, ?, ?)";
	char *text = text_of(write_buckets, h);
	struct store_query q = store_keep(store, insert);

	bind_op(&q, sample, op);
	store_bind_text(&q, text);
	if (!text)
		q.rc = SQLITE_NOMEM;
	free(text);
	return store_run(&q, doing, err);
}

bool store_add_phase(struct store *store, int64_t sample, char op,
		     const struct record_phase *phase, struct err *err)
{
	const struct phase_result *r = phase->result;

	if (!r)
		return insert_stated(store, sample, op, phase, err);
	if (!insert_measured(store, sample, op, phase, err))
		return false;
	if (r->series && !insert_series(store, sample, op, r->series, err))
		return false;
	return !r->latency ||
	       insert_latency(store, sample, op, r->latency, err);
}
