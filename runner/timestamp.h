/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timestamp - the time of day as it is stored: ISO-8601, UTC, milliseconds.
 */
#ifndef RUNNER_TIMESTAMP_H
#define RUNNER_TIMESTAMP_H

enum { TIMESTAMP_SIZE = 32 };

/* "2026-11-30T19:05:47.123Z" */
void timestamp_now(char out[TIMESTAMP_SIZE]);

#endif
