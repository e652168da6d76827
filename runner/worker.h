/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker - a sample measured in a process of its own.
 *
 * A kernel that does not come back from a call (a dying disk, a hung FUSE
 * daemon) keeps the process that made the call, not the run: the sample is
 * then RECORD_STUCK and the run goes on. The worker knows neither the store
 * nor the terminal; its sample comes back through a pipe.
 */
#ifndef RUNNER_WORKER_H
#define RUNNER_WORKER_H

#include "runner/sample.h"

/*
 * As sample_measure(), in a child process. spec->control must be in memory
 * shared with it (worker_control_new()); it is reset first. `sample` is
 * zero-initialised and the caller's to sample_done().
 */
void worker_measure(const struct sample_spec *spec, struct sample *sample);

/* NULL: no memory. */
struct measure_control *worker_control_new(void);
void worker_control_free(struct measure_control *control);

/* How a sample travels; for the tests. False when the pipe broke. */
bool worker_send(const struct sample *sample, FILE *to);
bool worker_receive(struct sample *sample, FILE *from);

#endif
