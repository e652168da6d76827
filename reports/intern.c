/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/intern.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

const char *intern_text(void **tree, const char *text)
{
	char **node = tfind(text, tree, by_text), *copy;

	if (node)
		return *node;
	copy = strdup(text);
	node = copy ? tsearch(copy, tree, by_text) : NULL;
	if (!node)
		free(copy);
	return node ? *node : NULL;
}

bool intern_once(void **tree, const char *text, bool *fresh)
{
	*fresh = !tfind(text, tree, by_text);
	return !*fresh || intern_text(tree, text);
}
