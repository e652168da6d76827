/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/matrix.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "schema/matrix_private.h"
#include "schema/matrix_read.h"

static const json_t *json_of(const struct matrix_value *v)
{
	return (const json_t *)v;
}

static const struct matrix_value *value_of(const json_t *json)
{
	return (const struct matrix_value *)json;
}

const char *matrix_value_text(const struct matrix_value *v, size_t *length)
{
	*length = json_string_length(json_of(v));
	return json_string_value(json_of(v));
}

bool matrix_value_whole(const struct matrix_value *v, int64_t *number)
{
	const double limit = 9007199254740992.0; /* 2^53: exact up to here */
	double real = json_real_value(json_of(v));

	if (json_is_integer(json_of(v))) {
		*number = json_integer_value(json_of(v));
		return true;
	}
	if (!json_is_real(json_of(v)) || real < -limit || real > limit)
		return false;
	*number = (int64_t)real;
	real -= (double)*number;
	return !(real < 0 || real > 0);
}

bool matrix_value_number(const struct matrix_value *v, double *number)
{
	*number = json_number_value(json_of(v));
	return json_is_number(json_of(v));
}

bool matrix_value_bool(const struct matrix_value *v, bool *truth)
{
	if (!json_is_boolean(json_of(v)))
		return false;
	*truth = json_is_true(json_of(v));
	return true;
}

bool matrix_value_array(const struct matrix_value *v, size_t *length)
{
	*length = json_array_size(json_of(v));
	return json_is_array(json_of(v));
}

const struct matrix_value *matrix_value_at(const struct matrix_value *v,
					   size_t index)
{
	return value_of(json_array_get(json_of(v), index));
}

bool matrix_value_is_object(const struct matrix_value *v)
{
	return json_is_object(json_of(v));
}

const struct matrix_value *matrix_value_member(const struct matrix_value *v,
					       const char *name)
{
	return value_of(json_object_get(json_of(v), name));
}

const char *matrix_value_key(const struct matrix_value *v, const char *key)
{
	json_t *object = (json_t *)v; /* iterators want it so, and only look */
	void *next = key ? json_object_iter_next(object,
						 json_object_key_to_iter(key))
			 : json_object_iter(object);

	return next ? json_object_iter_key(next) : NULL;
}

/* What stands before text[at], white space left out. */
static char before(const char *text, size_t at)
{
	while (at > 0 && strchr(" \t\r\n", text[at - 1]))
		at--;
	return at > 0 ? text[at - 1] : '\0';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the token that ends here stands behind a number: 512KiB. */
static bool is_unit(const char *text, size_t end, const char *token)
{
	static const char *const words[] = { "true'", "false'", "null'" };
	size_t length = strcspn(token, "'");
	char c = length <= end ? before(text, end - length) : '\0';

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strncmp(token, words[i], strlen(words[i])) == 0)
			return false;
	}
	return is_letter(*token) && c >= '0' && c <= '9';
}

/* What else there is to say of syntax that is often got wrong; or "". */
static const char *syntax_hint(const char *words, const char *text,
			       size_t position)
{
	const char *near = strstr(words, " near '");
	char token = near ? near[7] : '\0';

	if ((token == ']' || token == '}') && position > 0 &&
	    before(text, position - 1) == ',')
		return ": no comma may stand before it";
	if (token == '/' || token == '#')
		return ": there are no comments, but a \"description\" may "
		       "say anything";
	if (near && is_unit(text, position, near + 7))
		return ": a number with a unit is text, and text stands in "
		       "\"double quotes\"";
	if (strncmp(words, "invalid token", 13) == 0 || token == '\'' ||
	    (strncmp(words, "string or", 9) == 0 && is_letter(token)))
		return ": names and text stand in \"double quotes\"";
	if ((strncmp(words, "']' expected", 12) == 0 ||
	     strncmp(words, "'}' expected", 12) == 0) &&
	    token && strchr("\"{[-0123456789tfn", token))
		return ": is the comma before it missing?";
	return "";
}

/* Jansson's words where they are for a user; ours where it means itself. */
static void fault_syntax(struct matrix_reader *r, const char *text,
			 size_t length, const json_error_t *error)
{
	const char *words = error->text, *hint = "";
	size_t end = strlen(text);

	switch (json_error_code(error)) {
	case json_error_out_of_memory:
		return matrix_nomem(r);
	case json_error_stack_overflow:
		words = "nested too deeply";
		break;
	case json_error_numeric_overflow:
		words = "number out of range";
		break;
	case json_error_null_byte_in_key:
		words = "NUL character in a member's name";
		break;
	case json_error_invalid_utf8:
		words = "not UTF-8";
		break;
	default:
		hint = error->position < 0 || (size_t)error->position > end
			       ? ""
			       : syntax_hint(words, text,
					     (size_t)error->position);
		break;
	}
	if (end < length && error->position >= 0 &&
	    (size_t)error->position >= end)
		words = "NUL byte: not a text file";
	else if (text[strspn(text, " \t\r\n")] == '\0')
		words = "nothing in it";
	else if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
		words = "begins with a byte order mark; save it without one";
	matrix_fault_at(r, error->line > 0 ? error->line : 0,
			error->column > 0 ? error->column : 0, "%s%s", words,
			words == error->text ? hint : "");
}

static void read_all(struct matrix_reader *r, size_t length)
{
	const char *text = r->matrix->text;
	json_error_t error;
	json_t *root = json_loadb(text, length,
				  JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);

	if (!root)
		return fault_syntax(r, text, length, &error);
	matrix_keys_check(r, text);
	matrix_read_document(r, value_of(root));
	json_decref(root);
}

struct matrix *matrix_parse(const char *text, size_t length, const char *source,
			    struct err_list *errs)
{
	struct matrix_reader r = { .source = source, .errs = errs };

	r.matrix = matrix_new(&r, text, length);
	if (r.matrix)
		read_all(&r, length);
	if (!r.failed)
		return r.matrix;
	matrix_free(r.matrix);
	return NULL;
}

struct matrix *matrix_load(const char *path, struct err_list *errs)
{
	struct matrix_reader r = { .source = path, .errs = errs };
	size_t length;
	char *text = matrix_file_read(&r, &length);
	struct matrix *matrix;

	if (!text)
		return NULL;
	matrix = matrix_parse(text, length, path, errs);
	free(text);
	return matrix;
}
