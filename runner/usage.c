/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/usage.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_COLUMN = 20 }; /* a line indented that far goes on */

static void copy(char *out, size_t size, const char *text, size_t length)
{
	snprintf(out, size, "%.*s", (int)length, text);
}

static void join(char *out, size_t size, const char *text, size_t length)
{
	size_t used = strlen(out);

	snprintf(out + used, size - used, "%s%.*s", used > 0 ? " " : "",
		 (int)length, text);
}

/* Takes one line away: its indentation, and what follows that. */
static bool next_line(const char **rest, size_t *indent, const char **line,
		      size_t *length)
{
	if (!**rest)
		return false;
	*indent = strspn(*rest, " ");
	*line = *rest + *indent;
	*length = strcspn(*line, "\n");
	*rest = *line + *length;
	*rest += **rest == '\n';
	return true;
}

bool usage_next(const char **rest, struct usage_entry *entry)
{
	const char *line, *gap;
	size_t indent, length;

	*entry = (struct usage_entry){ 0 };
	if (**rest == '\n' || !next_line(rest, &indent, &line, &length))
		return false;
	gap = memmem(line, length, "  ", 2);
	copy(entry->head, sizeof(entry->head), line,
	     gap ? (size_t)(gap - line) : length);
	if (gap) {
		gap += strspn(gap, " ");
		join(entry->text, sizeof(entry->text), gap,
		     length - (size_t)(gap - line));
	}
	while (strspn(*rest, " ") >= TEXT_COLUMN &&
	       next_line(rest, &indent, &line, &length))
		join(entry->text, sizeof(entry->text), line, length);
	return true;
}

bool usage_name_next(const char **head, struct usage_name *name)
{
	const char *start = *head, *end = strstr(start, ", ");
	size_t length = end ? (size_t)(end - start) : strlen(start);
	size_t word = strcspn(start, " ,");

	if (!*start)
		return false;
	copy(name->name, sizeof(name->name), start, word);
	copy(name->value, sizeof(name->value), start + word + (word < length),
	     word < length ? length - word - 1 : 0);
	*head = start + length + (end ? strlen(", ") : 0);
	return true;
}

void usage_value(const struct usage_entry *entry, char value[USAGE_WORD_MAX])
{
	const char *head = entry->head;
	struct usage_name name;

	value[0] = '\0';
	while (usage_name_next(&head, &name)) {
		if (name.name[0] == '-' && name.value[0])
			copy(value, USAGE_WORD_MAX, name.value,
			     strlen(name.value));
	}
}

/* Past blanks and whatever stands in brackets. */
static const char *skip_aside(const char *text)
{
	text += strspn(text, " ");
	while (*text == '(') {
		text += strcspn(text, ")");
		text += *text == ')';
		text += strspn(text, " ");
	}
	return text;
}

/* The next word; `end` is the sign behind it, '\0' for none. */
static const char *next_word(const char *text, char word[USAGE_WORD_MAX],
			     char *end)
{
	size_t length;

	text = skip_aside(text);
	if (*text == ',')
		text = skip_aside(text + 1);
	length = strcspn(text, " ");
	*end = length > 0 && strchr(",;:.", text[length - 1]) ? text[length - 1]
							      : '\0';
	copy(word, USAGE_WORD_MAX, text, length - (*end != '\0'));
	return text + length;
}

static bool is_joint(const char *word)
{
	return strcmp(word, "or") == 0 || strcmp(word, "and") == 0;
}

/* Whether a list goes on behind a word that ended in `end`. */
static bool goes_on(const char *text, char end)
{
	char word[USAGE_WORD_MAX], ignored;

	if (end)
		return end == ',';
	text = skip_aside(text);
	if (*text == ',')
		return true;
	next_word(text, word, &ignored);
	return is_joint(word);
}

size_t usage_choices(const char *text, char words[][USAGE_WORD_MAX],
		     size_t most)
{
	char word[USAGE_WORD_MAX], end;
	size_t count = 0;
	bool more;

	while (count < most) {
		text = next_word(text, word, &end);
		if (!word[0])
			break;
		if (is_joint(word))
			continue;
		more = goes_on(text, end);
		if (more || count > 0)
			copy(words[count++], USAGE_WORD_MAX, word,
			     strlen(word));
		if (!more && count > 0)
			break;
	}
	return count;
}
