/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * streams - the streams of a phase, run together and added up.
 *
 * One stream runs in the caller's thread; of several each has its own, and
 * all of them start at the same moment, when the last is ready.
 */
#ifndef CORE_STREAMS_H
#define CORE_STREAMS_H

#include "core/stream.h"

/*
 * Run those whose share_bytes is not 0. phase->start_ns is set, each stream
 * says how it ended, and the time when the last call of all returned is
 * returned. Nothing is freed yet: the clock may still run.
 */
uint64_t streams_run(struct stream *streams, unsigned int count,
		     struct stream_phase *phase);

/* Why it ended for all of them. */
enum phase_end streams_end(const struct stream *streams, unsigned int count);

/*
 * The figures of all as one, moved out of the streams: bytes, end, errnum,
 * files, latency, series. The words of a fault are in `err`.
 */
void streams_merge(struct stream *streams, unsigned int count,
		   struct phase_result *out, struct err *err);

#endif
