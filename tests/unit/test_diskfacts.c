/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "runner/diskfacts.h"
#include "tests/unit/host_fixture.h"
#include "tests/unit/unit.h"

static void read_disk(const char *machine, const char *name,
		      struct diskfacts *facts)
{
	struct host host;

	host_unpack(&host, machine);
	diskfacts_read(host.root, name, facts);
	host_remove(&host);
}

static void an_nvme_disk_is_read_in_full(void **state)
{
	struct diskfacts facts;
	struct record_disk disk;

	(void)state;
	read_disk("laptop", "nvme0n1", &facts);
	disk = diskfacts_record(&facts);
	assert_string_equal(disk.name, "nvme0n1");
	assert_string_equal(disk.model, "Samsung SSD 980 PRO 1TB");
	assert_string_equal(disk.firmware, "5B2QGXA7");
	assert_true(disk.bytes == INT64_C(1953525168) * 512);
	assert_false(disk.rotational);
	assert_string_equal(disk.scheduler, "none");
	assert_string_equal(disk.write_cache, "write back");
	assert_null(disk.vendor);
}

static void a_disk_that_turns_says_so(void **state)
{
	struct diskfacts facts;

	(void)state;
	read_disk("server", "sda", &facts);
	assert_true(facts.rotational);
	assert_string_equal(facts.model, "ST4000NM0035-1V4");
	assert_string_equal(facts.firmware, "TN03");
	assert_string_equal(facts.scheduler, "mq-deadline");
}

static void a_serial_number_is_not_among_it(void **state)
{
	struct diskfacts facts;

	(void)state;
	read_disk("server", "sda", &facts);
	for (size_t i = 0; i + 8 <= sizeof(facts); i++)
		assert_int_not_equal(
			memcmp((const char *)&facts + i, "ZC1ABCD1", 8), 0);
}

static void what_a_virtual_disk_does_not_say_is_absent(void **state)
{
	struct diskfacts facts;
	struct record_disk disk;

	(void)state;
	read_disk("vm", "vda", &facts);
	disk = diskfacts_record(&facts);
	assert_string_equal(disk.name, "vda");
	assert_null(disk.model);
	assert_null(disk.firmware);
	assert_null(disk.vendor);
}

static void no_disk_has_no_facts(void **state)
{
	struct diskfacts facts;

	(void)state;
	read_disk("vm", "sdz", &facts);
	assert_null(diskfacts_record(&facts).name);
	read_disk("vm", "", &facts);
	assert_null(diskfacts_record(&facts).name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_nvme_disk_is_read_in_full),
		cmocka_unit_test(a_disk_that_turns_says_so),
		cmocka_unit_test(a_serial_number_is_not_among_it),
		cmocka_unit_test(what_a_virtual_disk_does_not_say_is_absent),
		cmocka_unit_test(no_disk_has_no_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
