/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jansson stops at the first duplicate key, and keeps one of the two if it
 * is told to go on. Here is a second walk over a text that it accepted, which
 * finds them all, and where they are.
 */
#include <stdlib.h>
#include <string.h>

#include "schema/matrix_private.h"

struct key {
	char *name; /* owned; decoded */
	int line, column;
};

struct keys {
	struct key *items;
	size_t count, room;
};

struct walk {
	struct matrix_reader *r;
	const char *s;
	const char *line_start; /* moved on by what is no character there */
	int line;
};

static void walk_value(struct walk *w);

static void skip_space(struct walk *w)
{
	for (; *w->s && strchr(" \t\r\n", *w->s); w->s++) {
		if (*w->s == '\n') {
			w->line++;
			w->line_start = w->s + 1;
		}
	}
}

/* The character if it comes next, and the space behind it. */
static void take(struct walk *w, char c)
{
	if (*w->s != c)
		return;
	w->s++;
	skip_space(w);
}

/* In characters, as an editor counts them. */
static int column(const struct walk *w)
{
	return (int)(w->s - w->line_start) + 1;
}

static void skip_string(struct walk *w)
{
	for (w->s++; *w->s && *w->s != '"'; w->s++) {
		if (*w->s == '\\' && w->s[1])
			w->s++;
		w->line_start += ((unsigned char)*w->s & 0xc0) == 0x80;
	}
	w->s += *w->s == '"';
}

static unsigned int hex4(const char *s)
{
	char digits[5] = "";

	memcpy(digits, s, strnlen(s, 4));
	return (unsigned int)strtoul(digits, NULL, 16);
}

/* Write the character as UTF-8; the end of it. */
static char *encode(unsigned int point, char *out)
{
	static const unsigned int lead[] = { 0, 0xc0, 0xe0, 0xf0 };
	int more = (point >= 0x80) + (point >= 0x800) + (point >= 0x10000);

	*out++ = (char)(lead[more] | point >> 6 * more);
	while (more--)
		*out++ = (char)(0x80 | (point >> 6 * more & 0x3f));
	return out;
}

/* Behind "\u": one character of four or, in two halves, ten digits. */
static const char *decode_point(const char *s, char **out)
{
	unsigned int point = hex4(s);

	s += 4;
	if (point >= 0xd800 && point < 0xdc00 && s[0] == '\\' && s[1] == 'u') {
		point = 0x10000 +
			((point & 0x3ff) << 10 | (hex4(s + 2) & 0x3ff));
		s += 6;
	}
	*out = encode(point, *out);
	return s;
}

/* Resolve the escapes of a string in its place; it never gets longer. */
static void decode(char *string)
{
	static const char letters[] = "bfnrt", controls[] = "\b\f\n\r\t";
	const char *s = string;
	char *out = string;

	while (*s) {
		const char *letter;

		if (*s != '\\' || !s[1]) {
			*out++ = *s++;
			continue;
		}
		letter = strchr(letters, s[1]);
		s += 2;
		if (s[-1] == 'u')
			s = decode_point(s, &out);
		else
			*out++ = letter ? controls[letter - letters] : s[-1];
	}
	*out = '\0';
}

/* Take the string that comes next; heap, or NULL. */
static char *take_string(struct walk *w)
{
	const char *start = w->s + 1;
	char *string;

	skip_string(w);
	string = strndup(start, (size_t)(w->s - start) - 1);
	if (string)
		decode(string);
	skip_space(w);
	return string;
}

static bool add_key(struct keys *keys, struct key key)
{
	if (!key.name)
		return false;
	if (keys->count == keys->room) {
		size_t room = keys->room ? 2 * keys->room : 16;
		struct key *grown =
			reallocarray(keys->items, room, sizeof(*grown));

		if (!grown) {
			free(key.name);
			return false;
		}
		keys->items = grown;
		keys->room = room;
	}
	keys->items[keys->count++] = key;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order == 0)
		order = x->line - y->line;
	return order ? order : x->column - y->column;
}

static void report_twins(struct matrix_reader *r, struct keys *keys)
{
	const struct key *first = keys->items;

	if (keys->count > 1)
		qsort(keys->items, keys->count, sizeof(*first), compare);
	for (size_t i = 1; i < keys->count; i++) {
		const struct key *key = &keys->items[i];
		size_t mark;

		if (strcmp(key->name, first->name) != 0) {
			first = key;
			continue;
		}
		mark = matrix_enter(r, "%s", key->name);
		matrix_fault_at(r, key->line, key->column,
				"given already in line %d", first->line);
		matrix_leave(r, mark);
	}
}

static void keys_done(struct keys *keys)
{
	for (size_t i = 0; i < keys->count; i++)
		free(keys->items[i].name);
	free(keys->items);
}

static void walk_object(struct walk *w)
{
	struct keys keys = { 0 };

	take(w, '{');
	while (*w->s == '"') {
		struct key key = { .line = w->line, .column = column(w) };
		size_t mark;

		key.name = take_string(w);
		if (!add_key(&keys, key)) {
			matrix_nomem(w->r);
			break;
		}
		take(w, ':');
		mark = matrix_enter(w->r, "%s", key.name);
		walk_value(w);
		matrix_leave(w->r, mark);
		take(w, ',');
	}
	take(w, '}');
	report_twins(w->r, &keys);
	keys_done(&keys);
}

static void walk_array(struct walk *w)
{
	take(w, '[');
	for (size_t i = 0; *w->s && *w->s != ']'; i++) {
		size_t mark = matrix_enter(w->r, "[%zu]", i);

		walk_value(w);
		matrix_leave(w->r, mark);
		take(w, ',');
	}
	take(w, ']');
}

static void walk_value(struct walk *w)
{
	if (*w->s == '{')
		return walk_object(w);
	if (*w->s == '[')
		return walk_array(w);
	if (*w->s == '"')
		skip_string(w);
	else
		w->s += strcspn(w->s, " \t\r\n,]}");
	skip_space(w);
}

void matrix_keys_check(struct matrix_reader *r, const char *text)
{
	struct walk w = { .r = r, .s = text, .line_start = text, .line = 1 };

	skip_space(&w);
	walk_value(&w);
}
