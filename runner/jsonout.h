/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jsonout - what commands that print JSON have in common.
 *
 * Facts of a machine are bytes, JSON is Unicode: what is none is spelt out,
 * and so is what could act on a terminal.
 */
#ifndef RUNNER_JSONOUT_H
#define RUNNER_JSONOUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"
#include "runner/sysfile.h"

/* The caller's, as from json_string(); null for NULL and "". */
json_t *jsonout_text(const char *text);
json_t *jsonout_names(const struct sysfile_names *names);

/*
 * Print a document and free it. NULL, what json_pack() gives when memory ran
 * out, is an error.
 */
MUST_USE bool jsonout_print(json_t *document, FILE *out, struct err *err);

#endif
