/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err - what went wrong, said once, in words the user can act on.
 *
 * A function that can fail for a reason worth telling takes a `struct err *`
 * as its last argument, fills it, and returns false (or NULL). The first error
 * set wins, so cleanup that fails later cannot hide the cause. Code inside a
 * timed loop returns -errno instead and leaves the wording to its caller.
 *
 * Where a user wants to see everything that is wrong at once (a matrix, a CSV
 * file), a `struct err_list` collects one `struct err` per fault.
 */
#ifndef CORE_ERR_H
#define CORE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attr.h"

/* What a script may branch on: these are the exit codes. Append only. */
enum err_code {
	ERR_NONE = 0,
	ERR_FAILED = 1, /* the work was tried and did not succeed */
	ERR_INPUT = 2,  /* the command line or a file we were given is wrong */
	ERR_CELLS = 3,  /* the run ended, but some cells have no valid result */
	ERR_REFUSED = 4,     /* doing it could have destroyed something */
	ERR_BUSY = 75,       /* another run holds the volume or the database */
	ERR_INTERRUPT = 130, /* SIGINT or SIGHUP ended the run */
	ERR_TERMINATE = 143, /* SIGTERM ended the run */
};

struct err {
	enum err_code code;
	bool usage;       /* the command line is wrong, not a file */
	int line, column; /* 1-based; 0 when there is no position */
	char source[512]; /* file, device or matrix path; may be "" */
	char text[1024];
};

/* The setters always return false, so `return err_set(...)` reads well. */
bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
	PRINTF(3, 4);
bool err_vset(struct err *err, enum err_code code, const char *fmt, va_list ap)
	PRINTF(3, 0);
/* As err_set() with ERR_FAILED, followed by ": " and strerror(errnum). */
bool err_sys(struct err *err, int errnum, const char *fmt, ...) PRINTF(3, 4);
/* ERR_INPUT that is the command line's: its usage is worth printing. */
bool err_usage(struct err *err, const char *fmt, ...) PRINTF(2, 3);
bool err_nomem(struct err *err);

/* Say behind it what to do about it: "; ADVICE". Returns false, too. */
bool err_advise(struct err *err, const char *fmt, ...) PRINTF(2, 3);

/* Say where the error is. Does nothing when a place was already given. */
void err_at(struct err *err, const char *source, int line, int column);

/*
 * "source:line:column: text", or what of it there is, and a newline. Bytes
 * that could act on a terminal are printed as \xNN (see text_fputs_safe()).
 */
void err_print(const struct err *err, FILE *out);

/* Zero-initialise; every fault found is added, in the order found. */
struct err_list {
	struct err *items; /* owned */
	size_t count;
	bool truncated; /* memory ran out, or there were more than 1000 */
};

/* Returns false, like err_set(). */
bool err_list_add(struct err_list *list, const struct err *err);
void err_list_done(struct err_list *list);

#endif
