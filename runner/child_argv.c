/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/child.h"

void child_argv_add(struct child_argv *argv, const char *item)
{
	char **grown = reallocarray(argv->items, argv->count + 2,
				    sizeof(*argv->items));

	if (!grown) {
		argv->failed = true;
		return;
	}
	argv->items = grown;
	argv->items[argv->count] = strdup(item);
	argv->items[argv->count + 1] = NULL;
	if (argv->items[argv->count])
		argv->count++;
	else
		argv->failed = true;
}

void child_argv_add_all(struct child_argv *argv, const char *const *items)
{
	for (; items && *items; items++)
		child_argv_add(argv, *items);
}

void child_argv_done(struct child_argv *argv)
{
	for (size_t i = 0; i < argv->count; i++)
		free(argv->items[i]);
	free(argv->items);
	*argv = (struct child_argv){ 0 };
}

/* Whether a shell would take the word as it stands. */
static bool is_plain(const char *word)
{
	return *word && word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "abcdefghijklmnopqrstuvwxyz"
					  "0123456789%+,-./:=@_")] == '\0';
}

static void quote(const char *word, FILE *out)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

char *child_command_text(const struct child_argv *argv)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	for (size_t i = 0; i < argv->count; i++) {
		if (i)
			fputc(' ', out);
		quote(argv->items[i], out);
	}
	if (fclose(out) == 0 && !argv->failed)
		return text;
	free(text);
	return NULL;
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

/* In the folders of a list with colons; an empty name is none of them. */
static char *find_in(const char *folders, const char *program)
{
	while (*folders) {
		size_t length = strcspn(folders, ":");
		char *path;

		if (length) {
			if (asprintf(&path, "%.*s/%s", (int)length, folders,
				     program) < 0)
				return NULL;
			if (is_program(path))
				return path;
			free(path);
		}
		folders += length + (folders[length] == ':');
	}
	return NULL;
}

char *child_find(const char *program)
{
	const char *path = getenv("PATH");
	char *found;

	if (strchr(program, '/'))
		return is_program(program) ? strdup(program) : NULL;
	found = find_in(path ? path : "/usr/bin:/bin", program);
	return found ? found : find_in("/usr/sbin:/sbin", program);
}
