/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/aside.h"
#include "runner/wait.h"
#include "tests/unit/unit.h"

enum { STORM_US = 5000, LONG_MS = 200, PATIENCE_MS = 20000 };

static volatile sig_atomic_t heard;

static void hear(int signum)
{
	(void)signum;
	heard++;
}

/* From here on a handled signal comes every few milliseconds. */
static int begin_storm(void **state)
{
	const struct itimerval every = { .it_interval.tv_usec = STORM_US,
					 .it_value.tv_usec = STORM_US };
	struct sigaction action = { .sa_handler = hear,
				    .sa_flags = SA_RESTART };

	(void)state;
	heard = 0;
	sigaction(SIGALRM, &action, NULL);
	return setitimer(ITIMER_REAL, &every, NULL);
}

static int end_storm(void **state)
{
	const struct itimerval never = { 0 };

	(void)state;
	return setitimer(ITIMER_REAL, &never, NULL);
}

static void sleep_long(void)
{
	uint64_t until = wait_now_ns() + LONG_MS * UINT64_C(1000000);

	while (wait_now_ns() < until)
		usleep(1000);
}

static bool say_yes_late(const char *path)
{
	sleep_long();
	return path[0] == 'y';
}

static int say_errno_late(const char *path)
{
	(void)path;
	sleep_long();
	return ENOTDIR;
}

static int never_come_back(const char *path)
{
	(void)path;
	for (int i = 0; i < 40; i++)
		sleep_long();
	return 0;
}

static void a_pause_takes_all_of_its_time(void **state)
{
	uint64_t start = wait_now_ns();

	(void)state;
	wait_ms(LONG_MS);
	assert_true(wait_now_ns() - start >= LONG_MS * UINT64_C(1000000));
	assert_true(heard > 0);
}

static void what_comes_late_is_waited_for(void **state)
{
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		sleep_long();
		_exit(write(ends[1], "x", 1) != 1);
	}
	assert_true(wait_readable(ends[0], PATIENCE_MS));
	assert_true(heard > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(ends[0]);
	close(ends[1]);
}

static void what_does_not_come_is_given_up_in_time(void **state)
{
	uint64_t start = wait_now_ns();
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_false(wait_readable(ends[0], LONG_MS));
	assert_true(wait_now_ns() - start >= LONG_MS * UINT64_C(1000000));
	close(ends[0]);
	close(ends[1]);
}

static void a_child_is_waited_for_and_says_how_it_ended(void **state)
{
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		sleep_long();
		_exit(7);
	}
	assert_false(wait_child(pid, &status, 1));
	assert_true(wait_child(pid, &status, PATIENCE_MS));
	assert_int_equal(WEXITSTATUS(status), 7);
	/* it is no more */
	assert_true(wait_child(pid, &status, PATIENCE_MS));
	assert_int_equal(status, 0);
}

static void a_call_aside_answers_whatever_signals_come(void **state)
{
	(void)state;
	assert_true(aside_do(say_yes_late, "yes", PATIENCE_MS));
	assert_false(aside_do(say_yes_late, "no", PATIENCE_MS));
	assert_int_equal(aside_call(say_errno_late, "", PATIENCE_MS), ENOTDIR);
	assert_true(heard > 0);
}

static void a_call_aside_is_given_up_in_time(void **state)
{
	uint64_t start = wait_now_ns();

	(void)state;
	assert_int_equal(aside_call(never_come_back, "", LONG_MS), ETIMEDOUT);
	assert_true(wait_now_ns() - start >= LONG_MS * UINT64_C(1000000));
}

#define IN_A_STORM(test)                                                       \
	cmocka_unit_test_setup_teardown(test, begin_storm, end_storm)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_STORM(a_pause_takes_all_of_its_time),
		IN_A_STORM(what_comes_late_is_waited_for),
		IN_A_STORM(what_does_not_come_is_given_up_in_time),
		IN_A_STORM(a_child_is_waited_for_and_says_how_it_ended),
		IN_A_STORM(a_call_aside_answers_whatever_signals_come),
		IN_A_STORM(a_call_aside_is_given_up_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
