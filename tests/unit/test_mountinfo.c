/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/mountinfo.h"
#include "tests/unit/unit.h"

static const char recorded[] = TESTS_DIR "/hosts/mounts/mountinfo";

static struct mountinfo at(const char *path)
{
	struct mountinfo info = { 0 };
	struct err err = { 0 };

	if (!mountinfo_at(recorded, path, &info, &err))
		fail_msg("%s", err.text);
	return info;
}

static void escaped_paths_are_read_as_they_are(void **state)
{
	struct mountinfo info = at("/media/me/USB STICK\t3");

	(void)state;
	assert_string_equal(info.type, "vfat");
	assert_string_equal(info.source, "/dev/sdb1");
	assert_string_equal(info.options, "rw,nosuid,nodev,relatime,fmask=0022,"
					  "codepage=437");
	assert_true(info.device == makedev(8, 17));
	assert_int_equal(info.id, 40);
	mountinfo_done(&info);
}

static void of_two_mounts_at_one_place_the_upper_counts(void **state)
{
	struct mountinfo info = at("/run/fsmatrix-abc");

	(void)state;
	assert_string_equal(info.type, "fuse.fusefat");
	assert_int_equal(info.id, 43);
	mountinfo_done(&info);
}

static void a_path_must_match_whole(void **state)
{
	struct mountinfo info = at("/run/fsmatrix-a");
	struct err err = { 0 };

	(void)state;
	assert_string_equal(info.type, "ext4");
	mountinfo_done(&info);
	assert_false(mountinfo_at(recorded, "/run/fsmatrix", &info, &err));
	assert_string_equal(err.text, "nothing is mounted at /run/fsmatrix");
}

static void a_mount_is_found_by_its_id(void **state)
{
	struct mountinfo info = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_true(mountinfo_by_id(recorded, 31, &info, &err));
	assert_string_equal(info.target, "/home");
	assert_string_equal(info.source, "/dev/mapper/vg-home");
	mountinfo_done(&info);
	assert_false(mountinfo_by_id(recorded, 4, &info, &err));
	assert_string_equal(err.text, "no mount has the id 4");
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct mountinfo info;
	struct err err = { 0 };

	(void)state;
	assert_false(mountinfo_at("/nowhere/mountinfo", "/", &info, &err));
	assert_string_equal(err.text,
			    "reading /nowhere/mountinfo: No such file "
			    "or directory");
}

static void our_own_files_are_on_a_mount(void **state)
{
	int fd = open("/proc/self", O_RDONLY | O_DIRECTORY);
	struct mountinfo info = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_true(fd >= 0);
	assert_true(mountinfo_of(fd, &info, &err));
	assert_true(info.id > 0);
	assert_string_equal(info.type, "proc");
	mountinfo_done(&info);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escaped_paths_are_read_as_they_are),
		cmocka_unit_test(of_two_mounts_at_one_place_the_upper_counts),
		cmocka_unit_test(a_path_must_match_whole),
		cmocka_unit_test(a_mount_is_found_by_its_id),
		cmocka_unit_test(a_file_that_is_not_there_is_named),
		cmocka_unit_test(our_own_files_are_on_a_mount),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
