/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jsonout - what commands that print facts of a machine as JSON have in
 * common.
 */
#ifndef RUNNER_JSONOUT_H
#define RUNNER_JSONOUT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/err.h"
#include "reports/jsonvalue.h"
#include "runner/sysfile.h"

/* As jsonvalue_text(); "" is null too, for a fact that is not known. */
json_t *jsonout_text(const char *text);
json_t *jsonout_names(const struct sysfile_names *names);

/* The whole command line of a command that takes nothing but --json. */
MUST_USE bool jsonout_option(int argc, char **argv, bool *json,
			     struct err *err);

/*
 * Print a document and free it. NULL, what json_pack() gives when memory ran
 * out, is an error.
 */
MUST_USE bool jsonout_print(json_t *document, FILE *out, struct err *err);

#endif
