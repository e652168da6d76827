/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/child.h"
#include "runner/signals.h"
#include "runner/wait.h"

enum {
	WAIT_MS = 100,
	LEAVING_MS =
		2000,    /* from its last word to its end; then it is killed */
	DYING_MS = 3000, /* from there on */
};

/* What a worker may take beyond its deadline before it is killed. */
#define GRACE_NS UINT64_C(10000000000)
/* A run that is asked to stop has ended within 10 s, clean-up included. */
#define STOP_NS UINT64_C(4000000000)

/* Before each of the samples that a worker sends, what it is. */
enum { SO_FAR = 's', FINISHED = 'f' };

/* A worker at work, as the run sees it. */
struct watch {
	const struct sample_spec *spec;
	struct sample *sample;
	pid_t pid;
	int fd;     /* owned by `from`: the worker's words come here */
	FILE *from; /* owned; samples come out of it */
	bool late;  /* it took longer than it may, for what was awaited last */
	int says;   /* a file that holds what it said on stderr; -1 */
	uint64_t begun_ns, stop_seen_ns, continued_seen_ns;
	int phase; /* the control's, when it was given up */
};

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
	signals_note_stops(spec.control);
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
	uint64_t limit;

	if (atomic_load(&w->spec->control->stop)) {
		if (w->stop_seen_ns == 0)
			w->stop_seen_ns = wait_now_ns();
		return w->stop_seen_ns + (signals_urgent() ? 0 : STOP_NS);
	}
	if (atomic_load(&w->spec->control->continued) &&
	    w->continued_seen_ns == 0)
		w->continued_seen_ns = wait_now_ns();
	if (w->spec->timeout_ns == 0)
		return 0;
	limit = w->begun_ns + w->spec->timeout_ns;
	/* its time may have passed while it could not look at the clock */
	if (limit < w->continued_seen_ns)
		limit = w->continued_seen_ns;
	return limit + GRACE_NS;
}

/* Whether something came from the worker before its limit. */
static bool await_more(struct watch *w)
{
	unsigned int late = 0;
	uint64_t limit;

	while (!wait_readable(w->fd, WAIT_MS)) {
		limit = limit_ns(w);
		/* twice in a row: both of us may have been stopped until now */
		late = limit && wait_now_ns() > limit ? late + 1 : 0;
		if (late > 1)
			return false;
	}
	return true;
}

/* For stdio: a worker that stops in the middle of a sample is late, too. */
static ssize_t read_in_time(void *ctx, char *to, size_t size)
{
	struct watch *w = ctx;
	ssize_t got;

	w->late = !await_more(w);
	if (w->late)
		return 0;
	do
		got = read(w->fd, to, size);
	while (got < 0 && errno == EINTR);
	return got;
}

static int close_end(void *ctx)
{
	const struct watch *w = ctx;

	return close(w->fd);
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
static bool end_worker(const struct watch *w, int *status)
{
	kill(w->pid, SIGKILL);
	recover(w->spec);
	return wait_child(w->pid, status, DYING_MS);
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

/* As far as the phase went that was not to end, when it was given up. */
static void keep_partial(struct watch *w, enum phase_end end)
{
	struct measure_control *control = w->spec->control;
	struct sample *s = w->sample;
	struct phase_result partial;
	bool reads;

	w->phase = atomic_load(&control->phase);
	reads = w->phase == 'R';
	if (!measure_control_partial(control, wait_now_ns(), &partial))
		return;
	partial.end = end;
	phase_result_done(reads ? &s->read : &s->write);
	*(reads ? &s->read : &s->write) = partial;
	if (reads)
		s->has_read = true;
	else
		s->has_write = true;
}

static void leave_stuck(struct watch *w)
{
	w->sample->status = RECORD_STUCK;
	err_set(&w->sample->reason, ERR_FAILED,
		"the kernel holds process %d, %s; it is left", (int)w->pid,
		phase_words(w->phase));
}

/* It did not end in time. */
static void give_up(struct watch *w)
{
	struct sample *s = w->sample;
	bool stop = atomic_load(&w->spec->control->stop);

	keep_partial(w, PHASE_END_TIMEOUT);
	s->reason = (struct err){ 0 };
	if (end_worker(w, NULL)) {
		s->status = RECORD_TIMEOUT;
		sample_explain_timeout(s, w->spec->timeout_ns);
		err_advise(&s->reason, "killed %s", phase_words(w->phase));
	} else {
		leave_stuck(w);
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

/* After its last word. False: it is held by the kernel. */
static bool see_off(const struct watch *w, int *status)
{
	return wait_child(w->pid, status, LEAVING_MS) || end_worker(w, status);
}

/* The pipe broke, or what came through it was no sample. */
static void mourn(struct watch *w)
{
	struct sample *s = w->sample;
	const char *name = NULL;
	int status = 0;
	bool ended;

	keep_partial(w, PHASE_END_ERROR);
	s->stopped = atomic_load(&w->spec->control->stop);
	s->reason = (struct err){ 0 };
	ended = see_off(w, &status);
	if (ended && WIFSIGNALED(status))
		name = sigabbrev_np(WTERMSIG(status));
	if (ended) {
		s->status = RECORD_FAILED;
		err_set(&s->reason, ERR_FAILED,
			"the measuring process died%s%s %s",
			name ? " of SIG" : "", name ? name : "",
			phase_words(w->phase));
	} else {
		leave_stuck(w);
	}
	repeat_words(w->says);
	recover(w->spec);
}

static void collect(struct watch *w)
{
	bool left;
	int kind;

	do {
		kind = fgetc(w->from);
		if (kind != EOF && worker_receive(w->sample, w->from))
			continue;
		if (w->late)
			give_up(w);
		else
			mourn(w);
		return;
	} while (kind != FINISHED);
	/* nothing of the sample is missing, whatever holds it now */
	left = see_off(w, NULL);
	if (!left || w->sample->status != RECORD_OK)
		recover(w->spec);
}

/* The run's end of the pipe; false with `err` set. */
static bool start(struct watch *w, struct err *err)
{
	static const cookie_io_functions_t in_time = { .read = read_in_time,
						       .close = close_end };
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_sys(err, errno, "making a pipe");
	w->fd = ends[0];
	w->from = fopencookie(w, "r", in_time);
	if (!w->from) {
		close(ends[0]);
		close(ends[1]);
		return err_nomem(err);
	}
	w->says = memfd_create("fsmatrix-worker", MFD_CLOEXEC);
	child_heed();
	w->begun_ns = wait_now_ns();
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
	measure_control_reset(spec->control);
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
