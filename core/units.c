/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t value;
};

/* A number as written: whole + part / scale, scale a power of ten. */
struct decimal {
	uint64_t whole, part, scale;
};

#define KIBI        (UINT64_C(1) << 10)
#define MEBI        (UINT64_C(1) << 20)
#define GIBI        (UINT64_C(1) << 30)
#define TEBI        (UINT64_C(1) << 40)

#define MILLISECOND UINT64_C(1000000)
#define SECOND      UINT64_C(1000000000)
#define MINUTE      (60 * SECOND)
#define HOUR        (60 * MINUTE)
#define DAY         (24 * HOUR)

static const struct unit byte_units[] = {
	{ "", 1 },
	{ "B", 1 },
	{ "K", KIBI },
	{ "KiB", KIBI },
	{ "kB", UINT64_C(1000) },
	{ "M", MEBI },
	{ "MiB", MEBI },
	{ "MB", UINT64_C(1000000) },
	{ "G", GIBI },
	{ "GiB", GIBI },
	{ "GB", UINT64_C(1000000000) },
	{ "T", TEBI },
	{ "TiB", TEBI },
	{ "TB", UINT64_C(1000000000000) },
	{ NULL, 0 },
};

static const struct unit duration_units[] = {
	{ "d", DAY },    { "h", HOUR },   { "min", MINUTE },
	{ "m", MINUTE }, { "s", SECOND }, { "ms", MILLISECOND },
	{ NULL, 0 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Take digits from *text into *value; false if none, or if they overflow. */
static bool take_digits(const char **text, uint64_t *value)
{
	const char *s = *text;

	for (*value = 0; is_digit(*s); s++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*s - '0'), value))
			return false;
	}
	if (s == *text)
		return false;
	*text = s;
	return true;
}

/* Digits after the point; zeros at the end say nothing and are left out. */
static bool take_part(const char **text, struct decimal *number)
{
	const char *s = *text, *end = s + strspn(s, "0123456789");

	if (end == s)
		return false;
	*text = end;
	while (end > s && end[-1] == '0')
		end--;
	for (; s < end; s++) {
		if (__builtin_mul_overflow(number->scale, 10, &number->scale))
			return false;
		number->part = number->part * 10 + (uint64_t)(*s - '0');
	}
	return true;
}

static bool take_number(const char **text, struct decimal *number,
			bool *has_point)
{
	*number = (struct decimal){ .scale = 1 };
	if (!take_digits(text, &number->whole))
		return false;
	*has_point = **text == '.';
	if (!*has_point)
		return true;
	++*text;
	return take_part(text, number);
}

/* Take the unit's name, and the space that may stand before it. */
static const struct unit *take_unit(const char **text, const struct unit *units)
{
	const char *name = *text + (**text == ' ');
	size_t length = 0;

	while (is_letter(name[length]))
		length++;
	if (length == 0)
		name = *text;
	for (; units->name; units++) {
		if (strlen(units->name) == length &&
		    memcmp(units->name, name, length) == 0) {
			*text = name + length;
			return units;
		}
	}
	return NULL;
}

/* number * unit; false if that is not whole or does not fit. */
static bool multiply(struct decimal number, uint64_t unit, uint64_t *product)
{
	uint64_t whole;

	for (uint64_t prime = 2; prime <= 5; prime += 3) {
		while (number.scale % prime == 0 && number.part % prime == 0 &&
		       number.part) {
			number.scale /= prime;
			number.part /= prime;
		}
	}
	if (number.part && unit % number.scale)
		return false;
	return !__builtin_mul_overflow(number.whole, unit, &whole) &&
	       !__builtin_add_overflow(
		       whole, number.part * (unit / number.scale), product);
}

bool units_parse_bytes(const char *text, uint64_t *bytes)
{
	struct decimal number;
	const struct unit *unit;
	uint64_t product;
	bool has_point;

	if (!take_number(&text, &number, &has_point))
		return false;
	unit = take_unit(&text, byte_units);
	if (!unit || *text || (has_point && unit->value == 1) ||
	    !multiply(number, unit->value, &product))
		return false;
	*bytes = product;
	return true;
}

static bool parse_seconds(struct decimal number, uint64_t *ns)
{
	uint64_t product;

	if (!multiply(number, SECOND, &product))
		return false;
	*ns = product;
	return true;
}

bool units_parse_duration(const char *text, uint64_t *ns)
{
	uint64_t sum = 0, product, before = UINT64_MAX;
	struct decimal number;
	bool has_point;

	do {
		const struct unit *unit;

		if (!take_number(&text, &number, &has_point))
			return false;
		if (*text == '\0' && before == UINT64_MAX)
			return parse_seconds(number, ns);
		unit = take_unit(&text, duration_units);
		if (!unit || unit->value >= before ||
		    !multiply(number, unit->value, &product) ||
		    __builtin_add_overflow(sum, product, &sum))
			return false;
		before = unit->value;
		if (*text == ' ' && is_digit(text[1]))
			text++;
	} while (*text);
	*ns = sum;
	return true;
}

/* a / b, to the nearest; never overflows. */
static uint64_t divide(uint64_t a, uint64_t b)
{
	return a / b + (a % b >= b - b / 2);
}

/* bytes * digits / unit, to the nearest; digits is at most 100. */
static uint64_t scaled(uint64_t bytes, uint64_t unit, uint64_t digits)
{
	return bytes / unit * digits + divide(bytes % unit * digits, unit);
}

static bool is_exact(uint64_t bytes, uint64_t unit, uint64_t digits)
{
	return bytes / unit < 10000 && bytes % unit * digits % unit == 0 &&
	       scaled(bytes, unit, digits) < (digits == 1 ? 10000 : 1000);
}

/* number / digits as text; digits is 1, 10 or 100. */
static void format_decimal(uint64_t number, uint64_t digits, const char *unit,
			   char *out, size_t size)
{
	if (digits == 1)
		snprintf(out, size, "%" PRIu64 "%s", number, unit);
	else
		snprintf(out, size, "%" PRIu64 ".%0*" PRIu64 "%s",
			 number / digits, digits == 10 ? 1 : 2, number % digits,
			 unit);
}

void units_format_bytes(uint64_t bytes, char *out, size_t size)
{
	static const struct unit units[] = { { "TiB", TEBI },
					     { "GiB", GIBI },
					     { "MiB", MEBI },
					     { "KiB", KIBI },
					     { "B", 1 } };
	const struct unit *unit = units;
	uint64_t digits;

	while (bytes < unit->value && unit->value > 1)
		unit++;
	for (const struct unit *u = unit;; u++) {
		for (digits = 1; digits <= 100; digits *= 10) {
			if (is_exact(bytes, u->value, digits)) {
				format_decimal(scaled(bytes, u->value, digits),
					       digits, u->name, out, size);
				return;
			}
		}
		if (u->value == 1)
			break;
	}
	digits = 100;
	while (digits > 1 && scaled(bytes, unit->value, digits) >= 1000)
		digits /= 10;
	format_decimal(scaled(bytes, unit->value, digits), digits, unit->name,
		       out, size);
}

static void format_two(uint64_t count, unsigned int per, const char *big,
		       const char *little, char *out, size_t size)
{
	snprintf(out, size, "%" PRIu64 "%s %02" PRIu64 "%s", count / per, big,
		 count % per, little);
}

void units_format_duration(uint64_t ns, char *out, size_t size)
{
	if (ns == 0)
		snprintf(out, size, "0s");
	else if (divide(ns, MILLISECOND) == 0)
		snprintf(out, size, "<1ms");
	else if (divide(ns, MILLISECOND) < 100)
		snprintf(out, size, "%" PRIu64 "ms", divide(ns, MILLISECOND));
	else if (divide(ns, SECOND / 10) < 100)
		format_decimal(divide(ns, SECOND / 10), 10, "s", out, size);
	else if (divide(ns, SECOND) < 60)
		snprintf(out, size, "%" PRIu64 "s", divide(ns, SECOND));
	else if (divide(ns, SECOND) < HOUR / SECOND)
		format_two(divide(ns, SECOND), 60, "min", "s", out, size);
	else if (divide(ns, MINUTE) < DAY / MINUTE)
		format_two(divide(ns, MINUTE), 60, "h", "min", out, size);
	else
		format_two(divide(ns, HOUR), 24, "d", "h", out, size);
}

void units_format_limit(uint64_t ns, char *out, size_t size)
{
	if (ns < 10 * SECOND && ns % (SECOND / 10) && ns % MILLISECOND == 0)
		snprintf(out, size, "%" PRIu64 "ms", ns / MILLISECOND);
	else
		units_format_duration(ns, out, size);
}
