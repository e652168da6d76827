/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data - what is written: incompressible, unlike anything written before, and
 * known again byte by byte when it is read.
 *
 * A pool of random bytes is made once per run, before any clock starts. The
 * content of a file at an offset is the pool at that offset, and each 4 KiB
 * of it begins with a stamp of run, sample, file and offset, written into the
 * buffer just before the write, so no two 4 KiB blocks are equal.
 */
#ifndef CORE_DATA_H
#define CORE_DATA_H

#include <stdint.h>

struct data;

/* NULL when out of memory. `seed` need not be secret, only new. */
struct data *data_new(uint64_t seed);
void data_free(struct data *data);

#endif
