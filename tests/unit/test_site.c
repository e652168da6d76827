/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/site.h"
#include "tests/unit/unit.h"

static const struct record_site home = {
	.kind = "directory",
	.path = "/home/bench",
	.type = "ext4",
	.device = "/dev/sda2",
	.disk = "sda",
	.model = "Samsung SSD 870",
	.disk_bytes = 1000,
};
static const struct record_site memory = { .kind = "directory",
					   .path = "/dev/shm",
					   .type = "tmpfs",
					   .device = "tmpfs" };
static const struct record_site image = {
	.kind = "image",
	.path = "/srv/a.img",
	.type = "ext4",
	.device = "/dev/loop0",
	.disk = "sda",
	.model = "Samsung SSD 870",
	.disk_bytes = 1000,
};
static const struct record_site stick = {
	.kind = "device",
	.path = "/dev/disk/by-id/usb-X-part1",
	.type = "vfat",
	.device = "/dev/sdc1",
	.disk = "sdc",
	.model = "X",
	.disk_bytes = 500,
};

static bool differ(struct record_site a, struct record_site b)
{
	struct site x, y;
	void *strings = NULL;
	bool differs;

	assert_true(site_set(&x, &strings, &a));
	assert_true(site_set(&y, &strings, &b));
	differs = site_is_elsewhere(&x, &y);
	assert_int_equal(site_is_elsewhere(&y, &x), differs);
	tdestroy(strings, free);
	return differs;
}

static void another_directory_of_a_filesystem_is_the_same_place(void **state)
{
	struct record_site other = home;

	(void)state;
	other.path = "/home/other";
	assert_false(differ(home, other));
	other = memory;
	other.path = "/run/bench";
	other.device = "run";
	assert_false(differ(memory, other));
}

static void another_filesystem_is_another_place(void **state)
{
	struct record_site other = home;

	(void)state;
	assert_true(differ(home, memory));
	other.path = "/srv";
	other.device = "/dev/sda3";
	assert_true(differ(home, other));
	/* What was mounted there is gone, and / shows. */
	other.path = home.path;
	assert_true(differ(home, other));
}

static void an_image_is_where_its_disk_is(void **state)
{
	struct record_site other = image;

	(void)state;
	other.path = "/clone/a.img";
	other.device = "/dev/loop7";
	assert_false(differ(image, other));
	other.disk = NULL;
	other.model = NULL;
	other.disk_bytes = 0;
	assert_true(differ(image, other));
	other = image;
	other.path = "/mnt/a.img";
	other.disk = "sdb";
	assert_true(differ(image, other));
	other.path = image.path;
	other.model = "another";
	assert_true(differ(image, other));
}

static void images_without_a_disk_are_alike_by_their_paths(void **state)
{
	struct record_site a = { .kind = "image", .path = "/dev/shm/a.img" };
	struct record_site b = { .kind = "image", .path = "/net/a.img" };

	(void)state;
	assert_false(differ(a, a));
	assert_true(differ(a, b));
}

static void a_disk_may_get_another_name_from_the_kernel(void **state)
{
	struct record_site other = home;

	(void)state;
	other.disk = "sdb";
	other.device = "/dev/sdb2";
	assert_false(differ(home, other));
	other = stick;
	other.disk = "sdd";
	other.device = "/dev/sdd1";
	assert_false(differ(stick, other));
}

static void a_device_is_its_partition_by_whatever_name(void **state)
{
	struct record_site other = stick;

	(void)state;
	other.path = "/dev/disk/by-partuuid/1";
	assert_false(differ(stick, other));
	other.device = "/dev/sdc2";
	assert_true(differ(stick, other));
	other.kind = "directory";
	assert_true(differ(stick, other));
}

static void of_what_was_imported_nothing_is_known(void **state)
{
	const struct record_site unknown = { .kind = "image" };

	(void)state;
	assert_false(differ(image, unknown));
	assert_false(differ(unknown, home));
}

static bool made_otherwise(struct record_site a, struct record_site b)
{
	struct site x, y;
	void *strings = NULL;
	bool otherwise;

	assert_true(site_set(&x, &strings, &a));
	assert_true(site_set(&y, &strings, &b));
	otherwise = site_is_made_otherwise(&x, &y);
	assert_int_equal(site_is_made_otherwise(&y, &x), otherwise);
	tdestroy(strings, free);
	return otherwise;
}

static void commands_are_the_same_on_whatever_device(void **state)
{
	const struct record_site one = {
		.device = "/dev/loop1",
		.driver = "ext4",
		.mkfs_command = "mkfs.ext4 -q /dev/loop1",
		.mount_command = "mount -t ext4 /dev/loop1 /run/a",
	};
	struct record_site other = one;

	(void)state;
	other.device = "/dev/loop10";
	other.mkfs_command = "mkfs.ext4 -q /dev/loop10";
	other.mount_command = "mount -t ext4 /dev/loop10 /run/b";
	assert_false(made_otherwise(one, other));
	other.mkfs_command = "mkfs.ext4 -q -L /dev/loop1 /dev/loop10";
	assert_true(made_otherwise(one, other));
}

static void other_options_make_another_filesystem(void **state)
{
	const struct record_site plain = {
		.device = "/dev/sdz1",
		.driver = "ext4",
		.mkfs_command = "mkfs.ext4 -q /dev/sdz1",
		.mount_command = "mount -t ext4 /dev/sdz1 /run/a",
	};
	const struct record_site unknown = { .kind = "image" };
	struct record_site other = plain;

	(void)state;
	other.mount_command = "mount -t ext4 -o sync /dev/sdz1 /run/a";
	assert_true(made_otherwise(plain, other));
	other.driver = "fuse2fs"; /* whose options are others anyway */
	assert_false(made_otherwise(plain, other));
	other.mkfs_command = "mkfs.ext4 -q -b 1024 /dev/sdz1";
	assert_true(made_otherwise(plain, other));
	assert_false(made_otherwise(plain, unknown));
	assert_false(made_otherwise(unknown, unknown));
}

static void a_making_is_told_without_its_device(void **state)
{
	const struct record_site from = {
		.device = "/dev/loop1",
		.mkfs_command = "mkfs.ext4 -q /dev/loop1",
		.mount_command = "mount -t ext4 -o sync /dev/loop1 /run/a",
	};
	struct site site;
	void *strings = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	assert_true(site_set(&site, &strings, &from));
	site_put_making(&site, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "mkfs.ext4 -q, mount -t ext4 -o sync");
	free(text);
	tdestroy(strings, free);
}

static void what_no_line_has_room_for_is_cut(void **state)
{
	char command[1000] = "mkfs.ext4 ";
	const struct record_site from = { .mkfs_command = command };
	struct site site;
	void *strings = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	memset(command + 10, 'x', sizeof(command) - 11);
	assert_non_null(out);
	assert_true(site_set(&site, &strings, &from));
	site_put_making(&site, out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(size, 203);
	assert_string_equal(text + 199, "x...");
	free(text);
	tdestroy(strings, free);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			another_directory_of_a_filesystem_is_the_same_place),
		cmocka_unit_test(another_filesystem_is_another_place),
		cmocka_unit_test(an_image_is_where_its_disk_is),
		cmocka_unit_test(
			images_without_a_disk_are_alike_by_their_paths),
		cmocka_unit_test(a_disk_may_get_another_name_from_the_kernel),
		cmocka_unit_test(a_device_is_its_partition_by_whatever_name),
		cmocka_unit_test(of_what_was_imported_nothing_is_known),
		cmocka_unit_test(commands_are_the_same_on_whatever_device),
		cmocka_unit_test(other_options_make_another_filesystem),
		cmocka_unit_test(a_making_is_told_without_its_device),
		cmocka_unit_test(what_no_line_has_room_for_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
