/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inhibit - keep the machine from falling asleep while a run goes on.
 *
 * By systemd-inhibit, where systemd is what manages this machine; elsewhere
 * nothing is done, and that is no error: a sample during which the machine
 * slept is found to be invalid anyway.
 */
#ifndef RUNNER_INHIBIT_H
#define RUNNER_INHIBIT_H

struct inhibit;

/* NULL where it cannot be done. It ends with the calling thread at the last. */
struct inhibit *inhibit_begin(void);

/* It may sleep again. NULL is fine. */
void inhibit_end(struct inhibit *inhibit);

#endif
