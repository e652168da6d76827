/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/view.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "reports/fit.h"

enum { COLUMNS_LEAST = 40, COLUMNS_USUAL = 80, COLUMNS_MOST = 1000 };

size_t view_width(FILE *out)
{
	const char *text = getenv("COLUMNS");
	unsigned long columns = text ? strtoul(text, NULL, 10) : 0;
	struct winsize size = { 0 };

	if (columns == 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		columns = size.ws_col;
	if (columns == 0)
		return 0;
	if (columns < COLUMNS_LEAST)
		return COLUMNS_LEAST;
	return columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
}

struct render_view view_of(FILE *out)
{
	size_t columns = view_width(out);

	return (struct render_view){
		.columns = columns > 0 ? columns : COLUMNS_USUAL,
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
}

void view_say(FILE *out, size_t width, size_t indent, const char *fmt, ...)
{
	char *text, *safe;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	safe = text ? fit_safe(text, true) : NULL;
	if (safe)
		fit_fold(safe, width > 0 ? width : SIZE_MAX, indent, out);
	free(safe);
	free(text);
}
