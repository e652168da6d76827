/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/since.h"

#include <stdio.h>
#include <string.h>

#include "core/units.h"
#include "runner/timelimit.h"

#define NS_PER_S UINT64_C(1000000000)

static void write_utc(time_t moment, char since[TIMESTAMP_SIZE])
{
	struct tm utc;

	gmtime_r(&moment, &utc);
	strftime(since, TIMESTAMP_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
}

/* "2026" and "2026-11", which end before there is a day. */
static bool parse_month(const char *text, char since[TIMESTAMP_SIZE])
{
	char day[TIMESTAMP_SIZE];
	time_t moment;
	size_t length = strlen(text);

	if (length != strlen("2026") && length != strlen("2026-11"))
		return false;
	snprintf(day, sizeof(day), "%s%s", text, &"2026-01-01"[length]);
	if (!timelimit_parse_date(day, &moment))
		return false;
	write_utc(moment, since);
	return true;
}

static bool parse_ago(const char *text, time_t now, char since[TIMESTAMP_SIZE])
{
	const char *last = text + strlen(text) - 1;
	uint64_t ns;

	/* A number alone would be seconds: nobody means that here. */
	if (!*text || (*last >= '0' && *last <= '9') ||
	    !units_parse_duration(text, &ns) || ns / NS_PER_S > (uint64_t)now)
		return false;
	write_utc(now - (time_t)(ns / NS_PER_S), since);
	return true;
}

bool since_parse(const char *text, time_t now, char since[TIMESTAMP_SIZE],
		 struct err *err)
{
	time_t moment;

	if (parse_month(text, since) || parse_ago(text, now, since))
		return true;
	if (!timelimit_parse_date(text, &moment))
		return err_usage(err,
				 "--since: not a date like 2026-11-30, a time "
				 "like \"2026-11-30 19:05\" or so long ago "
				 "like 7d: %s",
				 text);
	write_utc(moment, since);
	return true;
}
