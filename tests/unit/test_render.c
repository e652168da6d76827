/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <jansson.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "reports/render.h"
#include "tests/unit/sampling.h"

static const double vfat_w[] = { 11885, 11700, 12010, 11850, 11990 };
static const double vfat_r[] = { 13223, 13010, 13400, 13150, 13290 };
static const double exfat_w[] = { 12075, 11900, 12050, 12100, 11850 };
static const double exfat_r[] = { 23205, 23100, 23310, 22990, 23420 };

struct fixture {
	struct dataset data;
	struct compare_options options;
	struct render_view view;
	char *text;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .view = { .columns = 80, .utf8 = true } };
	compare_options_init(&fixture.options);
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return -1;
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	free(f->text);
	compare_options_done(&f->options);
	dataset_done(&f->data);
	return 0;
}

static const char *print(struct fixture *f, const char *format)
{
	struct comparison *comparison = sampling_compare(&f->data, &f->options);
	struct err err = { 0 };
	const struct render *render = render_find(format, &err);
	size_t size;
	FILE *out;

	free(f->text);
	f->text = NULL;
	out = open_memstream(&f->text, &size);
	assert_non_null(render);
	assert_non_null(out);
	assert_true(render->print(comparison, &f->view, out, &err));
	assert_int_equal(fclose(out), 0);
	compare_free(comparison);
	return f->text;
}

static void add_pair(struct fixture *f, struct record_result row, int64_t cell,
		     const char *vfat, const char *exfat)
{
	row.cell = row.base_cell = cell;
	row.filesystem = vfat;
	sampling_add_rates(&f->data, row, 'W', vfat_w, 5);
	sampling_add_rates(&f->data, row, 'R', vfat_r, 5);
	row.cell = cell + 1;
	row.filesystem = exfat;
	sampling_add_rates(&f->data, row, 'W', exfat_w, 5);
	sampling_add_rates(&f->data, row, 'R', exfat_r, 5);
}

static void the_text_table_looks_as_it_should(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "exfat");
	assert_string_equal(
		print(f, "text"),
		"OS           Drive FS    Op    KB/Sec  \xc2\xb1"
		"95%   Change   95% interval         p\n"
		"----------------------------------------------------------"
		"-------------------\n"
		"Linux 6.12.5 sda1  vfat  W     11,886  1.3%     base\n"
		"                         R     13,214  1.4%     base\n"
		"                   exfat W     11,995  1.2%    +0.9% ~ [ -0.8,"
		"  +2.6]    .204\n"
		"                         R     23,205  0.9%   +75.6%   [+73.9,"
		" +77.3]   <.001\n"
		"----------------------------------------------------------"
		"-------------------\n"
		"~ no difference shown   ? not after correction for 2 "
		"comparisons (Holm, 0.05)\n"
		"no mark: significant\n"
		"KB = 1024 bytes; Change is against filesystem vfat\n"
		"exfat reads about 75% faster than vfat on sda1; writes show "
		"no clear difference.\n");
}

static void the_classic_table_has_the_four_columns(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 0);
	static const struct {
		const char *os, *filesystem;
		double rates[2];
	} cells[] = {
		{ "95", "FAT", { 5599, 6567 } },
		{ "NT", "FAT", { 4439, 3697 } },
		{ "NT", "NTFS", { 4945, 3886 } },
	};
	struct err err = { 0 };

	for (int64_t i = 0; i < 3; i++) {
		row.cell = i + 1;
		row.run = i ? 2 : 1;
		row.os = row.host = cells[i].os;
		row.filesystem = cells[i].filesystem;
		row.op = 'W';
		row.kb_per_s = cells[i].rates[0];
		sampling_add(&f->data, row);
		row.op = 'R';
		row.kb_per_s = cells[i].rates[1];
		sampling_add(&f->data, row);
	}
	f->options.as_article = true;
	assert_true(compare_parse_base(&f->options, "os=NT", &err));
	assert_string_equal(print(f, "classic"),
			    "OS Drive Op KB/Sec\n"
			    "95   FAT  W 5599\n"
			    "          R 6567\n"
			    "NT   FAT  W 4439\n"
			    "          R 3697\n"
			    "NT  NTFS  W 4945\n"
			    "          R 3886\n"
			    "95 writes about 26% faster and reads about 77% "
			    "faster than NT on FAT volumes\n"
			    "  (n=1: not tested).\n"
			    "KB = 1024 bytes\n");
}

/* Columns of a line, which ends at its newline. */
static size_t columns_of(const char *line, size_t bytes)
{
	wchar_t wide[1024];
	char copy[1024];
	size_t count;

	assert_true(bytes < sizeof(copy));
	memcpy(copy, line, bytes);
	copy[bytes] = '\0';
	count = mbstowcs(wide, copy, 1024);
	assert_true(count != (size_t)-1);
	return (size_t)wcswidth(wide, count);
}

static void assert_narrow(const char *text, size_t columns)
{
	while (*text) {
		size_t bytes = strcspn(text, "\n");
		size_t width = columns_of(text, bytes);

		if (width > columns)
			fail_msg("%zu columns: %.*s", width, (int)bytes, text);
		text += bytes + (text[bytes] == '\n');
	}
}

static void assert_plain(const char *text, bool ascii)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c != '\n' && (c < ' ' || c == 127 || (ascii && c > 127)))
			fail_msg("byte %02x in the output", c);
	}
}

#define WIDE "\xe6\xbc\xa2\xe5\xad\x97" /* two characters, four columns */

/* Long names, wide characters, several of everything, and large numbers. */
static void add_much(struct fixture *f)
{
	static const char *const volumes[] = {
		"scratch-of-the-north-branch-1",
		"scratch-of-the-north-branch-2",
		WIDE WIDE WIDE " disk",
	};
	struct record_result row = sampling_row(1, 1, 1);

	for (int64_t i = 0; i < 12; i++) {
		row.run = i < 6 ? 1 : 2;
		row.label = i < 6 ? "before the great upgrade" : "after it";
		row.os = i % 2 ? "Linux 6.12.5-amd64-generic-lts"
			       : "FreeBSD 14.2-RELEASE-p1";
		row.volume = volumes[i / 2 % 3];
		row.workload = i % 3 ? "sequential" : "random 4k";
		add_pair(f, row, 2 * i + 1, "vfat with big clusters",
			 "exfat\x1b[31m");
	}
	row.cell = 100;
	row.base_cell = 1;
	row.filesystem = "ntfs";
	row.status = RECORD_SKIPPED;
	row.reason = "no mkfs.ntfs (install ntfs-3g)";
	sampling_add(&f->data, row);
	row.cell = 101;
	row.base_cell = 101;
	row.filesystem = "tmpfs";
	row.status = RECORD_OK;
	row.op = 'R';
	row.cached = true;
	row.kb_per_s = 123456789;
	sampling_add(&f->data, row);
}

static void no_line_is_wider_than_the_terminal(void **state)
{
	static const size_t widths[] = { 40, 60, 80, 90, 100, 200 };
	struct fixture *f = *state;

	add_much(f);
	for (int utf8 = 0; utf8 < 2; utf8++) {
		for (size_t i = 0; i < 6; i++) {
			f->view.columns = widths[i];
			f->view.utf8 = utf8;
			assert_narrow(print(f, "text"), widths[i]);
			assert_plain(f->text, !utf8);
			/* Numbers are whole, in whatever block they stand. */
			assert_non_null(strstr(f->text, "123,456,789"));
			assert_non_null(strstr(f->text, "+75.6%"));
			assert_non_null(strstr(f->text, "[+73.9, +77.3]"));
			assert_narrow(print(f, "classic"), widths[i]);
			assert_plain(f->text, !utf8);
		}
	}
}

static void a_column_that_nothing_stands_in_takes_its_place(void **state)
{
	struct fixture *f = *state;

	/* Everything differs, so there is no mark. */
	f->options.alpha = 0.9;
	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "exfat");
	for (size_t columns = 60; columns < 90; columns++) {
		f->view.columns = columns;
		assert_narrow(print(f, "text"), columns);
	}
}

static void no_width_is_eighty_columns_and_the_least_is_forty(void **state)
{
	struct fixture *f = *state;
	char *text;

	add_much(f);
	f->view.columns = 80;
	text = strdup(print(f, "text"));
	f->view.columns = 0;
	assert_string_equal(print(f, "text"), text);
	free(text);
	f->view.columns = 40;
	text = strdup(print(f, "text"));
	f->view.columns = 20;
	assert_string_equal(print(f, "text"), text);
	free(text);
}

static void what_is_cut_is_said_in_full_below(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	row.volume = "a-volume-with-a-name-that-is-rather-long-one";
	add_pair(f, row, 1, "vfat", "exfat");
	row.volume = "a-volume-with-a-name-that-is-rather-long-two";
	add_pair(f, row, 3, "vfat", "exfat");
	print(f, "text");
	assert_non_null(strstr(f->text, "OS Linux 6.12.5\n"));
	assert_non_null(strstr(f->text, "ther-long-one vfat  W "));
	assert_null(strstr(f->text, "rather-long-one vfat  W "));
	assert_non_null(strstr(f->text, "ther-long-two: a-volume-with-a-name-"
					"that-is-rather-long-two\n"));
}

static void the_geometric_mean_stands_below_its_rows(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	add_pair(f, row, 1, "vfat", "exfat");
	row.volume = "sdb1";
	add_pair(f, row, 3, "vfat", "exfat");
	print(f, "text");
	assert_non_null(strstr(f->text, "-\nLinux 6.12.5 geomean exfat W     "
					"11,995          +0.9%   2 of 2 "
					"rows\n"));
}

static void a_status_stands_where_the_rate_would(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 3, 1);

	add_pair(f, row, 1, "vfat", "exfat");
	row.filesystem = "ntfs";
	row.status = RECORD_SKIPPED;
	row.reason = "no mkfs.ntfs (install ntfs-3g)";
	sampling_add(&f->data, row);
	print(f, "text");
	assert_non_null(strstr(f->text, "                   ntfs  W  skipped: "
					"no mkfs.ntfs\n"
					"                         R  n/a\n"));
	assert_non_null(strstr(f->text, "\nntfs on sda1: skipped: no mkfs.ntfs "
					"(install ntfs-3g)\n"));
	print(f, "md");
	assert_non_null(
		strstr(f->text, "| ntfs | W | skipped: no mkfs.ntfs |"));
}

static void a_cached_read_is_marked_and_explained(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 2, 1);

	add_pair(f, row, 1, "vfat", "exfat");
	row.op = 'R';
	row.kb_per_s = 23000;
	row.cached = true;
	sampling_add(&f->data, row);
	print(f, "text");
	assert_non_null(strstr(f->text, "R     23,170 c"));
	assert_non_null(strstr(f->text, "\nc cached: memory, not the device, "
					"served it\n"));
	assert_non_null(strstr(f->text, "(from memory)"));
}

static void ascii_has_no_other_bytes(void **state)
{
	struct fixture *f = *state;
	struct record_result row = sampling_row(1, 1, 1);

	f->view.utf8 = false;
	row.os = "Gr\xc3\xbc\xc3\x9f";
	add_pair(f, row, 1, "vfat", "exfat");
	assert_plain(print(f, "text"), true);
	assert_non_null(strstr(f->text, " +-95% "));
	assert_non_null(strstr(f->text, "Gr\\u{fc}\\u{df}"));
}

static void values_stand_beside_each_other(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "exfat");
	f->options.has_columns = true;
	f->options.columns = DATASET_FILESYSTEM;
	print(f, "text");
	assert_memory_equal(
		f->text,
		"OS           Drive Op      vfat     exfat   Change       p\n"
		"----------------------------------------------------------\n"
		"Linux 6.12.5 sda1  W     11,886    11,995    +0.9% ~  .204\n"
		"                   R     13,214    23,205   +75.6%   <.001\n",
		(size_t)4 * 59);
}

static void a_unit_changes_the_rates_and_the_legend(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "exfat");
	f->view.unit = "MB";
	print(f, "text");
	assert_non_null(strstr(f->text, "   MB/Sec "));
	assert_non_null(strstr(f->text, "W       12.2 "));
	assert_non_null(strstr(f->text, "\nMB = 1000000 bytes;"));
}

static void nothing_changed_is_said(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "exfat");
	f->options.only_changed = true;
	f->options.alpha = 1e-12;
	print(f, "text");
	assert_string_equal(f->text, "No row is shown: none of 2 changed "
				     "significantly.\n");
}

static void markdown_escapes_what_would_mean_something(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "a|b<i>*c*`d`", "e_f_&[g](h)");
	print(f, "md");
	assert_non_null(strstr(
		f->text, "| a&#124;b&#60;i&#62;&#42;c&#42;&#96;d&#96; |"));
	assert_non_null(strstr(f->text, "| e&#95;f&#95;&#38;&#91;g&#93;(h) |"));
	assert_null(strstr(f->text, "<i>"));
	assert_non_null(strstr(f->text, "\n|---|---|---|---|---:|---:|---:|---|"
					"---:|\n"));
	assert_non_null(strstr(f->text, "| +0.9% ~ | [ -0.8,  +2.6] | .204 |"));
	assert_non_null(strstr(f->text, "\n- KB = 1024 bytes; "));
}

static size_t occurrences(const char *text, const char *of)
{
	size_t count = 0;

	for (; (text = strstr(text, of)); text += strlen(of))
		count++;
	return count;
}

/* The scripts of ours hold no "</script", so every one that is there ends. */
static void html_takes_names_for_text(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "</script><b>a&b\"'",
		 "\xe2\x80\xa8"
		 "e\nf\xff");
	print(f, "html");
	assert_non_null(strstr(f->text, ">&#60;/script&#62;&#60;b&#62;a&#38;b"
					"&#34;&#39;</th>"));
	assert_non_null(strstr(f->text, ">\\u{2028}e\\x0af\\xff</th>"));
	assert_non_null(strstr(f->text, "\"\\u003c/script\\u003e\\u003cb\\u003e"
					"a\\u0026b\\u0022'\""));
	assert_non_null(strstr(f->text, "\"\\u005cu{2028}e\\u005cx0af"
					"\\u005cxff\""));
	assert_null(strstr(f->text, "<b>"));
	assert_int_equal(occurrences(f->text, "<script"), 4);
	assert_int_equal(occurrences(f->text, "</script"), 4);
}

static void html_has_the_figures_of_the_table(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "exfat");
	print(f, "html");
	assert_non_null(strstr(f->text, "<td class=\"n up\">+75.6%<span "
					"class=m></span></td>"
					"<td class=n>[+73.9, +77.3]</td>"
					"<td class=n>&#60;.001</td>"));
	assert_non_null(strstr(f->text, "\"change_text\":[\"\",\"\",\"+0.9% "
					"[-0.8, +2.6], p .204 ~\","));
	assert_non_null(strstr(f->text, "\"way\":[\"\",\"\",\"\",\"up\"]"));
	assert_non_null(strstr(f->text, ",75.6061705429"));
}

static void csv_neutralises_formulas_and_keeps_digits(void **state)
{
	struct fixture *f = *state;

	add_pair(f, sampling_row(1, 1, 1), 1, "=1+1", "a\"b,c");
	print(f, "csv");
	assert_non_null(strstr(f->text, "\"'=1+1\""));
	assert_non_null(strstr(f->text, "\"a\"\"b,c\""));
	assert_non_null(strstr(f->text, "workload,settings,op,n,kb_per_s,"
					"half_width_pct,app_kb_per_s,base,"
					"change_pct,ci_low_pct,ci_high_pct,p,"
					"p_holm,mark,status,"));
	assert_non_null(strstr(f->text, ",75.6061705429"));
}

static json_t *row_of(const json_t *document, size_t i)
{
	return json_array_get(json_object_get(document, "rows"), i);
}

static void json_carries_the_figures_of_each_row(void **state)
{
	struct fixture *f = *state;
	json_t *document, *row;

	add_pair(f, sampling_row(1, 1, 1), 1, "vfat", "ex\xff");
	document = json_loads(print(f, "json"), 0, NULL);
	assert_non_null(document);
	assert_int_equal(
		json_integer_value(json_object_get(document, "format")), 1);
	row = row_of(document, 3);
	assert_string_equal(
		json_string_value(json_object_get(row, "filesystem")),
		"ex\\xff");
	assert_true(fabs(json_real_value(json_object_get(row, "change_pct")) -
			 75.6061705429) < 1e-9);
	assert_true(fabs(json_real_value(json_object_get(row, "ci_low_pct")) -
			 73.913068298) < 1e-9);
	assert_true(fabs(json_real_value(json_object_get(row, "ci_high_pct")) -
			 77.315755708) < 1e-9);
	assert_true(fabs(json_real_value(json_object_get(row, "p_holm")) -
			 1.76943615612e-08) < 1e-18);
	assert_string_equal(json_string_value(json_object_get(row, "mark")),
			    "");
	assert_int_equal(json_integer_value(json_object_get(row, "base_row")),
			 1);
	row = row_of(document, 2);
	assert_string_equal(json_string_value(json_object_get(row, "mark")),
			    "~");
	row = row_of(document, 0);
	assert_true(json_is_true(json_object_get(row, "base")));
	assert_true(json_is_null(json_object_get(row, "change_pct")));
	assert_true(json_is_null(json_object_get(row, "mark")));
	json_decref(document);
}

static void an_unknown_format_names_the_known_ones(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(render_find("yaml", &err));
	assert_string_equal(err.text, "no format yaml; there are text, md, "
				      "csv, json, html, classic");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_text_table_looks_as_it_should),
		TEST(the_classic_table_has_the_four_columns),
		TEST(no_line_is_wider_than_the_terminal),
		TEST(a_column_that_nothing_stands_in_takes_its_place),
		TEST(no_width_is_eighty_columns_and_the_least_is_forty),
		TEST(what_is_cut_is_said_in_full_below),
		TEST(the_geometric_mean_stands_below_its_rows),
		TEST(a_status_stands_where_the_rate_would),
		TEST(a_cached_read_is_marked_and_explained),
		TEST(ascii_has_no_other_bytes),
		TEST(values_stand_beside_each_other),
		TEST(a_unit_changes_the_rates_and_the_legend),
		TEST(nothing_changed_is_said),
		TEST(markdown_escapes_what_would_mean_something),
		TEST(html_takes_names_for_text),
		TEST(html_has_the_figures_of_the_table),
		TEST(csv_neutralises_formulas_and_keeps_digits),
		TEST(json_carries_the_figures_of_each_row),
		TEST(an_unknown_format_names_the_known_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
