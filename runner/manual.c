/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/manual.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/embed.h"
#include "runner/command.h"
#include "runner/manual_private.h"
#include "runner/sysfile.h"

extern const struct embed manual_files[];

static const char *const pages[] = { "fsmatrix.1", "fsmatrix-matrix.5",
				     "fsmatrix-db.5", NULL };

const char *manual_page(size_t index)
{
	return pages[index];
}

static const char *file_text(const char *name)
{
	for (size_t i = 0; manual_files[i].name; i++) {
		if (strcmp(manual_files[i].name, name) == 0)
			return (const char *)manual_files[i].data;
	}
	return "";
}

void manual_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '-')
			fputs("\\-", out);
		else
			fputc(*text, out);
	}
}

void manual_line(const char *text, FILE *out)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	manual_text(text, out);
	fputc('\n', out);
}

void manual_tag(const char *bold, const char *plain, FILE *out)
{
	fputs(".TP\n\\fB", out);
	manual_text(bold, out);
	fputs("\\fR", out);
	manual_text(plain, out);
	fputc('\n', out);
}

/* .TH has no date: a page is of a version, and the same whenever made. */
static void print_title(const char *page, FILE *out)
{
	const char *dot = strrchr(page, '.');

	fputs(".\\\" Made by fsmatrix manual. SPDX-License-Identifier: "
	      "GPL-2.0-or-later\n.TH ",
	      out);
	for (const char *c = page; c < dot; c++)
		fputc(toupper((unsigned char)*c), out);
	fprintf(out, " %s \"\" \"" PROGRAM " " FSMATRIX_VERSION "\" \"%s\"\n",
		dot + 1, dot[1] == '1' ? "User Commands" : "File Formats");
}

static bool insert(const char *word, FILE *out, struct err *err)
{
	if (strcmp(word, "@commands@") == 0) {
		manual_commands(out);
		return true;
	}
	if (strcmp(word, "@columns@") == 0)
		return manual_columns(file_text("columns.txt"), out, err);
	if (strcmp(word, "@members@") == 0)
		return manual_members(file_text("matrix.schema.json"), out,
				      err);
	return err_set(err, ERR_FAILED, "a manual page has %s", word);
}

/* A line of the page; "@share@" in it is where the program's files are. */
static void print_line(const char *text, size_t length, const char *share,
		       FILE *out)
{
	static const char word[] = "@share@";
	const char *end = text + length, *at;

	while ((at = memmem(text, (size_t)(end - text), word,
			    sizeof(word) - 1))) {
		fprintf(out, "%.*s", (int)(at - text), text);
		manual_text(share, out);
		text = at + sizeof(word) - 1;
	}
	fprintf(out, "%.*s\n", (int)(end - text), text);
}

static bool print_page(const char *text, const char *share, FILE *out,
		       struct err *err)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char line[32];

		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		if (line[0] != '@')
			print_line(text, length, share, out);
		else if (!insert(line, out, err))
			return false;
		text += length + (text[length] == '\n');
	}
	return true;
}

/*
 * Where what is installed with this program is, on the heap; NULL: it was not
 * installed.
 */
static char *find_share(void)
{
	char *found = sysfile_beside_program("../share/fsmatrix");
	char *slash = found ? strrchr(found, '/') : NULL;

	if (slash)
		*slash = '\0';
	return found;
}

static int name_length(const char *page)
{
	return (int)strcspn(page, ".");
}

/* "fsmatrix-db" is fsmatrix-db.5, as man(1) has it. */
static bool is_named(const char *page, const char *word)
{
	size_t length = strlen(word);

	return strncmp(page, word, length) == 0 &&
	       (page[length] == '\0' || (int)length == name_length(page));
}

static bool print(const char *page, FILE *out, struct err *err)
{
	char *share = find_share();
	bool ok;

	print_title(page, out);
	ok = print_page(file_text(page), share ? share : FSMATRIX_SHARE, out,
			err);
	free(share);
	return ok;
}

bool manual_print(const char *page, FILE *out, struct err *err)
{
	for (size_t i = 0; pages[i]; i++) {
		if (is_named(pages[i], page))
			return print(pages[i], out, err);
	}
	return err_usage(err, "no page %s; there are %.*s, %.*s and %.*s", page,
			 name_length(pages[0]), pages[0], name_length(pages[1]),
			 pages[1], name_length(pages[2]), pages[2]);
}
