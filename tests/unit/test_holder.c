/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/holder.h"
#include "tests/unit/unit.h"

static void one_that_is_there_is_running(void **state)
{
	char holder[HOLDER_SIZE];

	(void)state;
	holder_own(holder);
	assert_true(holder_is_there(holder));
	assert_string_equal(holder_status("running", holder), "running");
}

static void one_that_was_killed_was_broken_off(void **state)
{
	char holder[HOLDER_SIZE];
	int ends[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		holder_own(holder);
		_exit(write(ends[1], holder, sizeof(holder)) < 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(read(ends[0], holder, sizeof(holder)), sizeof(holder));
	close(ends[0]);
	close(ends[1]);
	assert_false(holder_is_there(holder));
	assert_string_equal(holder_status("running", holder), "broken off");
}

/* The words of our own, one of them another. */
static void make(char out[HOLDER_SIZE], int which, const char *word)
{
	char own[HOLDER_SIZE], *rest = NULL, *at;

	holder_own(own);
	out[0] = '\0';
	at = strtok_r(own, " ", &rest);
	for (int i = 0; at; i++, at = strtok_r(NULL, " ", &rest)) {
		strcat(out, i ? " " : "");
		strcat(out, i == which ? word : at);
	}
}

static void a_pid_of_another_process_or_boot_is_not_the_holder(void **state)
{
	char holder[HOLDER_SIZE];

	(void)state;
	make(holder, 1, "123456789012");
	assert_false(holder_is_there(holder));
	make(holder, 2, "00000000-1111-4222-8333-444444444444");
	assert_false(holder_is_there(holder));
	make(holder, 0, "0");
	assert_false(holder_is_there(holder));
}

static void one_that_cannot_be_seen_is_taken_to_be_there(void **state)
{
	char holder[HOLDER_SIZE];

	(void)state;
	make(holder, 3, "pid:[1]");
	assert_true(holder_is_there(holder));
}

static void what_ended_and_what_makes_no_sense_is_not_running(void **state)
{
	(void)state;
	assert_string_equal(holder_status("done", NULL), "done");
	assert_string_equal(holder_status("interrupted", NULL), "interrupted");
	assert_string_equal(holder_status("running", NULL), "broken off");
	assert_string_equal(holder_status("running", "?"), "broken off");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_is_there_is_running),
		cmocka_unit_test(one_that_was_killed_was_broken_off),
		cmocka_unit_test(
			a_pid_of_another_process_or_boot_is_not_the_holder),
		cmocka_unit_test(one_that_cannot_be_seen_is_taken_to_be_there),
		cmocka_unit_test(
			what_ended_and_what_makes_no_sense_is_not_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
