/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/timestamp.h"

#include <stdio.h>
#include <time.h>

void timestamp_now(char out[TIMESTAMP_SIZE])
{
	struct timespec t;
	struct tm utc;
	char seconds[24];

	clock_gettime(CLOCK_REALTIME, &t);
	gmtime_r(&t.tv_sec, &utc);
	strftime(seconds, sizeof(seconds), "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(out, TIMESTAMP_SIZE, "%s.%03dZ", seconds,
		 (int)(t.tv_nsec / 1000000));
}
