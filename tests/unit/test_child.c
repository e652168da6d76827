/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/child.h"
#include "runner/process.h"
#include "tests/unit/unit.h"

#define NS_PER_MS UINT64_C(1000000)

static struct child_argv argv_of(const char *const *items)
{
	struct child_argv argv = { 0 };

	child_argv_add_all(&argv, items);
	assert_false(argv.failed);
	return argv;
}

static struct child_argv shell(const char *script)
{
	const char *items[] = { "sh", "-c", script, NULL };

	return argv_of(items);
}

static bool run_shell(const char *script, struct child_limit limit,
		      struct err *err)
{
	struct child_argv argv = shell(script);
	bool ok = child_run(&argv, limit, err);

	child_argv_done(&argv);
	return ok;
}

static void assert_fails(const char *script, const char *words)
{
	struct err err = { 0 };

	assert_false(run_shell(script, (struct child_limit){ 0 }, &err));
	assert_string_equal(err.text, words);
}

static void assert_succeeds(const char *script)
{
	struct err err = { 0 };

	if (!run_shell(script, (struct child_limit){ 0 }, &err))
		fail_msg("%s", err.text);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void a_command_is_quoted_as_a_shell_reads_it(void **state)
{
	const char *items[] = { "mkfs.vfat", "-n",        "A B",        "it's",
				"",          "$HOME;`x`", "/dev/loop0", NULL };
	struct child_argv argv = argv_of(items);
	char *text = child_command_text(&argv), *command, line[256];
	FILE *shell_out;

	(void)state;
	assert_non_null(text);
	assert_string_equal(text, "mkfs.vfat -n 'A B' 'it'\\''s' '' "
				  "'$HOME;`x`' /dev/loop0");
	assert_true(asprintf(&command, "printf '%%s|' %s", text) > 0);
	shell_out = popen(command, "r");
	assert_non_null(shell_out);
	assert_non_null(fgets(line, sizeof(line), shell_out));
	assert_string_equal(line, "mkfs.vfat|-n|A B|it's||$HOME;`x`|"
				  "/dev/loop0|");
	pclose(shell_out);
	free(command);
	free(text);
	child_argv_done(&argv);
}

static void a_failure_is_told_in_the_programs_own_words(void **state)
{
	(void)state;
	assert_fails("echo out; echo 'no space' >&2; exit 3",
		     "sh -c 'echo out; echo '\\''no space'\\'' >&2; exit 3' "
		     "failed (exit 3): no space");
	/* a program that complains on its standard output */
	assert_fails("echo wrong; exit 1",
		     "sh -c 'echo wrong; exit 1' failed (exit 1): wrong");
	assert_fails("exit 1", "sh -c 'exit 1' failed (exit 1)");
	assert_fails("kill -SEGV $$",
		     "sh -c 'kill -SEGV $$' failed (signal SEGV)");
}

static void the_last_lines_are_kept_and_the_usage_is_not(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_false(run_shell("seq 1 20000 >&2; exit 1",
			       (struct child_limit){ 0 }, &err));
	assert_non_null(strstr(err.text, "(exit 1): 19996; 19997; 19998; "
					 "19999; 20000"));
	err = (struct err){ 0 };
	assert_false(run_shell("printf 'too small\\nUsage: x\\n -a\\n' >&2;"
			       "exit 1",
			       (struct child_limit){ 0 }, &err));
	assert_string_equal(err.text + strlen(err.text) -
				    strlen("(exit 1): too small"),
			    "(exit 1): too small");
}

static void a_missing_program_is_named(void **state)
{
	const char *items[] = { "mkfs.none-such", "x", NULL };
	struct child_argv argv = argv_of(items);
	struct err err = { 0 };

	(void)state;
	assert_false(child_run(&argv, (struct child_limit){ 0 }, &err));
	assert_string_equal(err.text, "no program mkfs.none-such");
	child_argv_done(&argv);
}

static void programs_are_found_in_sbin_without_a_path_to_it(void **state)
{
	const char *path = getenv("PATH");
	char *old = path ? strdup(path) : NULL, *found;

	(void)state;
	setenv("PATH", "/nowhere", 1);
	found = child_find("losetup"); /* in /usr/sbin or /sbin */
	if (old)
		setenv("PATH", old, 1);
	free(old);
	if (found)
		assert_non_null(strstr(found, "/sbin/losetup"));
	free(found);
	assert_null(child_find("."));
	assert_null(child_find("/etc"));
}

static void a_child_has_nothing_of_ours(void **state)
{
	int fds[2];

	(void)state;
	/* without close-on-exec, as a library might leave them */
	assert_int_equal(pipe(fds), 0);
	assert_true(dup2(fds[0], 57) == 57);
	assert_succeeds("[ ! -e /proc/self/fd/57 ]");
	assert_succeeds("[ \"$(readlink /proc/self/fd/0)\" = /dev/null ]");
	assert_succeeds("[ \"$LC_ALL\" = C ] && [ \"$(pwd)\" = / ]");
	setenv("LC_MESSAGES", "de_DE", 1);
	assert_succeeds("[ -z \"$LC_MESSAGES\" ]");
	unsetenv("LC_MESSAGES");
	/* Ctrl-C reaches our group, and is not theirs to handle */
	assert_succeeds("[ \"$(cut -d' ' -f5 /proc/$$/stat)\" = $$ ]");
	close(57);
	close(fds[0]);
	close(fds[1]);
}

static void ignored_signals_are_not_handed_down(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	assert_succeeds("grep -q '^SigIgn:[[:space:]]0*$' /proc/$$/status");
	assert_fails("exit 5", "sh -c 'exit 5' failed (exit 5)");
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
}

static void what_takes_too_long_is_killed_with_its_children(void **state)
{
	struct child_limit limit = { .timeout_ns = 200 * NS_PER_MS };
	uint64_t start = now_ms();
	struct err err = { 0 };

	(void)state;
	assert_false(run_shell("sleep 61.25 & sleep 61.25", limit, &err));
	assert_string_equal(err.text,
			    "sh -c 'sleep 61.25 & sleep 61.25' took too long");
	assert_in_range(now_ms() - start, 200, 3000);
	/* Killed is not gone: a busy machine takes a moment. */
	assert_succeeds("for i in $(seq 100); do "
			"pgrep -f '^sleep 61.25' || exit 0; sleep 0.1; done; "
			"exit 1");
}

static void a_stop_ends_it_at_once(void **state)
{
	atomic_bool stop = true;
	struct child_limit limit = { .stop = &stop };
	uint64_t start = now_ms();
	struct err err = { 0 };

	(void)state;
	assert_false(run_shell("sleep 62", limit, &err));
	assert_string_equal(err.text, "sh -c 'sleep 62' was stopped");
	assert_in_range(now_ms() - start, 0, 3000);
}

static void a_daemon_is_never_kept_waiting_for_a_reader(void **state)
{
	struct child_argv argv =
		shell("yes a-line-that-nobody-reads | head -n 100000; exit 0");
	struct err err = { 0 };
	struct child *child = child_start(&argv, &err);

	(void)state;
	assert_non_null(child);
	usleep(300000); /* more than a pipe holds, and nobody reads */
	assert_true(child_wait(child, 10000 * NS_PER_MS));
	child_free(child);
	child_argv_done(&argv);
}

static void a_child_that_is_freed_is_gone(void **state)
{
	struct child_argv argv =
		shell("trap '' TERM; while :; do sleep 1; done");
	struct err err = { 0 };
	struct child *child = child_start(&argv, &err);
	pid_t pid;

	(void)state;
	assert_non_null(child);
	pid = child_pid(child);
	assert_false(child_wait(child, 50 * NS_PER_MS));
	child_free(child);
	assert_int_equal(kill(pid, 0), -1);
	child_argv_done(&argv);
}

static void what_went_into_the_background_becomes_our_child(void **state)
{
	struct child_argv argv = shell("setsid sleep 63 > /dev/null 2>&1 &");
	struct err err = { 0 };
	struct child *child =
		child_start_detached(&argv, (struct child_limit){ 0 }, &err);
	uint64_t start = now_ms();
	char name[32];
	pid_t pid;

	(void)state;
	if (!child)
		fail_msg("%s", err.text);
	pid = child_pid(child);
	do {
		usleep(1000);
		assert_true(process_program(pid, name, sizeof(name)));
	} while (!strstr("sleep coreutils busybox", name) &&
		 now_ms() - start < 10000);
	assert_non_null(strstr("sleep coreutils busybox", name));
	assert_false(child_wait(child, 0));
	child_stop(child, 1000 * NS_PER_MS);
	assert_true(child_wait(child, 0));
	assert_int_equal(kill(pid, 0), -1); /* reaped as well */
	child_free(child);
	child_argv_done(&argv);
}

static void nothing_in_the_background_is_an_error(void **state)
{
	struct child_argv argv = shell(":");
	struct err err = { 0 };

	(void)state;
	assert_null(
		child_start_detached(&argv, (struct child_limit){ 0 }, &err));
	assert_string_equal(err.text, "sh -c : ended and left nothing running");
	child_argv_done(&argv);
}

static void a_process_is_named_for_good_by_its_start(void **state)
{
	(void)state;
	assert_true(process_start(getpid()) > 0);
	assert_true(process_start(getpid()) == process_start(getpid()));
	assert_true(process_start(0x7ffffff) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_quoted_as_a_shell_reads_it),
		cmocka_unit_test(a_failure_is_told_in_the_programs_own_words),
		cmocka_unit_test(the_last_lines_are_kept_and_the_usage_is_not),
		cmocka_unit_test(a_missing_program_is_named),
		cmocka_unit_test(
			programs_are_found_in_sbin_without_a_path_to_it),
		cmocka_unit_test(a_child_has_nothing_of_ours),
		cmocka_unit_test(ignored_signals_are_not_handed_down),
		cmocka_unit_test(
			what_takes_too_long_is_killed_with_its_children),
		cmocka_unit_test(a_stop_ends_it_at_once),
		cmocka_unit_test(a_daemon_is_never_kept_waiting_for_a_reader),
		cmocka_unit_test(a_child_that_is_freed_is_gone),
		cmocka_unit_test(
			what_went_into_the_background_becomes_our_child),
		cmocka_unit_test(nothing_in_the_background_is_an_error),
		cmocka_unit_test(a_process_is_named_for_good_by_its_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
