/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/wait.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)

enum { CHILD_TICK_MS = 10 };

uint64_t wait_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

void wait_ms(unsigned int ms)
{
	const uint64_t until = wait_now_ns() + ms * NS_PER_MS;
	const struct timespec t = { .tv_sec = (time_t)(until / NS_PER_S),
				    .tv_nsec = (long)(until % NS_PER_S) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) ==
	       EINTR)
		;
}

/* Rounded up: it is not asked again and again in the last millisecond. */
static int left_ms(uint64_t until)
{
	const uint64_t now = wait_now_ns();

	return now < until ? (int)((until - now + NS_PER_MS - 1) / NS_PER_MS)
			   : 0;
}

bool wait_readable(int fd, unsigned int ms)
{
	const uint64_t until = wait_now_ns() + ms * NS_PER_MS;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int ret;

	do
		ret = poll(&p, 1, left_ms(until));
	while (ret < 0 && errno == EINTR);
	return ret > 0;
}

bool wait_child(pid_t pid, int *status, unsigned int ms)
{
	const uint64_t until = wait_now_ns() + ms * NS_PER_MS;
	int left, word = 0;
	pid_t ended;

	for (;;) {
		ended = waitpid(pid, &word, WNOHANG);
		if (ended == pid || (ended < 0 && errno != EINTR))
			break;
		left = left_ms(until);
		if (left == 0)
			return false;
		wait_ms(left < CHILD_TICK_MS ? (unsigned int)left
					     : CHILD_TICK_MS);
	}
	if (status)
		*status = ended == pid ? word : 0;
	return true;
}
