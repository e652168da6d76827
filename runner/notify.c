/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/child.h"
#include "runner/wait.h"

static void put(const char *name, const char *fmt, ...) PRINTF(2, 3);
static void put(const char *name, const char *fmt, ...)
{
	char text[1200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	setenv(name, text, 1);
}

static void put_all(const struct notify *n)
{
	char *database = realpath(n->database, NULL);

	put("FSMATRIX_STATUS", "%s", n->status);
	put("FSMATRIX_EXIT", "%d", (int)n->end->code);
	put("FSMATRIX_MESSAGE", "%s", n->end->text);
	put("FSMATRIX_RUN", "%s", "");
	if (n->run)
		put("FSMATRIX_RUN", "%" PRId64, n->run);
	setenv("FSMATRIX_DB", database ? database : n->database, 1);
	put("FSMATRIX_OK", "%" PRIu64, n->ok);
	put("FSMATRIX_FAILED", "%" PRIu64, n->failed);
	put("FSMATRIX_SKIPPED", "%" PRIu64, n->skipped);
}

static void become(const struct notify *n) __attribute__((noreturn));
static void become(const struct notify *n)
{
	int in = n->table ? fileno(n->table) : open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	put_all(n);
	/* stdout is the table's reader's, which it may have ended with */
	if (dup2(in, STDIN_FILENO) < 0 ||
	    lseek(STDIN_FILENO, 0, SEEK_SET) < 0 ||
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(126);
	execl("/bin/sh", "sh", "-c", n->command, (char *)NULL);
	_exit(127);
}

/* Waits for the command; kills it, with what it started, in the end. */
static bool await(pid_t pid, unsigned int patience_s, int *status)
{
	enum { DYING_MS = 1000 };

	if (wait_child(pid, status, patience_s * 1000))
		return true;
	kill(-pid, SIGKILL);
	wait_child(pid, status, DYING_MS);
	return false;
}

bool notify_run(const struct notify *n, struct err *err)
{
	int status = 0;
	pid_t pid;

	if (n->table)
		fflush(n->table);
	child_heed();
	pid = fork();
	if (pid == 0)
		become(n);
	if (pid < 0)
		return err_sys(err, errno, "--notify-cmd");
	setpgid(pid, pid);
	if (!await(pid, n->patience_s, &status))
		return err_set(err, ERR_FAILED,
			       "--notify-cmd did not end within %u s",
			       n->patience_s);
	if (WIFSIGNALED(status))
		return err_set(err, ERR_FAILED, "--notify-cmd died of SIG%s",
			       sigabbrev_np(WTERMSIG(status)));
	return WEXITSTATUS(status) == 0 ||
	       err_set(err, ERR_FAILED, "--notify-cmd failed (exit %d)",
		       WEXITSTATUS(status));
}
