/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>

#include "runner/volumes.h"
#include "tests/unit/host_fixture.h"

enum { WIDTH = 80 };

static const struct place places[] = {
	{ .path = "/var/tmp",
	  .type = "ext4",
	  .source = "/dev/nvme0n1p2",
	  .size_bytes = UINT64_C(991) << 30,
	  .free_bytes = UINT64_C(512) << 30 },
	{ .path = "/srv/\"a\" b\xff",
	  .type = "btrfs",
	  .source = "/dev/mapper/x",
	  .size_bytes = UINT64_C(3) << 40,
	  .free_bytes = 4096 },
	{ .path = "/", .type = "overlay", .source = "overlay" },
	{ .path = PLACE_MEMORY, .type = "tmpfs", .source = "tmpfs" },
};

static const struct place_list no_places = { 0 };
static const struct place_list some_places = { (struct place *)places, 4 };

typedef bool print_fn(const struct volumes *volumes, FILE *out,
		      struct err *err);

static bool print_text(const struct volumes *volumes, FILE *out,
		       struct err *err)
{
	return volumes_print(volumes, WIDTH, out, err);
}

/* What is printed of a recorded machine; the caller's. */
static char *print(const char *name, const struct place_list *list, bool root,
		   print_fn *how)
{
	struct device_list devices = { 0 };
	struct volumes volumes = { &devices, list, root };
	struct err err = { 0 };
	struct host host;
	size_t length;
	char *text = NULL;
	FILE *out = open_memstream(&text, &length);

	host_unpack(&host, name);
	assert_non_null(out);
	assert_true(device_list_read(host.root, &devices, &err));
	assert_true(how(&volumes, out, &err));
	assert_int_equal(fclose(out), 0);
	device_list_done(&devices);
	host_remove(&host);
	return text;
}

/* Compare with tests/hosts/NAME.volumes; UPDATE=1 writes it. */
static void assert_prints(const char *name, const struct place_list *list)
{
	char *text = print(name, list, true, print_text), *expected;
	char path[256];
	FILE *file;
	size_t got;

	snprintf(path, sizeof(path), TESTS_DIR "/hosts/%s.volumes", name);
	if (getenv("UPDATE")) {
		file = fopen(path, "we");
		assert_non_null(file);
		fputs(text, file);
		fclose(file);
	}
	file = fopen(path, "re");
	assert_non_null(file);
	expected = calloc(1, 65536);
	assert_non_null(expected);
	got = fread(expected, 1, 65535, file);
	fclose(file);
	assert_true(got > 0);
	assert_string_equal(text, expected);
	free(expected);
	free(text);
}

static void a_laptop_is_listed_as_recorded(void **state)
{
	(void)state;
	assert_prints("laptop", &some_places);
}

static void a_server_is_listed_as_recorded(void **state)
{
	(void)state;
	assert_prints("server", &no_places);
}

static void a_virtual_machine_is_listed_as_recorded(void **state)
{
	(void)state;
	assert_prints("vm", &no_places);
}

static void odd_names_are_listed_as_recorded(void **state)
{
	(void)state;
	assert_prints("odd", &no_places);
}

static void a_machine_without_disks_says_so(void **state)
{
	(void)state;
	assert_prints("empty", &no_places);
}

static void who_is_not_root_is_told_what_root_would_add(void **state)
{
	char *text = print("vm", &no_places, false, print_text);

	(void)state;
	assert_non_null(strstr(text, "Only root can test on devices"));
	free(text);
}

static void json_has_every_fact_and_the_member_to_paste(void **state)
{
	static const char *const parts[] = {
		"\"format\": 1,",
		"\"name\": \"sda1\",",
		"\"size_bytes\": 62913511424,",
		"\"partition\": 1,",
		"\"serial\": \"4C530001230506117594\",",
		"\"label\": \"PHOTOS 2019\",",
		"\"erasable\": true,",
		"\"reason\": null,",
		"\"reason\": \"mounted at /\",",
		"\"erase\": \"4C530001230506117594 62913511424\"",
		"\"directory\": \"/var/tmp\",",
		"\"free_bytes\": 4096,",
		/* a path that is no UTF-8 is shown, but cannot be pasted */
		"\"directory\": \"/srv/\\\"a\\\" b\\\\xff\",",
	};
	char *text = print("laptop", &some_places, true, volumes_print_json);

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!strstr(text, parts[i]))
			fail_msg("not there: %s", parts[i]);
	}
	free(text);
}

static void json_of_odd_names_is_plain_ascii(void **state)
{
	char *text = print("odd", &no_places, true, volumes_print_json);

	(void)state;
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
	assert_non_null(strstr(text, "Caf\\\\xe9"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_laptop_is_listed_as_recorded),
		cmocka_unit_test(a_server_is_listed_as_recorded),
		cmocka_unit_test(a_virtual_machine_is_listed_as_recorded),
		cmocka_unit_test(odd_names_are_listed_as_recorded),
		cmocka_unit_test(a_machine_without_disks_says_so),
		cmocka_unit_test(who_is_not_root_is_told_what_root_would_add),
		cmocka_unit_test(json_has_every_fact_and_the_member_to_paste),
		cmocka_unit_test(json_of_odd_names_is_plain_ascii),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
