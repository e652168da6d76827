/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

static void go(bool (*what)(const char *path), const char *path, int answer)
	__attribute__((noreturn));
static void go(bool (*what)(const char *path), const char *path, int answer)
{
	/* A child's child is nobody's to wait for. */
	if (fork() != 0)
		_exit(0);
	if (dup2(answer, 0) < 0)
		_exit(1);
	close_range(1, ~0U, 0);
	if (what(path) && write(0, "y", 1) < 0)
		_exit(1);
	_exit(0);
}

bool aside_do(bool (*what)(const char *path), const char *path, int patience_ms)
{
	struct pollfd answer = { .events = POLLIN };
	int ends[2];
	bool ok = false;
	pid_t pid;
	char word;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (pid == 0)
		go(what, path, ends[1]);
	close(ends[1]);
	answer.fd = ends[0];
	if (pid > 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		ok = poll(&answer, 1, patience_ms) > 0 &&
		     read(ends[0], &word, 1) == 1;
	}
	close(ends[0]);
	return ok;
}
