/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_private.h"

/* In groups, each read by one function in this order. */
#define RESULTS                                                                \
	"SELECT run, cell, sample, run_uuid, batch, label, matrix, source, "   \
	"host_uuid, host, os, volume, volume_kind, filesystem, type, driver, " \
	"workload, base_cell, "                                                \
	"round, position, op, status, reason, sample_uuid, started_at, "       \
	"ended_at, "                                                           \
	"bytes, seconds, flush_seconds, kb_per_s, app_kb_per_s, "              \
	"sustained_kb_per_s, user_seconds, system_seconds, "                   \
	"cached, shortened, end_word, io, io_effective, files, "               \
	"resident_bytes, device_bytes, process_bytes, alignment_bytes, "       \
	"errnum, voluntary_switches, involuntary_switches, "                   \
	"calls, CAST(round(p50_ms * 1e6) AS INTEGER), "                        \
	"CAST(round(p90_ms * 1e6) AS INTEGER), "                               \
	"CAST(round(p99_ms * 1e6) AS INTEGER), "                               \
	"CAST(round(p99_9_ms * 1e6) AS INTEGER), "                             \
	"CAST(round(max_ms * 1e6) AS INTEGER) "                                \
	"FROM result "
#define IN_ORDER " ORDER BY cell, round, position, sample, op DESC"

static void read_place(struct store_query *q, struct record_result *r)
{
	r->run = store_next_int(q, 0);
	r->cell = store_next_int(q, 0);
	r->sample = store_next_int(q, 0);
	r->run_uuid = store_next_text(q);
	r->batch = store_next_text(q);
	r->label = store_next_text(q);
	r->matrix = store_next_text(q);
	r->source = store_next_text(q);
	r->host_uuid = store_next_text(q);
	r->host = store_next_text(q);
	r->os = store_next_text(q);
	r->volume = store_next_text(q);
	r->volume_kind = store_next_text(q);
	r->filesystem = store_next_text(q);
	r->type = store_next_text(q);
	r->driver = store_next_text(q);
	r->workload = store_next_text(q);
	r->base_cell = store_next_int(q, 0);
}

static void read_sample(struct store_query *q, struct record_result *r)
{
	const char *op, *status;

	r->round = store_next_int(q, 0);
	r->position = store_next_int(q, 0);
	op = store_next_text(q);
	status = store_next_text(q);
	r->op = op && *op == 'R' ? 'R' : 'W';
	if (!status || !record_status_parse(status, &r->status))
		r->status = RECORD_INVALID;
	r->reason = store_next_text(q);
	r->sample_uuid = store_next_text(q);
	r->started_at = store_next_text(q);
	r->ended_at = store_next_text(q);
}

static void read_figures(struct store_query *q, struct record_result *r)
{
	r->bytes = store_next_int(q, -1);
	r->seconds = store_next_real(q);
	r->flush_seconds = store_next_real(q);
	r->kb_per_s = store_next_real(q);
	r->app_kb_per_s = store_next_real(q);
	r->sustained_kb_per_s = store_next_real(q);
	r->user_seconds = store_next_real(q);
	r->system_seconds = store_next_real(q);
}

static void read_evidence(struct store_query *q, struct record_result *r)
{
	enum workload_io asked;
	const char *io;

	r->cached = store_next_int(q, 0) != 0;
	r->shortened = store_next_int(q, 0) != 0;
	r->end = store_next_text(q);
	io = store_next_text(q);
	r->io_asked = io && record_io_parse(io, &asked) ? record_io_name(asked)
							: NULL;
	r->io_effective = store_next_text(q);
	r->files = store_next_int(q, -1);
	r->resident_bytes = store_next_int(q, -1);
	r->device_bytes = store_next_int(q, -1);
	r->process_bytes = store_next_int(q, -1);
	r->alignment_bytes = store_next_int(q, -1);
	r->errnum = (int)store_next_int(q, 0);
	r->voluntary_switches = store_next_int(q, -1);
	r->involuntary_switches = store_next_int(q, -1);
}

static void read_latency(struct store_query *q, struct record_latency *l)
{
	l->count = store_next_int(q, -1);
	l->p50_ns = store_next_int(q, -1);
	l->p90_ns = store_next_int(q, -1);
	l->p99_ns = store_next_int(q, -1);
	l->p99_9_ns = store_next_int(q, -1);
	l->max_ns = store_next_int(q, -1);
}

static bool give_result(struct store_query *q, store_result_fn *fn, void *ctx)
{
	struct record_result result;

	read_place(q, &result);
	read_sample(q, &result);
	read_figures(q, &result);
	read_evidence(q, &result);
	read_latency(q, &result.latency);
	return fn(ctx, &result);
}

bool store_each_result(struct store *store, const int64_t *runs,
		       size_t run_count, store_result_fn *fn, void *ctx,
		       struct err *err)
{
	static const char sql[] = RESULTS "WHERE run = ?" IN_ORDER;
	bool more = true;

	for (size_t i = 0; more && i < run_count; i++) {
		struct store_query q = store_query(store, sql);

		store_bind_int(&q, runs[i]);
		while (more && store_step(&q) == SQLITE_ROW)
			more = give_result(&q, fn, ctx);
		if (!store_finish(&q, "reading the results", err))
			return false;
	}
	return true;
}

bool store_each_cell_result(struct store *store, int64_t cell,
			    store_result_fn *fn, void *ctx, struct err *err)
{
	static const char sql[] = RESULTS "WHERE cell = ?" IN_ORDER;
	struct store_query q = store_keep(store, sql);

	store_bind_int(&q, cell);
	while (store_step(&q) == SQLITE_ROW)
		if (!give_result(&q, fn, ctx))
			break;
	return store_finish(&q, "reading the results", err);
}
