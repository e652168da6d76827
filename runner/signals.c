/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* A handler has no other way to reach what it must set. */
static struct measure_control *volatile handled;
static volatile sig_atomic_t stopped_by, times;
/* What a script runs in the background is not what Ctrl-C is for. */
static volatile sig_atomic_t deaf_to_keys;

static void stop(int signum, siginfo_t *info, void *context)
{
	struct measure_control *control = handled;

	(void)context;
	if (signum == SIGINT && deaf_to_keys && info->si_code == SI_KERNEL)
		return;
	if (times == 0)
		stopped_by = signum;
	if (times < 2)
		times++;
	if (control)
		atomic_store(&control->stop, true);
}

static void read_now(int signum)
{
	struct measure_control *control = handled;

	(void)signum;
	if (control && atomic_load(&control->phase) == 'W')
		atomic_store(&control->read_now, true);
}

static void went_on(int signum)
{
	struct measure_control *control = handled;

	(void)signum;
	if (control)
		atomic_store(&control->continued, true);
}

static const struct {
	int signum;
	void (*handler)(int); /* NULL: it stops the run */
} handlers[] = {
	{ SIGINT, NULL },      { SIGTERM, NULL },    { SIGHUP, NULL },
	{ SIGUSR1, read_now }, { SIGXFSZ, SIG_IGN }, { SIGPIPE, SIG_IGN },
};

enum { HANDLER_COUNT = sizeof(handlers) / sizeof(*handlers) };

/* What whoever started us had said, who with nohup meant it. */
static struct sigaction before[HANDLER_COUNT];

void signals_begin(void)
{
	struct sigaction action = { .sa_handler = read_now,
				    .sa_flags = SA_RESTART };

	sigaction(SIGUSR1, &action, NULL);
}

void signals_note_stops(struct measure_control *control)
{
	struct sigaction action = { .sa_handler = went_on,
				    .sa_flags = SA_RESTART };

	handled = control;
	sigaction(SIGCONT, &action, NULL);
}

void signals_install(struct measure_control *control)
{
	handled = control;
	stopped_by = times = 0;
	for (size_t i = 0; i < HANDLER_COUNT; i++) {
		struct sigaction action = { .sa_handler = handlers[i].handler,
					    .sa_flags = SA_RESTART };

		sigaction(handlers[i].signum, NULL, &before[i]);
		if (handlers[i].signum == SIGHUP &&
		    before[i].sa_handler == SIG_IGN)
			continue;
		if (handlers[i].signum == SIGINT)
			deaf_to_keys = before[i].sa_handler == SIG_IGN &&
				       !isatty(STDIN_FILENO);
		if (!handlers[i].handler) {
			action.sa_sigaction = stop;
			action.sa_flags |= SA_SIGINFO;
		}
		sigaction(handlers[i].signum, &action, NULL);
	}
}

void signals_restore(void)
{
	if (!handled)
		return;
	for (size_t i = 0; i < HANDLER_COUNT; i++)
		sigaction(handlers[i].signum, &before[i], NULL);
	handled = NULL;
}

bool signals_urgent(void)
{
	return times > 1;
}

enum err_code signals_stopped(void)
{
	switch (stopped_by) {
	case 0:
		return ERR_NONE;
	case SIGTERM:
		return ERR_TERMINATE;
	default:
		return ERR_INTERRUPT;
	}
}
