/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/lock.h"
#include "runner/process.h"
#include "tests/unit/unit.h"

/* A folder with a database, another by the same name, and a link to itself. */
static int make_place(void **state)
{
	static char path[] = "/tmp/lock.XXXXXX";

	*state = mkdtemp(path);
	if (!*state || chdir(path) < 0)
		return -1;
	return mkdir("sub", 0700) < 0 || symlink(path, "self") < 0;
}

static int remove_place(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf --one-file-system %s",
		 (char *)*state);
	return system(command);
}

/* Take it in a child; 0: it can be had; else the code, with the words. */
static int other_takes(struct lock *(*take)(const char *, struct err *),
		       const char *path, char *words, size_t size)
{
	struct err err = { 0 };
	int ends[2], status;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		lock_free(take(path, &err));
		if (write(ends[1], err.text, strlen(err.text)) < 0)
			_exit(1);
		_exit((int)err.code);
	}
	close(ends[1]);
	got = read(ends[0], words, size - 1);
	words[got > 0 ? got : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static struct lock *take_image(const char *path, struct err *err)
{
	char name[] = "scratch", copy[256];
	struct matrix_volume volume = { .name = name, .kind = MATRIX_IMAGE };

	snprintf(copy, sizeof(copy), "%s", path);
	volume.path = copy;
	return lock_take_volume(&volume, err);
}

static struct lock *take_directory(const char *path, struct err *err)
{
	char name[] = "home", copy[256];
	struct matrix_volume volume = { .name = name,
					.kind = MATRIX_DIRECTORY };

	snprintf(copy, sizeof(copy), "%s", path);
	volume.path = copy;
	return lock_take_volume(&volume, err);
}

static void an_image_is_its_folder_and_its_name_in_there(void **state)
{
	static const struct {
		const char *path;
		int code;
	} others[] = {
		{ "a.img", ERR_BUSY },      { "./sub/../a.img", ERR_BUSY },
		{ "self/a.img", ERR_BUSY }, { "b.img", 0 },
		{ "sub/a.img", 0 },
	};
	struct err err = { 0 };
	struct lock *lock = take_image("a.img", &err);
	char words[512];

	(void)state;
	assert_non_null(lock);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_int_equal(other_takes(take_image, others[i].path, words,
					     sizeof(words)),
				 others[i].code);
	lock_free(lock);
	assert_int_equal(other_takes(take_image, "a.img", words, sizeof(words)),
			 0);
}

static void the_holder_is_named(void **state)
{
	struct err err = { 0 };
	struct lock *lock = take_directory("sub", &err);
	char words[512], expected[80];

	(void)state;
	assert_non_null(lock);
	assert_int_equal(
		other_takes(take_directory, "self/sub", words, sizeof(words)),
		ERR_BUSY);
	snprintf(expected, sizeof(expected), ", pid %d, since 2",
		 (int)getpid());
	assert_non_null(strstr(words, "volume home (self/sub) is in use by "));
	assert_non_null(strstr(words, expected));
	lock_free(lock);
}

static void a_process_may_take_again_what_it_has(void **state)
{
	struct err err = { 0 };
	struct lock *first = take_directory("sub", &err);
	struct lock *second = take_directory("sub", &err);
	char words[512];

	(void)state;
	assert_non_null(first);
	assert_non_null(second);
	lock_free(second);
	assert_int_equal(
		other_takes(take_directory, "sub", words, sizeof(words)),
		ERR_BUSY);
	lock_free(first);
}

/* The lock of a directory, as a file's name. */
static void lock_path(const char *directory, char *path, size_t size)
{
	const char *place =
		access("/run/lock", W_OK) == 0 ? "/run/lock" : "/tmp";
	struct stat st;

	assert_int_equal(stat(directory, &st), 0);
	snprintf(path, size,
		 "%s/fsmatrix-directory-%" PRIx64 "-%" PRIu64 ".lock", place,
		 (uint64_t)st.st_dev, (uint64_t)st.st_ino);
}

/* Everybody may write in the file that says who has the lock. */
static void another_holder_that_claims_to_be_us_is_another(void **state)
{
	struct err err = { 0 };
	char path[256], word;
	int begun[2], over[2], fd;
	struct lock *lock;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(begun), 0);
	assert_int_equal(pipe(over), 0);
	pid = fork();
	if (pid == 0) {
		close(over[1]);
		if (!take_directory("sub", &err) ||
		    write(begun[1], "y", 1) != 1 || read(over[0], &word, 1))
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(begun[0], &word, 1), 1);
	lock_path("sub", path, sizeof(path));
	fd = open(path, O_WRONLY | O_TRUNC);
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "%d %" PRIu64 " 2026-01-31T23:15:00Z x\n",
			    (int)getpid(), process_start(getpid())) > 0);
	close(fd);
	lock = take_directory("sub", &err);
	assert_null(lock);
	assert_int_equal(err.code, ERR_BUSY);
	close(over[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(over[0]);
	close(begun[0]);
	close(begun[1]);
	unlink(path);
}

static void a_killed_holder_holds_nothing(void **state)
{
	char words[512], word;
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		struct err err = { 0 };

		if (!lock_take_database("k.db", &err) ||
		    write(ends[1], "y", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(ends[0], &word, 1), 1);
	assert_int_equal(
		other_takes(lock_take_database, "k.db", words, sizeof(words)),
		ERR_BUSY);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(
		other_takes(lock_take_database, "k.db", words, sizeof(words)),
		0);
	close(ends[0]);
	close(ends[1]);
}

static void a_database_is_one_by_all_its_names(void **state)
{
	struct err err = { 0 };
	struct lock *lock = lock_take_database("x.db", &err);
	char words[512];

	(void)state;
	assert_non_null(lock);
	assert_int_equal(link("x.db", "hard.db"), 0);
	assert_int_equal(symlink("x.db", "soft.db"), 0);
	assert_int_equal(other_takes(lock_take_database, "hard.db", words,
				     sizeof(words)),
			 ERR_BUSY);
	assert_int_equal(other_takes(lock_take_database, "self/soft.db", words,
				     sizeof(words)),
			 ERR_BUSY);
	assert_int_equal(
		other_takes(lock_take_database, "y.db", words, sizeof(words)),
		0);
	lock_free(lock);
}

/* Everybody may write where locks are. */
static void what_others_laid_there_is_not_written_to(void **state)
{
	const char *place =
		access("/run/lock", W_OK) == 0 ? "/run/lock" : "/tmp";
	char name[256], text[16] = "";
	struct err err = { 0 };
	struct stat st;
	int fd = open("z.db", O_CREAT | O_RDWR, 0600);

	(void)state;
	assert_int_equal(fstat(fd, &st), 0);
	close(fd);
	snprintf(name, sizeof(name),
		 "%s/fsmatrix-database-%" PRIx64 "-%" PRIu64 ".lock", place,
		 (uint64_t)st.st_dev, (uint64_t)st.st_ino);
	fd = open("precious", O_CREAT | O_RDWR, 0600);
	assert_int_equal(write(fd, "precious", 8), 8);

	/* a killed holder of what had this inode before may have left it */
	unlink(name);
	assert_int_equal(symlink("/tmp/none", name), 0);
	assert_null(lock_take_database("z.db", &err));
	assert_int_equal(err.code, ERR_FAILED);
	unlink(name);

	err = (struct err){ 0 };
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_null(lock_take_database("z.db", &err));
	assert_int_equal(err.code, ERR_FAILED);
	unlink(name);

	/* Only where both are on one filesystem. */
	err = (struct err){ 0 };
	if (link("precious", name) == 0) {
		assert_null(lock_take_database("z.db", &err));
		assert_int_equal(err.code, ERR_FAILED);
		unlink(name);
	}
	assert_int_equal(pread(fd, text, sizeof(text), 0), 8);
	assert_string_equal(text, "precious");
	close(fd);

	err = (struct err){ 0 };
	lock_free(lock_take_database("z.db", &err));
	assert_int_equal(err.code, ERR_NONE);
	assert_int_equal(access(name, F_OK), -1);
}

static void what_is_not_there_is_named(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(take_image("none/a.img", &err));
	assert_string_equal(err.text,
			    "image none/a.img: No such file or directory; "
			    "the folder that it is to be in must be there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_is_its_folder_and_its_name_in_there),
		cmocka_unit_test(the_holder_is_named),
		cmocka_unit_test(a_process_may_take_again_what_it_has),
		cmocka_unit_test(
			another_holder_that_claims_to_be_us_is_another),
		cmocka_unit_test(a_killed_holder_holds_nothing),
		cmocka_unit_test(a_database_is_one_by_all_its_names),
		cmocka_unit_test(what_others_laid_there_is_not_written_to),
		cmocka_unit_test(what_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, make_place, remove_place);
}
