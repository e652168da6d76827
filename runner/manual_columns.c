/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "runner/manual_private.h"

enum { LINE_MAX_BYTES = 512, FIELDS = 3 };

static void print_view(char *line, FILE *out)
{
	char *end = strstr(line, "] ");

	if (!end)
		return;
	*end = '\0';
	fputs(".SS ", out);
	manual_line(line + 1, out);
	manual_line(end + 2, out);
}

/* "column | type, unit | words" */
static bool print_column(char *line, FILE *out)
{
	char *fields[FIELDS] = { line };

	for (size_t i = 1; i < FIELDS; i++) {
		char *bar = strstr(fields[i - 1], " | ");

		if (!bar)
			return false;
		*bar = '\0';
		fields[i] = bar + 3;
	}
	fputs(".TP\n\\fB", out);
	manual_text(fields[0], out);
	fputs("\\fR (", out);
	manual_text(fields[1], out);
	fputs(")\n", out);
	manual_line(fields[2], out);
	return true;
}

bool manual_columns(const char *text, FILE *out, struct err *err)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char line[LINE_MAX_BYTES];

		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		if (line[0] == '[')
			print_view(line, out);
		else if (line[0] && line[0] != '#' && !print_column(line, out))
			return err_set(err, ERR_FAILED, "columns.txt: %s",
				       line);
		text += length + (text[length] == '\n');
	}
	return true;
}
