/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/timelimit.h"

#include <string.h>

#include "runner/command.h"

#define NS_PER_S UINT64_C(1000000000)

/* Exactly so many digits, with a value in the range. */
static bool take_number(const char **at, int digits, int least, int most,
			int *value)
{
	int number = 0;

	for (int i = 0; i < digits; i++) {
		if ((*at)[i] < '0' || (*at)[i] > '9')
			return false;
		number = number * 10 + ((*at)[i] - '0');
	}
	*at += digits;
	*value = number;
	return number >= least && number <= most;
}

static bool take_letter(const char **at, char letter)
{
	if (**at != letter)
		return false;
	++*at;
	return true;
}

/* "HH:MM" or "HH:MM:SS" */
static bool take_clock(const char **at, struct tm *tm)
{
	tm->tm_sec = 0;
	return take_number(at, 2, 0, 23, &tm->tm_hour) &&
	       take_letter(at, ':') && take_number(at, 2, 0, 59, &tm->tm_min) &&
	       (!take_letter(at, ':') ||
		take_number(at, 2, 0, 59, &tm->tm_sec));
}

/* "YYYY-MM-DD", of a day that there is */
static bool take_date(const char **at, struct tm *tm)
{
	struct tm same;

	if (!take_number(at, 4, 1970, 9999, &tm->tm_year) ||
	    !take_letter(at, '-') || !take_number(at, 2, 1, 12, &tm->tm_mon) ||
	    !take_letter(at, '-') || !take_number(at, 2, 1, 31, &tm->tm_mday))
		return false;
	tm->tm_year -= 1900;
	tm->tm_mon--;
	same = *tm;
	timegm(&same);
	return same.tm_mday == tm->tm_mday;
}

/* "Z", or "+HH:MM": what clocks there are ahead of UTC. */
static bool take_zone(const char **at, int *ahead_s)
{
	int sign = **at == '-' ? -1 : 1, hours, minutes;

	*ahead_s = 0;
	if (take_letter(at, 'Z'))
		return true;
	if (!take_letter(at, '+') && !take_letter(at, '-'))
		return false;
	if (!take_number(at, 2, 0, 14, &hours) || !take_letter(at, ':') ||
	    !take_number(at, 2, 0, 59, &minutes))
		return false;
	*ahead_s = sign * (hours * 3600 + minutes * 60);
	return true;
}

static time_t local_time(struct tm *tm)
{
	tm->tm_isdst = -1;
	return mktime(tm);
}

/* Today, or if that is over, tomorrow: a day need not have 24 hours. */
static bool parse_clock(const char *text, time_t now, time_t *until)
{
	struct tm today, tm;

	localtime_r(&now, &today);
	if (!take_clock(&text, &today) || *text)
		return false;
	tm = today;
	*until = local_time(&tm);
	if (*until <= now) {
		tm = today;
		tm.tm_mday++;
		*until = local_time(&tm);
	}
	return *until > now;
}

/* A day, or with a clock behind it; `zoned`: and a zone behind that. */
static bool take_moment(const char *text, struct tm *tm, bool *zoned,
			int *ahead_s)
{
	*zoned = false;
	if (!take_date(&text, tm))
		return false;
	if (!*text)
		return true;
	if ((!take_letter(&text, 'T') && !take_letter(&text, ' ')) ||
	    !take_clock(&text, tm))
		return false;
	/* as stored, with milliseconds, which nobody means here */
	if (text[-6] == ':' && *text == '.' && text[1] >= '0' && text[1] <= '9')
		text += 1 + strspn(text + 1, "0123456789");
	*zoned = *text && take_zone(&text, ahead_s);
	return !*text;
}

static bool parse_date(const char *text, time_t now, time_t *until)
{
	struct tm tm = { 0 };
	int ahead_s = 0;
	bool zoned;

	if (!strchr(text, ':') || !take_moment(text, &tm, &zoned, &ahead_s))
		return false;
	*until = zoned ? timegm(&tm) - ahead_s : local_time(&tm);
	return *until > now;
}

bool timelimit_parse_date(const char *text, time_t *moment)
{
	struct tm tm = { 0 };
	int ahead_s = 0;
	bool zoned;

	if (!take_moment(text, &tm, &zoned, &ahead_s))
		return false;
	*moment = timegm(&tm) - ahead_s;
	return true;
}

bool timelimit_parse_until(const char *text, time_t now, time_t *until)
{
	return parse_clock(text, now, until) || parse_date(text, now, until);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static bool take_budget(struct timelimit *limit, const char *value,
			struct err *err)
{
	uint64_t ns;

	if (!command_duration("--budget", value, "7h or 90min", &ns, err))
		return false;
	limit->budget_end_ns = clock_ns(CLOCK_BOOTTIME) + ns;
	return true;
}

bool timelimit_option(struct timelimit *limit, int letter, const char *value,
		      struct err *err)
{
	if (letter == 'b')
		return take_budget(limit, value, err);
	if (letter != 'u')
		return false;
	if (!timelimit_parse_until(value, time(NULL), &limit->until))
		return err_usage(err,
				 "--until: not a time to come, such as 06:30 "
				 "or 2030-12-24T06:30: %s",
				 value);
	return true;
}

uint64_t timelimit_left_ns(const struct timelimit *limit)
{
	uint64_t left = UINT64_MAX, now, end;

	if (limit->budget_end_ns) {
		now = clock_ns(CLOCK_BOOTTIME);
		end = limit->budget_end_ns;
		left = now < end ? end - now : 0;
	}
	if (limit->until) {
		now = clock_ns(CLOCK_REALTIME);
		if ((uint64_t)limit->until > UINT64_MAX / NS_PER_S)
			end = UINT64_MAX; /* in the year 2554 */
		else
			end = (uint64_t)limit->until * NS_PER_S;
		if (now >= end)
			left = 0;
		else if (end - now < left)
			left = end - now;
	}
	return left;
}
