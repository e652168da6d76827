/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units - sizes and durations as people write them.
 *
 * A number is digits, with a decimal point and more digits if it is not of
 * the smallest unit; one space may stand before a unit. Letters count as they
 * are written: a "k" or "kb" could mean two things, so it means none. All is
 * exact: what is no whole number of bytes or nanoseconds is refused.
 */
#ifndef CORE_UNITS_H
#define CORE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"

/* Room for whatever the formatters write, the NUL included. */
#define UNITS_TEXT_MAX 24

/*
 * "512KiB", "1.5 GiB", "64K", "10MB", "4096". KiB, MiB, GiB, TiB and K, M, G,
 * T are powers of 1024; kB, MB, GB, TB powers of 1000; B or none is bytes.
 * False for anything else, for a fraction of a byte and for overflow.
 */
MUST_USE bool units_parse_bytes(const char *text, uint64_t *bytes);

/*
 * "250ms", "90s", "30min", "1.5h", "1d", and sums of these in falling order:
 * "1h30min", "2h 05min"; "m" is "min"; none is seconds.
 */
MUST_USE bool units_parse_duration(const char *text, uint64_t *ns);

/*
 * What somebody may have meant by a text that the parsers refuse: "64MiB" for
 * "64MIB" or "64 megabytes", "30min" for "30 minutes". False: no idea.
 */
MUST_USE bool units_near_bytes(const char *text, char *out, size_t size);
MUST_USE bool units_near_duration(const char *text, char *out, size_t size);

/*
 * "512KiB", "1.5GiB", "4095MiB": exact where three digits, or a whole number
 * below 10000, can say it; else rounded to three digits, "1.18MiB".
 */
void units_format_bytes(uint64_t bytes, char *out, size_t size);

/* "40ms", "0.4s", "12s", "3min 20s", "2h 05min", "1d 06h": rounded. */
void units_format_duration(uint64_t ns, char *out, size_t size);
/* A limit that somebody set: as that, and below 10 s exact ("250ms"). */
void units_format_limit(uint64_t ns, char *out, size_t size);

#endif
