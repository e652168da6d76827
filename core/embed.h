/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embed - files that are compiled in, as cmake/Embed.cmake lays them out.
 */
#ifndef CORE_EMBED_H
#define CORE_EMBED_H

#include <stddef.h>

/* A table of them ends with a NULL name. */
struct embed {
	const char *name;          /* without its folder */
	const unsigned char *data; /* a NUL follows the last byte */
	size_t size;               /* without that NUL */
	const char *sha256;        /* of the data, in base64 */
};

#endif
