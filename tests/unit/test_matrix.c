/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/matrix.h"
#include "tests/unit/unit.h"

#define IMAGE  "{\"name\":\"v\",\"image\":\"v.img\",\"size\":\"64MiB\"}"
#define FOLDER "{\"name\":\"d\",\"directory\":\"/srv\"}"

static struct matrix *parse(const char *text)
{
	struct err_list errs = { 0 };
	struct matrix *m =
		matrix_parse(text, strlen(text), "dir/m.json", &errs);

	for (size_t i = 0; i < errs.count; i++)
		err_print(&errs.items[i], stderr);
	assert_int_equal(errs.count, 0);
	assert_non_null(m);
	err_list_done(&errs);
	return m;
}

/* The faults of a document are these lines, in this order, and no others. */
static void assert_faults_of(const char *text, size_t length, const char *lines)
{
	struct err_list errs = { 0 };
	char *printed = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&printed, &size);

	assert_non_null(out);
	assert_null(matrix_parse(text, length, "m", &errs));
	for (size_t i = 0; i < errs.count; i++) {
		assert_int_equal(errs.items[i].code, ERR_INPUT);
		err_print(&errs.items[i], out);
	}
	fclose(out);
	assert_string_equal(printed, lines);
	free(printed);
	err_list_done(&errs);
}

static void assert_faults(const char *text, const char *lines)
{
	assert_faults_of(text, strlen(text), lines);
}

static const char every_member[] =
	"{\"$schema\":\"s\",\"name\":\"n\",\"description\":\"d\","
	"\"volumes\":[{\"name\":\"a\",\"image\":\"a.img\","
	"\"size\":1048576,\"allocate\":true},"
	"{\"name\":\"b\",\"device\":\"/dev/x\",\"erase\":\"S 1\"},"
	"{\"name\":\"c\",\"directory\":\"c\",\"allow_fill\":true}],"
	"\"filesystems\":[{\"name\":\"F\",\"type\":\"vfat\","
	"\"mkfs\":[\"-F\",\"32\"],\"mount\":\"sync\","
	"\"driver\":\"fusefat\"},{\"type\":\"xfs\"}],"
	"\"workloads\":[{\"name\":\"w\",\"block\":\"4KiB\","
	"\"size\":\"full\",\"duration\":\"90s\","
	"\"file_limit\":\"1GiB\",\"io\":\"direct!\",\"read\":\"warm\","
	"\"verify\":\"stamps\",\"depth\":32,\"streams\":4},{\"name\":\"u\","
	"\"size\":7}],"
	"\"rounds\":9,\"timeout\":60,\"file_limit\":\"2GiB\","
	"\"baseline\":{\"workload\":\"u\"},"
	"\"include\":[{\"volume\":\"a\"}],"
	"\"exclude\":[{\"filesystem\":\"F\",\"workload\":\"w\"}]}";

static void every_member_of_a_volume_reaches_its_field(void **state)
{
	struct matrix *m = parse(every_member);
	const struct matrix_volume *v = m->volumes;

	(void)state;
	assert_int_equal(m->volume_count, 3);
	assert_string_equal(v[0].name, "a");
	assert_int_equal(v[0].kind, MATRIX_IMAGE);
	assert_string_equal(v[0].path, "dir/a.img");
	assert_int_equal(v[0].size_bytes, 1048576);
	assert_true(v[0].allocate);
	assert_int_equal(v[1].kind, MATRIX_DEVICE);
	assert_string_equal(v[1].path, "/dev/x");
	assert_string_equal(v[1].erase, "S 1");
	assert_false(v[1].allocate);
	assert_int_equal(v[2].kind, MATRIX_DIRECTORY);
	assert_string_equal(v[2].path, "dir/c");
	assert_true(v[2].allow_fill);
	assert_null(v[2].erase);
	matrix_free(m);
}

static void every_member_of_a_filesystem_reaches_its_field(void **state)
{
	struct matrix *m = parse(every_member);
	const struct matrix_filesystem *fs = m->filesystems;

	(void)state;
	assert_int_equal(m->filesystem_count, 2);
	assert_string_equal(fs[0].name, "F");
	assert_string_equal(fs[0].type, "vfat");
	assert_string_equal(fs[0].mkfs[0], "-F");
	assert_string_equal(fs[0].mkfs[1], "32");
	assert_null(fs[0].mkfs[2]);
	assert_string_equal(fs[0].mount, "sync");
	assert_string_equal(fs[0].driver, "fusefat");
	assert_string_equal(fs[1].name, "xfs");
	assert_null(fs[1].mkfs[0]);
	assert_null(fs[1].mount);
	assert_null(fs[1].driver);
	matrix_free(m);
}

static void every_member_of_a_workload_reaches_its_field(void **state)
{
	struct matrix *m = parse(every_member);
	const struct workload *w = &m->workloads[0].core;

	(void)state;
	assert_int_equal(m->workload_count, 2);
	assert_string_equal(m->workloads[0].name, "w");
	assert_int_equal(w->block_bytes, 4096);
	assert_int_equal(w->size_bytes, 0);
	assert_int_equal(w->duration_ns, UINT64_C(90000000000));
	assert_int_equal(w->file_limit_bytes, 1 << 30);
	assert_int_equal(w->io, WORKLOAD_DIRECT_STRICT);
	assert_int_equal(w->read, WORKLOAD_WARM);
	assert_int_equal(w->verify, WORKLOAD_VERIFY_STAMPS);
	assert_int_equal(w->depth, 32);
	assert_int_equal(w->streams, 4);
	w = &m->workloads[1].core;
	assert_int_equal(w->size_bytes, 7);
	assert_int_equal(w->file_limit_bytes, UINT64_C(2) << 30);
	matrix_free(m);
}

static void every_member_of_the_matrix_reaches_its_field(void **state)
{
	struct matrix *m = parse(every_member);

	(void)state;
	assert_string_equal(m->name, "n");
	assert_string_equal(m->source, "dir/m.json");
	assert_string_equal(m->text, every_member);
	assert_int_equal(m->rounds, 9);
	assert_int_equal(m->timeout_ns, UINT64_C(60000000000));
	assert_int_equal(m->baseline_dimension, MATRIX_WORKLOAD);
	assert_string_equal(m->baseline, "u");
	assert_int_equal(m->include_count, 1);
	assert_string_equal(m->include[0].volume, "a");
	assert_null(m->include[0].filesystem);
	assert_int_equal(m->exclude_count, 1);
	assert_string_equal(m->exclude[0].filesystem, "F");
	assert_string_equal(m->exclude[0].workload, "w");
	assert_int_equal(matrix_cell_count(m), 3);
	matrix_free(m);
}

static void what_is_left_out_has_its_default(void **state)
{
	struct matrix *m = parse("{\"volumes\":[" IMAGE "," FOLDER "],"
				 "\"filesystems\":[{\"type\":\"ext4\"},"
				 "{\"type\":\"xfs\"}]}");
	const struct workload *w = &m->workloads[0].core;

	(void)state;
	assert_string_equal(m->name, "m");
	assert_int_equal(m->rounds, 5);
	assert_int_equal(m->timeout_ns, 0);
	assert_int_equal(m->workload_count, 1);
	assert_string_equal(m->workloads[0].name, "seq");
	assert_int_equal(w->block_bytes, 512 << 10);
	assert_int_equal(w->size_bytes, 480 << 20);
	assert_int_equal(w->duration_ns, 0);
	assert_int_equal(w->file_limit_bytes, UINT64_C(4095) << 20);
	assert_int_equal(w->io, WORKLOAD_BUFFERED);
	assert_int_equal(w->read, WORKLOAD_COLD);
	assert_int_equal(w->verify, WORKLOAD_VERIFY_BYTES);
	assert_int_equal(w->depth, 1);
	assert_int_equal(w->streams, 1);
	assert_int_equal(m->baseline_dimension, MATRIX_FILESYSTEM);
	assert_string_equal(m->baseline, "ext4");
	assert_int_equal(m->include_count + m->exclude_count, 0);
	assert_int_equal(matrix_cell_count(m), 3);
	matrix_free(m);
}

static void only_directories_need_no_filesystem(void **state)
{
	struct matrix *m = parse("{\"volumes\":[" FOLDER "],"
				 "\"workloads\":[{}]}");

	(void)state;
	assert_int_equal(m->baseline_dimension, MATRIX_VOLUME);
	assert_string_equal(m->baseline, "d");
	assert_string_equal(m->workloads[0].name, "seq");
	assert_int_equal(matrix_cell_count(m), 1);
	assert_true(matrix_keeps(m, "d", NULL, "seq"));
	matrix_free(m);
}

static void the_default_baseline_is_the_first_that_has_a_cell(void **state)
{
	struct matrix *m =
		parse("{\"volumes\":[" IMAGE "," FOLDER "],\"filesystems\":["
		      "{\"type\":\"ext4\"},{\"type\":\"xfs\"}],"
		      "\"exclude\":[{\"filesystem\":\"ext4\"}]}");

	(void)state;
	assert_string_equal(m->baseline, "xfs");
	matrix_free(m);
	m = parse("{\"volumes\":[" IMAGE "," FOLDER "],\"filesystems\":["
		  "{\"type\":\"ext4\"}],\"include\":[{\"volume\":\"d\"}]}");
	assert_int_equal(m->baseline_dimension, MATRIX_VOLUME);
	assert_string_equal(m->baseline, "d");
	matrix_free(m);
}

static void a_filter_matches_when_all_its_members_do(void **state)
{
	struct matrix *m = parse(
		"{\"volumes\":[" IMAGE "," FOLDER "],\"filesystems\":["
		"{\"type\":\"ext4\"},{\"type\":\"xfs\"}],"
		"\"workloads\":[{\"name\":\"w\"},{\"name\":\"u\"}],"
		"\"include\":[{\"volume\":\"v\"},{\"workload\":\"u\"}],"
		"\"exclude\":[{\"filesystem\":\"xfs\",\"workload\":\"w\"}]}");

	(void)state;
	assert_true(matrix_keeps(m, "v", "ext4", "w"));
	assert_true(matrix_keeps(m, "v", "xfs", "u"));
	assert_true(matrix_keeps(m, "d", NULL, "u"));
	assert_false(matrix_keeps(m, "v", "xfs", "w"));
	assert_false(matrix_keeps(m, "d", NULL, "w"));
	assert_int_equal(matrix_cell_count(m), 4);
	matrix_free(m);
}

static void all_faults_are_told_at_once_with_their_paths(void **state)
{
	(void)state;
	assert_faults(
		"{\"volumes\":[{\"name\":5,\"image\":\"\",\"sise\":1},"
		"{\"name\":\"d\",\"directory\":\"/\",\"size\":\"1GiB\"}],"
		"\"filesystems\":[{\"type\":\"ext5\"},"
		"{\"type\":\"ntfs\",\"mkfs\":\"-f\",\"driver\":\"ntfs3g\"},"
		"{\"name\":\"x\",\"type\":\"xfs\",\"mkfs\":[\"-f\",1]}],"
		"\"workloads\":[{\"block\":\"0.3B\",\"size\":0,"
		"\"io\":\"Direct\",\"depth\":1.5,\"streams\":257}],"
		"\"rounds\":0,\"timeout\":\"soon\",\"round\":3,"
		"\"baseline\":{},\"include\":{},\"exclude\":[{}]}",
		"m: round: unknown member (did you mean \"rounds\"?)\n"
		"m: volumes[0].sise: unknown member (did you mean \"size\"?)\n"
		"m: volumes[0].name: not a string\n"
		"m: volumes[0].image: is empty\n"
		"m: volumes[0].sise: less than 1MiB\n"
		"m: volumes[1].size: only for a volume with \"image\"\n"
		"m: filesystems[0].type: not one of vfat, exfat, ntfs, ext2, "
		"ext3, ext4, xfs, btrfs, f2fs, udf: ext5 "
		"(did you mean \"ext4\"?)\n"
		"m: filesystems[1].mkfs: not an array of strings, such as "
		"[\"-F\", \"32\"]\n"
		"m: filesystems[1].driver: not one of ntfs3, ntfs-3g: ntfs3g "
		"(did you mean \"ntfs3\"?)\n"
		"m: filesystems[2].mkfs[1]: not a string\n"
		"m: workloads[0].block: not a size (bytes, or text such as "
		"\"512KiB\"): \"0.3B\"\n"
		"m: workloads[0].size: is 0; \"full\" writes until the volume "
		"is full\n"
		"m: workloads[0].io: not one of buffered, direct, direct!: "
		"Direct (did you mean \"direct\"?)\n"
		"m: workloads[0].depth: not a whole number from 1 to 1024: "
		"1.5\n"
		"m: workloads[0].streams: not a whole number from 1 to 256: "
		"257\n"
		"m: rounds: not a whole number from 1 to 10000: 0\n"
		"m: timeout: not a duration (seconds, or text such as "
		"\"30min\"): \"soon\"\n"
		"m: baseline: needs exactly one of filesystem, volume, "
		"workload\n"
		"m: include: not an array\n"
		"m: exclude[0]: needs volume, filesystem or workload\n");
}

static void even_a_member_without_a_name_is_named(void **state)
{
	(void)state;
	assert_faults("{\"volumes\":[" FOLDER "],\"\":1,\"include\":["
		      "{\"volume\":\"d\",\"\":1,\"\":2}]}",
		      "m:1:81: include[0].\"\": given already in line 1\n"
		      "m: \"\": unknown member\n"
		      "m: include[0].\"\": unknown member\n");
}

static void no_mount_options_are_none(void **state)
{
	struct matrix *m = parse("{\"volumes\":[" IMAGE "],\"filesystems\":["
				 "{\"type\":\"xfs\",\"mount\":\"\"}]}");

	(void)state;
	assert_null(m->filesystems[0].mount);
	matrix_free(m);
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	assert_faults("{}", "m: volumes: missing\n");
	assert_faults("[]", "m: not an object\n");
	assert_faults("7", "m: not an object\n");
	assert_faults("{\"volumes\":[" IMAGE "]}",
		      "m: filesystems: missing (only directories need none)\n");
	assert_faults("{\"volumes\":[{}],\"filesystems\":[{}],"
		      "\"workloads\":[{},{}]}",
		      "m: volumes[0].name: missing\n"
		      "m: volumes[0]: needs exactly one of image, device, "
		      "directory\n"
		      "m: filesystems[0].type: missing\n"
		      "m: workloads[0].name: missing (one of several needs "
		      "it)\n"
		      "m: workloads[1].name: missing (one of several needs "
		      "it)\n");
	assert_faults("{\"volumes\":[],\"filesystems\":[],\"workloads\":[]}",
		      "m: volumes: is empty\n"
		      "m: filesystems: is empty\n"
		      "m: workloads: is empty\n");
}

static void a_name_can_be_given_once_and_refers_to_something(void **state)
{
	(void)state;
	assert_faults("{\"volumes\":[" IMAGE "," IMAGE "],\"filesystems\":["
		      "{\"type\":\"xfs\"},{\"name\":\"xfs\",\"type\":\"udf\"}],"
		      "\"baseline\":{\"filesystem\":\"xfz\"},"
		      "\"exclude\":[{\"volume\":\"nowhere\"}]}",
		      "m: volumes[1].name: \"v\" is the name of volumes[0] "
		      "too\n"
		      "m: filesystems[1].name: \"xfs\" is the name of "
		      "filesystems[0] too\n"
		      "m: baseline.filesystem: no filesystem has the name "
		      "\"xfz\" (did you mean \"xfs\"?)\n"
		      "m: exclude[0].volume: no volume has the name "
		      "\"nowhere\"\n");
}

static void a_reference_to_what_is_faulty_is_no_second_fault(void **state)
{
	(void)state;
	assert_faults("{\"volumes\":[" IMAGE "],\"filesystems\":["
		      "{\"name\":\"\",\"type\":\"xfs\"}],"
		      "\"baseline\":{\"filesystem\":\"xfs\"}}",
		      "m: filesystems[0].name: is empty\n");
	assert_faults("{\"volumes\":[" IMAGE "],"
		      "\"baseline\":{\"filesystem\":\"xfs\"}}",
		      "m: filesystems: missing (only directories need none)\n");
	assert_faults("{\"volumes\":[" FOLDER "],"
		      "\"baseline\":{\"filesystem\":\"xfs\"}}",
		      "m: baseline.filesystem: no filesystem has the name "
		      "\"xfs\": a directory brings its own, so name the "
		      "volume instead\n");
}

static void every_duplicate_key_is_told_with_its_place(void **state)
{
	(void)state;
	assert_faults("{\n"
		      "  \"rounds\": 1, \"rounds\": 2,\n"
		      "  \"volumes\": [ " FOLDER ", {\n"
		      "    \"name\": \"\xc3\xa4\xc3\xb6\", \"n\\u0061me\": 1,\n"
		      "    \"directory\": \"/\"\n"
		      "  } ],\n"
		      "  \"rounds\": 3, \"a\\ud83d\\udcbe\": {},\n"
		      "  \"a\xf0\x9f\x92\xbe\": 1\n"
		      "}",
		      "m:4:19: volumes[1].name: given already in line 4\n"
		      "m:8:3: a\xf0\x9f\x92\xbe: given already in line 7\n"
		      "m:2:16: rounds: given already in line 2\n"
		      "m:7:3: rounds: given already in line 2\n"
		      "m: a\xf0\x9f\x92\xbe: unknown member\n"
		      "m: volumes[1].name: not a string\n");
}

static void syntax_has_a_line_and_a_column(void **state)
{
	(void)state;
	assert_faults("{ \"filesystems\": [\"ext4\",\n\"xfs\" : 1",
		      "m:2:7: ']' expected near ':'\n");
	assert_faults("{\"a\": 1,}",
		      "m:1:9: string or '}' expected near '}': no comma may "
		      "stand before it\n");
	assert_faults("", "m:1: nothing in it\n");
	assert_faults(" \n", "m:2: nothing in it\n");
	assert_faults("\xef\xbb\xbf{}", "m:1:1: begins with a byte order mark; "
					"save it without one\n");
	assert_faults("{\"a\":\"\xff\"}", "m:1:6: not UTF-8\n");
	assert_faults("{\"a\":99999999999999999999}",
		      "m:1:25: number out of range\n");
	assert_faults("{\"a\":1e999}", "m:1:10: number out of range\n");
	assert_faults("{\"a\\u0000\":1}", "m:1:10: NUL character in a member's "
					  "name\n");
	assert_faults_of("{}\0{}", 5, "m:1:3: NUL byte: not a text file\n");
}

static void deep_nesting_ends_with_an_error(void **state)
{
	enum { DEPTH = 100000 };
	char *deep = malloc(DEPTH);
	struct err_list errs = { 0 };

	(void)state;
	assert_non_null(deep);
	memset(deep, '[', DEPTH);
	assert_null(matrix_parse(deep, DEPTH, "m", &errs));
	assert_int_equal(errs.count, 1);
	assert_string_equal(errs.items[0].text, "nested too deeply");
	err_list_done(&errs);
	for (size_t i = 0; i < DEPTH; i++)
		deep[i] = i < 2000 ? '[' : ']';
	assert_null(matrix_parse(deep, 4000, "m", &errs));
	assert_string_equal(errs.items[0].text, "not an object");
	err_list_done(&errs);
	free(deep);
}

static void texts_are_data_but_names_are_shown(void **state)
{
	char name[200];
	char text[400];

	(void)state;
	assert_faults("{\"volumes\":[{\"name\":\"a\\u001b[2J\","
		      "\"directory\":\"a\\u0000b\"}],\"filesystems\":["
		      "{\"name\":\"\\u202e\",\"type\":\"xfs\","
		      "\"mkfs\":[\"\\u0000\",\"x\"]}]}",
		      "m: volumes[0].name: contains a control character\n"
		      "m: volumes[0].directory: contains a NUL character\n"
		      "m: filesystems[0].name: contains a control character\n"
		      "m: filesystems[0].mkfs[0]: contains a NUL character\n");
	memset(name, 'n', sizeof(name));
	snprintf(text, sizeof(text),
		 "{\"name\":\"%.129s\",\"volumes\":[" FOLDER "]}", name);
	assert_faults(text, "m: name: longer than 128 bytes\n");
	snprintf(text, sizeof(text),
		 "{\"name\":\"%.128s\",\"volumes\":[" FOLDER "]}", name);
	matrix_free(parse(text));
}

static void members_of_a_workload_must_fit_each_other(void **state)
{
	(void)state;
	assert_faults("{\"volumes\":[" FOLDER "],\"file_limit\":\"64KiB\","
		      "\"workloads\":["
		      "{\"name\":\"a\",\"block\":1000,\"io\":\"direct\"},"
		      "{\"name\":\"b\"},"
		      "{\"name\":\"c\",\"file_limit\":1,\"block\":2},"
		      "{\"name\":\"d\",\"size\":7,\"streams\":8,\"block\":1}]}",
		      "m: workloads[0].block: not a multiple of 512, which "
		      "direct io needs\n"
		      "m: workloads[1].block: larger than file_limit\n"
		      "m: workloads[2].block: larger than file_limit\n"
		      "m: workloads[3].size: less than a byte for each "
		      "stream\n");
}

static void numbers_have_limits(void **state)
{
	(void)state;
	assert_faults("{\"volumes\":[{\"name\":\"v\",\"image\":\"i\","
		      "\"size\":1048575}],\"filesystems\":[{\"type\":\"xfs\"}],"
		      "\"workloads\":[{\"block\":\"1025MiB\",\"depth\":1025,"
		      "\"size\":-1,\"file_limit\":\"9000000TiB\","
		      "\"duration\":1e300}],"
		      "\"timeout\":10000000000,\"rounds\":10001}",
		      "m: volumes[0].size: less than 1MiB\n"
		      "m: workloads[0].block: more than 1GiB\n"
		      "m: workloads[0].size: not a size (bytes, or text such "
		      "as \"512KiB\"): -1\n"
		      "m: workloads[0].duration: not a duration (seconds, or "
		      "text such as \"30min\"): 1e+300\n"
		      "m: workloads[0].file_limit: more than 4194304TiB\n"
		      "m: workloads[0].depth: not a whole number from 1 to "
		      "1024: 1025\n"
		      "m: rounds: not a whole number from 1 to 10000: 10001\n"
		      "m: timeout: more than 1000000000 seconds\n");
	matrix_free(parse("{\"volumes\":[" FOLDER "],\"rounds\":1e1}"));
}

static void cells_are_neither_none_nor_too_many(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_faults("{\"volumes\":[" FOLDER "],"
		      "\"exclude\":[{\"volume\":\"d\"}]}",
		      "m: include and exclude leave no cell\n");
	assert_faults("{\"volumes\":[" IMAGE "," FOLDER "],\"filesystems\":["
		      "{\"type\":\"ext4\"},{\"type\":\"xfs\"}],"
		      "\"baseline\":{\"filesystem\":\"xfs\"},"
		      "\"exclude\":[{\"filesystem\":\"xfs\"}]}",
		      "m: baseline: no cell has filesystem \"xfs\"\n");
	fprintf(out, "{\"volumes\":[" IMAGE "],\"filesystems\":[");
	for (int i = 0; i < 1000; i++)
		fprintf(out, "%s{\"name\":\"%d\",\"type\":\"xfs\"}",
			i ? "," : "", i);
	fprintf(out, "],\"workloads\":[");
	for (int i = 0; i < 1001; i++)
		fprintf(out, "%s{\"name\":\"%d\"}", i ? "," : "", i);
	fprintf(out, "]}");
	fclose(out);
	assert_faults(text,
		      "m: workloads: has 1001 entries; the most is 1000\n");
	free(text);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	struct err_list errs = { 0 };

	(void)state;
	assert_null(matrix_load("/nonexistent/m.json", &errs));
	assert_null(matrix_load(TESTS_DIR, &errs));
	assert_null(matrix_load("/dev/null", &errs));
	assert_int_equal(errs.count, 3);
	for (size_t i = 0; i < errs.count; i++)
		assert_int_equal(errs.items[i].code, ERR_INPUT);
	assert_string_equal(errs.items[0].source, "/nonexistent/m.json");
	assert_string_equal(errs.items[0].text, "No such file or directory");
	assert_string_equal(errs.items[1].text, "is a directory");
	assert_string_equal(errs.items[2].text, "not a regular file");
	err_list_done(&errs);
}

static void types_and_dimensions_have_names(void **state)
{
	(void)state;
	assert_string_equal(matrix_type_find("ntfs")->drivers[1], "ntfs-3g");
	assert_null(matrix_type_find("ntfs3"));
	assert_string_equal(matrix_dimension_name(MATRIX_VOLUME), "volume");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_of_a_volume_reaches_its_field),
		cmocka_unit_test(
			every_member_of_a_filesystem_reaches_its_field),
		cmocka_unit_test(every_member_of_a_workload_reaches_its_field),
		cmocka_unit_test(every_member_of_the_matrix_reaches_its_field),
		cmocka_unit_test(what_is_left_out_has_its_default),
		cmocka_unit_test(only_directories_need_no_filesystem),
		cmocka_unit_test(
			the_default_baseline_is_the_first_that_has_a_cell),
		cmocka_unit_test(a_filter_matches_when_all_its_members_do),
		cmocka_unit_test(all_faults_are_told_at_once_with_their_paths),
		cmocka_unit_test(even_a_member_without_a_name_is_named),
		cmocka_unit_test(no_mount_options_are_none),
		cmocka_unit_test(what_is_missing_is_named),
		cmocka_unit_test(
			a_name_can_be_given_once_and_refers_to_something),
		cmocka_unit_test(
			a_reference_to_what_is_faulty_is_no_second_fault),
		cmocka_unit_test(every_duplicate_key_is_told_with_its_place),
		cmocka_unit_test(syntax_has_a_line_and_a_column),
		cmocka_unit_test(deep_nesting_ends_with_an_error),
		cmocka_unit_test(texts_are_data_but_names_are_shown),
		cmocka_unit_test(members_of_a_workload_must_fit_each_other),
		cmocka_unit_test(numbers_have_limits),
		cmocka_unit_test(cells_are_neither_none_nor_too_many),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
		cmocka_unit_test(types_and_dimensions_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
