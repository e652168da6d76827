/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/process.h"

enum {
	TICK_MS = 10,
	DAEMON_MS = 1000, /* a daemon's time to end by itself */
	REMOVE_MS = 8000, /* a mount's time to go */
};

/* Shared with the guard, which reads it only when we are gone. */
struct note {
	_Atomic pid_t daemon;
	_Atomic uint64_t daemon_start; /* see process_start() */
	_Atomic dev_t connection;
	atomic_bool has_mount, has_folder;
	char mount[PATH_MAX], folder[PATH_MAX];
};

struct guard {
	struct note *note;
	pid_t pid;
	int pipe; /* the end that we hold open */
};

static void pause_ms(long ms)
{
	const struct timespec t = { .tv_sec = ms / 1000,
				    .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

void guard_abort_fuse(dev_t device)
{
	static const char connections[] = "/sys/fs/fuse/connections";
	char path[96];
	int fd;

	/* the kernel's own coding of a device number */
	snprintf(path, sizeof(path), "%s/%u/abort", connections,
		 major(device) << 20 | minor(device));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && mount("fusectl", connections, "fusectl", 0, NULL) == 0)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, "1", 1) < 0) {
		/* it was aborted already */
	}
	close(fd);
}

static bool daemon_lives(const struct note *note)
{
	return note->daemon > 0 && note->daemon_start &&
	       process_start(note->daemon) == note->daemon_start;
}

static void end_daemon(const struct note *note)
{
	if (daemon_lives(note))
		kill(note->daemon, SIGTERM);
	for (int ms = 0; ms < DAEMON_MS && daemon_lives(note); ms += TICK_MS)
		pause_ms(TICK_MS);
	/* a killed one may wait in its own unmount for its own answer */
	if (note->connection && unshare(CLONE_NEWNS) == 0 &&
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
		guard_abort_fuse(note->connection);
	if (daemon_lives(note))
		kill(note->daemon, SIGKILL);
}

static void remove_mount(const char *path)
{
	for (int ms = 0; ms < REMOVE_MS; ms += TICK_MS) {
		umount2(path, MNT_DETACH);
		if (rmdir(path) == 0 || errno == ENOENT)
			return;
		pause_ms(TICK_MS);
	}
}

static void remove_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(fd, entry->d_name, 0);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	rmdir(path);
}

/* The guard's whole life. */
static void watch(const struct note *note, int pipe_end)
	__attribute__((noreturn));
static void watch(const struct note *note, int pipe_end)
{
	static const int ignored[] = { SIGINT,  SIGHUP,  SIGTERM,
				       SIGQUIT, SIGUSR1, SIGPIPE };
	sigset_t none;
	ssize_t got;
	char word;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_NAME, "fsmatrix-guard");
	if (chdir("/") < 0)
		_exit(1);
	/* whoever reads our outputs must not wait for the guard */
	dup2(pipe_end, 0);
	for (int fd = 1; fd <= 2; fd++)
		close(fd);
	close_range(3, ~0U, 0);
	do
		got = read(0, &word, 1);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		_exit(0);
	end_daemon(note);
	if (note->has_mount)
		remove_mount(note->mount);
	if (note->has_folder)
		remove_folder(note->folder);
	_exit(0);
}

struct guard *guard_new(struct err *err)
{
	struct guard *guard = calloc(1, sizeof(*guard));
	struct note *note;
	int ends[2];

	note = mmap(NULL, sizeof(*note), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!guard || note == MAP_FAILED ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		err_sys(err, errno, "starting the guard");
		goto out;
	}
	guard->note = note;
	guard->pipe = ends[1];
	guard->pid = fork();
	if (guard->pid == 0)
		watch(note, ends[0]);
	close(ends[0]);
	if (guard->pid > 0)
		return guard;
	err_sys(err, errno, "starting the guard");
	close(ends[1]);
out:
	if (note != MAP_FAILED)
		munmap(note, sizeof(*note));
	free(guard);
	return NULL;
}

static void set_path(char *at, atomic_bool *is_set, const char *path)
{
	*is_set = false;
	if (!path)
		return;
	snprintf(at, PATH_MAX, "%s", path);
	*is_set = true;
}

void guard_mount(struct guard *guard, const char *path)
{
	set_path(guard->note->mount, &guard->note->has_mount, path);
}

void guard_folder(struct guard *guard, const char *path)
{
	set_path(guard->note->folder, &guard->note->has_folder, path);
}

void guard_daemon(struct guard *guard, pid_t pid)
{
	guard->note->daemon_start = pid > 0 ? process_start(pid) : 0;
	guard->note->daemon = pid;
}

void guard_connection(struct guard *guard, dev_t device)
{
	guard->note->connection = device;
}

void guard_free(struct guard *guard)
{
	if (!guard)
		return;
	send(guard->pipe, "q", 1, MSG_NOSIGNAL); /* unless it is gone */
	close(guard->pipe);
	while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
		;
	munmap(guard->note, sizeof(*guard->note));
	free(guard);
}
