/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "reports/compare_private.h"
#include "reports/figure.h"
#include "reports/settings.h"
#include "reports/stats.h"

void compare_options_init(struct compare_options *options)
{
	*options = (struct compare_options){
		.alpha = COMPARE_ALPHA,
		.threshold = COMPARE_THRESHOLD,
	};
}

void compare_options_done(struct compare_options *options)
{
	for (size_t i = 0; i < options->filter_count; i++) {
		free(options->filters[i].text);
		free(options->filters[i].values);
	}
	free(options->filters);
	options->filters = NULL;
	options->filter_count = 0;
}

/* The name of a dimension, which ends before `end`. */
static bool parse_dimension(const char *text, const char *end,
			    enum dataset_dimension *dimension, struct err *err)
{
	char name[32];
	size_t length = (size_t)(end - text);

	if (length >= sizeof(name))
		length = sizeof(name) - 1;
	memcpy(name, text, length);
	name[length] = '\0';
	return dataset_dimension_parse(name, dimension, err);
}

bool compare_parse_base(struct compare_options *options, const char *text,
			struct err *err)
{
	const char *equals = strchr(text, '=');
	enum dataset_dimension dimension;

	if (!equals || !equals[1])
		return err_set(err, ERR_INPUT,
			       "--base %s: not DIMENSION=VALUE, such as run=1",
			       text);
	if (!parse_dimension(text, equals, &dimension, err))
		return false;
	switch ((int)dimension) {
	case DATASET_FILESYSTEM:
	case DATASET_OS:
	case DATASET_VOLUME:
	case DATASET_WORKLOAD:
	case DATASET_RUN:
	case DATASET_LABEL:
		break;
	default:
		return err_set(err, ERR_INPUT,
			       "--base %s: the base can be a filesystem, os, "
			       "volume, workload, run or label",
			       text);
	}
	options->has_base = true;
	options->base_dimension = dimension;
	options->base = equals + 1;
	return true;
}

bool compare_parse_rows(struct compare_options *options, const char *text,
			struct err *err)
{
	for (;;) {
		const char *end = text + strcspn(text, ",");
		enum dataset_dimension dimension;

		if (!parse_dimension(text, end, &dimension, err))
			return false;
		for (size_t i = 0; i < options->row_dimensions; i++) {
			if (options->rows[i] == dimension)
				return err_set(
					err, ERR_INPUT,
					"--rows: %s is there twice",
					dataset_dimension_name(dimension));
		}
		options->rows[options->row_dimensions++] = dimension;
		if (!*end)
			return true;
		text = end + 1;
	}
}

/* Where "name=", "name:" or "name!=" ends at the start of text; NULL: none. */
static const char *term_start(const char *text)
{
	text += *text == '-';
	if (!isalpha((unsigned char)*text))
		return NULL;
	while (isalpha((unsigned char)*text))
		text++;
	if (*text == '!' && text[1] == '=')
		return text + 2;
	return *text == '=' || *text == ':' ? text + 1 : NULL;
}

/* A comma is part of a value unless a next term stands behind it. */
static const char *term_end(const char *text)
{
	for (; *text; text++) {
		if (*text == ',' && term_start(text + 1))
			break;
	}
	return text;
}

static bool split_values(struct compare_filter *filter, char *values,
			 struct err *err)
{
	size_t count = 1;

	for (const char *at = values; *at; at++)
		count += *at == '|';
	filter->values = calloc(count + 1, sizeof(*filter->values));
	if (!filter->values)
		return err_nomem(err);
	for (size_t i = 0; i < count; i++)
		filter->values[i] = strsep(&values, "|");
	return true;
}

static bool fail_name(const struct compare_options *options, const char *name,
		      const char *end, struct err *err)
{
	const char *names = options->filter_names;

	return err_set(err, ERR_INPUT, "no dimension %.*s; there are %s",
		       (int)(end - name), name,
		       names ? names : DATASET_DIMENSION_NAMES " and op");
}

static bool parse_term(const struct compare_options *options,
		       struct compare_filter *filter, struct err *err)
{
	char *name = filter->text;
	const char *values = term_start(name);
	struct err ignored = { 0 };
	char *end;

	if (!values || !*values)
		return err_set(err, ERR_INPUT,
			       "--filter %s: not DIMENSION=VALUE[|VALUE]",
			       filter->text);
	filter->negated = *name == '-';
	name += *name == '-';
	end = name + strspn(name, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	if (*end == '!')
		filter->negated = !filter->negated;
	filter->is_op = end - name == 2 && strncasecmp(name, "op", 2) == 0;
	if (!filter->is_op &&
	    !parse_dimension(name, end, &filter->dimension, &ignored))
		return fail_name(options, name, end, err);
	return split_values(filter, filter->text + (values - filter->text),
			    err);
}

/* The filter is there, zeroed, even if it cannot be parsed then. */
static struct compare_filter *add_filter(struct compare_options *options,
					 const char *text, size_t length)
{
	size_t size = (options->filter_count + 1) * sizeof(*options->filters);
	struct compare_filter *filters = realloc(options->filters, size);
	char *copy;

	if (!filters)
		return NULL;
	options->filters = filters;
	copy = strndup(text, length);
	if (!copy)
		return NULL;
	filters += options->filter_count++;
	*filters = (struct compare_filter){ .text = copy };
	return filters;
}

bool compare_parse_filter(struct compare_options *options, const char *text,
			  struct err *err)
{
	for (;;) {
		const char *end = term_end(text);
		struct compare_filter *filter =
			add_filter(options, text, (size_t)(end - text));

		if (!filter)
			return err_nomem(err);
		if (!parse_term(options, filter, err))
			return false;
		if (!*end)
			return true;
		text = end + 1;
	}
}

static bool has_value(const struct compare_filter *filter, const char *value)
{
	for (size_t i = 0; filter->values[i]; i++) {
		if (strcmp(filter->values[i], value) == 0)
			return true;
	}
	return false;
}

static bool has_settings(const struct compare_filter *filter, const char *text)
{
	for (size_t i = 0; filter->values[i]; i++) {
		if (settings_match(text, filter->values[i]))
			return true;
	}
	return false;
}

bool compare_keeps(const struct compare_options *options,
		   const struct dataset_cell *cell)
{
	for (size_t i = 0; i < options->filter_count; i++) {
		const struct compare_filter *filter = &options->filters[i];
		bool has;

		if (filter->is_op)
			continue;
		has = has_value(filter, cell->names[filter->dimension]) ||
		      (filter->dimension == DATASET_SETTINGS &&
		       has_settings(filter, cell->names[DATASET_SETTINGS])) ||
		      (filter->dimension == DATASET_HOST && cell->host &&
		       has_value(filter, cell->host));
		if (has == filter->negated)
			return false;
	}
	return true;
}

bool compare_keeps_op(const struct compare_options *options, char op)
{
	char name[2] = { op, '\0' };

	for (size_t i = 0; i < options->filter_count; i++) {
		const struct compare_filter *filter = &options->filters[i];

		if (filter->is_op && has_value(filter, name) == filter->negated)
			return false;
	}
	return true;
}

bool compare_parse_sort(struct compare_options *options, const char *text,
			struct err *err)
{
	static const char *const names[] = {
		[COMPARE_IN_ORDER] = "order",
		[COMPARE_BY_CHANGE] = "change",
		[COMPARE_BY_RATE] = "rate",
	};
	const char *name = text + (*text == '-');

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0) {
			options->sort = (enum compare_sort)i;
			options->reversed = *text == '-';
			return true;
		}
	}
	return err_set(err, ERR_INPUT,
		       "--sort %s: not one of order, change, rate (with a - "
		       "in front: reversed)",
		       text);
}

bool compare_parse_gate(const char *text, struct compare_gate *gate,
			struct err *err)
{
	size_t op = strcspn(text, "<>");
	char *end = NULL;
	double percent;

	if (op == 1 && (*text == 'W' || *text == 'R'))
		gate->op = *text;
	else if (op == 3 && strncmp(text, "any", 3) == 0)
		gate->op = '\0';
	else
		goto bad;
	gate->below = text[op] == '<';
	percent = text[op] ? strtod(text + op + 1, &end) : 0;
	if (!end || end == text + op + 1 || !isfinite(percent) ||
	    text[op + 1 + strspn(text + op + 1, "+-.0123456789eE")] !=
		    (*end == '%' ? '%' : '\0') ||
	    (*end == '%' ? end[1] : *end) != '\0')
		goto bad;
	if (gate->below && percent <= -100)
		return err_set(err, ERR_INPUT,
			       "--fail-if %s: nothing can be slower by 100%% "
			       "or more",
			       text);
	gate->change = percent / 100;
	return true;
bad:
	return err_set(err, ERR_INPUT,
		       "--fail-if %s: not like 'W<-5%%', 'R>10%%' or "
		       "'any<-5%%'",
		       text);
}

static bool fail_gate(const struct comparison *comparison,
		      const struct compare_row *row,
		      const struct compare_gate *gate, struct err *err)
{
	const struct compare_row *base = &comparison->rows[row->base];
	enum dataset_dimension d =
		compare_differs_in(comparison->options, row, base);
	const char *filesystem = row->names[DATASET_FILESYSTEM];
	char change[FIGURE_SIZE], own[COMPARE_NAME_SIZE];
	char other[COMPARE_NAME_SIZE];

	figure_change(row->ratio, change);
	return err_set(err, ERR_FAILED,
		       "gate failed: %c of %s%s%s%s%s%s is %s against %s, "
		       "beyond %+g%%",
		       row->op, compare_said_name(row->names, d, own),
		       *filesystem ? " (" : "", filesystem,
		       *row->names[DATASET_VOLUME] ? " on " : "",
		       row->names[DATASET_VOLUME], *filesystem ? ")" : "",
		       change, compare_said_name(base->names, d, other),
		       gate->change * 100);
}

void compare_gate_rows(const struct comparison *comparison,
		       const struct compare_gate *gate, size_t *rows,
		       size_t *tested)
{
	*rows = *tested = 0;
	for (size_t op = 0; op < 2; op++) {
		if (gate->op && gate->op != "WR"[op])
			continue;
		*rows += comparison->compared[op];
		*tested += comparison->tested[op];
	}
}

bool compare_gate(const struct comparison *comparison,
		  const struct compare_gate *gate, struct err *err)
{
	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];
		double change = row->ratio - 1;

		if (!compare_is_significant(row) ||
		    (gate->op && gate->op != row->op) ||
		    (gate->below ? change >= gate->change
				 : change <= gate->change))
			continue;
		return fail_gate(comparison, row, gate, err);
	}
	return true;
}
