/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/matrix_read.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

enum { MEMBERS_MAX = 16 };

const char *matrix_read_string(struct matrix_reader *r,
			       const struct matrix_value *value)
{
	size_t length;
	const char *text = matrix_value_text(value, &length);

	if (!text)
		matrix_fault(r, "not a string");
	else if (strlen(text) != length)
		matrix_fault(r, "contains a NUL character");
	else
		return text;
	return NULL;
}

static const char *nonempty_string(struct matrix_reader *r,
				   const struct matrix_value *value)
{
	const char *text = matrix_read_string(r, value);

	if (!text || *text)
		return text;
	matrix_fault(r, "is empty");
	return NULL;
}

void matrix_read_put(struct matrix_reader *r, const char *text, char **field)
{
	free(*field);
	*field = text ? strdup(text) : NULL;
	if (text && !*field)
		matrix_nomem(r);
}

/* A string of bounded length: it goes to programs, and into the store. */
static const char *option_string(struct matrix_reader *r,
				 const struct matrix_value *value)
{
	const char *text = matrix_read_string(r, value);

	if (!text || strlen(text) <= MATRIX_TEXT_MAX)
		return text;
	matrix_fault(r, "longer than %d bytes", MATRIX_TEXT_MAX);
	return NULL;
}

MATRIX_READER(text)
{
	(void)m;
	matrix_read_put(r, option_string(r, value), field);
}

MATRIX_READER(nonempty)
{
	(void)m;
	matrix_read_put(r, nonempty_string(r, value), field);
}

MATRIX_READER(path)
{
	const char *path = nonempty_string(r, value);
	char *beside;

	(void)m;
	if (!path)
		return;
	beside = matrix_file_beside(r->source, path);
	if (!beside)
		matrix_nomem(r);
	matrix_read_put(r, beside, field);
	free(beside);
}

MATRIX_READER(name)
{
	const char *name = nonempty_string(r, value);

	(void)m;
	if (name && !text_is_safe(name))
		matrix_fault(r, "contains a control character");
	else if (name && strlen(name) > MATRIX_NAME_MAX)
		matrix_fault(r, "longer than %d bytes", MATRIX_NAME_MAX);
	else
		matrix_read_put(r, name, field);
}

MATRIX_READER(ignored)
{
	size_t length;

	(void)m, (void)field;
	if (!matrix_value_text(value, &length))
		matrix_fault(r, "not a string");
}

MATRIX_READER(bool)
{
	(void)m;
	if (!matrix_value_bool(value, field))
		matrix_fault(r, "not true or false");
}

MATRIX_READER(word)
{
	const char *text = matrix_read_string(r, value);

	for (unsigned int i = 0; text && m->words[i]; i++) {
		if (strcmp(text, m->words[i]) == 0) {
			memcpy(field, &i, sizeof(i));
			return;
		}
	}
	if (text)
		matrix_fault_word(r, text, m->words,
				  text_nearest(text, m->words));
}

/* With what is there, unless that is longer than a number. */
static void fault_count(struct matrix_reader *r, const struct matrix_member *m,
			const struct matrix_value *value)
{
	int least = (int)m->least, most = (int)m->most;
	const char *text;
	size_t length;
	double number;

	text = matrix_value_text(value, &length);
	if (text && length > 0 && length < 20 &&
	    strspn(text, "0123456789") == length)
		matrix_fault(r,
			     "not a whole number from %d to %d, but text: "
			     "\"%s\"; write it without quotes",
			     least, most, text);
	else if (matrix_value_number(value, &number))
		matrix_fault(r, "not a whole number from %d to %d: %.15g",
			     least, most, number);
	else
		matrix_fault(r, "not a whole number from %d to %d", least,
			     most);
}

MATRIX_READER(count)
{
	unsigned int *count = field;
	int64_t number;

	*count = 0;
	if (matrix_value_whole(value, &number) && number >= (int64_t)m->least &&
	    number <= (int64_t)m->most)
		*count = (unsigned int)number;
	else
		fault_count(r, m, value);
}

/* A kind of number that may be a text with a unit. */
struct quantity {
	const char *wanted;
	bool (*parse)(const char *text, uint64_t *quantity);
	bool (*near)(const char *text, char *out, size_t size);
};

static void fault_quantity(struct matrix_reader *r, const struct quantity *q,
			   const struct matrix_value *value, const char *text)
{
	char near[2 * UNITS_TEXT_MAX];
	double number;

	if (!text && matrix_value_number(value, &number))
		matrix_fault(r, "not %s: %.15g", q->wanted, number);
	else if (!text)
		matrix_fault(r, "not %s", q->wanted);
	else if (q->near(text, near, sizeof(near)))
		matrix_fault(r, "not %s: \"%.*s\" (did you mean \"%s\"?)",
			     q->wanted, matrix_clip(text), text, near);
	else
		matrix_fault(r, "not %s: \"%.*s\"", q->wanted,
			     matrix_clip(text), text);
}

/* A number that is not negative, or text that parses; else a fault. */
static bool read_quantity(struct matrix_reader *r,
			  const struct matrix_value *value,
			  const struct quantity *q, uint64_t *quantity)
{
	size_t length;
	const char *text = matrix_value_text(value, &length);
	int64_t number;

	if (matrix_value_whole(value, &number) && number >= 0) {
		*quantity = (uint64_t)number;
		return true;
	}
	if (text && strlen(text) == length && q->parse(text, quantity))
		return true;
	fault_quantity(r, q, value, text);
	return false;
}

MATRIX_READER(bytes)
{
	static const struct quantity size = {
		"a size (bytes, or text such as \"512KiB\")",
		units_parse_bytes,
		units_near_bytes,
	};
	char limit[UNITS_TEXT_MAX];
	uint64_t bytes, *out = field;

	*out = 0;
	if (!read_quantity(r, value, &size, &bytes))
		return;
	if (bytes >= m->least && bytes <= m->most) {
		*out = bytes;
		return;
	}
	units_format_bytes(bytes < m->least ? m->least : m->most, limit,
			   sizeof(limit));
	matrix_fault(r, "%s than %s", bytes < m->least ? "less" : "more",
		     limit);
}

MATRIX_READER(duration)
{
	static const struct quantity time = {
		"a duration (seconds, or text such as \"30min\")",
		units_parse_duration,
		units_near_duration,
	};
	const uint64_t second = 1000000000;
	uint64_t amount, *out = field;
	size_t length;

	*out = 0;
	if (!read_quantity(r, value, &time, &amount))
		return;
	if (!matrix_value_text(value, &length) &&
	    __builtin_mul_overflow(amount, second, &amount))
		amount = UINT64_MAX;
	if (amount == 0)
		matrix_fault(r, "is 0");
	else if (amount > m->most * second)
		matrix_fault(r, "more than %" PRIu64 " seconds", m->most);
	else
		*out = amount;
}

/* The member that a key names, or is a slip of the fingers of; or NULL. */
static const char *member_meant(const struct matrix_member *members,
				const char *key)
{
	const char *known[MEMBERS_MAX] = { NULL };

	for (size_t i = 0; members[i].name; i++) {
		assert(i < MEMBERS_MAX - 1);
		known[i] = members[i].name;
	}
	return text_nearest(key, known);
}

static void refuse_unknown(struct matrix_reader *r,
			   const struct matrix_member *members,
			   const struct matrix_value *object)
{
	const char *key = NULL;

	while ((key = matrix_value_key(object, key)) && !r->errs->truncated) {
		const char *meant = member_meant(members, key);

		if (!meant)
			matrix_fault_of(r, key, "unknown member");
		else if (strcmp(key, meant) != 0)
			matrix_fault_of(r, key,
					"unknown member (did you mean \"%s\"?)",
					meant);
	}
}

const char *matrix_read_key(struct matrix_reader *r,
			    const struct matrix_member *members,
			    const struct matrix_value *object, const char *name)
{
	const char *key = NULL;

	if (matrix_value_member(object, name))
		return name;
	while ((key = matrix_value_key(object, key)) && !r->errs->truncated) {
		const char *meant = member_meant(members, key);

		if (meant && strcmp(meant, name) == 0)
			return key;
	}
	return NULL;
}

size_t matrix_read_count_of(struct matrix_reader *r,
			    const struct matrix_member *members,
			    const struct matrix_value *object,
			    const char *const *names)
{
	size_t count = 0;

	for (; *names; names++)
		count += matrix_read_key(r, members, object, *names) != NULL;
	return count;
}

bool matrix_read_object(struct matrix_reader *r,
			const struct matrix_member *members,
			const struct matrix_value *object, void *out)
{
	if (!matrix_value_is_object(object)) {
		matrix_fault(r, "not an object");
		return false;
	}
	refuse_unknown(r, members, object);
	for (const struct matrix_member *m = members; m->name; m++) {
		const char *key = matrix_read_key(r, members, object, m->name);
		size_t mark;

		if (!key)
			continue;
		mark = matrix_enter(r, "%s", key);
		m->read(r, m, matrix_value_member(object, key),
			(char *)out + m->offset);
		matrix_leave(r, mark);
	}
	return true;
}

void *matrix_read_list(struct matrix_reader *r,
		       const struct matrix_value *value,
		       const struct matrix_list *list, size_t *count)
{
	char *items = NULL;
	size_t most = list->most ? list->most : MATRIX_LIST_MAX;
	size_t length;

	*count = 0;
	if (!matrix_value_array(value, &length))
		matrix_fault(r, "not an array%s", list->of ? list->of : "");
	else if (length < list->least)
		matrix_fault(r, "is empty");
	else if (length > most)
		matrix_fault(r, "has %zu entries; the most is %zu", length,
			     most);
	else if (!(items = calloc(length + 1, list->item_size)))
		matrix_nomem(r);
	for (size_t i = 0; items && i < length; i++) {
		size_t mark = matrix_enter(r, "[%zu]", i);

		++*count;
		list->read(r, matrix_value_at(value, i),
			   items + i * list->item_size);
		matrix_leave(r, mark);
	}
	return items;
}

static void read_element(struct matrix_reader *r,
			 const struct matrix_value *value, void *item)
{
	const char *text = option_string(r, value);

	/* A hole would end the list for whoever frees it. */
	matrix_read_put(r, text ? text : "", item);
}

MATRIX_READER(texts)
{
	static const struct matrix_list list = {
		.item_size = sizeof(char *),
		.most = MATRIX_MKFS_MAX,
		.of = " of strings, such as [\"-F\", \"32\"]",
		.read = read_element,
	};
	size_t count;

	(void)m;
	*(char ***)field = matrix_read_list(r, value, &list, &count);
}
