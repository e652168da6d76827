/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/guard.h"
#include "runner/guard_private.h"
#include "runner/guard_undo.h"
#include "runner/process.h"
#include "tests/unit/unit.h"

#define SECOND UINT64_C(1000000000)

/* A folder to work in, whose path has no symbolic link. */
struct place {
	char path[256], state[300];
};

/*
 * How often the folder that the keeper removes things from was brought to its
 * disk, by whichever process; and which folder that is.
 */
static struct settled {
	atomic_uint times;
	dev_t device;
	ino_t inode;
} * settled;

/* In place of the C library's, for us and for what we fork. */
int fsync(int fd)
{
	struct stat st;

	if (settled && fstat(fd, &st) == 0 && st.st_dev == settled->device &&
	    st.st_ino == settled->inode)
		atomic_fetch_add(&settled->times, 1);
	return (int)syscall(SYS_fsync, fd);
}

static int make_place(void **state)
{
	char template[] = "/tmp/guard.XXXXXX", *real;
	struct place *p;

	if (!mkdtemp(template))
		return -1;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -1;
	real = realpath(template, NULL);
	snprintf(p->path, sizeof(p->path), "%s", real);
	free(real);
	snprintf(p->state, sizeof(p->state), "%s/state", p->path);
	setenv("FSMATRIX_STATE", p->state, 1);
	*state = p;
	return 0;
}

static int remove_place(void **state)
{
	struct place *p = *state;
	char command[300];
	int ret;

	snprintf(command, sizeof(command), "rm -rf --one-file-system %s",
		 p->path);
	ret = system(command);
	free(p);
	return ret;
}

static char *in(const struct place *p, const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", p->path, name) > 0);
	return path;
}

static void write_file(const char *path)
{
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);

	assert_true(fd >= 0);
	close(fd);
}

/* `path` below the place, and what is between. */
static void make_folders(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	mkdir(path, 0700);
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* How many things are left of a record with just this one. */
static size_t undo_one(struct guard_entry entry)
{
	struct guard_record record = {
		.this_boot = true,
		.entries = &entry,
		.count = 1,
	};

	return guard_undo(&record, SECOND / 10, false, NULL, NULL);
}

static void a_process_is_killed(void **state)
{
	struct guard_entry entry = { .kind = GUARD_PROCESS, .name = "x" };
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		pause();
		_exit(0);
	}
	entry.a = (uint64_t)pid;
	entry.b = process_start(pid);
	assert_int_equal(undo_one(entry), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void a_pid_that_is_another_process_now_is_spared(void **state)
{
	struct guard_entry entry = { .kind = GUARD_PROCESS, .name = "x" };
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		pause();
		_exit(0);
	}
	entry.a = (uint64_t)pid;
	entry.b = process_start(pid) - 1;
	assert_int_equal(undo_one(entry), 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void only_the_recorded_file_is_removed(void **state)
{
	char *path = in(*state, "a.img");
	struct guard_entry entry = { .kind = GUARD_FILE, .name = path };
	struct stat st;

	entry.since_ns = wall_ns();
	write_file(path);
	assert_int_equal(stat(path, &st), 0);
	entry.a = st.st_dev;
	entry.b = st.st_ino + 1;
	assert_int_equal(undo_one(entry), 0);
	assert_true(exists(path));
	entry.a = st.st_dev + 1;
	entry.b = st.st_ino;
	assert_int_equal(undo_one(entry), 0);
	assert_true(exists(path));
	entry.a = st.st_dev;
	assert_int_equal(undo_one(entry), 0);
	assert_false(exists(path));
	free(path);
}

static uint64_t born(const char *path)
{
	struct statx stx;

	assert_int_equal(
		statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &stx),
		0);
	return guard_file_born(&stx);
}

/* A crash may come before it is known which file it became. */
static void an_unknown_file_must_be_as_old_as_its_record(void **state)
{
	char *path = in(*state, "b.img");
	struct guard_entry entry = { .kind = GUARD_FILE, .name = path };

	write_file(path);
	entry.since_ns = wall_ns() + 60 * SECOND;
	(void)undo_one(entry);
	assert_true(exists(path));
	entry.since_ns = wall_ns() - 60 * SECOND;
	assert_int_equal(undo_one(entry), 1);
	assert_true(exists(path));
	entry.since_ns = wall_ns() - SECOND;
	assert_int_equal(undo_one(entry), 0);
	assert_false(exists(path));
	free(path);
}

/* Of another boot, when all that is left is an inode and a time. */
static void an_inode_that_was_given_again_proves_nothing(void **state)
{
	char *path = in(*state, "inode.img");
	struct guard_entry entry = { .kind = GUARD_FILE, .name = path };
	struct stat st;

	write_file(path);
	assert_int_equal(stat(path, &st), 0);
	if (born(path) == 0) {
		free(path);
		print_message("no birth times here\n");
		skip();
	}
	entry.since_ns = wall_ns() - SECOND;
	entry.b = st.st_ino;
	entry.c = born(path) - SECOND / 2;
	assert_int_equal(undo_one(entry), 1);
	assert_true(exists(path));
	/* Another mount of ours may number anew, as FAT does. */
	entry.a = st.st_dev + 1;
	entry.b = st.st_ino + 1;
	entry.c = born(path);
	assert_int_equal(undo_one(entry), 0);
	assert_false(exists(path));
	free(path);
}

static void a_file_with_something_in_it_is_never_removed(void **state)
{
	char *path = in(*state, "big.img");
	struct guard_entry entry = { .kind = GUARD_FILE, .name = path };
	struct stat st;

	write_file(path);
	assert_int_equal(truncate(path, 1), 0);
	assert_int_equal(stat(path, &st), 0);
	entry.since_ns = wall_ns() - SECOND;
	assert_int_equal(undo_one(entry), 1);
	entry.a = st.st_dev;
	entry.b = st.st_ino;
	entry.c = born(path);
	assert_int_equal(undo_one(entry), 1);
	assert_true(exists(path));
	free(path);
}

static void a_folder_that_took_the_name_is_spared(void **state)
{
	char *path = in(*state, ".fsmatrix-again1");
	struct guard_entry entry = { .kind = GUARD_DIRECTORY, .name = path };
	struct stat st;

	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(stat(path, &st), 0);
	entry.since_ns = wall_ns();
	entry.b = st.st_ino + 1;
	assert_int_equal(undo_one(entry), 1);
	assert_true(exists(path));
	entry.b = st.st_ino;
	assert_int_equal(undo_one(entry), 0);
	assert_false(exists(path));
	free(path);
}

static void count_refusals(void *ctx, const char *what, const char *problem)
{
	unsigned int *counts = ctx;

	(void)what;
	counts[problem != NULL]++;
}

/* What would be refused is refused, and what is gone is not counted. */
static void a_look_says_what_an_undoing_would(void **state)
{
	char *plain = in(*state, "notours"), *file = in(*state, "small.img");
	char *none = in(*state, "none.img"), *big = in(*state, "bigger.img");
	struct guard_entry entries[] = {
		{ .kind = GUARD_DIRECTORY, .name = plain },
		{ .kind = GUARD_FILE, .name = file },
		{ .kind = GUARD_FILE, .name = none },
		{ .kind = GUARD_FILE, .name = big },
	};
	struct guard_record record = { .entries = entries, .count = 4 };
	unsigned int looked[2] = { 0 }, undone[2] = { 0 };

	for (size_t i = 0; i < 4; i++)
		entries[i].since_ns = wall_ns();
	assert_int_equal(mkdir(plain, 0700), 0);
	write_file(file);
	write_file(big);
	assert_int_equal(truncate(big, 1), 0);
	assert_int_equal(
		guard_undo(&record, SECOND / 10, true, count_refusals, looked),
		3);
	assert_true(exists(file));
	assert_int_equal(
		guard_undo(&record, SECOND / 10, false, count_refusals, undone),
		2);
	assert_false(exists(file));
	assert_int_equal(looked[0], 1);
	assert_int_equal(looked[1], 2);
	assert_memory_equal(looked, undone, sizeof(looked));
	free(plain);
	free(file);
	free(none);
	free(big);
}

static void a_record_cannot_name_what_is_not_ours(void **state)
{
	static const char *const names[] = { "etc", "fsmatrix-short",
					     "fsmatrix-Ab3d/f",
					     ".fsmatrix-Gh5iJk/.." };

	(void)state;
	assert_false(guard_is_our_directory("/"));
	assert_false(guard_is_our_directory("/etc"));
	assert_false(guard_is_our_directory("fsmatrix-Ab3dEf"));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *path = in(*state, names[i]), *file;
		struct guard_entry entry = { .kind = GUARD_DIRECTORY,
					     .name = path };

		make_folders(path);
		assert_true(asprintf(&file, "%s/file", path) > 0);
		write_file(file);
		assert_int_equal(undo_one(entry), 1);
		assert_true(exists(file));
		assert_int_equal(unlink(file), 0);
		free(file);
		free(path);
	}
}

static void a_symbolic_link_is_neither_followed_nor_removed(void **state)
{
	char *real = in(*state, "real"), *link = in(*state, "link");
	char *inside = in(*state, "real/.fsmatrix-Ab3dEf");
	char *precious = in(*state, "real/.fsmatrix-Ab3dEf/precious");
	char *through = in(*state, "link/.fsmatrix-Ab3dEf");
	char *last = in(*state, ".fsmatrix-Ab3dEf");
	struct guard_entry entry = { .kind = GUARD_DIRECTORY };

	assert_int_equal(mkdir(real, 0700), 0);
	assert_int_equal(mkdir(inside, 0700), 0);
	write_file(precious);
	assert_int_equal(symlink("real", link), 0);
	assert_int_equal(symlink("real/.fsmatrix-Ab3dEf", last), 0);
	entry.name = through;
	assert_int_equal(undo_one(entry), 1);
	entry.name = last;
	assert_int_equal(undo_one(entry), 0);
	assert_true(exists(precious) && exists(last));
	free(real);
	free(link);
	free(inside);
	free(precious);
	free(through);
	free(last);
}

static void a_folder_goes_with_all_that_is_in_it(void **state)
{
	char *path = in(*state, ".fsmatrix-tree12");
	char *outside = in(*state, "outside");
	char *file = in(*state, ".fsmatrix-tree12/fsm00001.000");
	char *deep = in(*state, ".fsmatrix-tree12/deep");
	char *deeper = in(*state, ".fsmatrix-tree12/deep/x");
	char *link = in(*state, ".fsmatrix-tree12/link");
	struct guard_entry entry = { .kind = GUARD_DIRECTORY, .name = path };

	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(mkdir(deep, 0700), 0);
	assert_int_equal(mkdir(outside, 0700), 0);
	write_file(file);
	write_file(deeper);
	assert_int_equal(symlink(outside, link), 0);
	assert_int_equal(undo_one(entry), 0);
	assert_false(exists(path));
	assert_true(exists(outside));
	free(path);
	free(outside);
	free(file);
	free(deep);
	free(deeper);
	free(link);
}

/* 0 if `entry` is refused while `precious` is mounted at `at`; 77: may not. */
static int refuses_mounted(struct guard_entry entry, const char *precious,
			   const char *at)
{
	int ret;

	if (mount(precious, at, NULL, MS_BIND, NULL) < 0)
		return 77;
	ret = undo_one(entry) == 1 ? 0 : 1;
	return umount(at) == 0 ? ret : 2;
}

/* In a child: where it can have mounts of its own, they end with it. */
static void what_is_mounted_in_a_folder_is_not_ours(void **state)
{
	char *path = in(*state, ".fsmatrix-mnt123");
	char *sub = in(*state, ".fsmatrix-mnt123/sub");
	char *precious = in(*state, "precious");
	char *file = in(*state, "precious/file");
	struct guard_entry entry = { .kind = GUARD_DIRECTORY, .name = path };
	struct err err = { 0 };
	int status;
	pid_t pid;

	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(mkdir(sub, 0700), 0);
	assert_int_equal(mkdir(precious, 0700), 0);
	write_file(file);
	pid = fork();
	if (pid == 0) {
		if (!guard_isolate(&err))
			_exit(77);
		status = refuses_mounted(entry, precious, sub);
		_exit(status ? status : refuses_mounted(entry, precious, path));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_true(exists(file));
	free(path);
	free(sub);
	free(precious);
	free(file);
	if (WEXITSTATUS(status) == 77) {
		print_message("may not mount here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void other_mounts_and_devices_are_left_alone(void **state)
{
	char proc[] = "/proc", null[] = "/dev/null", loop[] = "/dev/loop0";
	struct guard_entry entry = { .kind = GUARD_MOUNT, .name = proc };

	(void)state;
	assert_int_equal(undo_one(entry), 1);
	assert_true(exists("/proc/self"));
	entry = (struct guard_entry){ .kind = GUARD_LOOP, .name = null };
	assert_int_equal(undo_one(entry), 0);
	entry.name = loop; /* of whatever file, it is not inode 0 */
	assert_int_equal(undo_one(entry), 0);
}

static unsigned int count_files(const char *path)
{
	DIR *list = opendir(path);
	unsigned int count = 0;
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		count += entry->d_name[0] != '.';
	if (list)
		closedir(list);
	return count;
}

/* Wait for at most 2 s. */
static bool comes_to_an_end(const char *path)
{
	const struct timespec tick = { .tv_nsec = 20000000 };

	for (int i = 0; i < 100 && exists(path); i++)
		nanosleep(&tick, NULL);
	return !exists(path);
}

/* A run that makes a folder with a file, and then waits to be killed. */
static pid_t begin_run(struct place *p, char **path)
{
	struct err err = { 0 };
	struct guard *guard;
	guard_ticket ticket;
	int ends[2];
	pid_t pid;
	char name[512];
	ssize_t got;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		guard = guard_start(&err);
		if (!guard ||
		    !guard_make_directory(guard, p->path, ".fsmatrix-", path,
					  &ticket, &err))
			_exit(1);
		snprintf(name, sizeof(name), "%s/file", *path);
		write_file(name);
		if (write(ends[1], *path, strlen(*path)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	close(ends[1]);
	got = read(ends[0], name, sizeof(name) - 1);
	close(ends[0]);
	assert_true(got > 0);
	name[got] = '\0';
	*path = strdup(name);
	return pid;
}

static pid_t keeper_of(pid_t pid)
{
	char command[80];
	FILE *out;
	int keeper = 0;

	snprintf(command, sizeof(command),
		 "pgrep -xf 'fsm-guard of process %d'", (int)pid);
	out = popen(command, "r");
	if (!out || fscanf(out, "%d", &keeper) != 1)
		keeper = 0;
	if (out)
		pclose(out);
	return keeper;
}

static void a_killed_run_leaves_nothing(void **state)
{
	struct place *p = *state;
	char *path;
	struct stat st;
	pid_t pid;

	settled = mmap(NULL, sizeof(*settled), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(settled, MAP_FAILED);
	assert_int_equal(stat(p->path, &st), 0);
	settled->device = st.st_dev;
	settled->inode = st.st_ino;
	pid = begin_run(p, &path);
	assert_int_equal(atomic_load(&settled->times), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(comes_to_an_end(path));
	for (int i = 0; i < 100 && count_files(p->state); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
	assert_int_equal(count_files(p->state), 0);
	/* The record was not the first to go. */
	assert_true(atomic_load(&settled->times) > 0);
	munmap(settled, sizeof(*settled));
	settled = NULL;
	free(path);
}

static void a_killed_keeper_is_replaced(void **state)
{
	struct place *p = *state;
	char *path;
	pid_t pid = begin_run(p, &path), first = keeper_of(pid), second = 0;

	assert_true(first > 0);
	kill(first, SIGKILL);
	for (int i = 0; i < 100 && (second == 0 || second == first); i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
		second = keeper_of(pid);
	}
	assert_true(second > 0 && second != first);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(comes_to_an_end(path));
	free(path);
}

struct told {
	unsigned int count, problems;
	char last[512];
};

static void tell(void *ctx, const char *what, const char *problem)
{
	struct told *told = ctx;

	told->count++;
	told->problems += problem != NULL;
	snprintf(told->last, sizeof(told->last), "%s", what);
}

static void a_sweep_undoes_what_a_run_and_its_keeper_left(void **state)
{
	struct place *p = *state;
	struct told told = { 0 };
	struct err err = { 0 };
	char *path, expected[600];
	pid_t pid = begin_run(p, &path), keeper = keeper_of(pid);

	/* The one that would replace it is not there yet. */
	kill(pid, SIGSTOP);
	kill(keeper, SIGKILL);
	/* A run that lives is none of a sweep's business. */
	assert_true(guard_sweep(false, tell, &told, &err));
	assert_int_equal(told.count, 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(exists(path));

	assert_true(guard_sweep(true, tell, &told, &err));
	assert_true(exists(path));
	assert_int_equal(told.count, 1);
	snprintf(expected, sizeof(expected), "directory %s", path);
	assert_string_equal(told.last, expected);

	assert_true(guard_sweep(false, tell, &told, &err));
	assert_int_equal(told.count, 2);
	assert_int_equal(told.problems, 0);
	assert_false(exists(path));
	assert_int_equal(count_files(p->state), 0);
	free(path);
}

static void what_a_killed_child_left_is_recovered(void **state)
{
	struct place *p = *state;
	struct err err = { 0 };
	struct guard *guard = guard_start(&err);
	guard_ticket ticket = 0;
	char *path = in(p, "c.img"), *folder = NULL;
	pid_t pid;

	assert_non_null(guard);
	pid = fork();
	if (pid == 0) {
		if (guard_add_file(guard, path, &ticket, &err))
			write_file(path);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	assert_true(exists(path));
	assert_true(guard_recover(guard, &err));
	assert_false(exists(path));
	/* It goes on, and what was dropped stays. */
	assert_true(guard_make_directory(guard, p->path, "fsmatrix-", &folder,
					 &ticket, &err));
	guard_drop(guard, &ticket);
	assert_true(guard_end(guard, &err));
	assert_true(exists(folder));
	assert_int_equal(count_files(p->state), 0);
	free(path);
	free(folder);
}

static void the_end_of_a_guard_undoes_what_is_left(void **state)
{
	struct place *p = *state;
	struct err err = { 0 };
	struct guard *guard = guard_start(&err);
	guard_ticket ticket = 0;
	char *folder = NULL;

	assert_non_null(guard);
	assert_true(guard_make_directory(guard, p->path, "fsmatrix-", &folder,
					 &ticket, &err));
	assert_true(guard_end(guard, &err));
	assert_false(exists(folder));
	free(folder);
}

static void a_file_that_exists_is_refused(void **state)
{
	struct err err = { 0 };
	struct guard *guard = guard_start(&err);
	guard_ticket ticket = 0;
	char *path = in(*state, "d.img");

	assert_non_null(guard);
	write_file(path);
	assert_false(guard_add_file(guard, path, &ticket, &err));
	assert_int_equal(err.code, ERR_REFUSED);
	assert_int_equal(ticket, 0);
	err = (struct err){ 0 };
	assert_true(guard_end(guard, &err));
	assert_true(exists(path));
	free(path);
}

/* That a path cannot be looked at does not mean that something is there. */
static void a_path_that_cannot_be_says_why(void **state)
{
	struct err err = { 0 };
	guard_ticket ticket = 0;
	char *file = in(*state, "plain"), *path = in(*state, "plain/d.img");

	write_file(file);
	assert_false(guard_add_file(NULL, path, &ticket, &err));
	assert_int_equal(err.code, ERR_FAILED);
	assert_non_null(strstr(err.text, strerror(ENOTDIR)));
	free(file);
	free(path);
}

static void without_a_guard_nothing_is_recorded(void **state)
{
	struct place *p = *state;
	struct err err = { 0 };
	guard_ticket ticket = 7;
	char *folder = NULL, *path = in(p, "e.img");

	assert_true(guard_make_directory(NULL, p->path, ".fsmatrix-", &folder,
					 &ticket, &err));
	assert_int_equal(ticket, 0);
	assert_true(exists(folder));
	assert_true(guard_add_file(NULL, path, &ticket, &err));
	guard_drop(NULL, &ticket);
	assert_true(guard_end(NULL, &err));
	free(path);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_is_killed),
		cmocka_unit_test(a_pid_that_is_another_process_now_is_spared),
		cmocka_unit_test(only_the_recorded_file_is_removed),
		cmocka_unit_test(an_unknown_file_must_be_as_old_as_its_record),
		cmocka_unit_test(an_inode_that_was_given_again_proves_nothing),
		cmocka_unit_test(a_file_with_something_in_it_is_never_removed),
		cmocka_unit_test(a_folder_that_took_the_name_is_spared),
		cmocka_unit_test(a_look_says_what_an_undoing_would),
		cmocka_unit_test(a_record_cannot_name_what_is_not_ours),
		cmocka_unit_test(
			a_symbolic_link_is_neither_followed_nor_removed),
		cmocka_unit_test(a_folder_goes_with_all_that_is_in_it),
		cmocka_unit_test(what_is_mounted_in_a_folder_is_not_ours),
		cmocka_unit_test(other_mounts_and_devices_are_left_alone),
		cmocka_unit_test(a_killed_run_leaves_nothing),
		cmocka_unit_test(a_killed_keeper_is_replaced),
		cmocka_unit_test(a_sweep_undoes_what_a_run_and_its_keeper_left),
		cmocka_unit_test(what_a_killed_child_left_is_recovered),
		cmocka_unit_test(the_end_of_a_guard_undoes_what_is_left),
		cmocka_unit_test(a_file_that_exists_is_refused),
		cmocka_unit_test(a_path_that_cannot_be_says_why),
		cmocka_unit_test(without_a_guard_nothing_is_recorded),
	};

	return cmocka_run_group_tests(tests, make_place, remove_place);
}
