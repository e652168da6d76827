/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals - how a run is asked to stop, or to read now.
 *
 * SIGINT, SIGTERM and SIGHUP set control->stop, SIGUSR1 control->read_now
 * while a write phase runs. A SIGHUP that was ignored when the program was
 * started (nohup) stays so, and so does the SIGINT of a terminal's keys if it
 * is not our stdin (what a script runs in the background): one that somebody
 * sends is heeded. In a worker SIGCONT sets control->continued: SIGSTOP cannot
 * be seen, but what ends it can. SIGXFSZ and SIGPIPE are ignored: a write that
 * they would have ended says EFBIG or EPIPE instead.
 */
#ifndef RUNNER_SIGNALS_H
#define RUNNER_SIGNALS_H

#include <stdbool.h>

#include "core/err.h"
#include "core/measure.h"

/* From here on SIGUSR1 ends nothing: it may come before a write, and after. */
void signals_begin(void);

/*
 * In a process that measures, for the rest of its life: note that it was
 * stopped, by SIGSTOP, Ctrl-Z or a terminal, as soon as it goes on.
 */
void signals_note_stops(struct measure_control *control);

/* `control` must stay until signals_restore(). One at a time. */
void signals_install(struct measure_control *control);
/* Everything is again as it was. */
void signals_restore(void);

/* Whether it was asked more than once: somebody will not wait. */
bool signals_urgent(void);

/* ERR_NONE, or the exit code of the signal that stopped the run. */
enum err_code signals_stopped(void);

#endif
