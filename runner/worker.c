/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/hist.h"
#include "core/series.h"

enum {
	WAIT_MS = 200,
	TEXT_MAX = 1 << 20, /* of one of a sample's texts */
};

/* What a worker may take beyond its deadline before it is killed, and what
 * it may then take to die. */
#define GRACE_NS UINT64_C(10000000000)
#define DYING_NS UINT64_C(3000000000)
/* A run that is asked to stop has ended within 10 s, clean-up included. */
#define STOP_NS UINT64_C(6000000000)

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

struct measure_control *worker_control_new(void)
{
	void *memory =
		mmap(NULL, sizeof(struct measure_control),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void worker_control_free(struct measure_control *control)
{
	if (control)
		munmap(control, sizeof(*control));
}

/* Both ends are the same program: records go as they lie in memory. */
static bool put(FILE *to, const void *data, size_t size)
{
	return fwrite(data, size, 1, to) == 1;
}

static bool get(FILE *from, void *data, size_t size)
{
	return fread(data, size, 1, from) == 1;
}

static bool put_text(FILE *to, const char *text)
{
	int64_t length = text ? (int64_t)strlen(text) : -1;

	return put(to, &length, sizeof(length)) &&
	       (length <= 0 || put(to, text, (size_t)length));
}

static bool get_text(FILE *from, char **text)
{
	int64_t length;

	if (!get(from, &length, sizeof(length)) || length > TEXT_MAX)
		return false;
	if (length < 0)
		return true;
	*text = calloc((size_t)length + 1, 1);
	return *text && (length == 0 || get(from, *text, (size_t)length));
}

/* The last bucket goes by the exact maximum, which lies in it. */
static bool put_hist(FILE *to, const struct hist *h)
{
	struct hist_bucket bucket, end = { 0 };
	size_t cursor = 0;

	while (h && hist_next(h, &cursor, &bucket)) {
		if (bucket.bound_ns > hist_max(h))
			bucket.bound_ns = hist_max(h);
		if (!put(to, &bucket, sizeof(bucket)))
			return false;
	}
	return put(to, &end, sizeof(end));
}

static bool get_hist(FILE *from, struct hist **h)
{
	struct hist_bucket bucket;

	*h = hist_new();
	while (*h && get(from, &bucket, sizeof(bucket))) {
		if (bucket.count == 0)
			return true;
		hist_record_many(*h, bucket.bound_ns, bucket.count);
	}
	return false;
}

static bool put_series(FILE *to, const struct series *s)
{
	uint64_t interval = s ? series_interval_ns(s) : 0;
	uint64_t count = s ? series_count(s) : 0;

	if (!put(to, &interval, sizeof(interval)) ||
	    !put(to, &count, sizeof(count)))
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = series_bytes(s, i);

		if (!put(to, &bytes, sizeof(bytes)))
			return false;
	}
	return true;
}

static bool get_series(FILE *from, struct series **s)
{
	uint64_t interval, count, bytes;

	*s = series_new();
	if (!*s || !get(from, &interval, sizeof(interval)) ||
	    !get(from, &count, sizeof(count)) || count > SERIES_MAX)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!get(from, &bytes, sizeof(bytes)))
			return false;
		series_add(*s, i * interval, (i + 1) * interval, bytes);
	}
	return true;
}

static bool put_phase(FILE *to, const struct phase_result *phase)
{
	return put(to, phase, sizeof(*phase)) && put_hist(to, phase->latency) &&
	       put_series(to, phase->series);
}

static bool get_phase(FILE *from, struct phase_result *phase)
{
	struct phase_result sent;

	if (!get(from, &sent, sizeof(sent)))
		return false;
	sent.latency = NULL;
	sent.series = NULL;
	*phase = sent;
	return get_hist(from, &phase->latency) &&
	       get_series(from, &phase->series);
}

bool worker_send(const struct sample *sample, FILE *to)
{
	const struct target_facts *facts = &sample->facts;

	return put(to, sample, sizeof(*sample)) &&
	       put_text(to, facts->mkfs_command) &&
	       put_text(to, facts->mount_command) &&
	       put_text(to, facts->mount_options) &&
	       put_phase(to, &sample->write) && put_phase(to, &sample->read) &&
	       fflush(to) == 0;
}

bool worker_receive(struct sample *sample, FILE *from)
{
	struct sample sent;

	if (!get(from, &sent, sizeof(sent)))
		return false;
	/* The sender's pointers mean nothing here. */
	sent.facts.mkfs_command = NULL;
	sent.facts.mount_command = NULL;
	sent.facts.mount_options = NULL;
	sent.write = (struct phase_result){ 0 };
	sent.read = (struct phase_result){ 0 };
	*sample = sent;
	return get_text(from, &sample->facts.mkfs_command) &&
	       get_text(from, &sample->facts.mount_command) &&
	       get_text(from, &sample->facts.mount_options) &&
	       get_phase(from, &sample->write) &&
	       get_phase(from, &sample->read);
}

static void work(const struct sample_spec *spec, int fd, pid_t parent)
{
	struct sample sample = { 0 };
	FILE *to = fdopen(fd, "w");
	guard_ticket ticket = 0;
	bool sent;

	/* Whoever kills the run kills the sample. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || !to)
		_exit(1);
	if (!guard_add_process(spec->guard, getpid(), &ticket, &sample.reason))
		sample.status = RECORD_FAILED;
	else
		sample_measure(spec, &sample);
	sent = worker_send(&sample, to);
	sample_done(&sample);
	guard_drop(spec->guard, &ticket);
	_exit(sent ? 0 : 1);
}

/*
 * When the worker is to be dead, in the light of what is asked of it now: 0
 * is never. A stop begins to count when it is first seen.
 */
static uint64_t limit_ns(const struct sample_spec *spec, uint64_t begun,
			 uint64_t *stop_seen)
{
	if (atomic_load(&spec->control->stop)) {
		if (*stop_seen == 0)
			*stop_seen = now_ns();
		return *stop_seen + STOP_NS;
	}
	if (spec->timeout_ns)
		return begun + spec->timeout_ns + GRACE_NS;
	return 0;
}

/* Whether something came from the worker before its limit. */
static bool wait_readable(const struct sample_spec *spec, int fd)
{
	uint64_t begun = now_ns(), stop_seen = 0, limit;
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		if (poll(&p, 1, WAIT_MS) > 0)
			return true;
		limit = limit_ns(spec, begun, &stop_seen);
		if (limit && now_ns() > limit)
			return false;
	}
}

/* What is still there then is tried again, and told of, at the run's end. */
static void recover(const struct sample_spec *spec)
{
	struct err later = { 0 };

	guard_recover(spec->guard, &later);
}

/*
 * Kill it, and undo what it left: it may be waiting for just that. False: it
 * is held by the kernel.
 */
static bool end_worker(const struct sample_spec *spec, pid_t pid)
{
	uint64_t until = now_ns() + DYING_NS;
	struct timespec pause = { .tv_nsec = 10000000 };

	kill(pid, SIGKILL);
	recover(spec);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (now_ns() > until)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static void lose(struct sample *sample, enum record_status status,
		 const char *words)
{
	sample_done(sample);
	sample->status = status;
	err_set(&sample->reason, ERR_FAILED, "%s", words);
}

static void collect(const struct sample_spec *spec, struct sample *sample,
		    int fd, pid_t pid)
{
	FILE *from = NULL;
	bool stop;

	if (!wait_readable(spec, fd)) {
		stop = atomic_load(&spec->control->stop);
		if (end_worker(spec, pid))
			lose(sample, RECORD_TIMEOUT, "timeout (killed)");
		else
			lose(sample, RECORD_STUCK,
			     "stuck in a system call; its process is left");
		sample->stopped = stop;
		close(fd);
		return;
	}
	from = fdopen(fd, "r");
	if (!from || !worker_receive(sample, from)) {
		lose(sample, RECORD_FAILED, "the measuring process died");
		sample->stopped = atomic_load(&spec->control->stop);
	}
	if (from)
		fclose(from);
	else
		close(fd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (sample->status != RECORD_OK)
		recover(spec);
}

void worker_measure(const struct sample_spec *spec, struct sample *sample)
{
	char started[TIMESTAMP_SIZE];
	pid_t parent = getpid(), pid;
	int ends[2];

	timestamp_now(started);
	if (pipe2(ends, O_CLOEXEC) != 0) {
		sample->status = RECORD_FAILED;
		err_sys(&sample->reason, errno, "making a pipe");
		return;
	}
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		work(spec, ends[1], parent);
	}
	close(ends[1]);
	if (pid < 0) {
		sample->status = RECORD_FAILED;
		err_sys(&sample->reason, errno, "starting a process");
		close(ends[0]);
	} else {
		collect(spec, sample, ends[0], pid);
	}
	if (!sample->started_at[0])
		memcpy(sample->started_at, started, sizeof(started));
	if (!sample->ended_at[0])
		timestamp_now(sample->ended_at);
}
