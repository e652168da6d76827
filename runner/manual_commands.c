/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <string.h>

#include "runner/command.h"
#include "runner/manual_private.h"
#include "runner/usage.h"

/* Each name of an option in bold, its value as it is. */
static void print_head(const struct usage_entry *entry, FILE *out)
{
	const char *head = entry->head;
	struct usage_name name;
	bool first = true;

	fputs(".TP\n", out);
	while (usage_name_next(&head, &name)) {
		fputs(first ? "\\fB" : ", \\fB", out);
		manual_text(name.name, out);
		fputs("\\fR", out);
		if (name.value[0]) {
			fputs(" \\fI", out);
			manual_text(name.value, out);
			fputs("\\fR", out);
		}
		first = false;
	}
	fputc('\n', out);
}

/* Returns what is behind the entries: prose, or nothing. */
static const char *print_options(const char *options, FILE *out)
{
	struct usage_entry entry;

	while (usage_next(&options, &entry)) {
		print_head(&entry, out);
		manual_line(entry.text, out);
	}
	return options;
}

static void print_prose(const char *prose, FILE *out)
{
	while (*prose) {
		size_t length = strcspn(prose, "\n");
		char line[256];

		snprintf(line, sizeof(line), "%.*s", (int)length, prose);
		if (length > 0)
			manual_line(line, out);
		else if (prose[1])
			fputs(".PP\n", out);
		prose += length + (prose[length] == '\n');
	}
}

void manual_commands(FILE *out)
{
	for (size_t i = 0; command_table[i]; i++) {
		const struct command *command = command_table[i];

		fputs(".SS ", out);
		manual_line(command->name, out);
		fputs(".PP\n\\fBfsmatrix ", out);
		manual_text(command->name, out);
		fputs("\\fR ", out);
		manual_line(command->synopsis, out);
		fputs(".PP\n", out);
		fputc(toupper((unsigned char)command->brief[0]), out);
		manual_text(command->brief + 1, out);
		fputs(".\n", out);
		print_prose(print_options(command->options, out), out);
	}
	fputs(".SS Every command\n", out);
	print_options(command_common_options, out);
}
