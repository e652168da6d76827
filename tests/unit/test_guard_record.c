/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/guard_record.h"
#include "tests/unit/unit.h"

#define BOOT   "11111111-2222-3333-4444-555555555555"
#define HEADER "fsmatrix-record 2 " BOOT " 77 88\n"
#define OLD    "fsmatrix-record 1 " BOOT " 77 88\n"

/* A place for records that is gone with the test. */
static int make_state(void **state)
{
	static char path[] = "/tmp/guard_record.XXXXXX";
	char template[] = "/tmp/guard_record.XXXXXX";

	memcpy(path, template, sizeof(path));
	*state = mkdtemp(path);
	return *state ? setenv("FSMATRIX_STATE", *state, 1) : -1;
}

static int remove_state(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf --one-file-system %s",
		 (char *)*state);
	return system(command);
}

static struct guard_record parsed(const char *text)
{
	struct guard_record record = { 0 };
	struct err err = { 0 };

	assert_true(
		guard_record_parse(text, strlen(text), BOOT, &record, &err));
	return record;
}

static void what_was_added_is_in_force_in_its_order(void **state)
{
	struct guard_record r =
		parsed(HEADER "+ file 1 2 0 3 /x/a b.img\n"
			      "+ directory 4 5 0 6 /x/.fsmatrix-Ab3dEf\n"
			      "+ mount 0 0 0 7 /run/fsmatrix-Ab3dEf\n"
			      "+ loop 8 9 14 10 /dev/loop3\n"
			      "+ process 11 12 0 13 ntfs-3g\n");

	(void)state;
	assert_true(r.this_boot);
	assert_int_equal(r.owner, 77);
	assert_int_equal(r.owner_start, 88);
	assert_int_equal(r.count, 5);
	assert_int_equal(r.entries[0].kind, GUARD_FILE);
	assert_string_equal(r.entries[0].name, "/x/a b.img");
	assert_int_equal(r.entries[0].a, 1);
	assert_int_equal(r.entries[0].b, 2);
	assert_int_equal(r.entries[0].since_ns, 3);
	assert_int_equal(r.entries[1].kind, GUARD_DIRECTORY);
	assert_int_equal(r.entries[2].kind, GUARD_MOUNT);
	assert_int_equal(r.entries[3].kind, GUARD_LOOP);
	assert_int_equal(r.entries[3].c, 14);
	assert_int_equal(r.entries[4].kind, GUARD_PROCESS);
	guard_record_done(&r);
}

static void what_is_gone_or_known_later_is_so(void **state)
{
	char text[512];
	size_t file = strlen(HEADER);
	struct guard_record r;

	(void)state;
	snprintf(text, sizeof(text),
		 HEADER "+ file 0 0 0 3 /x/a\n+ file 0 0 0 4 /x/b\n"
			"= %zu 21 22 23\n- %zu\n= %zu 1 1 1\n",
		 file + strlen("+ file 0 0 0 3 /x/a\n"), file, file);
	r = parsed(text);
	assert_int_equal(r.count, 1);
	assert_string_equal(r.entries[0].name, "/x/b");
	assert_int_equal(r.entries[0].a, 21);
	assert_int_equal(r.entries[0].b, 22);
	assert_int_equal(r.entries[0].c, 23);
	guard_record_done(&r);
}

static void a_line_cut_short_ends_the_record(void **state)
{
	static const char *const tails[] = {
		"+ file 0 0 0 4 /x/b",         "+ file 0 0",
		"+ thing 0 0 4 /x/b\n",        "+ file 0 0 0 4\n",
		"+ file x 0 0 4 /x/b\n",       "nonsense\n",
		"+ file 0 0 0 4 /x/b\\7\n",    "+ file 0 0 0 4 /x/b\\900\n",
		"= what\n+ file 0 0 0 4 /b\n", "- \n+ file 0 0 0 4 /b\n",
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		struct guard_record r;

		snprintf(text, sizeof(text), HEADER "+ file 0 0 0 3 /x/a\n%s",
			 tails[i]);
		r = parsed(text);
		assert_int_equal(r.count, 1);
		guard_record_done(&r);
	}
}

/* What a power cut leaves of a line that was not yet on the disk. */
static void zeros_at_the_end_are_no_entry(void **state)
{
	static const char text[] = HEADER
		"+ file 0 0 0 3 /x/a\n\0\0\0\0\0\0\n+ file 0 0 0 3 /x/b\n";
	struct guard_record r = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_true(guard_record_parse(text, sizeof(text) - 1, BOOT, &r, &err));
	assert_int_equal(r.count, 1);
	guard_record_done(&r);
}

static void a_record_of_version_1_knows_less(void **state)
{
	char text[512];
	size_t loop = strlen(OLD);
	struct guard_record r;

	(void)state;
	snprintf(text, sizeof(text),
		 OLD "+ loop 8 9 10 /dev/loop3\n+ file 0 0 6 /x/a\n"
		     "= %zu 4 5\n",
		 loop + strlen("+ loop 8 9 10 /dev/loop3\n"));
	r = parsed(text);
	assert_int_equal(r.count, 2);
	assert_int_equal(r.entries[0].a, 8);
	assert_int_equal(r.entries[0].b, 9);
	assert_int_equal(r.entries[0].c, 0);
	assert_int_equal(r.entries[0].since_ns, 10);
	assert_string_equal(r.entries[0].name, "/dev/loop3");
	assert_int_equal(r.entries[1].b, 5);
	assert_int_equal(r.entries[1].c, 0);
	guard_record_done(&r);
}

/* Also those that became known later. */
static void another_boot_gave_other_device_numbers(void **state)
{
	struct guard_record r = { 0 };
	struct err err = { 0 };
	char text[512];

	(void)state;
	snprintf(text, sizeof(text),
		 HEADER "+ file 1 2 4 3 /x/a\n+ file 0 0 0 3 /x/b\n"
			"= %zu 5 6 7\n",
		 strlen(HEADER "+ file 1 2 4 3 /x/a\n"));
	assert_true(guard_record_parse(text, strlen(text), "other", &r, &err));
	assert_false(r.this_boot);
	assert_int_equal(r.count, 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(r.entries[i].a, 0);
	assert_int_equal(r.entries[0].b, 2);
	assert_int_equal(r.entries[0].c, 4);
	assert_int_equal(r.entries[1].b, 6);
	assert_int_equal(r.entries[1].c, 7);
	guard_record_done(&r);
}

static void what_is_no_record_is_refused(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "root:x:0:0\n", "not a record" },
		{ "fsmatrix-record 3 " BOOT " 1 1\n",
		  "a record of version 3; this program knows 2" },
		{ "fsmatrix-record 0 " BOOT " 1 1\n",
		  "a record of version 0; this program knows 2" },
		{ "fsmatrix-record 1 " BOOT "\n", "a damaged record" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct guard_record r = { 0 };
		struct err err = { 0 };

		assert_false(guard_record_parse(
			cases[i].text, strlen(cases[i].text), BOOT, &r, &err));
		assert_int_equal(err.code, ERR_INPUT);
		assert_string_equal(err.text, cases[i].words);
	}
}

/* The header was not on the disk yet, so nothing was made. */
static void an_empty_file_holds_nothing(void **state)
{
	struct guard_record r = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_true(guard_record_parse("", 0, BOOT, &r, &err));
	assert_int_equal(r.count, 0);
	assert_true(guard_record_parse("fsmatr", 6, BOOT, &r, &err));
	assert_int_equal(r.count, 0);
}

static void a_name_of_any_bytes_comes_back(void **state)
{
	char name[] = "/x/a\nb\\c\td\x01\x7f \xc3\xb6\xff";
	struct guard_entry entry = { .kind = GUARD_FILE, .name = name };
	struct guard_record r = { 0 };
	struct err err = { 0 };
	guard_ticket ticket = 0;
	char *path = NULL;
	int fd = guard_record_create(&path, &err);

	(void)state;
	assert_true(fd >= 0);
	assert_true(guard_record_add(fd, &entry, &ticket, &err));
	assert_true(guard_record_read(fd, &r, &err));
	assert_true(r.this_boot);
	assert_int_equal(r.owner, getpid());
	assert_int_equal(r.count, 1);
	assert_int_equal(r.entries[0].ticket, ticket);
	assert_string_equal(r.entries[0].name, name);
	guard_record_done(&r);
	unlink(path);
	free(path);
	close(fd);
}

static void a_record_is_locked_and_private(void **state)
{
	struct err err = { 0 };
	struct stat st;
	char *path = NULL;
	int fd = guard_record_create(&path, &err), other;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	other = open(path, O_RDWR);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
	assert_int_equal(errno, EWOULDBLOCK);
	close(fd);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
	close(other);
	unlink(path);
	free(path);
}

static void a_cleared_record_is_usable_again(void **state)
{
	char name[] = "/x/a";
	struct guard_entry entry = { .kind = GUARD_FILE, .name = name };
	struct guard_record r = { 0 };
	struct err err = { 0 };
	guard_ticket first = 0, second = 0;
	char *path = NULL;
	int fd = guard_record_create(&path, &err);

	(void)state;
	assert_true(guard_record_add(fd, &entry, &first, &err));
	guard_record_drop(fd, first);
	guard_record_clear(fd);
	assert_true(guard_record_add(fd, &entry, &second, &err));
	assert_int_equal(first, second);
	assert_true(guard_record_read(fd, &r, &err));
	assert_int_equal(r.count, 1);
	guard_record_done(&r);
	unlink(path);
	free(path);
	close(fd);
}

static void a_place_where_others_can_write_is_refused(void **state)
{
	struct err err = { 0 };
	char *path = NULL;

	assert_int_equal(chmod(*state, 0777), 0);
	assert_int_equal(guard_record_create(&path, &err), -1);
	assert_int_equal(err.code, ERR_REFUSED);
	assert_int_equal(chmod(*state, 0700), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_in_force_in_its_order),
		cmocka_unit_test(what_is_gone_or_known_later_is_so),
		cmocka_unit_test(a_line_cut_short_ends_the_record),
		cmocka_unit_test(zeros_at_the_end_are_no_entry),
		cmocka_unit_test(a_record_of_version_1_knows_less),
		cmocka_unit_test(another_boot_gave_other_device_numbers),
		cmocka_unit_test(what_is_no_record_is_refused),
		cmocka_unit_test(an_empty_file_holds_nothing),
		cmocka_unit_test(a_name_of_any_bytes_comes_back),
		cmocka_unit_test(a_record_is_locked_and_private),
		cmocka_unit_test(a_cleared_record_is_usable_again),
		cmocka_unit_test(a_place_where_others_can_write_is_refused),
	};

	return cmocka_run_group_tests(tests, make_state, remove_state);
}
