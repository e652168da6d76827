/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units - sizes and durations as people write them.
 */
#ifndef CORE_UNITS_H
#define CORE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attr.h"

/*
 * "512KiB", "1.5 GiB", "64K", "10MB", "4096". KiB, MiB, GiB, TiB and K, M, G,
 * T are powers of 1024; kB, MB, GB, TB powers of 1000; B or none is bytes.
 * False for anything else, for a fraction of a byte and for overflow.
 */
MUST_USE bool units_parse_bytes(const char *text, uint64_t *bytes);

/* "250ms", "90s", "30min", "1.5h", "7h", "1d", "1h30min"; none is seconds. */
MUST_USE bool units_parse_duration(const char *text, uint64_t *ns);

/* "512KiB", "1.5GiB", "4095MiB": exact where three digits can say it. */
void units_format_bytes(uint64_t bytes, char *out, size_t size);

/* "0.4s", "12s", "3min 20s", "2h 05min". */
void units_format_duration(uint64_t ns, char *out, size_t size);

#endif
