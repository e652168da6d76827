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
static bool take(struct walk *w, char c)
{
	if (*w->s != c)
		return false;
	w->s++;
	skip_space(w);
	return true;
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
	if (point < 0x80) {
		*(*out)++ = (char)point;
		return s;
	}
	if (point < 0x800) {
		*(*out)++ = (char)(0xc0 | point >> 6);
	} else {
		if (point < 0x10000) {
			*(*out)++ = (char)(0xe0 | point >> 12);
		} else {
			*(*out)++ = (char)(0xf0 | point >> 18);
			*(*out)++ = (char)(0x80 | (point >> 12 & 0x3f));
		}
		*(*out)++ = (char)(0x80 | (point >> 6 & 0x3f));
	}
	*(*out)++ = (char)(0x80 | (point & 0x3f));
	return s;
}

/* What stands between the quotes, its escapes resolved; never longer. */
static char *decode(const char *s, const char *end)
{
	static const char letters[] = "bfnrt", controls[] = "\b\f\n\r\t";
	char *name = malloc((size_t)(end - s) + 1), *out = name;

	if (!name)
		return NULL;
	while (s < end) {
		const char *letter;

		if (*s != '\\') {
			*out++ = *s++;
			continue;
		}
		s += 2;
		letter = strchr(letters, s[-1]);
		if (s[-1] == 'u')
			s = decode_point(s, &out);
		else
			*out++ = letter ? controls[letter - letters] : s[-1];
	}
	*out = '\0';
	return name;
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
		const char *start = w->s + 1;
		size_t mark;

		skip_string(w);
		key.name = decode(start, w->s - 1);
		if (!add_key(&keys, key)) {
			matrix_nomem(w->r);
			break;
		}
		skip_space(w);
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
