/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runner/fstype.h"
#include "schema/matrix.h"
#include "tests/unit/unit.h"

static void every_type_of_a_matrix_can_be_made(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; matrix_types[i].name; i++) {
		const char *const *wanted = matrix_types[i].drivers;
		const struct fstype_driver *d;

		assert_non_null(fstype_table[i].name);
		assert_string_equal(fstype_table[i].name, matrix_types[i].name);
		for (d = fstype_table[i].drivers; d->name; d++, wanted++) {
			assert_non_null(*wanted);
			assert_string_equal(d->name, *wanted);
		}
		assert_null(*wanted);
	}
	assert_null(fstype_table[i].name);
}

static void kernel_drivers_come_first_and_others_name_their_package(
	void **state)
{
	(void)state;
	for (const struct fstype *t = fstype_table; t->name; t++) {
		bool fuse = false;

		assert_non_null(t->mkfs);
		assert_non_null(t->package);
		for (const struct fstype_driver *d = t->drivers; d->name; d++) {
			assert_false(fuse && d->kind == FSTYPE_KERNEL);
			fuse = d->kind != FSTYPE_KERNEL;
			assert_true(fuse == (d->program != NULL));
			assert_true(fuse == (d->package != NULL));
			if (fuse)
				assert_string_equal(
					fstype_by_program(d->program)->name,
					d->name);
		}
	}
}

static char *mkfs_of(const char *type, const char *const *options)
{
	struct child_argv argv = { 0 };
	char *text;

	fstype_mkfs_argv(fstype_find(type), options, "/dev/x", &argv);
	text = child_command_text(&argv);
	child_argv_done(&argv);
	assert_non_null(text);
	return text;
}

static char *mount_of(const char *type, const char *driver, const char *options)
{
	const struct fstype_driver *d =
		fstype_driver_find(fstype_find(type), driver);
	struct child_argv argv = { 0 };
	char *text;

	assert_non_null(d);
	fstype_mount_argv(d, options, "/dev/x", "/m", &argv);
	text = child_command_text(&argv);
	child_argv_done(&argv);
	assert_non_null(text);
	return text;
}

static void assert_text(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static void a_users_options_stand_behind_ours(void **state)
{
	const char *options[] = { "-F", "32", "-n", "A B", NULL };
	const char *none[] = { NULL };

	(void)state;
	assert_text(mkfs_of("vfat", options),
		    "mkfs.vfat -F 32 -n 'A B' /dev/x");
	assert_text(mkfs_of("ntfs", NULL), "mkfs.ntfs -q -Q -F /dev/x");
	assert_text(mkfs_of("xfs", none), "mkfs.xfs -q -f /dev/x");
	assert_text(mount_of("vfat", "vfat", NULL), "mount -t vfat /dev/x /m");
	assert_text(mount_of("vfat", "vfat", "sync,noatime"),
		    "mount -t vfat -o sync,noatime /dev/x /m");
	assert_text(mount_of("vfat", "fusefat", NULL),
		    "fusefat -f -o rw+ /dev/x /m");
	assert_text(mount_of("ntfs", "ntfs-3g", "big_writes"),
		    "ntfs-3g -o no_detach,big_writes /dev/x /m");
	assert_text(mount_of("exfat", "exfat-fuse", ""),
		    "mount.exfat-fuse /dev/x /m");
	assert_text(mount_of("ext4", "fuse2fs", "ro"),
		    "fuse2fs -f -o ro /dev/x /m");
	assert_null(fstype_find("zfs"));
	assert_null(fstype_driver_find(fstype_find("xfs"), "vfat"));
}

/* A root folder with these files, on the heap. */
static char *machine(const char *filesystems, const char *aliases)
{
	char path[256], *root = strdup("/tmp/fstype-XXXXXX");
	struct utsname os;
	FILE *file;

	assert_non_null(root);
	assert_non_null(mkdtemp(root));
	assert_int_equal(uname(&os), 0);
	snprintf(path, sizeof(path), "mkdir -p %s/proc %s/lib/modules/%s", root,
		 root, os.release);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/proc/filesystems", root);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(filesystems, file);
	fclose(file);
	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.alias", root,
		 os.release);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(aliases, file);
	fclose(file);
	return root;
}

static void a_driver_is_in_the_kernel_or_one_of_its_modules(void **state)
{
	char *root = machine("nodev\tsysfs\n\text4\n\tfuseblk\nnodev\tfuse\n",
			     "alias fs-vfat vfat\nalias fs-ntfs3 ntfs3\n"
			     "alias char-major-10-223 uinput\n");
	char command[64];

	(void)state;
	assert_true(fstype_kernel_has(root, "ext4"));
	assert_true(fstype_kernel_has(root, "fuse"));
	assert_true(fstype_kernel_has(root, "vfat"));
	assert_false(fstype_kernel_has(root, "ntfs"));
	assert_false(fstype_kernel_has(root, "ext"));
	assert_false(fstype_kernel_has(root, "exfat"));
	assert_false(fstype_kernel_has("/nowhere", "ext4"));
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
	free(root);
}

static void a_type_can_be_served_by_what_is_wanted_or_not_at_all(void **state)
{
	const struct fstype_driver none = {
		.name = "none-such",
		.kind = FSTYPE_FUSE,
		.program = "none-such-fuse",
		.package = "none-such-package",
	};
	const struct fstype_driver drivers[] = { { .name = "none-such-kernel" },
						 none,
						 { .name = NULL } };
	const struct fstype type = { .name = "none-such",
				     .mkfs = "sh",
				     .package = "dash",
				     .drivers = drivers };
	struct err err = { 0 };

	(void)state;
	assert_false(fstype_available(&type, NULL, NULL, &err));
	assert_string_equal(err.text, "no none-such-fuse (install "
				      "none-such-package)");
	err = (struct err){ 0 };
	assert_false(fstype_available(&type, "none-such-kernel", NULL, &err));
	assert_string_equal(err.text,
			    "no driver none-such-kernel in this kernel");
}

static void a_missing_mkfs_names_its_package(void **state)
{
	struct fstype type = *fstype_find("ntfs");
	struct err err = { 0 };

	(void)state;
	type.mkfs = "mkfs.none-such";
	assert_false(fstype_available(&type, NULL, NULL, &err));
	assert_string_equal(err.text, "no mkfs.none-such (install ntfs-3g)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_of_a_matrix_can_be_made),
		cmocka_unit_test(
			kernel_drivers_come_first_and_others_name_their_package),
		cmocka_unit_test(a_users_options_stand_behind_ours),
		cmocka_unit_test(
			a_driver_is_in_the_kernel_or_one_of_its_modules),
		cmocka_unit_test(
			a_type_can_be_served_by_what_is_wanted_or_not_at_all),
		cmocka_unit_test(a_missing_mkfs_names_its_package),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
