/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/streams.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

/* Where the streams wait for each other. */
struct gate {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int ready;
	bool open;
};

struct runner {
	struct stream *stream;
	struct stream_phase *phase;
	struct gate *gate;
	pthread_t thread;
};

static void wait_at(struct gate *gate)
{
	pthread_mutex_lock(&gate->lock);
	gate->ready++;
	pthread_cond_broadcast(&gate->changed);
	while (!gate->open)
		pthread_cond_wait(&gate->changed, &gate->lock);
	pthread_mutex_unlock(&gate->lock);
}

static void *run_one(void *arg)
{
	struct runner *r = arg;
	bool begun = stream_begin(r->stream, r->phase);

	wait_at(r->gate);
	if (!begun)
		return NULL;
	if (atomic_load_explicit(&r->phase->abandoned, memory_order_relaxed))
		r->stream->end = PHASE_END_STOPPED;
	else
		stream_run(r->stream);
	return NULL;
}

static void start_clock(struct stream_phase *phase)
{
	(void)getrusage(RUSAGE_SELF, &phase->usage);
	phase->start_ns = phase->io.ops->now(phase->io.ctx);
	atomic_store_explicit(&phase->control->phase_ns, phase->start_ns,
			      memory_order_relaxed);
}

/* When all have come, start the clock and let them go. */
static void open_gate(struct gate *gate, unsigned int expected,
		      struct stream_phase *phase)
{
	pthread_mutex_lock(&gate->lock);
	while (gate->ready < expected)
		pthread_cond_wait(&gate->changed, &gate->lock);
	start_clock(phase);
	gate->open = true;
	pthread_cond_broadcast(&gate->changed);
	pthread_mutex_unlock(&gate->lock);
}

/* A thread that could not be made: nobody runs, and its stream says why. */
static void start_all(struct runner *runners, unsigned int count)
{
	struct stream_phase *phase = runners[0].phase;
	unsigned int started;
	int ret = 0;

	for (started = 0; started < count; started++) {
		ret = pthread_create(&runners[started].thread, NULL, run_one,
				     &runners[started]);
		if (ret != 0)
			break;
	}
	if (ret != 0) {
		runners[started].stream->phase = phase;
		stream_fail(runners[started].stream, STREAM_FAULT_ERRNO,
			    "starting a thread for", ret);
	}
	open_gate(runners[0].gate, started, phase);
	for (unsigned int i = 0; i < started; i++)
		pthread_join(runners[i].thread, NULL);
}

/* Signals are for the threads that know what to do about them. */
static void start_all_deaf(struct runner *runners, unsigned int count)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	start_all(runners, count);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_together(struct stream **active, unsigned int count,
			 struct stream_phase *phase)
{
	struct gate gate = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	struct runner *runners = calloc(count, sizeof(*runners));

	if (!runners) {
		active[0]->phase = phase;
		stream_fail(active[0], STREAM_FAULT_ERRNO, "preparing", ENOMEM);
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		runners[i] = (struct runner){ .stream = active[i],
					      .phase = phase,
					      .gate = &gate };
	start_all_deaf(runners, count);
	free(runners);
}

static void run_alone(struct stream *stream, struct stream_phase *phase)
{
	const bool begun = stream_begin(stream, phase);

	start_clock(phase);
	if (begun)
		stream_run(stream);
}

static uint64_t last_ns(const struct stream *streams, unsigned int count,
			struct stream_phase *phase)
{
	uint64_t last = phase->start_ns;

	for (unsigned int i = 0; i < count; i++) {
		if (streams[i].bytes == 0 || streams[i].last_ns <= last)
			continue;
		last = streams[i].last_ns;
		phase->paused_ns = streams[i].paused_ns;
	}
	return last;
}

uint64_t streams_run(struct stream *streams, unsigned int count,
		     struct stream_phase *phase)
{
	struct stream *active[WORKLOAD_STREAMS_MAX];
	unsigned int n = 0;

	for (unsigned int i = 0; i < count; i++) {
		stream_reset(&streams[i]);
		if (streams[i].share_bytes > 0)
			active[n++] = &streams[i];
	}
	phase->is_shared = n > 1;
	if (n == 1)
		run_alone(active[0], phase);
	else if (n > 1)
		run_together(active, n, phase);
	return last_ns(streams, count, phase);
}

/* Take the first's histogram and series, and add the others to them. */
static void merge_recordings(struct stream *s, struct phase_result *out)
{
	if (!s->latency || !s->series)
		return;
	if (out->latency) {
		hist_merge(out->latency, s->latency);
		series_merge(out->series, s->series);
		return;
	}
	out->latency = s->latency;
	out->series = s->series;
	s->latency = NULL;
	s->series = NULL;
}

static const struct stream *worst_of(const struct stream *streams,
				     unsigned int count)
{
	const struct stream *worst = &streams[0];

	for (unsigned int i = 1; i < count; i++)
		if (streams[i].end > worst->end)
			worst = &streams[i];
	return worst;
}

/* Of a volume full before the first byte there is no figure: an error. */
enum phase_end streams_end(const struct stream *streams, unsigned int count)
{
	const struct stream *worst = worst_of(streams, count);
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < count; i++)
		bytes += streams[i].bytes;
	if (bytes == 0 && phase_end_is_valid(worst->end))
		return worst->fault.errnum ? PHASE_END_ERROR : worst->end;
	return worst->end;
}

void streams_merge(struct stream *streams, unsigned int count,
		   struct phase_result *out, struct err *err)
{
	const struct stream *worst = worst_of(streams, count);

	out->end = streams_end(streams, count);
	for (unsigned int i = 0; i < count; i++) {
		out->bytes += streams[i].bytes;
		out->files += streams[i].file_count;
		merge_recordings(&streams[i], out);
		stream_end(&streams[i]);
	}
	if (phase_end_is_valid(out->end))
		return;
	out->errnum = worst->fault.errnum;
	(void)stream_word(worst, err);
}
