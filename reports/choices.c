/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void choices_add(struct choices *choices, const char *value)
{
	for (size_t i = 0; i < choices->count; i++) {
		if (strcmp(choices->values[i], value) == 0)
			return;
	}
	if (choices->more || choices->count == CHOICES_MAX) {
		choices->more = true;
		return;
	}
	choices->values[choices->count] = strdup(value);
	choices->more = !choices->values[choices->count];
	choices->count += !choices->more;
}

char *choices_text(const struct choices *choices, const char *between)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < choices->count; i++)
		fprintf(out, "%s%s", i > 0 ? between : "",
			*choices->values[i] ? choices->values[i] : "(none)");
	if (choices->more)
		fprintf(out, "%s...", choices->count > 0 ? between : "");
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

void choices_done(struct choices *choices)
{
	for (size_t i = 0; i < choices->count; i++)
		free(choices->values[i]);
}
