/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runner/kmsg.h"
#include "tests/unit/unit.h"

static const char *const names[] = { "loop3", "sda" };

/* As /dev/kmsg: every read is a record, and none is waited for. */
struct log {
	int in, out;
};

static int setup(void **state)
{
	struct log *log = calloc(1, sizeof(*log));
	int ends[2];

	assert_int_equal(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends),
		0);
	log->in = ends[0];
	log->out = ends[1];
	*state = log;
	return 0;
}

static int teardown(void **state)
{
	struct log *log = *state;

	close(log->in);
	close(log->out);
	free(log);
	return 0;
}

static void say(const struct log *log, const char *record)
{
	assert_int_equal(write(log->in, record, strlen(record)),
			 strlen(record));
}

static void expect(const struct log *log, const char *wanted)
{
	char *text = kmsg_collect(log->out, names, 2);

	if (wanted)
		assert_string_equal(text, wanted);
	else
		assert_null(text);
	free(text);
}

static void warnings_about_the_device_are_kept(void **state)
{
	struct log *log = *state;

	say(log, "3,1234,5678901,-;I/O error, dev loop3, sector 2048 op 0x1\n"
		 " SUBSYSTEM=block\n DEVICE=b7:3\n");
	say(log, "4,1235,5678902,-;EXT4-fs warning (device loop3): gone\n");
	say(log, "3,1236,5678903,-;sd 2:0:0:0: [sda] tag#0 FAILED\n");
	expect(log, "I/O error, dev loop3, sector 2048 op 0x1\n"
		    "EXT4-fs warning (device loop3): gone\n"
		    "sd 2:0:0:0: [sda] tag#0 FAILED\n");
	expect(log, NULL);
}

static void what_is_about_others_or_no_warning_is_not(void **state)
{
	struct log *log = *state;

	say(log, "6,1,2,-;EXT4-fs (loop3): mounted filesystem\n");
	say(log, "5,1,2,-;XFS (loop3): Mounting V5 Filesystem\n");
	say(log, "3,1,2,-;I/O error, dev loop31, sector 1\n");
	say(log, "3,1,2,-;I/O error, dev sdaa, sector 1\n");
	say(log, "3,1,2,-;I/O error, dev xsda, sector 1\n");
	say(log, "3,1,2,-;nothing\n DEVICE=loop3\n");
	say(log, "loop3");
	expect(log, NULL);
}

static void the_facility_does_not_hide_the_level(void **state)
{
	struct log *log = *state;

	say(log, "11,1,2,-;loop3: an error of user space\n");
	say(log, "30,1,2,-;loop3: information of a daemon\n");
	expect(log, "loop3: an error of user space\n");
}

static void a_flood_is_bounded_and_counted(void **state)
{
	struct log *log = *state;
	char record[128];
	char *text;

	for (int i = 0; i < 120; i++) {
		snprintf(record, sizeof(record),
			 "3,%d,2,-;I/O error, dev loop3, sector %08d, and some "
			 "more words\n",
			 i, i);
		say(log, record);
	}
	text = kmsg_collect(log->out, names, 2);
	assert_non_null(text);
	assert_in_range(strlen(text), KMSG_TEXT_MAX - 100, KMSG_TEXT_MAX + 64);
	assert_non_null(strstr(text, "\n(and "));
	assert_null(strstr(text, "sector 00000119"));
	free(text);
}

static void a_log_that_cannot_be_read_says_nothing(void **state)
{
	(void)state;
	kmsg_skip(-1);
	assert_null(kmsg_collect(-1, names, 2));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(warnings_about_the_device_are_kept),
		TEST(what_is_about_others_or_no_warning_is_not),
		TEST(the_facility_does_not_hide_the_level),
		TEST(a_flood_is_bounded_and_counted),
		TEST(a_log_that_cannot_be_read_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
