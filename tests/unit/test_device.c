/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sys/sysmacros.h>

#include "runner/device.h"
#include "runner/volumes.h"
#include "tests/unit/host_fixture.h"

struct machine {
	struct host host;
	struct device_list list;
};

static void set_up(struct machine *m, const char *name)
{
	struct err err = { 0 };

	host_unpack(&m->host, name);
	if (!device_list_read(m->host.root, &m->list, &err))
		fail_msg("%s", err.text);
}

static void tear_down(struct machine *m)
{
	device_list_done(&m->list);
	host_remove(&m->host);
}

static const struct device *find(const struct machine *m, const char *name)
{
	const struct device *device = device_list_named(&m->list, name);

	if (!device)
		fail_msg("no device %s", name);
	return device;
}

/* Why it may not be erased; "" if it may. */
static const char *reason(const struct machine *m, const char *name)
{
	static struct err err;
	bool erasable;

	err = (struct err){ 0 };
	erasable = device_is_erasable(&m->list, find(m, name), &err);
	assert_int_equal(erasable, err.code == ERR_NONE);
	return err.text;
}

/* What device_check_facts() refuses it with; "" if it does not. */
static const char *refusal(const struct machine *m, const char *path,
			   const char *erase)
{
	static struct err err;
	struct device found = { 0 };
	char *owned_path = strdup(path), *owned_erase = NULL;
	struct matrix_volume volume = {
		.kind = MATRIX_DEVICE,
		.path = owned_path,
	};

	if (erase)
		owned_erase = volume.erase = strdup(erase);
	err = (struct err){ 0 };
	if (device_check_facts(&m->list, &volume, &found, &err)) {
		assert_int_equal(err.code, ERR_NONE);
	} else {
		assert_int_equal(err.code, ERR_REFUSED);
		assert_string_equal(err.source, path);
	}
	device_done(&found);
	free(owned_erase);
	free(owned_path);
	return err.text;
}

#define STICK "/dev/disk/by-id/usb-SanDisk_Ultra_4C530001230506117594-0:0"

static void a_disk_has_the_facts_of_its_hardware(void **state)
{
	const struct device *nvme;
	struct machine m;

	(void)state;
	set_up(&m, "laptop");
	nvme = find(&m, "nvme0n1");
	assert_string_equal(nvme->path, "/dev/nvme0n1");
	assert_int_equal(nvme->number, makedev(259, 0));
	assert_int_equal(nvme->size_bytes, UINT64_C(1000204886016));
	assert_int_equal(nvme->sequence, 9);
	assert_int_equal(nvme->partition, 0);
	assert_string_equal(nvme->disk, "nvme0n1");
	assert_string_equal(nvme->model, "Samsung SSD 980 PRO 1TB");
	assert_string_equal(nvme->serial, "S5GXNX0T123456");
	assert_string_equal(nvme->wwn, "eui.002538b111b2c3d4");
	assert_string_equal(nvme->firmware, "5B2QGXA7");
	assert_string_equal(nvme->scheduler, "none");
	assert_string_equal(nvme->write_cache, "write back");
	assert_string_equal(nvme->table, "gpt");
	assert_false(nvme->rotational);
	assert_false(nvme->removable);
	assert_int_equal(nvme->partitions.count, 3);
	assert_string_equal(nvme->partitions.items[2], "nvme0n1p3");
	tear_down(&m);
}

static void a_partition_has_what_its_disk_has(void **state)
{
	const struct device *stick;
	struct machine m;

	(void)state;
	set_up(&m, "laptop");
	stick = find(&m, "sda1");
	assert_int_equal(stick->partition, 1);
	assert_string_equal(stick->disk, "sda");
	assert_string_equal(stick->vendor, "SanDisk");
	assert_string_equal(stick->model, "Ultra");
	assert_string_equal(stick->serial, "4C530001230506117594");
	assert_string_equal(stick->partuuid, "c3072e18-01");
	assert_string_equal(stick->scheduler, "mq-deadline");
	assert_string_equal(stick->type, "vfat");
	assert_string_equal(stick->label, "PHOTOS 2019");
	assert_true(stick->removable);
	assert_int_equal(stick->links.count, 2);
	assert_string_equal(device_stable_path(stick), STICK "-part1");
	tear_down(&m);
}

static void a_stick_is_known_without_udev_too(void **state)
{
	char path[128], erase[DEVICE_ERASE_MAX];
	struct machine m;
	struct err err = { 0 };

	(void)state;
	set_up(&m, "laptop");
	snprintf(path, sizeof(path), "%s/run/udev/data/b8:1", m.host.root);
	assert_int_equal(unlink(path), 0);
	snprintf(path, sizeof(path), "%s/run/udev/data/b8:0", m.host.root);
	assert_int_equal(unlink(path), 0);
	device_list_done(&m.list);
	assert_true(device_list_read(m.host.root, &m.list, &err));
	assert_true(device_erase_text(find(&m, "sda1"), erase));
	assert_string_equal(erase, "4C530001230506117594 62913511424");
	assert_string_equal(find(&m, "sda1")->type, "");
	tear_down(&m);
}

static void a_sata_disk_is_known_without_udev_too(void **state)
{
	char path[128];
	struct machine m;
	struct err err = { 0 };

	(void)state;
	set_up(&m, "server");
	snprintf(path, sizeof(path), "%s/run/udev/data/b8:0", m.host.root);
	assert_int_equal(unlink(path), 0);
	device_list_done(&m.list);
	assert_true(device_list_read(m.host.root, &m.list, &err));
	assert_string_equal(find(&m, "sda")->serial, "ZC1ABCD1");
	assert_string_equal(find(&m, "sda")->wwn, "0x5000c500a1b2c301");
	assert_string_equal(find(&m, "sda")->vendor, "");
	assert_true(find(&m, "sda")->rotational);
	tear_down(&m);
}

static void what_is_in_use_is_not_erasable_and_says_by_what(void **state)
{
	static const struct {
		const char *machine, *name, *reason;
	} cases[] = {
		{ "laptop", "nvme0n1",
		  "has partitions, nvme0n1p1 to nvme0n1p3" },
		{ "laptop", "nvme0n1p1", "mounted at /boot/efi" },
		{ "laptop", "nvme0n1p2", "mounted at /" },
		{ "laptop", "nvme0n1p3", "in use as swap" },
		{ "laptop", "sda", "has a partition, sda1" },
		{ "laptop", "sda1", "" },
		{ "laptop", "sdb", "there is no medium in it" },
		{ "laptop", "mmcblk0p1", "mounted at /media/anna/SD CARD" },
		{ "laptop", "sr0", "an optical drive" },
		{ "laptop", "loop0", "mounted at /snap/bare/5" },
		{ "server", "sda1", "held by md0" },
		{ "server", "sdb2", "held by md1" },
		{ "server", "sda3", "in use as swap" },
		{ "server", "sdc1", "mounted at /srv/data and elsewhere" },
		{ "server", "sdd1",
		  "held by the btrfs 1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9" },
		{ "server", "sde1", "held by loop7" },
		{ "server", "sdf1",
		  "an extended partition, which holds others" },
		{ "server", "sdf5", "" },
		{ "server", "sdg", "mounted at /srv/backup" },
		{ "server", "sdg1", "its disk is mounted at /srv/backup" },
		{ "server", "cciss!c0d0", "" },
		{ "server", "md0", "mounted at /boot" },
		{ "server", "md1", "held by dm-0 (cryptroot)" },
		{ "server", "dm-0", "held by dm-1 (vg-root) and others" },
		{ "server", "dm-1", "mounted at /" },
		{ "server", "dm-2", "" },
		{ "server", "loop7", "it has no stable path" },
		{ "vm", "vda", "has a partition, vda1" },
		{ "vm", "vda1", "mounted at /" },
		{ "vm", "vdb", "it has no stable path" },
		{ "vm", "vdc", "" },
		{ "vm", "vdd1", "" },
		{ "vm", "zram0", "in use as swap" },
		{ "odd", "sda", "" },
		{ "odd", "sdb",
		  "both sdb and sdc go by one name; unplug one of them" },
		{ "odd", "sdd", "it has no serial number" },
		{ "odd", "sde", "read-only" },
		{ "odd", "sdf", "mounted at /mnt/a\nb and elsewhere" },
		{ "odd", "sdg", "" },
		{ "odd", "sdh", "has a partition, sdh1" },
	};
	struct machine m;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (i == 0 ||
		    strcmp(cases[i].machine, cases[i - 1].machine) != 0) {
			if (i > 0)
				tear_down(&m);
			set_up(&m, cases[i].machine);
		}
		assert_string_equal(reason(&m, cases[i].name), cases[i].reason);
	}
	tear_down(&m);
}

static void the_words_of_consent_name_what_tells_it_from_others(void **state)
{
	static const struct {
		const char *machine, *name, *erase;
	} cases[] = {
		{ "laptop", "sda1", "4C530001230506117594 62913511424" },
		{ "server", "dm-2",
		  "LVM-aaaabbbbccccddddeeeeffffgggghhhhIIIIJJJJKKKKLLLLMMMMNNNN"
		  "OOOOPPPP 107374182400" },
		{ "server", "md0",
		  "6f2b1a3c:00000000:00000000:00000001 1072693248" },
		{ "vm", "vdc", "bench-01 10737418240" },
		{ "vm", "vdd1",
		  "66666666-7777-4888-9999-aaaaaaaaaaaa 10736369664" },
		{ "vm", "vdb", "" },
		{ "odd", "sda", "A_B_C_ 16013852672" },
		{ "odd", "sdd", "" },
	};
	char erase[DEVICE_ERASE_MAX];
	struct machine m;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		set_up(&m, cases[i].machine);
		assert_int_equal(
			device_erase_text(find(&m, cases[i].name), erase),
			*cases[i].erase != '\0');
		assert_string_equal(erase, cases[i].erase);
		tear_down(&m);
	}
}

static void the_stable_path_is_that_with_the_serial_number(void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "server");
	assert_string_equal(device_stable_path(find(&m, "sdf5")),
			    "/dev/disk/by-id/ata-ST4000NM0035_ZC1ABCD6-part5");
	assert_string_equal(device_stable_path(find(&m, "cciss!c0d0")),
			    "/dev/disk/by-id/cciss-600508b1001c4d6e");
	assert_null(device_stable_path(find(&m, "loop7")));
	tear_down(&m);
	set_up(&m, "vm");
	assert_string_equal(
		device_stable_path(find(&m, "vdd1")),
		"/dev/disk/by-partuuid/66666666-7777-4888-9999-aaaaaaaaaaaa");
	tear_down(&m);
}

static void with_consent_a_free_partition_may_be_erased(void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "laptop");
	assert_string_equal(
		refusal(&m, STICK "-part1", "4C530001230506117594 62913511424"),
		"");
	assert_string_equal(refusal(&m, "/dev/disk/by-partuuid/c3072e18-01",
				    "4C530001230506117594 62913511424"),
			    "");
	tear_down(&m);
	set_up(&m, "server");
	assert_string_equal(
		refusal(&m, "/dev/disk/by-id/dm-name-vg-bench",
			"LVM-aaaabbbbccccddddeeeeffffgggghhhhIIIIJJJJKKKKLLLL"
			"MMMMNNNNOOOOPPPP 107374182400"),
		"");
	tear_down(&m);
}

static void without_consent_the_words_to_add_and_what_is_lost_are_said(
	void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "laptop");
	assert_string_equal(
		refusal(&m, STICK "-part1", NULL),
		"a run destroys everything on sda1 (SanDisk Ultra, 58.6GiB, "
		"vfat \"PHOTOS 2019\"); if that is wanted, add to its volume: "
		"\"erase\": \"4C530001230506117594 62913511424\"");
	tear_down(&m);
}

static void consent_for_another_serial_or_size_is_none(void **state)
{
	static const char *const wrong[] = {
		"",
		"4C530001230506117594",
		"4C530001230506117594 62913511425",
		"4C530001230506117595 62913511424",
		"4c530001230506117594 62913511424",
		"4C530001230506117594  62913511424",
		" 4C530001230506117594 62913511424",
		"4C530001230506117594 62913511424 ",
		"4C530001230506117594 62913511424\n",
		"62913511424",
	};
	struct machine m;

	(void)state;
	set_up(&m, "laptop");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_non_null(strstr(refusal(&m, STICK "-part1", wrong[i]),
				       "it must be: \"erase\": "
				       "\"4C530001230506117594 62913511424\""));
	tear_down(&m);
}

static void a_device_in_use_is_refused_whatever_the_consent(void **state)
{
	struct machine m;
	char erase[DEVICE_ERASE_MAX];

	(void)state;
	set_up(&m, "laptop");
	for (size_t i = 0; i < m.list.count; i++) {
		const struct device *device = &m.list.items[i];

		if (device_is_free(&m.list, device, NULL, &(struct err){ 0 }))
			continue;
		device_erase_text(device, erase);
		for (size_t j = 0; j < device->links.count; j++) {
			const char *said =
				refusal(&m, device->links.items[j], erase);

			assert_string_not_equal(said, "");
			/* and it does not teach how */
			assert_null(strstr(said, "\"erase\""));
		}
	}
	assert_string_equal(
		refusal(&m,
			"/dev/disk/by-id/"
			"nvme-Samsung_SSD_980_PRO_1TB_S5GXNX0T123456-part2",
			NULL),
		"nvme0n1p2: mounted at /; it is this system's own: choose "
		"another");
	assert_string_equal(
		refusal(&m, "/dev/disk/by-id/mmc-SD64G_0x2f1b6c4d-part1", NULL),
		"mmcblk0p1: mounted at /media/anna/SD CARD; unmount it first");
	assert_string_equal(
		refusal(&m, STICK, NULL),
		"sda: has a partition, sda1; name one of its partitions, or "
		"remove the table first");
	tear_down(&m);
}

static void a_path_that_may_mean_another_device_tomorrow_is_refused(
	void **state)
{
	static const char *const paths[] = {
		"/dev/sda1",
		"/dev/nvme0n1p2",
		"sda1",
		"",
		"/",
		"/dev/disk/by-id/",
		"/dev/disk/by-id/.",
		"/dev/disk/by-id/..",
		"/dev/disk/by-id/../../sda1",
		"/dev/disk/by-id/../by-partuuid/c3072e18-01",
		"/dev/disk/by-id//usb-SanDisk_Ultra_4C530001230506117594-0:0",
		"/dev/disk/by-uuid/usb",
		"/dev/disk/by-idx/usb",
		"//dev/disk/by-partuuid/c3072e18-01",
		"/dev/./disk/by-partuuid/c3072e18-01",
	};
	struct machine m;

	(void)state;
	set_up(&m, "laptop");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_memory_equal(refusal(&m, paths[i],
					    "4C530001230506117594 62913511424"),
				    "not a ", 6);
	assert_string_equal(refusal(&m, "/dev/sda1", NULL),
			    "not a name that always means the same device; "
			    "today it is " STICK "-part1");
	tear_down(&m);
}

static void a_stable_path_to_no_device_is_refused(void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "odd");
	assert_memory_equal(refusal(&m, "/dev/disk/by-id/dangling", NULL),
			    "no such device here", 19);
	assert_memory_equal(refusal(&m, "/dev/disk/by-id/null", NULL),
			    "no such device here", 19);
	assert_memory_equal(refusal(&m, "/dev/disk/by-id/none", NULL),
			    "no such device here", 19);
	tear_down(&m);
}

static void a_link_that_does_not_tell_the_truth_is_refused(void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "odd");
	assert_string_equal(
		refusal(&m, "/dev/disk/by-partuuid/deadbeef-01", NULL),
		"leads to sde, whose partition UUID is not known");
	tear_down(&m);
}

static void one_of_two_devices_of_the_same_name_is_refused(void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "odd");
	assert_string_equal(
		refusal(&m,
			"/dev/disk/by-id/usb-Generic_Flash_Disk_20080820-0:0",
			"20080820 16013852672"),
		"both sdb and sdc go by one name; unplug one of them");
	tear_down(&m);
}

static void a_machine_whose_mounts_cannot_be_read_has_no_devices(void **state)
{
	struct machine m;
	struct err err = { 0 };
	char path[128];

	(void)state;
	set_up(&m, "vm");
	device_list_done(&m.list);
	snprintf(path, sizeof(path), "%s/proc/self/mountinfo", m.host.root);
	assert_int_equal(unlink(path), 0);
	assert_false(device_list_read(m.host.root, &m.list, &err));
	assert_int_equal(err.code, ERR_FAILED);
	assert_int_equal(m.list.count, 0);
	tear_down(&m);
}

static void a_machine_without_block_devices_is_an_empty_list(void **state)
{
	struct machine m;
	struct err err = { 0 };

	(void)state;
	set_up(&m, "vm");
	device_list_done(&m.list);
	host_remove(&m.host);
	host_unpack(&m.host, "empty");
	assert_true(device_list_read(m.host.root, &m.list, &err));
	assert_int_equal(m.list.count, 0);
	tear_down(&m);
}

static void a_path_of_a_multipath_disk_is_no_device(void **state)
{
	struct machine m;

	(void)state;
	set_up(&m, "odd");
	assert_null(device_list_named(&m.list, "nvme0c0n1"));
	tear_down(&m);
}

static void a_description_is_safe_to_print(void **state)
{
	struct machine m;
	char text[256];

	(void)state;
	set_up(&m, "odd");
	device_describe(find(&m, "sda"), text, sizeof(text));
	assert_string_equal(text, "sda (Caf\\xe9 3.5\" \"Disk\" \\\\o/, "
				  "14.9GiB, vfat \"\\x1b[2JX\xc3\xbc\")");
	device_describe(find(&m, "sda"), text, 16);
	assert_int_equal(strlen(text), 15);
	tear_down(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_has_the_facts_of_its_hardware),
		cmocka_unit_test(a_partition_has_what_its_disk_has),
		cmocka_unit_test(a_stick_is_known_without_udev_too),
		cmocka_unit_test(a_sata_disk_is_known_without_udev_too),
		cmocka_unit_test(
			what_is_in_use_is_not_erasable_and_says_by_what),
		cmocka_unit_test(
			the_words_of_consent_name_what_tells_it_from_others),
		cmocka_unit_test(
			the_stable_path_is_that_with_the_serial_number),
		cmocka_unit_test(with_consent_a_free_partition_may_be_erased),
		cmocka_unit_test(
			without_consent_the_words_to_add_and_what_is_lost_are_said),
		cmocka_unit_test(consent_for_another_serial_or_size_is_none),
		cmocka_unit_test(
			a_device_in_use_is_refused_whatever_the_consent),
		cmocka_unit_test(
			a_path_that_may_mean_another_device_tomorrow_is_refused),
		cmocka_unit_test(a_stable_path_to_no_device_is_refused),
		cmocka_unit_test(
			a_link_that_does_not_tell_the_truth_is_refused),
		cmocka_unit_test(
			one_of_two_devices_of_the_same_name_is_refused),
		cmocka_unit_test(
			a_machine_whose_mounts_cannot_be_read_has_no_devices),
		cmocka_unit_test(
			a_machine_without_block_devices_is_an_empty_list),
		cmocka_unit_test(a_path_of_a_multipath_disk_is_no_device),
		cmocka_unit_test(a_description_is_safe_to_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
