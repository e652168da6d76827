/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "runner/doctor.h"
#include "tests/unit/unit.h"

static const struct fstype_driver vfat_drivers[] = {
	{ .name = "vfat", .kind = FSTYPE_KERNEL },
	{ .name = "fusefat",
	  .kind = FSTYPE_FUSE,
	  .program = "fusefat",
	  .package = "fusefat" },
	{ .name = NULL },
};
static const struct fstype_driver f2fs_drivers[] = {
	{ .name = "f2fs", .kind = FSTYPE_KERNEL },
	{ .name = NULL },
};
static const struct fstype vfat = { "vfat", "mkfs.vfat", "dosfstools", NULL,
				    vfat_drivers };
static const struct fstype f2fs = { "f2fs", "mkfs.f2fs", "f2fs-tools", NULL,
				    f2fs_drivers };

/* A machine where all is well, but for a driver vfat of the kernel's. */
static struct doctor *healthy(void)
{
	struct doctor *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	for (int i = 0; i < DOCTOR_CHECKS; i++) {
		d->findings[i].ok = true;
		strcpy(d->findings[i].text, "yes");
	}
	strcpy(d->database, "x.db");
	d->type_count = 2;
	d->types[0] = (struct doctor_type){
		.type = &vfat,
		.mkfs = true,
		.drivers = { { &vfat_drivers[0], false, "no driver vfat" },
			     { &vfat_drivers[1], true, "" } },
		.driver_count = 2,
	};
	d->types[1] = (struct doctor_type){
		.type = &f2fs,
		.mkfs = true,
		.drivers = { { &f2fs_drivers[0], true, "" } },
		.driver_count = 1,
	};
	return d;
}

typedef bool print_fn(const struct doctor *doctor, FILE *out, struct err *err);

static bool print_text(const struct doctor *doctor, FILE *out, struct err *err)
{
	return doctor_print(doctor, 80, out, err);
}

/* What is printed; the caller's. */
static char *print(const struct doctor *d, print_fn *how)
{
	struct err err = { 0 };
	size_t length;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	assert_true(how(d, out, &err));
	assert_int_equal(fclose(out), 0);
	return text;
}

static void assert_prints(const struct doctor *d, const char *expected)
{
	char *text = print(d, print_text);

	assert_string_equal(text, expected);
	free(text);
}

static void a_type_is_served_by_the_first_driver_there_is(void **state)
{
	struct doctor *d = healthy();

	(void)state;
	assert_ptr_equal(doctor_best_driver(d, &d->types[0]), &vfat_drivers[1]);
	d->types[0].drivers[0].available = true;
	assert_ptr_equal(doctor_best_driver(d, &d->types[0]), &vfat_drivers[0]);
	assert_int_equal(doctor_testable(d), 2);
	free(d);
}

static void what_is_missing_makes_a_type_untestable(void **state)
{
	struct doctor *d = healthy();

	(void)state;
	d->types[1].mkfs = false;
	assert_int_equal(doctor_testable(d), 1);
	d->findings[DOCTOR_FUSE].ok = false; /* vfat's only driver needs it */
	assert_int_equal(doctor_testable(d), 0);
	free(d);

	d = healthy();
	d->findings[DOCTOR_LOOP].ok = false;
	assert_int_equal(doctor_testable(d), 0);
	d->devices = 1; /* which needs no loop device */
	assert_int_equal(doctor_testable(d), 2);
	d->findings[DOCTOR_ROOT].ok = false;
	assert_int_equal(doctor_testable(d), 0);
	free(d);
}

static void a_healthy_machine_has_no_next_steps(void **state)
{
	struct doctor *d = healthy();

	(void)state;
	d->types[0].drivers[0].available = true;
	assert_prints(d, "FILESYSTEM  DRIVER   IS      STATE\n"
			 "vfat        vfat     kernel  ready: the one used\n"
			 "            fusefat  FUSE    ready\n"
			 "f2fs        f2fs     kernel  ready: the one used\n"
			 "\n"
			 "MACHINE            STATE\n"
			 "root               yes\n"
			 "loop devices       yes\n"
			 "  with direct I/O  yes\n"
			 "FUSE               yes\n"
			 "  with fusectl     yes\n"
			 "io_uring           yes\n"
			 "dropping caches    yes\n"
			 "database           yes\n"
			 "\n"
			 "2 of 2 filesystems can be tested here.\n");
	free(d);
}

/* The beginning of what is printed is the expected. */
static void assert_begins(const struct doctor *d, const char *expected)
{
	char *text = print(d, print_text);

	text[strnlen(text, strlen(expected))] = '\0';
	assert_string_equal(text, expected);
	free(text);
}

static void a_driver_that_nobody_can_mount_with_is_not_ready(void **state)
{
	struct doctor *d = healthy();

	(void)state;
	d->findings[DOCTOR_FUSE].ok = false;
	assert_begins(d, "FILESYSTEM  DRIVER   IS      STATE\n"
			 "vfat        vfat     kernel  no driver vfat\n"
			 "            fusefat  FUSE    there; needs FUSE\n"
			 "f2fs        f2fs     kernel  ready: the one used\n");
	d->findings[DOCTOR_LOOP].ok = false;
	assert_begins(d, "FILESYSTEM  DRIVER   IS      STATE\n"
			 "vfat        vfat     kernel  no driver vfat\n"
			 "            fusefat  FUSE    there; needs loop "
			 "devices\n"
			 "f2fs        f2fs     kernel  there; needs loop "
			 "devices\n");
	d->findings[DOCTOR_ROOT].ok = false;
	assert_begins(d, "FILESYSTEM  DRIVER   IS      STATE\n"
			 "vfat        vfat     kernel  no driver vfat\n"
			 "            fusefat  FUSE    there; needs root\n"
			 "f2fs        f2fs     kernel  there; needs root\n");
	free(d);
}

static void what_is_missing_is_said_with_what_to_do(void **state)
{
	struct doctor *d = healthy();

	(void)state;
	d->directories = 1;
	d->types[0].drivers[1].available = false;
	strcpy(d->types[0].drivers[1].reason, "no fusefat (install fusefat)");
	d->types[1].mkfs = false;
	strcpy(d->types[1].reason, "no mkfs.f2fs (install f2fs-tools)");
	d->findings[DOCTOR_URING] = (struct doctor_finding){
		false,
		"no io_uring here, and that is quite a long story to "
		"tell in one line",
		"leave \"depth\" out of workloads"
	};
	assert_prints(
		d,
		"FILESYSTEM  DRIVER   IS      STATE\n"
		"vfat        vfat     kernel  no driver vfat\n"
		"            fusefat  FUSE    no fusefat (install fusefat)\n"
		"f2fs                         no mkfs.f2fs (install "
		"f2fs-tools)\n"
		"            f2fs     kernel  ready\n"
		"\n"
		"MACHINE            STATE\n"
		"root               yes\n"
		"loop devices       yes\n"
		"  with direct I/O  yes\n"
		"FUSE               yes\n"
		"  with fusectl     yes\n"
		"io_uring           no io_uring here, and that is quite a long "
		"story to tell in\n"
		"                   one line\n"
		"dropping caches    yes\n"
		"database           yes\n"
		"\n"
		"0 of 2 filesystems can be tested here.\n"
		"Directories can be, with the filesystems they are on: see "
		"fsmatrix volumes.\n"
		"\n"
		"Next steps:\n"
		"  leave \"depth\" out of workloads\n"
		"  apt-get install fusefat f2fs-tools, for what is missing "
		"above\n");
	free(d);
}

static void json_says_the_same(void **state)
{
	static const char *const parts[] = {
		"\"format\": 1,",
		"\"testable\": 2,",
		"\"driver\": \"fusefat\",",
		"\"kind\": \"kernel\",",
		"\"reason\": \"no driver vfat\",",
		"\"io_uring\": {\n      \"ok\": true,",
		"\"missing_packages\": [],",
		"\"database\": \"x.db\",",
	};
	struct doctor *d = healthy();
	char *text = print(d, doctor_print_json);

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!strstr(text, parts[i]))
			fail_msg("not there: %s in %s", parts[i], text);
	}
	free(text);
	free(d);
}

static void every_type_there_is_is_looked_at(void **state)
{
	struct doctor *d = calloc(1, sizeof(*d));
	struct err err = { 0 };
	size_t types = 0;

	(void)state;
	assert_non_null(d);
	assert_true(doctor_read(d, "/nonexistent/x.db", &err));
	while (fstype_table[types].name)
		types++;
	assert_int_equal(d->type_count, types);
	for (size_t i = 0; i < types; i++) {
		size_t drivers = 0;

		while (fstype_table[i].drivers[drivers].name)
			drivers++;
		assert_int_equal(d->types[i].driver_count, drivers);
	}
	for (int i = 0; i < DOCTOR_CHECKS; i++)
		assert_string_not_equal(d->findings[i].text, "");
	assert_false(d->findings[DOCTOR_DATABASE].ok);
	assert_string_equal(d->findings[DOCTOR_DATABASE].text,
			    "no: writing in /nonexistent: No such file or "
			    "directory");
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_is_served_by_the_first_driver_there_is),
		cmocka_unit_test(what_is_missing_makes_a_type_untestable),
		cmocka_unit_test(a_healthy_machine_has_no_next_steps),
		cmocka_unit_test(
			a_driver_that_nobody_can_mount_with_is_not_ready),
		cmocka_unit_test(what_is_missing_is_said_with_what_to_do),
		cmocka_unit_test(json_says_the_same),
		cmocka_unit_test(every_type_there_is_is_looked_at),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
