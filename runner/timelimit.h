/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timelimit - when a run is to be over: the options --budget and --until.
 *
 * A budget is time that passes, asleep or not; `until` is a time of day and
 * follows the clock on the wall when that is set.
 */
#ifndef RUNNER_TIMELIMIT_H
#define RUNNER_TIMELIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "core/err.h"

/* Zero-initialise: no limit. */
struct timelimit {
	uint64_t budget_end_ns; /* of CLOCK_BOOTTIME; 0: none */
	time_t until;           /* of CLOCK_REALTIME; 0: none */
};

/*
 * Take 'b' or 'u' with its value. False with `err` set for a bad value, and
 * without for any other letter.
 */
bool timelimit_option(struct timelimit *limit, int letter, const char *value,
		      struct err *err);

/*
 * The next moment behind `now` at which clocks here show "HH:MM" or
 * "HH:MM:SS"; or "YYYY-MM-DDTHH:MM[:SS]" (a blank for the T is fine), local
 * unless a "Z" or "+HH:MM" follows. False if it is none of these, or past.
 */
bool timelimit_parse_until(const char *text, time_t now, time_t *until);

/*
 * "YYYY-MM-DD", or a moment as above, past or to come; UTC unless a "+HH:MM"
 * follows. False if it is none.
 */
bool timelimit_parse_date(const char *text, time_t *moment);

/* 0 when it is over, UINT64_MAX if there is no limit. */
uint64_t timelimit_left_ns(const struct timelimit *limit);

#endif
