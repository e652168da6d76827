/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/stream.h"

/* The kernel registers no larger piece of memory. */
#define FIXED_MAX ((size_t)1 << 30)

/* So often a request is tried again that a signal or a full queue ended. */
enum { VAIN_MOST = 10000 };

/* A request in flight. */
struct slot {
	uint64_t sequence; /* of its block in the file */
	uint64_t offset;
	uint64_t start_ns;
	unsigned char *buf;
	unsigned int length, done;
	unsigned int vain; /* tries of what is left that moved nothing */
};

/*
 * Requests may complete in any order. What is written is counted in the
 * file's order, so that a failure in the middle leaves a known number of
 * bytes without a hole; `written` keeps what is complete but not yet counted.
 * Up to two depths of blocks may be apart, so that one slow request does not
 * at once hold up the others.
 */
struct uring {
	struct io_uring ring;
	bool has_ring;
	bool fixed; /* the buffers are registered */
	unsigned int depth, in_flight;
	struct slot *slots;    /* owned; `depth` of them */
	struct slot **idle;    /* owned; a stack of those not in flight */
	unsigned int *written; /* owned; bytes by sequence % places() */
	uint64_t next_sequence, counted_sequence;
	uint64_t next_offset;
	int error; /* of the lowest offset that failed; -errno */
	uint64_t error_offset;
};

/* Newer kernels do less if only one thread submits and it reaps itself. */
static int make_ring(struct io_uring *ring, unsigned int depth)
{
	static const unsigned int flags[] = {
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_COOP_TASKRUN,
		0,
	};
	int ret = -EINVAL;

	for (size_t i = 0; ret == -EINVAL && i < 3; i++)
		ret = io_uring_queue_init(depth, ring, flags[i]);
	return ret;
}

bool engine_uring_available(struct err *err)
{
	struct io_uring ring;
	int ret = make_ring(&ring, 2);

	if (ret == -ENOSYS)
		return err_set(err, ERR_FAILED, "this kernel has no io_uring");
	if (ret == -EPERM)
		return err_set(err, ERR_FAILED,
			       "io_uring is not permitted here (see "
			       "kernel.io_uring_disabled, or a container's "
			       "system call filter)");
	if (ret < 0)
		return err_sys(err, -ret, "setting up io_uring");
	io_uring_queue_exit(&ring);
	return true;
}

/* How many blocks may be apart that are not counted yet. */
static size_t places(const struct uring *u)
{
	return 2 * (size_t)u->depth;
}

static bool make_slots(struct uring *u, struct stream *s, bool writes)
{
	const size_t block = (size_t)s->phase->workload->block_bytes;

	u->slots = calloc(u->depth, sizeof(u->slots[0]));
	u->idle = calloc(u->depth, sizeof(struct slot *));
	u->written = calloc(places(u), sizeof(u->written[0]));
	if (!u->slots || !u->idle || !u->written)
		return false;
	for (unsigned int i = 0; i < u->depth; i++) {
		u->idle[i] = &u->slots[i];
		if (!writes)
			u->slots[i].buf = s->buffer + i * block;
	}
	return true;
}

/* Not having it is slower, not wrong: RLIMIT_MEMLOCK may not allow it. */
static void register_memory(struct uring *u, const struct stream *s,
			    bool writes)
{
	struct iovec iov = {
		.iov_base = s->buffer,
		.iov_len = u->depth * (size_t)s->phase->workload->block_bytes,
	};

	if (writes)
		iov.iov_base = data_window_memory(s->window, &iov.iov_len);
	u->fixed = iov.iov_len <= FIXED_MAX &&
		   io_uring_register_buffers(&u->ring, &iov, 1) == 0;
}

/* No more than a file of that size has blocks: buffers are not for free. */
static unsigned int useful_depth(const struct workload *w)
{
	uint64_t blocks = w->size_bytes / w->block_bytes + 1;

	return w->size_bytes > 0 && blocks < w->depth ? (unsigned int)blocks
						      : w->depth;
}

static int uring_begin(struct stream *s)
{
	const struct workload *w = s->phase->workload;
	const bool writes = s->phase->op == PHASE_WRITE;
	struct uring *u = calloc(1, sizeof(*u));
	uint64_t blocks;
	int ret;

	s->engine_state = u;
	if (!u)
		return -ENOMEM;
	u->depth = useful_depth(w);
	blocks = u->depth * w->block_bytes;
	s->window = data_window_new(s->phase->data, writes ? w->block_bytes : 0,
				    writes ? 2 * blocks : 0);
	if (!s->window || (!writes && !stream_buffer(s, blocks)) ||
	    !make_slots(u, s, writes))
		return -ENOMEM;
	ret = make_ring(&u->ring, u->depth);
	if (ret < 0)
		return ret;
	u->has_ring = true;
	register_memory(u, s, writes);
	return 0;
}

static void uring_end(struct stream *s)
{
	struct uring *u = s->engine_state;

	s->engine_state = NULL;
	if (!u)
		return;
	if (u->in_flight > 0) {
		/* the ring itself failed: the kernel may still use these */
		s->window = NULL;
		s->buffer = NULL;
	}
	if (u->has_ring)
		io_uring_queue_exit(&u->ring);
	free(u->slots);
	free(u->idle);
	free(u->written);
	free(u);
}

/* Queue what is left of a slot's block. */
static void queue(struct uring *u, struct stream *s, struct slot *slot,
		  uint64_t now)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);
	unsigned char *buf = slot->buf + slot->done;
	unsigned int length = slot->length - slot->done;
	uint64_t offset = slot->offset + slot->done;
	const bool writes = s->phase->op == PHASE_WRITE;

	/* never NULL: the queue has an entry for each slot */
	if (writes && u->fixed)
		io_uring_prep_write_fixed(sqe, s->fd, buf, length, offset, 0);
	else if (writes)
		io_uring_prep_write(sqe, s->fd, buf, length, offset);
	else if (u->fixed)
		io_uring_prep_read_fixed(sqe, s->fd, buf, length, offset, 0);
	else
		io_uring_prep_read(sqe, s->fd, buf, length, offset);
	io_uring_sqe_set_data(sqe, slot);
	slot->start_ns = now;
}

static bool may_submit(const struct uring *u, const struct stream *s,
		       uint64_t limit)
{
	return u->in_flight < u->depth && u->next_offset < limit &&
	       u->next_sequence - u->counted_sequence < places(u) &&
	       s->end == PHASE_END_NONE && u->error == 0;
}

static void fill_queue(struct uring *u, struct stream *s, uint64_t limit)
{
	const uint64_t block = s->phase->workload->block_bytes;
	const bool writes = s->phase->op == PHASE_WRITE;
	uint64_t now = 0, left;
	struct slot *slot;

	while (may_submit(u, s, limit)) {
		left = limit - u->next_offset;
		slot = u->idle[u->depth - ++u->in_flight];
		slot->sequence = u->next_sequence++;
		slot->offset = u->next_offset;
		slot->length = (unsigned int)(left < block ? left : block);
		slot->done = 0;
		slot->vain = 0;
		if (writes)
			slot->buf = data_window_fill(
				s->window, &s->key, slot->offset, slot->length);
		u->next_offset += slot->length;
		if (now == 0)
			now = stream_now(s);
		queue(u, s, slot, now);
	}
}

static void note_error(struct uring *u, const struct slot *slot, int error)
{
	if (u->error && u->error_offset < slot->offset)
		return;
	u->error = error;
	u->error_offset = slot->offset;
}

static void retire(struct uring *u, struct slot *slot)
{
	u->idle[u->depth - u->in_flight--] = slot;
}

static void count_written(struct uring *u, struct stream *s,
			  const struct slot *slot, uint64_t now)
{
	unsigned int *written;

	u->written[slot->sequence % places(u)] = slot->length;
	while (u->counted_sequence < u->next_sequence) {
		written = &u->written[u->counted_sequence % places(u)];
		if (*written == 0)
			break;
		(void)stream_count(s, now, *written);
		*written = 0;
		u->counted_sequence++;
	}
}

static void count_read(struct uring *u, struct stream *s,
		       const struct slot *slot)
{
	u->counted_sequence++; /* the order of reads does not matter */
	if (s->end == PHASE_END_CORRUPT)
		return; /* bytes behind the first that differs */
	if (stream_check(s, slot->offset, slot->buf, slot->length))
		(void)stream_count(s, stream_now(s), slot->length);
}

/*
 * Whether a request that failed is worth another try. ECANCELED is the word for
 * a worker of the kernel that could not be made, since a signal came.
 */
static bool is_in_vain(struct slot *slot, int res)
{
	return (res == -EINTR || res == -EAGAIN || res == -ECANCELED) &&
	       slot->vain++ < VAIN_MOST;
}

static void complete(struct uring *u, struct stream *s, struct slot *slot,
		     int res)
{
	const bool writes = s->phase->op == PHASE_WRITE;
	uint64_t now = stream_now(s);

	if (res > 0) {
		hist_record(s->latency, now - slot->start_ns);
		slot->done += (unsigned int)res;
		slot->vain = 0;
	}
	if (slot->done < slot->length && (res > 0 || is_in_vain(slot, res))) {
		if (res > 0 || !stream_is_over(s, now)) {
			queue(u, s, slot, now);
			return;
		}
		res = -ECANCELED;
	}
	if (res < 0)
		note_error(u, slot, res);
	else if (res == 0 && writes)
		note_error(u, slot, -EIO);
	else if (res == 0)
		stream_fail_size(s, slot->offset + slot->done);
	else if (writes)
		count_written(u, s, slot, now);
	else
		count_read(u, s, slot);
	retire(u, slot);
}

/* Submit what is queued and take what has come; waits for at least one. */
static int reap(struct uring *u, struct stream *s)
{
	struct io_uring_cqe *cqe;
	struct slot *slot;
	int ret, res;

	ret = io_uring_submit_and_wait(&u->ring, 1);
	if (ret < 0 && ret != -EINTR && ret != -EAGAIN && ret != -EBUSY)
		return ret;
	while (io_uring_peek_cqe(&u->ring, &cqe) == 0) {
		slot = io_uring_cqe_get_data(cqe);
		res = cqe->res;
		io_uring_cqe_seen(&u->ring, cqe);
		complete(u, s, slot, res);
	}
	return 0;
}

/* Move [s->file_bytes, limit) with O_DIRECT on or off as it is. */
static int move(struct stream *s, uint64_t limit)
{
	struct uring *u = s->engine_state;
	int ret = 0;

	u->next_offset = s->file_bytes;
	u->next_sequence = 0;
	u->counted_sequence = 0;
	u->error = 0;
	memset(u->written, 0, places(u) * sizeof(u->written[0]));
	do {
		fill_queue(u, s, limit);
		if (u->in_flight > 0)
			ret = reap(u, s);
	} while (ret == 0 && (u->in_flight > 0 || may_submit(u, s, limit)));
	return ret < 0 ? ret : u->error;
}

/* First the part that O_DIRECT can move, then, buffered, the rest. */
static int move_all(struct stream *s, uint64_t limit)
{
	uint64_t aligned = limit;
	int ret;

	if (s->direct)
		aligned -= limit % s->alignment_bytes;
	ret = move(s, aligned);
	if (ret < 0 || s->end != PHASE_END_NONE || aligned == limit)
		return ret;
	ret = stream_switch_to_buffered(s);
	return ret < 0 ? ret : move(s, limit);
}

static int uring_write(struct stream *s, uint64_t limit)
{
	const struct io io = s->phase->io;
	int ret = move_all(s, limit);

	/* what was written behind the failure is not counted: cut it off */
	if (ret < 0)
		(void)io.ops->truncate(io.ctx, s->fd, s->file_bytes);
	return ret;
}

static int uring_read(struct stream *s, uint64_t limit)
{
	return move_all(s, limit);
}

const struct engine engine_uring = {
	.begin = uring_begin,
	.write = uring_write,
	.read = uring_read,
	.end = uring_end,
};
