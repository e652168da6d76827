/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/completion.h"

#include <stdbool.h>
#include <string.h>

#include "core/embed.h"
#include "core/text.h"
#include "runner/command.h"
#include "runner/completion_private.h"
#include "runner/usage.h"

enum { CHOICES_MAX = 32 };

extern const struct embed completion_files[];

const char *completion_script(const char *shell)
{
	for (size_t i = 0; completion_files[i].name; i++) {
		const char *dot = strrchr(completion_files[i].name, '.');

		if (dot && strcmp(dot + 1, shell) == 0)
			return (const char *)completion_files[i].data;
	}
	return NULL;
}

void completion_offer(const struct completion *c, const char *word,
		      const char *meaning)
{
	if (strncmp(word, c->begun, strlen(c->begun)) != 0)
		return;
	fputs(c->before, c->out);
	text_fputs_safe(word, c->out);
	if (meaning && *meaning) {
		fputc('\t', c->out);
		text_fputs_safe(meaning, c->out);
	}
	fputc('\n', c->out);
}

static void offer_choices(const struct completion *c, const char *text)
{
	char words[CHOICES_MAX][USAGE_WORD_MAX];
	size_t count = usage_choices(text, words, CHOICES_MAX);

	for (size_t i = 0; i < count; i++)
		completion_offer(c, words[i], NULL);
}

/* By the word that --help or a synopsis has in the value's place. */
static void offer_value(struct completion *c, const char *value,
			const char *text)
{
	static const char *const of_choices[] = { "NAME", "WHICH",  "KEY",
						  "UNIT", "FORMAT", "PAGE",
						  "SHELL" };

	if (strcmp(value, "MATRIX") == 0)
		fputs(":files .json\n", c->out);
	else if (strncmp(value, "FILE", 4) == 0 || strcmp(value, "DIR") == 0)
		fprintf(c->out, ":files %s\n", value + strcspn(value, "."));
	else if (strncmp(value, "FROM", 4) == 0)
		fputs(":files .db\n", c->out);
	else if (strncmp(value, "DIM", 3) == 0 ||
		 strncmp(value, "TERM", 4) == 0)
		completion_offer_dimensions(c, value, text);
	else if (strcmp(value, "RUN") == 0)
		completion_offer_runs(c);
	for (size_t i = 0; i < sizeof(of_choices) / sizeof(*of_choices); i++) {
		if (strcmp(value, of_choices[i]) == 0)
			offer_choices(c, text);
	}
}

static void offer_options(const struct completion *c, const char *options)
{
	struct usage_entry entry;

	while (usage_next(&options, &entry)) {
		const char *head = entry.head;
		struct usage_name name;

		while (usage_name_next(&head, &name)) {
			if (strncmp(name.name, "--", 2) == 0)
				completion_offer(c, name.name, entry.text);
		}
	}
}

/* The entry that has this option or argument; false if there is none. */
static bool find_entry(const char *options, const char *wanted, size_t length,
		       struct usage_entry *entry)
{
	while (usage_next(&options, entry)) {
		const char *head = entry->head;
		struct usage_name name;

		while (usage_name_next(&head, &name)) {
			if (strlen(name.name) == length &&
			    strncmp(name.name, wanted, length) == 0)
				return true;
		}
	}
	return false;
}

/* Of any command's options or of those that all have. */
static bool find_option(const struct command *command, const char *option,
			size_t length, struct usage_entry *entry)
{
	return (command &&
		find_entry(command->options, option, length, entry)) ||
	       find_entry(command_common_options, option, length, entry);
}

/* Whether the value of this option is the next word. */
static bool takes_next(const struct command *command, const char *option)
{
	struct usage_entry entry;
	char value[USAGE_WORD_MAX] = "";

	if (option[0] == '-' &&
	    find_option(command, option, strlen(option), &entry))
		usage_value(&entry, value);
	return value[0] != '\0';
}

static void offer_commands(const struct completion *c)
{
	for (size_t i = 0; command_table[i]; i++)
		completion_offer(c, command_table[i]->name,
				 command_table[i]->brief);
	completion_offer(c, "help", "say more of a command");
}

/* The last word of a synopsis that is no option is what the rest are. */
static void offer_argument(struct completion *c, const struct command *command)
{
	const char *last = strrchr(command->synopsis, ' ');
	char value[USAGE_WORD_MAX] = "";
	struct usage_entry entry = { 0 };

	last = last ? last + 1 : command->synopsis;
	last += strspn(last, "[");
	if (*last == '-')
		return;
	snprintf(value, sizeof(value), "%.*s", (int)strcspn(last, "]"), last);
	find_entry(command->options, value, strlen(value), &entry);
	offer_value(c, value, entry.text);
}

/* `before` and `begun` of a value behind "--option=". */
static void offer_joined(struct completion *c, const struct command *command,
			 const char *word)
{
	size_t length = strcspn(word, "=");
	struct usage_entry entry;
	char value[USAGE_WORD_MAX];

	if (!find_option(command, word, length, &entry))
		return;
	usage_value(&entry, value);
	completion_split(c, word, length + 1);
	offer_value(c, value, entry.text);
}

/* The command among the words before the last, and the option just there. */
static const struct command *look_back(int count, char **words,
				       const char **pending)
{
	const struct command *command = NULL;

	for (int i = 0; i + 1 < count; i++) {
		if (takes_next(command, words[i])) {
			*pending = i + 2 == count ? words[i] : NULL;
			completion_take_database(words[i], words[i + 1]);
			i++;
			continue;
		}
		completion_take_database(words[i], NULL);
		if (!command && words[i][0] != '-')
			command = command_find(words[i]);
	}
	return command;
}

void completion_print(int count, char **words, FILE *out)
{
	const char *pending = NULL, *word = count > 0 ? words[count - 1] : "";
	const struct command *command = look_back(count, words, &pending);
	struct completion c = { .out = out, .begun = word };
	struct usage_entry entry;
	char value[USAGE_WORD_MAX];

	if (pending && find_option(command, pending, strlen(pending), &entry)) {
		usage_value(&entry, value);
		offer_value(&c, value, entry.text);
	} else if (word[0] == '-' && strchr(word, '=')) {
		offer_joined(&c, command, word);
	} else if (word[0] == '-') {
		offer_options(&c, command ? command->options : "");
		offer_options(&c, command_common_options);
		if (!command)
			completion_offer(&c, "--version", "say which this is");
	} else if (!command) {
		offer_commands(&c);
	} else {
		offer_argument(&c, command);
	}
}
