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
#include "core/streams.h"

/* Two clocks read one after the other differ; a suspend lasts longer. */
#define SUSPEND_NS INT64_C(100000000)

struct measure {
	struct measure_spec spec;
	struct ticks ticks;
	struct stream *streams; /* owned */
	unsigned int stream_count;
	int64_t asleep_ns; /* boot time minus monotonic, when it began */
	bool suspended;
};

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
	/* two of each block in flight, and the pool */
	const uint64_t needed =
		w->streams * (2 * w->depth * w->block_bytes + DATA_POOL_BYTES);

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
	while (m->streams && m->stream_count < count)
		if (!stream_init(&m->streams[m->stream_count], m->stream_count))
			return false;
		else
			m->stream_count++;
	return m->streams != NULL;
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

	(void)getrusage(RUSAGE_SELF, &to);
	out->user_ns = timeval_ns(&to.ru_utime) - timeval_ns(&from->ru_utime);
	out->system_ns = timeval_ns(&to.ru_stime) - timeval_ns(&from->ru_stime);
	out->voluntary_switches = (uint64_t)(to.ru_nvcsw - from->ru_nvcsw);
	out->involuntary_switches = (uint64_t)(to.ru_nivcsw - from->ru_nivcsw);
}

/* A fault behind a phase; what ended the phase itself comes first. */
static void end_in_error(struct phase_result *out, int ret)
{
	if (!phase_end_is_valid(out->end))
		return;
	out->end = PHASE_END_ERROR;
	out->errnum = -ret;
}

/*
 * What is done with each file of the sample that is open as `fd`. Returns 0
 * or -errno.
 */
struct visit {
	struct measure *m;
	int dir;
	int (*fn)(struct visit *v, const struct stream *s, unsigned int file,
		  int fd);
	const char *doing; /* for the words of a fault */
	struct err *err;
	uint64_t sum; /* what fn counts */
};

static int visit_file(struct visit *v, const struct stream *s,
		      unsigned int file)
{
	const struct io io = v->m->spec.io;
	char name[STREAM_NAME_MAX];
	int fd, ret;

	if (s->fd >= 0 && s->file == file)
		return v->fn(v, s, file, s->fd);
	stream_name(s, file, name);
	fd = io.ops->open(io.ctx, v->dir, name, O_RDONLY | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	ret = v->fn(v, s, file, fd);
	(void)io.ops->close(io.ctx, fd);
	return ret;
}

/* All are visited; the first fault is worded and returned as -errno. */
static int visit_files(struct visit *v)
{
	char name[STREAM_NAME_MAX];
	int first = 0, ret;

	for (unsigned int i = 0; i < v->m->stream_count; i++) {
		const struct stream *s = &v->m->streams[i];

		for (unsigned int f = 0; f < s->file_count; f++) {
			ret = visit_file(v, s, f);
			if (ret == 0)
				continue;
			stream_name(s, f, name);
			(void)err_sys(v->err, -ret, "%s %s", v->doing, name);
			first = first ? first : ret;
		}
	}
	return first;
}

static int sync_fd(const struct io *io, int (*sync)(void *ctx, int fd), int fd)
{
	int ret;

	do
		ret = sync(io->ctx, fd);
	while (ret == -EINTR);
	return ret;
}

static int fsync_file(struct visit *v, const struct stream *s,
		      unsigned int file, int fd)
{
	(void)s;
	(void)file;
	return sync_fd(&v->m->spec.io, v->m->spec.io.ops->fsync, fd);
}

/* Every file, then the filesystem. 0 or -errno, in words. */
static int flush(struct measure *m, int dir, struct err *err)
{
	const struct io io = m->spec.io;
	struct visit v = { .m = m,
			   .dir = dir,
			   .fn = fsync_file,
			   .doing = "flushing",
			   .err = err };
	int ret = visit_files(&v);
	int all = sync_fd(&io, io.ops->syncfs, dir);

	if (all < 0)
		(void)err_sys(err, -all, "flushing the filesystem");
	if (ret == 0 && all == 0 && m->spec.device > 0) {
		ret = sync_fd(&io, io.ops->fsync, m->spec.device);
		if (ret < 0)
			(void)err_sys(err, -ret, "flushing the device");
	}
	return ret ? ret : all;
}

/* Whether the sum of what the writes returned is what the files hold. */
static int compare_size(struct visit *v, const struct stream *s,
			unsigned int file, int fd)
{
	const struct io io = v->m->spec.io;
	uint64_t bytes;
	int ret = io.ops->size(io.ctx, fd, &bytes);

	if (ret == 0 && bytes != s->sizes[file]) {
		v->sum++;
		(void)stream_word_size(s, file, bytes, v->err);
	}
	return ret;
}

static void check_sizes(struct measure *m, int dir, struct phase_result *out,
			struct err *err)
{
	struct visit v = { .m = m,
			   .dir = dir,
			   .fn = compare_size,
			   .doing = "reading the size of",
			   .err = err };
	int ret = visit_files(&v);

	if (v.sum > 0)
		out->end = PHASE_END_CORRUPT;
	else if (ret < 0)
		end_in_error(out, ret);
}

static void close_files(struct measure *m, struct phase_result *out,
			struct err *err)
{
	char name[STREAM_NAME_MAX];
	int ret;

	for (unsigned int i = 0; i < m->stream_count; i++) {
		struct stream *s = &m->streams[i];

		ret = stream_close(s, &m->spec.io);
		if (ret == 0)
			continue;
		stream_name(s, s->file, name);
		(void)err_sys(err, -ret, "closing %s", name);
		end_in_error(out, ret);
	}
}

static int count_resident(struct visit *v, const struct stream *s,
			  unsigned int file, int fd)
{
	const struct io io = v->m->spec.io;
	uint64_t cached;
	int ret = io.ops->resident(io.ctx, fd, s->sizes[file], &cached);

	if (ret == 0)
		v->sum += cached;
	return ret;
}

/* Bytes of all files in the page cache; EVIDENCE_UNKNOWN if not known. */
static int64_t resident_bytes(struct measure *m, int dir)
{
	struct err ignored = { 0 };
	struct visit v = { .m = m,
			   .dir = dir,
			   .fn = count_resident,
			   .doing = "",
			   .err = &ignored };

	return visit_files(&v) == 0 ? (int64_t)v.sum : EVIDENCE_UNKNOWN;
}

/*
 * Whether a read that obeys no alignment is accepted with O_DIRECT on, which
 * real direct I/O to a disk cannot do. (Over a network it can.)
 */
static bool accepts_misaligned(struct measure *m, int dir)
{
	const struct io io = m->spec.io;
	alignas(16) char buf[16];
	char name[STREAM_NAME_MAX];
	int64_t ret;
	int fd;

	stream_name(&m->streams[0], 0, name);
	fd = io.ops->open(io.ctx, dir, name, O_RDONLY | O_NOFOLLOW | O_DIRECT);
	if (fd < 0)
		return false;
	ret = io.ops->pread(io.ctx, fd, buf + 1, 1, 1);
	if (ret > 0)
		(void)io.ops->dontneed(io.ctx, fd);
	(void)io.ops->close(io.ctx, fd);
	return ret > 0;
}

/*
 * O_DIRECT was accepted; was it honoured? Not if the page cache grew by what
 * was moved (tmpfs), nor if this process moved nothing to or from a disk and
 * any alignment will do (a FUSE server that buffers).
 */
static bool is_direct_in_name(struct measure *m, int dir,
			      const struct phase_result *out)
{
	const struct evidence *e = &out->evidence;
	const int64_t half = (int64_t)(out->bytes / 2);
	const int64_t after = resident_bytes(m, dir);

	if (e->resident_bytes != EVIDENCE_UNKNOWN &&
	    after != EVIDENCE_UNKNOWN && after - e->resident_bytes > half)
		return true;
	return e->process_bytes != EVIDENCE_UNKNOWN &&
	       e->process_bytes < half && accepts_misaligned(m, dir);
}

static void judge_io(struct measure *m, int dir, struct phase_result *out)
{
	const struct stream *s = &m->streams[0];

	out->evidence.io = s->io;
	if (s->io != EVIDENCE_IO_DIRECT)
		return;
	out->evidence.alignment_bytes = s->alignment_bytes;
	if (is_direct_in_name(m, dir, out))
		out->evidence.io = EVIDENCE_IO_DIRECT_IN_NAME;
}

static void say_phase(struct measure *m, int phase)
{
	atomic_store(&m->spec.control->phase, phase);
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
		say_phase(m, 'F');
		ret = flush(m, phase->dir, &flush_err);
		out->flush_ns = io.ops->now(io.ctx) - end_ns;
	}
	streams_merge(m->streams, m->stream_count, out, err);
	if (ret < 0) {
		(void)err_set(err, flush_err.code, "%s", flush_err.text);
		end_in_error(out, ret);
	}
}

static void add_evidence(struct phase_result *out, enum phase_op op,
			 const struct evidence_counters *before,
			 const char *device_stat)
{
	struct evidence_counters after = evidence_count(device_stat);
	struct evidence_counters moved = evidence_between(before, &after);

	out->evidence.device_bytes =
		op == PHASE_WRITE ? moved.device_written : moved.device_read;
	out->evidence.process_bytes =
		op == PHASE_WRITE ? moved.process_written : moved.process_read;
}

static void run_phase(struct measure *m, struct stream_phase *phase,
		      struct phase_result *out, struct err *err)
{
	const char *device_stat = m->spec.device_stat;
	const bool writes = phase->op == PHASE_WRITE;
	struct evidence_counters before;
	struct rusage usage = { 0 };

	out->evidence.resident_bytes =
		writes ? 0 : resident_bytes(m, phase->dir);
	phase->is_resident = out->evidence.resident_bytes == written_bytes(m);
	atomic_store(&m->spec.control->done_bytes, 0);
	say_phase(m, writes ? 'W' : 'R');
	before = evidence_count(device_stat);
	(void)getrusage(RUSAGE_SELF, &usage);
	run_timed(m, phase, out, err);
	add_usage(out, &usage);
	add_evidence(out, phase->op, &before, device_stat);
	say_phase(m, 0);
	look_for_suspend(m);
	if (writes && phase_end_is_valid(out->end))
		check_sizes(m, phase->dir, out, err);
	close_files(m, out, err);
	judge_io(m, phase->dir, out);
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

	*out = (struct phase_result){ 0 };
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

static int drop_pages(struct visit *v, const struct stream *s,
		      unsigned int file, int fd)
{
	(void)s;
	(void)file;
	return v->m->spec.io.ops->dontneed(v->m->spec.io.ctx, fd);
}

bool measure_evict(struct measure *m, int dir, struct err *err)
{
	struct visit v = { .m = m,
			   .dir = dir,
			   .fn = drop_pages,
			   .doing = "dropping the pages of",
			   .err = err };

	return visit_files(&v) == 0;
}

bool measure_remove(struct measure *m, int dir, struct err *err)
{
	const struct io io = m->spec.io;
	char name[STREAM_NAME_MAX];
	bool ok = true;
	int ret;

	for (unsigned int i = 0; i < m->stream_count; i++) {
		struct stream *s = &m->streams[i];

		for (unsigned int f = 0; f < s->file_count; f++) {
			stream_name(s, f, name);
			ret = io.ops->unlink(io.ctx, dir, name);
			if (ret < 0 && ret != -ENOENT)
				ok = err_sys(err, -ret, "removing %s", name);
		}
		s->file_count = 0;
	}
	return ok;
}
