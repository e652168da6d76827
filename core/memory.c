/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *memory_new(size_t bytes, size_t piece_bytes)
{
	void *memory = NULL;
	size_t whole;

	if (bytes > SIZE_MAX - MEMORY_PAGE_BYTES)
		return NULL;
	whole = (bytes + MEMORY_PAGE_BYTES - 1) & ~(MEMORY_PAGE_BYTES - 1);
	if (posix_memalign(&memory, MEMORY_PAGE_BYTES, whole) != 0)
		return NULL;
	/* a kernel without them has its reasons: small pages will do */
	if (piece_bytes >= MEMORY_LARGE_BYTES)
		(void)madvise(memory, whole, MADV_HUGEPAGE);
	memset(memory, 0xff, bytes);
	return memory;
}

void memory_free(void *memory)
{
	free(memory);
}
