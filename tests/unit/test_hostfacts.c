/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "runner/hostfacts.h"
#include "tests/unit/unit.h"

static struct utsname uts = {
	.sysname = "Linux",
	.nodename = "box",
	.release = "6.12.5-amd64",
	.version = "#1 SMP",
	.machine = "x86_64",
};

static void read_host(const char *name, struct hostfacts *facts)
{
	char root[512];

	snprintf(root, sizeof(root), TESTS_DIR "/hosts/%s", name);
	hostfacts_read(root, &uts, facts);
}

static void a_virtual_debian_is_read_in_full(void **state)
{
	struct hostfacts facts;

	(void)state;
	read_host("debian-kvm", &facts);
	assert_string_equal(facts.name, "box");
	assert_string_equal(facts.os, "Linux 6.12.5");
	assert_string_equal(facts.kernel, "6.12.5-amd64 #1 SMP");
	assert_string_equal(facts.distribution,
			    "Debian GNU/Linux 12 (bookworm)");
	assert_string_equal(facts.cpu, "Intel(R) Xeon(R) Processor");
	assert_int_equal(facts.cpus, 2);
	assert_true(facts.memory_bytes == INT64_C(24684084) * 1024);
	assert_string_equal(facts.virtualization, "QEMU");
}

static void bare_metal_is_told_from_not_known(void **state)
{
	struct hostfacts facts;

	(void)state;
	read_host("bare", &facts);
	assert_string_equal(facts.virtualization, "none");
	assert_string_equal(facts.distribution, "A Linux with apostrophes");
	read_host("empty", &facts);
	assert_string_equal(facts.virtualization, "");
}

static void what_cannot_be_read_is_absent_in_the_record(void **state)
{
	struct hostfacts facts;
	struct record_host host;

	(void)state;
	read_host("empty", &facts);
	host = hostfacts_record(&facts);
	assert_null(host.distribution);
	assert_null(host.cpu);
	assert_null(host.virtualization);
	assert_int_equal(host.cpus, 0);
	assert_int_equal(host.memory_bytes, 0);
	assert_string_equal(host.os, "Linux 6.12.5");
}

static void the_key_is_of_the_machine_and_its_os_and_not_the_id_itself(
	void **state)
{
	struct hostfacts a, b, other;
	struct utsname newer = uts;

	(void)state;
	read_host("debian-kvm", &a);
	read_host("debian-kvm", &b);
	read_host("bare", &other);
	assert_string_equal(a.uuid, b.uuid);
	assert_string_not_equal(a.uuid, other.uuid);
	assert_null(strstr(a.uuid, "4d1f8f0c"));
	strcpy(newer.release, "6.13.0");
	hostfacts_read(TESTS_DIR "/hosts/debian-kvm", &newer, &b);
	assert_string_not_equal(a.uuid, b.uuid);
}

static void a_machine_keeps_its_id_under_another_kernel(void **state)
{
	struct hostfacts a, b, bare;
	struct utsname newer = uts;
	struct record_host host;

	(void)state;
	strcpy(newer.release, "6.13.0");
	read_host("debian-kvm", &a);
	hostfacts_read(TESTS_DIR "/hosts/debian-kvm", &newer, &b);
	assert_int_equal(strlen(a.machine_id), 36);
	assert_string_equal(a.machine_id, b.machine_id);
	assert_string_not_equal(a.machine_id, a.uuid);
	assert_null(strstr(a.machine_id, "4d1f8f0c"));
	host = hostfacts_record(&a);
	assert_string_equal(host.machine_id, a.machine_id);
	read_host("bare", &bare);
	assert_string_equal(bare.machine_id, "");
	assert_null(hostfacts_record(&bare).machine_id);
}

static void a_board_without_a_model_name_is_known_by_its_own(void **state)
{
	struct hostfacts facts;

	(void)state;
	read_host("board", &facts);
	assert_string_equal(facts.cpu, "Raspberry Pi 4 Model B Rev 1.4");
	assert_int_equal(facts.cpus, 4);
	assert_string_equal(facts.virtualization, "");
	/* Not initialised yet: that is no id. */
	assert_string_equal(facts.machine_id, "");
}

static void a_container_is_told_from_the_machine_below_it(void **state)
{
	struct hostfacts facts;

	(void)state;
	read_host("container", &facts);
	assert_string_equal(facts.virtualization, "lxc");
	assert_int_equal(strlen(facts.machine_id), 36);
	read_host("uml", &facts);
	assert_string_equal(facts.virtualization, "uml");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_virtual_debian_is_read_in_full),
		cmocka_unit_test(bare_metal_is_told_from_not_known),
		cmocka_unit_test(what_cannot_be_read_is_absent_in_the_record),
		cmocka_unit_test(
			the_key_is_of_the_machine_and_its_os_and_not_the_id_itself),
		cmocka_unit_test(a_machine_keeps_its_id_under_another_kernel),
		cmocka_unit_test(
			a_board_without_a_model_name_is_known_by_its_own),
		cmocka_unit_test(a_container_is_told_from_the_machine_below_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
