/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/view.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { COLUMNS_LEAST = 40, COLUMNS_USUAL = 80, COLUMNS_MOST = 1000 };

static size_t columns_of(FILE *out)
{
	const char *text = getenv("COLUMNS");
	unsigned long columns = text ? strtoul(text, NULL, 10) : 0;
	struct winsize size = { 0 };

	if (columns == 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
		columns = size.ws_col;
	if (columns == 0)
		return COLUMNS_USUAL;
	if (columns < COLUMNS_LEAST)
		return COLUMNS_LEAST;
	return columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
}

struct render_view view_of(FILE *out)
{
	return (struct render_view){
		.columns = columns_of(out),
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
}
