/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_blind - bench_core that looks at nothing it reads, to see what the
 * look costs; and with TOUCH at one byte of each cache line, which no check of
 * all bytes can go below. The linker puts this in the check's place.
 */
#include "core/data.h"

bool __wrap_data_window_check(struct data_window *window,
			      const struct data_key *key, uint64_t offset,
			      const void *buf, size_t length, size_t *at);

bool __wrap_data_window_check(struct data_window *window,
			      const struct data_key *key, uint64_t offset,
			      const void *buf, size_t length, size_t *at)
{
	(void)window;
	(void)key;
	(void)offset;
	(void)at;
#ifdef TOUCH
	const volatile unsigned char *bytes = buf;

	for (size_t i = 0; i < length; i += 64)
		(void)bytes[i];
#else
	(void)buf;
	(void)length;
#endif
	return true;
}
