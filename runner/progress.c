/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "core/text.h"
#include "core/units.h"
#include "reports/fit.h"
#include "runner/view.h"
#include "runner/wait.h"

enum {
	REDRAW_MS = 250,
	LINE_MAX = 512,
	COLUMNS_DEFAULT = 80,
	NAME_LEAST = 8, /* columns, before the end of the line goes */
	RATE_LEAST_NS = 50000000,
};

struct progress {
	FILE *out;
	struct measure_control *control;
	bool terminal; /* `out` is one: draw the line */
	bool utf8;     /* that shows more than ASCII */
	bool keys;     /* stdin is one, and ours: read keys */
	struct termios saved;
	uint64_t sample_count;
	pthread_t thread;
	bool started;
	int wake[2];          /* closing [1] ends the thread */
	pthread_mutex_t lock; /* of all below */
	char line[LINE_MAX];  /* that stands there; "": none */
	size_t width;         /* of the terminal when it was drawn */
	uint64_t number;
	char name[256];
	uint64_t write_bytes, left_ns, begun_ns;
};

static size_t columns(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return COLUMNS_DEFAULT;
}

static const char *phase_word(int phase)
{
	switch (phase) {
	case 'W':
		return "write";
	case 'F':
		return "flush";
	case 'R':
		return "read";
	case 'P':
		return "prepare";
	case 'E':
		return "evict";
	case 'C':
		return "clean up";
	default:
		return NULL;
	}
}

static void add(char *line, const char *fmt, ...) PRINTF(2, 3);
static void add(char *line, const char *fmt, ...)
{
	size_t used = strlen(line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + used, LINE_MAX - used, fmt, ap);
	va_end(ap);
}

/* A write that the user ended is read as far as it went. */
static uint64_t bytes_of_phase(const struct progress *p, int phase)
{
	return phase == 'W' ? p->write_bytes
			    : atomic_load(&p->control->read_bytes);
}

/* Percent and rate of the phase that is running, in the unit of its result. */
static void add_phase(struct progress *p, char *line)
{
	int phase = atomic_load(&p->control->phase);
	uint64_t done = atomic_load_explicit(&p->control->done_bytes,
					     memory_order_relaxed);
	struct phase_result until_now;
	uint64_t all;

	if (!phase_word(phase))
		return;
	add(line, " %s", phase_word(phase));
	if (phase != 'W' && phase != 'R')
		return;
	all = bytes_of_phase(p, phase);
	if (all > 0)
		add(line, " %llu%%", (unsigned long long)(done * 100 / all));
	/* By the clock of the result; at its very beginning it says nothing. */
	if (measure_control_partial(p->control, wait_now_ns(), &until_now) &&
	    until_now.app_ns >= RATE_LEAST_NS)
		add(line, " %.0f KB/s",
		    (double)until_now.bytes / 1024 * 1e9 /
			    (double)until_now.app_ns);
}

/* Nothing when the estimate is over: it was none then. */
static void add_time_left(const struct progress *p, char *line)
{
	uint64_t passed = wait_now_ns() - p->begun_ns;
	char left[32];

	if (passed >= p->left_ns)
		return;
	units_format_duration(p->left_ns - passed, left, sizeof(left));
	add(line, ", %s left", left);
}

/* The name is cut first, in its middle, then the end of the line. */
static void make_line(struct progress *p, size_t width, char *line)
{
	char rest[LINE_MAX] = "", *name;
	size_t taken;

	snprintf(line, LINE_MAX, "[%llu/%llu] ", (unsigned long long)p->number,
		 (unsigned long long)p->sample_count);
	add_phase(p, rest);
	add_time_left(p, rest);
	taken = fit_width(line) + fit_width(rest);
	name = fit_shorten(p->name,
			   width > taken + NAME_LEAST ? width - taken
						      : NAME_LEAST,
			   p->utf8);
	add(line, "%s%s", name ? name : "", rest);
	line[fit_head(line, width)] = '\0';
	free(name);
}

/*
 * With the lock held. The cursor waits at the line's beginning: when the
 * terminal gets narrower than the line, all of what it made of it is below.
 */
static void draw(struct progress *p)
{
	char line[LINE_MAX];
	size_t width = columns(p->out);

	make_line(p, width - 1, line);
	if (width == p->width && strcmp(line, p->line) == 0)
		return;
	fprintf(p->out, "%s%s\033[K\r", width == p->width ? "" : "\033[J",
		line);
	fflush(p->out);
	p->width = width;
	snprintf(p->line, sizeof(p->line), "%s", line);
}

/* With the lock held. */
static void erase(struct progress *p)
{
	if (!*p->line)
		return;
	fputs("\033[J", p->out);
	*p->line = '\0';
}

static void read_keys(struct progress *p)
{
	char keys[16];
	ssize_t count = read(STDIN_FILENO, keys, sizeof(keys));

	for (ssize_t i = 0; i < count; i++) {
		if (keys[i] == 'r' && atomic_load(&p->control->phase) == 'W')
			atomic_store(&p->control->read_now, true);
	}
	if (count <= 0)
		p->keys = false;
}

static void *run_thread(void *arg)
{
	struct progress *p = arg;

	for (;;) {
		struct pollfd fds[2] = {
			{ .fd = p->wake[0], .events = POLLIN },
			{ .fd = p->keys ? STDIN_FILENO : -1, .events = POLLIN },
		};

		poll(fds, 2, REDRAW_MS);
		if (fds[0].revents)
			return NULL;
		if (fds[1].revents)
			read_keys(p);
		pthread_mutex_lock(&p->lock);
		if (p->terminal && p->number > 0)
			draw(p);
		pthread_mutex_unlock(&p->lock);
	}
}

/* Keys come one by one and unechoed; signals go on working. */
static void take_keys(struct progress *p)
{
	struct termios mode;

	if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
	    tcgetattr(STDIN_FILENO, &p->saved) != 0)
		return;
	mode = p->saved;
	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	p->keys = tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0;
}

/* Signals are for the thread that measures. */
static bool start_thread(struct progress *p)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = pthread_create(&p->thread, NULL, run_thread, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

struct progress *progress_new(FILE *out, struct measure_control *control,
			      uint64_t sample_count)
{
	struct progress *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->out = out;
	p->control = control;
	p->sample_count = sample_count;
	p->terminal = isatty(fileno(out));
	p->utf8 = view_of(out).utf8;
	pthread_mutex_init(&p->lock, NULL);
	if (!p->terminal)
		return p;
	if (pipe2(p->wake, O_CLOEXEC) != 0) {
		p->terminal = false;
		return p;
	}
	take_keys(p);
	p->started = start_thread(p);
	return p;
}

/*
 * A run that was put into the background meanwhile leaves the terminal alone:
 * it is another's, and touching it would stop us. Whoever brings it to the
 * front or begins something else sets its own mode, as shells do.
 */
static void give_keys_back(const struct progress *p)
{
	sigset_t set, before;

	if (!p->saved.c_cflag || tcgetpgrp(STDIN_FILENO) != getpgrp())
		return;
	/* between the look and the call it may become another's */
	sigemptyset(&set);
	sigaddset(&set, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	tcsetattr(STDIN_FILENO, TCSANOW, &p->saved);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_free(struct progress *p)
{
	if (!p)
		return;
	if (p->started) {
		close(p->wake[1]);
		pthread_join(p->thread, NULL);
		close(p->wake[0]);
	}
	give_keys_back(p);
	erase(p);
	fflush(p->out);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void progress_begin(struct progress *p, uint64_t number, const char *name,
		    uint64_t write_bytes, uint64_t left_ns)
{
	char *safe = fit_safe(name, p->utf8);

	pthread_mutex_lock(&p->lock);
	p->number = number;
	snprintf(p->name, sizeof(p->name), "%s", safe ? safe : "");
	p->write_bytes = write_bytes;
	p->left_ns = left_ns;
	p->begun_ns = wait_now_ns();
	pthread_mutex_unlock(&p->lock);
	free(safe);
}

PRINTF(3, 0)
static void say(struct progress *p, bool numbered, const char *fmt, va_list ap)
{
	char line[2 * LINE_MAX];

	vsnprintf(line, sizeof(line), fmt, ap);
	pthread_mutex_lock(&p->lock);
	erase(p);
	if (numbered)
		fprintf(p->out, "[%llu/%llu] ", (unsigned long long)p->number,
			(unsigned long long)p->sample_count);
	text_fputs_safe(line, p->out);
	fputc('\n', p->out);
	fflush(p->out);
	pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(p, true, fmt, ap);
	va_end(ap);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(p, false, fmt, ap);
	va_end(ap);
}
