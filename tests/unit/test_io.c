/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's own io table, and what it does where the kernel is older. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io.h"
#include "core/measure.h"
#include "tests/unit/unit.h"

enum { CACHESTAT = 451 };

static const struct io sys = { &io_system, NULL };

/* From now on the call fails so, as if the kernel did not have it. */
static bool forbid(unsigned int call, unsigned int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* In a child where the call fails so; its exit status. */
static int without(unsigned int call, unsigned int error, int (*fn)(void *ctx),
		   void *ctx)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(forbid(call, error) ? fn(ctx) : 77);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* A file of 300 pages in memory of which every third was never written. */
static int sparse_file(const size_t page)
{
	char path[] = "/dev/shm/test_io.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(ftruncate(fd, (off_t)(300 * page)), 0);
	for (size_t i = 0; i < 300; i++)
		if (i % 3)
			assert_int_equal(pwrite(fd, "x", 1, (off_t)(i * page)),
					 1);
	return fd;
}

static int has_two_thirds(void *ctx)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t cached = 0;
	int ret = sys.ops->resident(NULL, *(int *)ctx, 300 * page, &cached);

	return ret == 0 && cached == 200 * page ? 0 : 1;
}

static void resident_pages_are_counted_by_either_call(void **state)
{
	int fd = sparse_file((size_t)sysconf(_SC_PAGESIZE));

	(void)state;
	assert_int_equal(has_two_thirds(&fd), 0);
	switch (without(CACHESTAT, ENOSYS, has_two_thirds, &fd)) {
	case 0:
		break;
	case 77:
		print_message("skipped: no seccomp here\n");
		break;
	default:
		fail();
	}
	close(fd);
}

static void no_more_is_resident_than_there_is(void **state)
{
	int fd = sparse_file((size_t)sysconf(_SC_PAGESIZE));
	uint64_t cached = 0;

	(void)state;
	assert_int_equal(pwrite(fd, "x", 1, 0), 1);
	assert_int_equal(sys.ops->resident(NULL, fd, 100, &cached), 0);
	assert_int_equal(cached, 100);
	assert_int_equal(sys.ops->resident(NULL, fd, 0, &cached), 0);
	assert_int_equal(cached, 0);
	close(fd);
}

static int says_why(void *ctx)
{
	struct err err = { 0 };

	return !measure_uring_available(&err) && strstr(err.text, ctx) ? 0 : 1;
}

static void a_kernel_without_io_uring_is_told(void **state)
{
	char none[] = "this kernel has no io_uring";
	char forbidden[] = "io_uring is not permitted here";
	int status = without(SYS_io_uring_setup, ENOSYS, says_why, none);

	(void)state;
	if (status == 77)
		skip();
	assert_int_equal(status, 0);
	assert_int_equal(
		without(SYS_io_uring_setup, EPERM, says_why, forbidden), 0);
}

static void a_call_that_fails_returns_its_errno(void **state)
{
	char byte = 0;
	uint64_t number;
	uint32_t alignment;

	(void)state;
	assert_int_equal(sys.ops->open(NULL, AT_FDCWD, "/no/such", O_RDONLY),
			 -ENOENT);
	assert_int_equal(sys.ops->close(NULL, -1), -EBADF);
	assert_int_equal(sys.ops->pwrite(NULL, -1, &byte, 1, 0), -EBADF);
	assert_int_equal(sys.ops->pread(NULL, -1, &byte, 1, 0), -EBADF);
	assert_int_equal(sys.ops->fsync(NULL, -1), -EBADF);
	assert_int_equal(sys.ops->syncfs(NULL, -1), -EBADF);
	assert_int_equal(sys.ops->truncate(NULL, -1, 0), -EBADF);
	assert_int_equal(sys.ops->size(NULL, -1, &number), -EBADF);
	assert_int_equal(sys.ops->mount(NULL, -1, &number), -EBADF);
	assert_int_equal(sys.ops->dontneed(NULL, -1), -EBADF);
	assert_int_equal(sys.ops->set_direct(NULL, -1, true), -EBADF);
	assert_int_equal(sys.ops->alignment(NULL, -1, &alignment), -EBADF);
	assert_true(sys.ops->resident(NULL, -1, 4096, &number) < 0);
	assert_int_equal(sys.ops->unlink(NULL, AT_FDCWD, "/no/such"), -ENOENT);
}

static void a_symbolic_link_is_not_followed(void **state)
{
	char path[] = "/tmp/test_io.XXXXXX";
	int dir;

	(void)state;
	assert_non_null(mkdtemp(path));
	dir = open(path, O_RDONLY | O_DIRECTORY);
	assert_true(dir >= 0);
	assert_int_equal(symlinkat("/etc/passwd", dir, "link"), 0);
	assert_int_equal(
		sys.ops->open(NULL, dir, "link", O_RDONLY | O_NOFOLLOW),
		-ELOOP);
	assert_int_equal(
		sys.ops->open(NULL, dir, "link",
			      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW),
		-EEXIST);
	assert_int_equal(sys.ops->unlink(NULL, dir, "link"), 0);
	close(dir);
	rmdir(path);
}

static void two_mounts_are_told_apart(void **state)
{
	uint64_t a = 0, b = 0, again = 1;
	int memory = open("/dev/shm", O_RDONLY), proc = open("/proc", O_RDONLY);

	(void)state;
	assert_int_equal(sys.ops->mount(NULL, memory, &a), 0);
	assert_int_equal(sys.ops->mount(NULL, proc, &b), 0);
	assert_int_equal(sys.ops->mount(NULL, memory, &again), 0);
	assert_int_equal(a, again);
	assert_int_not_equal(a, b);
	close(memory);
	close(proc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resident_pages_are_counted_by_either_call),
		cmocka_unit_test(no_more_is_resident_than_there_is),
		cmocka_unit_test(a_kernel_without_io_uring_is_told),
		cmocka_unit_test(a_call_that_fails_returns_its_errno),
		cmocka_unit_test(a_symbolic_link_is_not_followed),
		cmocka_unit_test(two_mounts_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
