/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/engine.h"
#include "core/measure_private.h"
#include "core/memory.h"

/* Two clocks read one after the other differ; a suspend lasts longer. */
#define SUSPEND_NS INT64_C(100000000)

static int64_t asleep_ns(const struct io *io)
{
	uint64_t boot = io->ops->boottime(io->ctx);

	return (int64_t)(boot - io->ops->now(io->ctx));
}

static void look_for_suspend(struct measure *m)
{
	if (asleep_ns(&m->spec.io) - m->asleep_ns > SUSPEND_NS)
		m->suspended = true;
}

bool measure_suspended(const struct measure *m)
{
	return m->suspended;
}

bool measure_uring_available(struct err *err)
{
	return engine_uring_available(err);
}

/* What the buffers of all streams need must fit into the memory there is. */
static bool check_memory(const struct workload *w, struct err *err)
{
	const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
	const uint64_t memory = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	const bool large = w->block_bytes >= MEMORY_LARGE_BYTES;
	const uint64_t blocks = w->depth * w->block_bytes;
	/* one phase after the other; in huge pages, which are rounded up to */
	const uint64_t writes = data_window_bytes(
		w->block_bytes, w->depth > 1 ? 2 * blocks : 0);
	const uint64_t reads = blocks + data_window_bytes(0, 0);
	const uint64_t needed =
		w->streams * ((writes > reads ? writes : reads) +
			      (large ? 2 * MEMORY_PAGE_BYTES : 0));

	if (needed <= memory / 2)
		return true;
	return err_set(err, ERR_FAILED,
		       "block, depth and streams together need %" PRIu64
		       " MiB of buffers; this machine has %" PRIu64 " MiB",
		       needed >> 20, memory >> 20);
}

static bool check_workload(const struct workload *w, struct err *err)
{
	if (w->block_bytes < 1 || w->block_bytes > WORKLOAD_BLOCK_MAX)
		return err_set(err, ERR_INPUT,
			       "block must be from 1 to %" PRIu64 " bytes",
			       WORKLOAD_BLOCK_MAX);
	if (w->depth < 1 || w->depth > WORKLOAD_DEPTH_MAX)
		return err_set(err, ERR_INPUT, "depth must be from 1 to %d",
			       WORKLOAD_DEPTH_MAX);
	if (w->streams < 1 || w->streams > WORKLOAD_STREAMS_MAX)
		return err_set(err, ERR_INPUT, "streams must be from 1 to %d",
			       WORKLOAD_STREAMS_MAX);
	return check_memory(w, err);
}

static bool make_streams(struct measure *m)
{
	const unsigned int count = m->spec.workload.streams;

	m->streams = aligned_alloc(alignof(struct stream),
				   count * sizeof(struct stream));
	if (!m->streams)
		return false;
	for (; m->stream_count < count; m->stream_count++)
		if (!stream_init(&m->streams[m->stream_count], m->stream_count))
			return false;
	return true;
}

struct measure *measure_new(const struct measure_spec *spec, struct err *err)
{
	struct measure *m;

	if (!check_workload(&spec->workload, err))
		return NULL;
	if (spec->workload.depth > 1 && !measure_uring_available(err))
		return NULL;
	m = calloc(1, sizeof(*m));
	if (!m) {
		err_nomem(err);
		return NULL;
	}
	m->spec = *spec;
	if (!make_streams(m)) {
		err_nomem(err);
		measure_free(m);
		return NULL;
	}
	ticks_init(&m->ticks, &m->spec.io);
	m->asleep_ns = asleep_ns(&m->spec.io);
	return m;
}

void measure_free(struct measure *m)
{
	if (!m)
		return;
	for (unsigned int i = 0; i < m->stream_count; i++)
		stream_done(&m->streams[i], &m->spec.io);
	free(m->streams);
	free(m);
}

/*
 * The blocks of a size, dealt out evenly; the last stream that has any also
 * gets what is less than a block.
 */
static void share_out_write(struct measure *m)
{
	const struct workload *w = &m->spec.workload;
	const uint64_t blocks =
		(w->size_bytes + w->block_bytes - 1) / w->block_bytes;
	uint64_t left = w->size_bytes, share;

	for (unsigned int i = 0; i < m->stream_count; i++) {
		share = blocks / m->stream_count +
			(i < blocks % m->stream_count ? 1 : 0);
		share *= w->block_bytes;
		if (share > left)
			share = left;
		left -= share;
		m->streams[i].share_bytes = w->size_bytes ? share : UINT64_MAX;
	}
}

static void share_out_read(struct measure *m)
{
	for (unsigned int i = 0; i < m->stream_count; i++)
		m->streams[i].share_bytes = stream_written(&m->streams[i]);
}

static int64_t written_bytes(const struct measure *m)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < m->stream_count; i++)
		bytes += stream_written(&m->streams[i]);
	return (int64_t)bytes;
}

static uint64_t timeval_ns(const struct timeval *tv)
{
	return (uint64_t)tv->tv_sec * UINT64_C(1000000000) +
	       (uint64_t)tv->tv_usec * UINT64_C(1000);
}

static void add_usage(struct phase_result *out, const struct rusage *from)
{
	struct rusage to = { 0 };

	out->counted = true;
	(void)getrusage(RUSAGE_SELF, &to);
	out->user_ns = timeval_ns(&to.ru_utime) - timeval_ns(&from->ru_utime);
	out->system_ns = timeval_ns(&to.ru_stime) - timeval_ns(&from->ru_stime);
	out->voluntary_switches = (uint64_t)(to.ru_nvcsw - from->ru_nvcsw);
	out->involuntary_switches = (uint64_t)(to.ru_nivcsw - from->ru_nivcsw);
}

static void say_phase(struct measure *m, int phase, uint64_t now_ns)
{
	measure_control_enter(m->spec.control, phase, now_ns);
}

/* Flushed is what can become a result, and what an error left behind. */
static bool is_to_be_flushed(struct measure *m)
{
	const enum phase_end end = streams_end(m->streams, m->stream_count);

	return phase_end_is_valid(end) || end == PHASE_END_ERROR;
}

/* The clock runs from the streams' start to the flush's end. */
static void run_timed(struct measure *m, struct stream_phase *phase,
		      struct phase_result *out, struct err *err)
{
	const struct io io = m->spec.io;
	struct err flush_err = { 0 };
	uint64_t end_ns;
	int ret = 0;

	end_ns = streams_run(m->streams, m->stream_count, phase);
	out->app_ns = end_ns - phase->start_ns;
	if (phase->op == PHASE_WRITE && is_to_be_flushed(m)) {
		/* for which the write's clock stood still: nobody's time */
		end_ns += phase->paused_ns;
		atomic_store(&m->spec.control->write_ns, out->app_ns);
		say_phase(m, 'F', end_ns);
		ret = measure_flush(m, phase->dir, &flush_err);
		out->flush_ns = io.ops->now(io.ctx) - end_ns;
	}
	add_usage(out, &phase->usage);
	streams_merge(m->streams, m->stream_count, out, err);
	if (ret < 0) {
		(void)err_set(err, flush_err.code, "%s", flush_err.text);
		measure_end_in_error(out, ret);
	}
}

static void run_phase(struct measure *m, struct stream_phase *phase,
		      struct phase_result *out, struct err *err)
{
	const bool writes = phase->op == PHASE_WRITE;
	struct evidence_counters before;

	out->evidence.resident_bytes =
		writes ? 0 : measure_resident(m, phase->dir);
	phase->is_resident = out->evidence.resident_bytes == written_bytes(m);
	say_phase(m, writes ? 'W' : 'R', 0);
	before = evidence_count(m->spec.device_stat, m->spec.mounted_stat);
	run_timed(m, phase, out, err);
	say_phase(m, 0, 0);
	look_for_suspend(m);
	if (writes && phase_end_is_valid(out->end))
		measure_check_sizes(m, phase->dir, out, err);
	measure_close_files(m, out, err);
	measure_judge(m, phase, &before, out);
	if (out->series)
		out->sustained.reached =
			series_steady(out->series, out->app_ns,
				      &out->sustained.bytes_per_second);
}

static bool measure_phase(struct measure *m, enum phase_op op, int dir,
			  struct phase_result *out, struct err *err)
{
	const struct io io = m->spec.io;
	struct stream_phase phase = {
		.engine = m->spec.workload.depth > 1 ? &engine_uring
						     : &engine_sync,
		.workload = &m->spec.workload,
		.data = m->spec.data,
		.control = m->spec.control,
		.io = io,
		.ticks = &m->ticks,
		.sample = m->spec.stamp,
		.op = op,
		.dir = dir,
	};
	int ret = io.ops->mount(io.ctx, dir, &phase.mount);

	phase_result_init(out);
	if (ret < 0) {
		out->end = PHASE_END_ERROR;
		out->errnum = -ret;
		return err_sys(err, -ret, "looking at the directory");
	}
	run_phase(m, &phase, out, err);
	return out->bytes > 0 || out->end != PHASE_END_ERROR;
}

bool measure_write(struct measure *m, int dir, struct phase_result *out,
		   struct err *err)
{
	share_out_write(m);
	return measure_phase(m, PHASE_WRITE, dir, out, err);
}

bool measure_read(struct measure *m, int dir, struct phase_result *out,
		  struct err *err)
{
	share_out_read(m);
	return measure_phase(m, PHASE_READ, dir, out, err);
}
