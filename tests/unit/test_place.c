/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "reports/place.h"
#include "tests/unit/unit.h"

static const struct record_place home = {
	.kind = "directory",
	.path = "/home/bench",
	.type = "ext4",
	.device = "/dev/sda2",
	.disk = "sda",
	.model = "Samsung SSD 870",
	.disk_bytes = 1000,
};
static const struct record_place memory = { .kind = "directory",
					    .path = "/dev/shm",
					    .type = "tmpfs",
					    .device = "tmpfs" };
static const struct record_place image = {
	.kind = "image",
	.path = "/srv/a.img",
	.type = "ext4",
	.device = "/dev/loop0",
	.disk = "sda",
	.model = "Samsung SSD 870",
	.disk_bytes = 1000,
};
static const struct record_place stick = {
	.kind = "device",
	.path = "/dev/disk/by-id/usb-X-part1",
	.type = "vfat",
	.device = "/dev/sdc1",
	.disk = "sdc",
	.model = "X",
	.disk_bytes = 500,
};

static bool differ(struct record_place a, struct record_place b)
{
	struct place x, y;
	void *strings = NULL;
	bool differs;

	assert_true(place_set(&x, &strings, &a));
	assert_true(place_set(&y, &strings, &b));
	differs = place_differs(&x, &y);
	assert_int_equal(place_differs(&y, &x), differs);
	tdestroy(strings, free);
	return differs;
}

static void another_directory_of_a_filesystem_is_the_same_place(void **state)
{
	struct record_place other = home;

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
	struct record_place other = home;

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
	struct record_place other = image;

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
	struct record_place a = { .kind = "image", .path = "/dev/shm/a.img" };
	struct record_place b = { .kind = "image", .path = "/net/a.img" };

	(void)state;
	assert_false(differ(a, a));
	assert_true(differ(a, b));
}

static void a_disk_may_get_another_name_from_the_kernel(void **state)
{
	struct record_place other = home;

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
	struct record_place other = stick;

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
	const struct record_place unknown = { .kind = "image" };

	(void)state;
	assert_false(differ(image, unknown));
	assert_false(differ(unknown, home));
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
