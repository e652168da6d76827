/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/disk.h"
#include "tests/unit/unit.h"

/*
 * A machine: sda with sda1; dm-0 on sda1 (a crypt), dm-1 on sda1 and sdb (a
 * striped volume); loop0 on a file of the folder that the test runs in, which
 * is on the real device `here`, and which this machine knows as sdb.
 */
static const char build[] =
	"set -e; cd \"$ROOT\"; b=sys/devices/pci/block "
	"v=sys/devices/virtual/block;"
	"mkdir -p $b/sda/sda1 $b/sdb $v/dm-0/slaves $v/dm-1/slaves "
	"$v/loop0/loop $v/loop1 sys/dev/block images;"
	"echo 2001:0 > $b/sda/dev; echo 2001:1 > $b/sda/sda1/dev;"
	"echo 1 > $b/sda/sda1/partition; echo 2001:16 > $b/sdb/dev;"
	"echo 2000:0 > $v/dm-0/dev; echo 2000:1 > $v/dm-1/dev;"
	"ln -s ../../../../pci/block/sda/sda1 $v/dm-0/slaves/sda1;"
	"ln -s ../../../../pci/block/sda/sda1 $v/dm-1/slaves/sda1;"
	"ln -s ../../../../pci/block/sdb $v/dm-1/slaves/sdb;"
	"echo 2002:0 > $v/loop0/dev; echo /images/a.img > "
	"$v/loop0/loop/backing_file;"
	": > images/a.img;"
	"ln -s ../../devices/pci/block/sda sys/dev/block/2001:0;"
	"ln -s ../../devices/pci/block/sda/sda1 sys/dev/block/2001:1;"
	"ln -s ../../devices/virtual/block/dm-0 sys/dev/block/2000:0;"
	"ln -s ../../devices/virtual/block/dm-1 sys/dev/block/2000:1;"
	"ln -s ../../devices/virtual/block/loop0 sys/dev/block/2002:0;"
	"ln -s ../../devices/virtual/block/loop1 sys/dev/block/2002:1;"
	"[ \"${HERE%%:*}\" = 0 ] || "
	"ln -s ../../devices/pci/block/sdb sys/dev/block/$HERE";

static int make_machine(void **state)
{
	static char root[] = "/tmp/disk-XXXXXX";
	char here[32];
	struct stat st;

	if (!mkdtemp(root) || stat(root, &st) < 0)
		return -1;
	snprintf(here, sizeof(here), "%u:%u", major(st.st_dev),
		 minor(st.st_dev));
	setenv("ROOT", root, 1);
	setenv("HERE", here, 1);
	*state = root;
	return system(build);
}

static int remove_machine(void **state)
{
	(void)state;
	return system("rm -r \"$ROOT\"");
}

static void assert_stat(const char *root, unsigned int major_number,
			unsigned int minor_number, const char *expected)
{
	char path[256];

	disk_stat_path(root, makedev(major_number, minor_number), path,
		       sizeof(path));
	if (!expected[0]) {
		assert_string_equal(path, "");
		return;
	}
	assert_memory_equal(path, root, strlen(root));
	assert_string_equal(path + strlen(root), expected);
}

static void a_partition_leads_to_its_disk(void **state)
{
	assert_stat(*state, 2001, 0, "/sys/devices/pci/block/sda/stat");
	assert_stat(*state, 2001, 1, "/sys/devices/pci/block/sda/stat");
}

static void a_mapping_leads_to_its_device_if_it_is_one(void **state)
{
	assert_stat(*state, 2000, 0, "/sys/devices/pci/block/sda/stat");
	assert_stat(*state, 2000, 1, "/sys/devices/virtual/block/dm-1/stat");
}

static void a_loop_device_leads_to_the_disk_of_its_file(void **state)
{
	struct stat st;

	assert_int_equal(stat(*state, &st), 0);
	if (major(st.st_dev) == 0)
		skip(); /* the test runs on a filesystem without a device */
	assert_stat(*state, 2002, 0, "/sys/devices/pci/block/sdb/stat");
}

static void the_disk_has_a_name(void **state)
{
	char name[64];

	disk_name(*state, makedev(2000, 0), name, sizeof(name));
	assert_string_equal(name, "sda");
	disk_name(*state, makedev(2000, 1), name, sizeof(name));
	assert_string_equal(name, "dm-1");
	disk_name(*state, 0, name, sizeof(name));
	assert_string_equal(name, "");
}

static void a_device_without_more_is_its_own(void **state)
{
	assert_stat(*state, 2002, 1, "/sys/devices/virtual/block/loop1/stat");
	assert_stat(*state, 9, 9, "");
	assert_stat(*state, 0, 0, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_partition_leads_to_its_disk),
		cmocka_unit_test(a_mapping_leads_to_its_device_if_it_is_one),
		cmocka_unit_test(a_loop_device_leads_to_the_disk_of_its_file),
		cmocka_unit_test(the_disk_has_a_name),
		cmocka_unit_test(a_device_without_more_is_its_own),
	};

	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
