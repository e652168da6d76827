/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory - buffers that the kernel moves quickly: of huge pages, where it has
 * them.
 *
 * For a direct transfer the kernel looks up and pins each page of the buffer,
 * and the device gets each piece that is not next to the one before by
 * itself. In pages of 4 KiB that is most of the CPU time of a large block,
 * and how scattered they are depends on what the machine did before; a huge
 * page is one piece.
 *
 * Threads: any.
 */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stddef.h>

#define MEMORY_PAGE_BYTES  ((size_t)2 << 20)  /* what it is aligned to */
#define MEMORY_LARGE_BYTES ((size_t)64 << 10) /* of a piece */

/*
 * Memory of which `piece_bytes` are moved at a time; less than
 * MEMORY_LARGE_BYTES gain nothing by a huge page, and it has to be cleared.
 * Every byte is written once, so that no page is missing later. NULL: none
 * left.
 */
void *memory_new(size_t bytes, size_t piece_bytes);
void memory_free(void *memory);

#endif
