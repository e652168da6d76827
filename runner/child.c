/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io.h"
#include "runner/process.h"

enum {
	SAID_MAX = 16384, /* bytes kept of what a child says */
	TICK_MS = 50,     /* how often a stop is looked for */
};

#define NS_PER_MS UINT64_C(1000000)

/* One of the child's outputs: the pipe, and the end of what came. */
struct said {
	int fd; /* -1: closed */
	size_t length;
	char text[SAID_MAX + 1];
};

struct child {
	pid_t pid;
	int pidfd;
	char *command;
	struct said out, err;
	bool ended;
	int status; /* as of waitpid(), when it ended */
};

/* What the new process needs before it becomes another program. */
struct birth {
	char *path;
	char *const *argv;
	char **environment;
	int out, err;   /* become 1 and 2 */
	int report;     /* gets an errno if there is no becoming */
	int end_signal; /* when we end */
	pid_t parent;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static struct child *child_new(const struct child_argv *argv)
{
	struct child *child = calloc(1, sizeof(*child));

	if (!child)
		return NULL;
	child->pid = -1;
	child->pidfd = child->out.fd = child->err.fd = -1;
	child->command = child_command_text(argv);
	if (child->command)
		return child;
	free(child);
	return NULL;
}

/* Runs between fork and exec: only what is safe after a fork. */
static void become(const struct birth *b) __attribute__((noreturn));
static void become(const struct birth *b)
{
	static const int defaults[] = { SIGINT,  SIGHUP,  SIGTERM, SIGQUIT,
					SIGPIPE, SIGXFSZ, SIGUSR1, SIGCHLD };
	sigset_t none;
	int null, errnum;

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		signal(defaults[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, b->end_signal);
	if (getppid() != b->parent)
		_exit(127); /* we ended before the kernel was told */
	null = open("/dev/null", O_RDONLY);
	if (null < 0 || dup2(null, 0) < 0 || dup2(b->out, 1) < 0 ||
	    dup2(b->err, 2) < 0)
		goto failed;
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	if (chdir("/") < 0)
		goto failed;
	execve(b->path, b->argv, b->environment);
failed:
	errnum = errno;
	if (write(b->report, &errnum, sizeof(errnum)) < 0)
		_exit(126);
	_exit(127);
}

/* Of the environment, what does not change with who calls. Owned by us: the
 * array; the strings are the environment's, and `mark`. */
static char **environment_new(char *mark)
{
	static const char *const left_out[] = { "LC_", "LANG", PROCESS_MARK };
	static char language[] = "LC_ALL=C";
	size_t count = 0, kept = 0;
	char **list;

	while (environ && environ[count])
		count++;
	list = calloc(count + 3, sizeof(*list));
	if (!list)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		bool keep = true;

		for (size_t j = 0; j < sizeof(left_out) / sizeof(char *); j++)
			if (strncmp(environ[i], left_out[j],
				    strlen(left_out[j])) == 0)
				keep = false;
		if (keep)
			list[kept++] = environ[i];
	}
	list[kept++] = language;
	list[kept] = mark;
	return list;
}

/*
 * A pipe whose write end the child gets. A child that goes on may not be kept
 * waiting for a reader: what does not fit is lost to it (`lossy`).
 */
static bool pipe_open(int *read_end, int *write_end, bool lossy)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	*read_end = ends[0];
	*write_end = ends[1];
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (lossy)
		fcntl(ends[1], F_SETFL, O_NONBLOCK);
	return true;
}

/* Fork, and wait until the new program runs. 0, or an errno. */
static int give_birth(struct child *child, struct birth *b)
{
	int report[2], errnum = 0;
	ssize_t got;

	if (pipe2(report, O_CLOEXEC) < 0)
		return errno;
	b->report = report[1];
	b->parent = getpid();
	child->pid = fork();
	if (child->pid == 0)
		become(b);
	errnum = child->pid < 0 ? errno : 0;
	close(report[1]);
	if (child->pid > 0) {
		do
			got = read(report[0], &errnum, sizeof(errnum));
		while (got < 0 && errno == EINTR);
		if (got <= 0)
			errnum = 0;
	}
	close(report[0]);
	if (child->pid > 0 && errnum) {
		while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
			;
		child->pid = -1;
	}
	return errnum;
}

static bool begin(struct child *child, const struct child_argv *argv,
		  struct birth *b, bool lossy, struct err *err)
{
	int errnum = 0;

	b->out = b->err = -1;
	if (!pipe_open(&child->out.fd, &b->out, lossy) ||
	    !pipe_open(&child->err.fd, &b->err, lossy))
		errnum = errno;
	if (!errnum)
		errnum = give_birth(child, b);
	close_fd(&b->out);
	close_fd(&b->err);
	if (errnum)
		return err_sys(err, errnum, "starting %s", argv->items[0]);
	child->pidfd = pidfd_open(child->pid, 0);
	if (child->pidfd < 0)
		return err_sys(err, errno, "watching %s", argv->items[0]);
	return true;
}

void child_heed(void)
{
	struct sigaction action;

	if (sigaction(SIGCHLD, NULL, &action) == 0 &&
	    action.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
}

static struct child *start(const struct child_argv *argv, int end_signal,
			   char *mark, bool lossy, struct err *err)
{
	struct birth b = { .argv = argv->items, .end_signal = end_signal };
	struct child *child = NULL;
	bool ok = false;

	if (argv->failed || argv->count == 0) {
		err_nomem(err);
		goto out;
	}
	b.path = child_find(argv->items[0]);
	if (!b.path) {
		err_set(err, ERR_FAILED, "no program %s", argv->items[0]);
		goto out;
	}
	child_heed();
	child = child_new(argv);
	b.environment = environment_new(mark);
	if (!child || !b.environment) {
		err_nomem(err);
		goto out;
	}
	ok = begin(child, argv, &b, lossy, err);
out:
	free(b.environment);
	free(b.path);
	if (ok)
		return child;
	child_free(child);
	return NULL;
}

/* Take in what was said; the first part goes when there is too much. */
static void listen_to(struct said *said)
{
	while (said->fd >= 0) {
		ssize_t got;

		if (said->length > SAID_MAX / 2) {
			size_t cut = said->length - SAID_MAX / 2;

			said->length -= cut;
			memmove(said->text, said->text + cut, said->length);
		}
		got = read(said->fd, said->text + said->length,
			   SAID_MAX - said->length);
		if (got > 0)
			said->length += (size_t)got;
		else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			close_fd(&said->fd);
		if (got < 0)
			break;
	}
	said->text[said->length] = '\0';
}

static void look(struct child *child, int wait_ms)
{
	struct pollfd fds[3] = {
		{ .fd = child->pidfd, .events = POLLIN },
		{ .fd = child->out.fd, .events = POLLIN },
		{ .fd = child->err.fd, .events = POLLIN },
	};
	bool over;

	over = poll(fds, 3, wait_ms) > 0 && (fds[0].revents & POLLIN);
	listen_to(&child->out);
	listen_to(&child->err);
	if (over && waitpid(child->pid, &child->status, WNOHANG) != 0)
		child->ended = true;
}

bool child_wait(struct child *child, uint64_t timeout_ns)
{
	uint64_t start = io_system.now(NULL), gone = 0;

	for (;;) {
		uint64_t left_ms = (timeout_ns - gone) / NS_PER_MS;

		if (child->ended)
			return true;
		look(child, left_ms > TICK_MS ? TICK_MS : (int)left_ms);
		gone = io_system.now(NULL) - start;
		if (gone >= timeout_ns)
			return child->ended;
	}
}

static void kill_group(const struct child *child, int signum)
{
	if (kill(-child->pid, signum) < 0)
		kill(child->pid, signum);
}

/* The last lines of it that say something, joined; the usage is left out. */
static void last_words(const struct said *said, char *words, size_t size)
{
	enum { LINES = 5 };
	const char *line[LINES];
	size_t length[LINES], count = 0, used = 0;
	const char *at = said->text;

	words[0] = '\0';
	while (*at) {
		size_t len = strcspn(at, "\n");
		const char *from = at + strspn(at, " \t");

		at += len + (at[len] == '\n');
		if (strncasecmp(from, "usage", 5) == 0)
			break;
		len = strcspn(from, "\n");
		if (len == 0)
			continue;
		line[count % LINES] = from;
		length[count++ % LINES] = len;
	}
	for (size_t i = count > LINES ? count - LINES : 0; i < count; i++) {
		int n = snprintf(words + used, size - used, "%s%.*s",
				 used ? "; " : ": ", (int)length[i % LINES],
				 line[i % LINES]);

		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
	}
}

bool child_result(struct child *child, struct err *err)
{
	char words[700];

	last_words(&child->err, words, sizeof(words));
	if (!words[0])
		last_words(&child->out, words, sizeof(words));
	if (WIFSIGNALED(child->status))
		return err_set(err, ERR_FAILED, "%s failed (signal %s)%s",
			       child->command,
			       sigabbrev_np(WTERMSIG(child->status)), words);
	if (WEXITSTATUS(child->status) != 0)
		return err_set(err, ERR_FAILED, "%s failed (exit %d)%s",
			       child->command, WEXITSTATUS(child->status),
			       words);
	return true;
}

/* Wait to the end, or to the limit: then it is killed. */
static bool see_through(struct child *child, struct child_limit limit,
			struct err *err)
{
	uint64_t start = io_system.now(NULL);

	while (!child_wait(child, TICK_MS * NS_PER_MS)) {
		bool stop = limit.stop && atomic_load(limit.stop);

		if (!stop && !(limit.timeout_ns &&
			       io_system.now(NULL) - start >= limit.timeout_ns))
			continue;
		kill_group(child, SIGKILL);
		child_wait(child, 2000 * NS_PER_MS);
		return err_set(err, ERR_FAILED, "%s %s", child->command,
			       stop ? "was stopped" : "took too long");
	}
	return child_result(child, err);
}

bool child_run(const struct child_argv *argv, struct child_limit limit,
	       struct err *err)
{
	char mark[PROCESS_MARK_SIZE];
	struct child *child;
	bool ok;

	process_mark(mark);
	child = start(argv, SIGKILL, mark, false, err);
	ok = child && see_through(child, limit, err);

	child_free(child);
	return ok;
}

struct child *child_start(const struct child_argv *argv, struct err *err)
{
	char mark[PROCESS_MARK_SIZE];

	process_mark(mark);
	/* SIGTERM: a FUSE daemon unmounts, and lets go of its device */
	return start(argv, SIGTERM, mark, true, err);
}

/* The process that carries the mark, whose parent we are by now. */
static struct child *adopt(const struct child_argv *argv, const char *mark,
			   struct err *err)
{
	struct child *child = child_new(argv);

	if (!child) {
		err_nomem(err);
		return NULL;
	}
	child->pid = process_find_marked(mark);
	if (child->pid > 0)
		child->pidfd = pidfd_open(child->pid, 0);
	if (child->pidfd >= 0)
		return child;
	err_set(err, ERR_FAILED, "%s ended and left nothing running",
		child->command);
	child_free(child);
	return NULL;
}

struct child *child_start_detached(const struct child_argv *argv,
				   struct child_limit limit, struct err *err)
{
	char mark[PROCESS_MARK_SIZE];
	struct child *first, *second = NULL;
	int was_reaper = 0;

	process_mark(mark);
	prctl(PR_GET_CHILD_SUBREAPER, &was_reaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	first = start(argv, SIGKILL, mark, false, err);
	if (first && see_through(first, limit, err))
		second = adopt(argv, mark, err);
	child_free(first);
	prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
	return second;
}

pid_t child_pid(const struct child *child)
{
	return child->pid;
}

void child_stop(struct child *child, uint64_t grace_ns)
{
	if (child->ended)
		return;
	kill_group(child, SIGTERM);
	if (child_wait(child, grace_ns))
		return;
	kill_group(child, SIGKILL);
	child_wait(child, 1000 * NS_PER_MS);
}

void child_free(struct child *child)
{
	if (!child)
		return;
	if (child->pid > 0)
		child_stop(child, 0);
	close_fd(&child->out.fd);
	close_fd(&child->err.fd);
	close_fd(&child->pidfd);
	free(child->command);
	free(child);
}
