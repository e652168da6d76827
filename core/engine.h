/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine - how the bytes of one open file are moved.
 *
 * An engine sees s->fd and moves [s->file_bytes, limit), calling
 * stream_count() as it goes; it retries EINTR, continues short counts, and
 * checks every byte it reads. It knows neither names nor why a file ends.
 */
#ifndef CORE_ENGINE_H
#define CORE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

struct engine {
	/* In the stream's thread, before the clock; 0 or -errno. */
	int (*begin)(struct stream *s);
	/*
	 * 0 at the limit, or when s->end was set on the way; else -errno, the
	 * file then holding exactly s->file_bytes.
	 */
	int (*write)(struct stream *s, uint64_t limit);
	int (*read)(struct stream *s, uint64_t limit);
	void (*end)(struct stream *s); /* safe after a failed begin */
};

extern const struct engine engine_sync;
/* workload.depth requests in flight, by io_uring; not through the io table */
extern const struct engine engine_uring;

/* See measure_uring_available(). */
struct err;
bool engine_uring_available(struct err *err);

#endif
