/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/wait.h"

/* One of the two is there. */
struct what {
	bool (*do_it)(const char *path);
	int (*call)(const char *path);
	const char *path;
};

static void go(const struct what *what, int answer) __attribute__((noreturn));
static void go(const struct what *what, int answer)
{
	int errnum = EIO;

	/* A child's child is nobody's to wait for. */
	if (fork() != 0)
		_exit(0);
	if (dup2(answer, 0) < 0)
		_exit(1);
	close_range(1, ~0U, 0);
	if (what->call)
		errnum = what->call(what->path);
	else if (what->do_it && what->do_it(what->path))
		errnum = 0;
	if (write(0, &errnum, sizeof(errnum)) < 0)
		_exit(1);
	_exit(0);
}

/* 0, or an errno. */
static int ask(const struct what *what, int patience_ms)
{
	int ends[2], errnum = ETIMEDOUT;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return errno;
	pid = fork();
	if (pid == 0)
		go(what, ends[1]);
	if (pid < 0)
		errnum = errno;
	close(ends[1]);
	if (pid > 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		if (wait_readable(ends[0], (unsigned int)patience_ms) &&
		    read(ends[0], &errnum, sizeof(errnum)) !=
			    (ssize_t)sizeof(errnum))
			errnum = EIO;
	}
	close(ends[0]);
	return errnum;
}

bool aside_do(bool (*what)(const char *path), const char *path, int patience_ms)
{
	const struct what asked = { .do_it = what, .path = path };

	return ask(&asked, patience_ms) == 0;
}

int aside_call(int (*call)(const char *path), const char *path, int patience_ms)
{
	const struct what asked = { .call = call, .path = path };

	return ask(&asked, patience_ms);
}
