/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_MOST = 9 }; /* behind the point of a rate */
enum { MOST = 99999 };    /* percent; what is more is not told more exactly */

static const struct figure_unit units[] = {
	{ "KB", 1024 },        { "KiB", 1024 }, { "MiB", 1048576 },
	{ "GiB", 1073741824 }, { "kB", 1e3 },   { "MB", 1e6 },
	{ "GB", 1e9 },
};

const struct figure_unit *figure_unit(const char *name, struct err *err)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(name, units[i].name) == 0)
			return &units[i];
	}
	err_set(err, ERR_INPUT,
		"no unit %s; there are KB (1024 bytes), KiB, MiB, GiB, and "
		"kB, MB, GB (powers of 1000)",
		name);
	return NULL;
}

/* Commas between thousands, in place; `digits` of the integer part. */
static void group(char *text)
{
	size_t length = strlen(text), digits = strspn(text, "0123456789");

	for (size_t at = digits; at > 3;) {
		at -= 3;
		memmove(text + at + 1, text + at, length - at + 1);
		text[at] = ',';
		length++;
	}
}

void figure_rate(double kb_per_s, const struct figure_unit *unit, bool grouped,
		 char *out)
{
	double rate = kb_per_s * 1024 / unit->bytes;
	int digits = rate >= 99.95 ? 0 : rate >= 9.995 ? 1 : 2;

	/* what is there must not look like nothing */
	for (double at = rate; at > 0 && at < 0.9995 && digits < DIGITS_MOST;
	     at *= 10)
		digits++;
	/* Nothing real is larger; and it fits with all its commas. */
	snprintf(out, FIGURE_SIZE, "%.*f", digits, fmin(rate, 1e24));
	if (grouped)
		group(out);
}

double figure_percent(double ratio)
{
	return (ratio - 1) * 100;
}

const char figure_half_note[] =
	">100%: an interval wider than from half of the rate to twice it; more "
	"rounds make it narrower";

bool figure_half_is_wide(double part)
{
	return part > 1;
}

void figure_half(double part, char *out)
{
	double percent = part * 100;

	if (figure_half_is_wide(part))
		snprintf(out, FIGURE_SIZE, ">100%%");
	else
		snprintf(out, FIGURE_SIZE, "%.*f%%", percent >= 99.95 ? 0 : 1,
			 percent);
}

void figure_bound(double ratio, char *out)
{
	double percent = figure_percent(ratio);
	int digits = fabs(percent) >= 999.95 ? 0 : 1;

	if (fabs(percent) < 0.05)
		snprintf(out, FIGURE_SIZE, "0.0");
	else if (percent <= -99.95)
		snprintf(out, FIGURE_SIZE, "<-99.9");
	else if (percent > MOST)
		snprintf(out, FIGURE_SIZE, ">+%d", MOST);
	else
		snprintf(out, FIGURE_SIZE, "%+.*f", digits, percent);
}

void figure_change(double ratio, char *out)
{
	char bound[FIGURE_SIZE];

	figure_bound(ratio, bound);
	snprintf(out, FIGURE_SIZE, "%.*s%%", FIGURE_SIZE - 2, bound);
}

void figure_p(double p, double alpha, char *out)
{
	bool near = p != alpha && round(p * 1000) == round(alpha * 1000);
	int digits = near ? 4 : 3;
	char text[FIGURE_SIZE];

	if (p < (near ? 0.0001 : 0.001)) {
		snprintf(out, FIGURE_SIZE, near ? "<.0001" : "<.001");
	} else if (p > 0.999) {
		snprintf(out, FIGURE_SIZE, ">.999");
	} else {
		snprintf(text, sizeof(text), "%.*f", digits, p);
		snprintf(out, FIGURE_SIZE, "%s", text + 1);
	}
}
