/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern - one copy of each text, in a search tree.
 *
 * The caller has the tree, NULL at first, and ends it with
 * tdestroy(tree, free) of search.h.
 */
#ifndef REPORTS_INTERN_H
#define REPORTS_INTERN_H

#include <stdbool.h>

#include "core/err.h"

/* The tree's copy of `text`; NULL: out of memory. */
MUST_USE const char *intern_text(void **tree, const char *text);
/* The same; *fresh: it had none before. */
MUST_USE bool intern_once(void **tree, const char *text, bool *fresh);

#endif
