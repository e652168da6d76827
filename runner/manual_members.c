/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "runner/jsonout.h"
#include "runner/manual_private.h"

/* The objects of a matrix, in the order of the page. */
static const struct section {
	const char *title;
	const char *const path[4]; /* to the object's schema; ends with NULL */
} sections[] = {
	{ "The matrix", { NULL } },
	{ "A volume", { "definitions", "volume", NULL } },
	{ "A filesystem", { "definitions", "filesystem", NULL } },
	{ "A workload", { "definitions", "workload", NULL } },
	{ "The baseline", { "properties", "baseline", NULL } },
	{ "An entry of include or exclude",
	  { "definitions", "filters", "items", NULL } },
};

/* The kinds of values that members share, in their own words. */
static const struct kind {
	const char *definition;
	const char *words;
	const char *title; /* of its section; NULL: it has none */
} kinds[] = {
	{ "size", "bytes, or text with a unit", "Sizes" },
	{ "duration", "seconds, or text with units", "Durations" },
	{ "name", "text, a name", "Names" },
	{ "path", "text, a path", "Paths" },
	{ "text", "text", NULL },
	{ "filters", "list of objects", NULL },
	{ "volume", "object, a volume", NULL },
	{ "filesystem", "object, a filesystem", NULL },
	{ "workload", "object, a workload", NULL },
	{ "volume_name", "text, the name of a volume", NULL },
	{ "filesystem_name", "text, the name of a filesystem", NULL },
	{ "workload_name", "text, the name of a workload", NULL },
};

static const struct {
	const char *type, *words;
} types[] = {
	{ "integer", "whole number" },
	{ "string", "text" },
	{ "boolean", "true or false" },
	{ "object", "object" },
	{ "array", "list" },
};

/* What a "$ref" means in words. */
static const char *kind_words(const char *ref)
{
	const char *name = ref ? strrchr(ref, '/') : NULL;

	for (size_t i = 0; name && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kinds[i].definition, name + 1) == 0)
			return kinds[i].words;
	}
	return NULL;
}

static const char *type_words(const json_t *member)
{
	const char *type = json_string_value(json_object_get(member, "type"));

	for (size_t i = 0; type && i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp(types[i].type, type) == 0)
			return types[i].words;
	}
	return "text";
}

static const char *ref_of(const json_t *member)
{
	const json_t *all = json_object_get(member, "allOf");

	if (all)
		member = json_array_get(all, 0);
	return json_string_value(json_object_get(member, "$ref"));
}

/* Text as it is, everything else as JSON. */
static void print_value(const json_t *value, FILE *out)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY);

	manual_text(text ? text : "", out);
	free(text);
}

static void print_values(const char *words, const json_t *values, FILE *out)
{
	const json_t *value;
	size_t i;

	if (json_array_size(values) == 0)
		return;
	fputs(words, out);
	json_array_foreach(values, i, value)
	{
		fputs(i > 0 ? ", " : " ", out);
		print_value(value, out);
	}
	fputs(".\n", out);
}

/* "a size", "\"full\", or a size", "list of texts". */
static void print_kind(const json_t *member, FILE *out)
{
	const char *words = kind_words(ref_of(member));
	const json_t *items = json_object_get(member, "items");
	const json_t *any = json_object_get(member, "anyOf"), *choice;
	size_t i;

	if (any) {
		json_array_foreach(any, i, choice)
		{
			const json_t *only = json_object_get(choice, "const");

			fputs(i > 0 ? ", or " : "", out);
			if (only)
				print_value(only, out);
			else
				print_kind(choice, out);
		}
		return;
	}
	manual_text(words ? words : type_words(member), out);
	words = kind_words(ref_of(items));
	if (words) {
		fputs(" of: ", out);
		manual_text(words, out);
	}
}

/* Of numbers; a size's or duration's are in its words. */
static void print_limits(const json_t *member, FILE *out)
{
	const json_t *least = json_object_get(member, "minimum");
	const json_t *most = json_object_get(member, "maximum");

	if (!json_is_integer(json_object_get(member, "default")))
		return;
	if (least) {
		fputs("At least ", out);
		print_value(least, out);
		fputs(most ? ", " : ".\n", out);
	}
	if (most) {
		fputs(least ? "at most " : "At most ", out);
		print_value(most, out);
		fputs(".\n", out);
	}
}

static bool is_required(const json_t *object, const char *name)
{
	const json_t *names = json_object_get(object, "required"), *one;
	size_t i;

	json_array_foreach(names, i, one)
	{
		if (strcmp(json_string_value(one), name) == 0)
			return true;
	}
	return false;
}

static const char *description_of(const json_t *object)
{
	return json_string_value(json_object_get(object, "description"));
}

static void print_text(const json_t *object, FILE *out)
{
	const char *text = description_of(object);

	if (text)
		manual_line(text, out);
}

/* Unless the description has it already, with more to it. */
static void print_default(const json_t *member, FILE *out)
{
	const json_t *value = json_object_get(member, "default");
	const char *text = description_of(member);

	if (!value || (text && strstr(text, "Default:")))
		return;
	fputs("Default: ", out);
	print_value(value, out);
	fputs(".\n", out);
}

static void print_member(const json_t *object, const char *name,
			 const json_t *member, FILE *out)
{
	fputs(".TP\n\\fB", out);
	manual_text(name, out);
	fputs("\\fR (", out);
	print_kind(member, out);
	fputs(is_required(object, name) ? "; required)\n" : ")\n", out);
	print_text(member, out);
	print_values("One of", json_object_get(member, "enum"), out);
	print_limits(member, out);
	print_default(member, out);
	print_values("For example", json_object_get(member, "examples"), out);
}

static void print_section(json_t *schema, const struct section *section,
			  FILE *out)
{
	json_t *object = schema, *member;
	const char *name;

	for (size_t i = 0; section->path[i]; i++)
		object = json_object_get(object, section->path[i]);
	fprintf(out, ".SS %s\n", section->title);
	print_text(object, out);
	json_object_foreach(json_object_get(object, "properties"), name, member)
		print_member(object, name, member, out);
}

static void print_kinds(const json_t *schema, FILE *out)
{
	const json_t *definitions = json_object_get(schema, "definitions");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const json_t *kind =
			json_object_get(definitions, kinds[i].definition);

		if (!kinds[i].title)
			continue;
		fprintf(out, ".SS %s\n", kinds[i].title);
		/* a description would hide a member's own from an editor */
		manual_line(
			json_string_value(json_object_get(kind, "$comment")),
			out);
		print_values("For example", json_object_get(kind, "examples"),
			     out);
	}
}

bool manual_members(const char *schema, FILE *out, struct err *err)
{
	json_error_t fault;
	json_t *document = json_loads(schema, 0, &fault);

	if (!document)
		return err_set(err, ERR_FAILED, "matrix.schema.json:%d: %s",
			       fault.line, fault.text);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		print_section(document, &sections[i], out);
	print_kinds(document, out);
	json_decref(document);
	return true;
}
