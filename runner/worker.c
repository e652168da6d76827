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

#include "runner/signals.h"

enum { WAIT_MS = 100 };

/*
 * What a worker may take beyond its deadline before it is killed, and what
 * it may then take to die.
 */
#define GRACE_NS UINT64_C(10000000000)
#define DYING_NS UINT64_C(3000000000)
/* A run that is asked to stop has ended within 10 s, clean-up included. */
#define STOP_NS UINT64_C(4000000000)

/* Before each of the samples that a worker sends, what it is. */
enum { SO_FAR = 's', FINISHED = 'f' };

/* A worker at work, as the run sees it. */
struct watch {
	const struct sample_spec *spec;
	struct sample *sample;
	pid_t pid;
	FILE *from; /* owned; samples come out of it */
	int says;   /* a file that holds what it said on stderr; -1 */
	uint64_t begun_ns, stop_seen_ns;
	int phase; /* the control's, when last looked at */
	uint64_t phase_ns, write_ns;
};

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

static bool send_as(char kind, const struct sample *sample, FILE *to)
{
	return fputc(kind, to) != EOF && worker_send(sample, to);
}

/* What is known is not lost if the rest does not end. */
static void send_so_far(void *ctx, const struct sample *sample)
{
	send_as(SO_FAR, sample, ctx);
}

/*
 * Nothing of the run's stays open here: a worker that the kernel holds would
 * hold it, too - its locks, the database's filesystem, the pipe that somebody
 * reads the run's messages from.
 */
static void let_go(const struct sample_spec *spec, int to, int says)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(says >= 0 ? says : null, STDOUT_FILENO);
	dup2(says >= 0 ? says : null, STDERR_FILENO);
	guard_close_others(spec->guard, to);
}

static void work(const struct sample_spec *given, int fd, int says,
		 pid_t parent) __attribute__((noreturn));
static void work(const struct sample_spec *given, int fd, int says,
		 pid_t parent)
{
	struct sample_spec spec = *given;
	struct sample sample = { 0 };
	guard_ticket ticket = 0;
	FILE *to;
	bool sent;

	/* Whoever kills the run kills the sample. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	let_go(&spec, fd, says);
	to = fdopen(fd, "w");
	if (!to)
		_exit(1);
	spec.so_far = send_so_far;
	spec.so_far_ctx = to;
	if (!guard_add_process(spec.guard, getpid(), &ticket, &sample.reason))
		sample.status = RECORD_FAILED;
	else
		sample_measure(&spec, &sample);
	sent = send_as(FINISHED, &sample, to);
	sample_done(&sample);
	guard_drop(spec.guard, &ticket);
	_exit(sent ? 0 : 1);
}

/*
 * When the worker is to be dead, in the light of what is asked of it now: 0
 * is never. A stop begins to count when it is first seen.
 */
static uint64_t limit_ns(struct watch *w)
{
	if (atomic_load(&w->spec->control->stop)) {
		if (w->stop_seen_ns == 0)
			w->stop_seen_ns = now_ns();
		return w->stop_seen_ns + (signals_urgent() ? 0 : STOP_NS);
	}
	if (w->spec->timeout_ns)
		return w->begun_ns + w->spec->timeout_ns + GRACE_NS;
	return 0;
}

static void look_at_phase(struct watch *w)
{
	int phase = atomic_load(&w->spec->control->phase);
	uint64_t now;

	if (phase == w->phase)
		return;
	now = now_ns();
	if (w->phase == 'W')
		w->write_ns = now - w->phase_ns;
	w->phase = phase;
	w->phase_ns = now;
}

/* Whether something came from the worker before its limit. */
static bool wait_readable(struct watch *w)
{
	struct pollfd p = { .fd = fileno(w->from), .events = POLLIN };
	uint64_t limit;

	for (;;) {
		if (poll(&p, 1, WAIT_MS) > 0)
			return true;
		look_at_phase(w);
		limit = limit_ns(w);
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
static bool end_worker(const struct watch *w)
{
	uint64_t until = now_ns() + DYING_NS;
	struct timespec pause = { .tv_nsec = 10000000 };

	kill(w->pid, SIGKILL);
	recover(w->spec);
	while (waitpid(w->pid, NULL, WNOHANG) == 0) {
		if (now_ns() > until)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static const char *phase_words(int phase)
{
	switch (phase) {
	case 'P':
		return "while it made and mounted the filesystem";
	case 'W':
		return "while it wrote";
	case 'F':
		return "while it flushed";
	case 'E':
		return "while it mounted anew";
	case 'R':
		return "while it read";
	case 'C':
		return "while it cleaned up";
	default:
		return "between two phases";
	}
}

/* As far as the phase went that was not to end. */
static void keep_partial(const struct watch *w)
{
	struct sample *s = w->sample;
	bool reads = w->phase == 'R';
	struct phase_result *result = reads ? &s->read : &s->write;
	uint64_t passed = now_ns() - w->phase_ns;

	if (w->phase != 'W' && w->phase != 'F' && !reads)
		return;
	phase_result_done(result);
	result->end = PHASE_END_TIMEOUT;
	result->bytes = atomic_load(&w->spec->control->done_bytes);
	result->app_ns = w->phase == 'F' ? w->write_ns : passed;
	result->flush_ns = w->phase == 'F' ? passed : 0;
	if (reads)
		s->has_read = true;
	else
		s->has_write = true;
}

/* It did not end in time. */
static void give_up(struct watch *w)
{
	struct sample *s = w->sample;
	bool stop = atomic_load(&w->spec->control->stop);

	look_at_phase(w);
	keep_partial(w);
	s->reason = (struct err){ 0 };
	if (end_worker(w)) {
		s->status = RECORD_TIMEOUT;
		err_set(&s->reason, ERR_FAILED, "timeout (killed %s)",
			phase_words(w->phase));
	} else {
		s->status = RECORD_STUCK;
		err_set(&s->reason, ERR_FAILED,
			"the kernel holds process %d, %s; it is left",
			(int)w->pid, phase_words(w->phase));
	}
	s->stopped = stop;
}

/* Nobody reads it but somebody who looks for a fault of ours. */
static void repeat_words(int says)
{
	char text[4096];
	ssize_t got;

	if (says < 0 || lseek(says, 0, SEEK_SET) < 0)
		return;
	while ((got = read(says, text, sizeof(text))) > 0)
		fwrite(text, 1, (size_t)got, stderr);
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* The pipe broke. */
static void mourn(struct watch *w)
{
	struct sample *s = w->sample;
	int status = wait_for(w->pid);
	const char *name =
		WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;

	look_at_phase(w);
	keep_partial(w);
	s->status = RECORD_FAILED;
	s->stopped = atomic_load(&w->spec->control->stop);
	s->reason = (struct err){ 0 };
	err_set(&s->reason, ERR_FAILED, "the measuring process died%s%s %s",
		name ? " of SIG" : "", name ? name : "", phase_words(w->phase));
	repeat_words(w->says);
	recover(w->spec);
}

static void collect(struct watch *w)
{
	int kind;

	do {
		if (!wait_readable(w)) {
			give_up(w);
			return;
		}
		kind = fgetc(w->from);
		if (kind == EOF || !worker_receive(w->sample, w->from)) {
			mourn(w);
			return;
		}
	} while (kind != FINISHED);
	wait_for(w->pid);
	if (w->sample->status != RECORD_OK)
		recover(w->spec);
}

/* The run's end of the pipe; false with `err` set. */
static bool start(struct watch *w, struct err *err)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_sys(err, errno, "making a pipe");
	w->from = fdopen(ends[0], "r");
	if (!w->from) {
		close(ends[0]);
		close(ends[1]);
		return err_nomem(err);
	}
	/* What poll() does not see must not wait in a buffer. */
	setvbuf(w->from, NULL, _IONBF, 0);
	w->says = memfd_create("fsmatrix-worker", MFD_CLOEXEC);
	w->begun_ns = now_ns();
	w->pid = fork();
	if (w->pid == 0)
		work(w->spec, ends[1], w->says, parent);
	close(ends[1]);
	return w->pid > 0 || err_sys(err, errno, "starting a process");
}

void worker_measure(const struct sample_spec *spec, struct sample *sample)
{
	struct watch w = { .spec = spec, .sample = sample, .says = -1 };
	char started[TIMESTAMP_SIZE];

	timestamp_now(started);
	if (start(&w, &sample->reason))
		collect(&w);
	else
		sample->status = RECORD_FAILED;
	if (w.from)
		fclose(w.from);
	if (w.says >= 0)
		close(w.says);
	if (!sample->started_at[0])
		memcpy(sample->started_at, started, sizeof(started));
	if (!sample->ended_at[0])
		timestamp_now(sample->ended_at);
}
