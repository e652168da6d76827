/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>

#include "core/engine.h"
#include "core/stream.h"

/*
 * From this size on a read is timed apart from the check of what it read;
 * below, a second look at the clock would cost more than the check.
 */
enum { TIMED_APART_BYTES = 32 << 10 };

static int sync_begin(struct stream *s)
{
	const uint64_t block = s->phase->workload->block_bytes;
	const bool writes = s->phase->op == PHASE_WRITE;

	s->window = data_window_new(s->phase->data, writes ? block : 0, 0);
	if (!s->window || (!writes && !stream_buffer(s, block)))
		return -ENOMEM;
	return 0;
}

static size_t next_length(const struct stream *s, uint64_t limit)
{
	const uint64_t block = s->phase->workload->block_bytes;
	const uint64_t left = limit - s->file_bytes;

	if (left >= block)
		return (size_t)block;
	if (s->direct && left > s->alignment_bytes)
		return (size_t)(left - left % s->alignment_bytes);
	return (size_t)left;
}

/* What a call that moved nothing means: go on (0), or -errno. */
static int nothing_moved(struct stream *s, int64_t ret)
{
	if (ret != -EINTR)
		return ret ? (int)ret : -EIO;
	(void)stream_is_over(s, stream_now(s));
	return 0;
}

/* 0 when it is written, or when s->end was set on the way. */
static int write_block(struct stream *s, const unsigned char *block,
		       size_t length)
{
	const struct io io = s->phase->io;
	uint64_t now;
	int64_t moved;
	int ret;

	while (length > 0) {
		ret = stream_keep_aligned(s, length);
		if (ret < 0)
			return ret;
		moved = io.ops->pwrite(io.ctx, s->fd, block, length,
				       s->file_bytes);
		if (moved <= 0) {
			ret = nothing_moved(s, moved);
			if (ret < 0 || s->end != PHASE_END_NONE)
				return ret;
			continue;
		}
		now = stream_now(s);
		hist_record(s->latency, now - s->last_ns);
		if (!stream_count(s, now, (uint64_t)moved))
			return 0;
		block += moved;
		length -= (size_t)moved;
	}
	return 0;
}

static int sync_write(struct stream *s, uint64_t limit)
{
	const unsigned char *block;
	size_t length;
	int ret = 0;

	while (ret == 0 && s->file_bytes < limit && s->end == PHASE_END_NONE) {
		length = next_length(s, limit);
		block = data_window_fill(s->window, &s->key, s->file_bytes,
					 length);
		ret = write_block(s, block, length);
	}
	return ret;
}

/*
 * Whether the clock stands still while what was read is checked and counted:
 * if nothing can be read meanwhile, because all of it is in the page cache
 * already, or because it is direct and nobody else reads. Where the kernel
 * reads ahead the clock runs on: standing still would give that time away.
 */
static bool pauses_to_check(const struct stream *s)
{
	const struct stream_phase *p = s->phase;

	return !p->is_shared && (p->is_resident || s->direct);
}

/* Count a read of `moved` bytes if they are what was written. */
static void take(struct stream *s, size_t moved)
{
	const bool pauses = pauses_to_check(s);
	const bool apart = pauses || moved >= TIMED_APART_BYTES;
	uint64_t returned = apart ? stream_now(s) : 0;
	uint64_t now;

	if (!stream_check(s, s->file_bytes, s->buffer, moved))
		return;
	now = pauses ? returned : stream_now(s);
	hist_record(s->latency, (apart ? returned : now) - s->last_ns);
	(void)stream_count(s, now, moved);
	if (pauses)
		stream_pause(s, returned);
}

static int sync_read(struct stream *s, uint64_t limit)
{
	const struct io io = s->phase->io;
	size_t length;
	int64_t moved;
	int ret = 0;

	while (ret == 0 && s->file_bytes < limit && s->end == PHASE_END_NONE) {
		length = next_length(s, limit);
		ret = stream_keep_aligned(s, length);
		if (ret < 0)
			return ret;
		moved = io.ops->pread(io.ctx, s->fd, s->buffer, length,
				      s->file_bytes);
		if (moved > 0)
			take(s, (size_t)moved);
		else if (moved == 0)
			stream_fail_size(s, s->file_bytes);
		else
			ret = nothing_moved(s, moved);
	}
	return ret;
}

static void sync_end(struct stream *s)
{
	(void)s; /* the window and the buffer are the stream's */
}

const struct engine engine_sync = {
	.begin = sync_begin,
	.write = sync_write,
	.read = sync_read,
	.end = sync_end,
};
