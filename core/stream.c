/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/memory.h"

bool stream_init(struct stream *s, unsigned int number)
{
	*s = (struct stream){ .number = number, .fd = -1 };
	/* as virtual as most of it stays: a page is used per 512 files */
	s->sizes = calloc(STREAM_FILES_MAX, sizeof(s->sizes[0]));
	return s->sizes != NULL;
}

void stream_done(struct stream *s, const struct io *io)
{
	(void)stream_close(s, io);
	stream_reset(s);
	free(s->sizes);
	s->sizes = NULL;
}

uint64_t stream_written(const struct stream *s)
{
	uint64_t bytes = 0;

	for (unsigned int f = 0; f < s->file_count; f++)
		bytes += s->sizes[f];
	return bytes;
}

/* Of 8 and 3 characters, which every filesystem there is can hold. */
void stream_name(const struct stream *s, unsigned int file,
		 char name[STREAM_NAME_MAX])
{
	(void)snprintf(name, STREAM_NAME_MAX, "fsm%05u.%03u",
		       file % STREAM_FILES_MAX, s->number % 1000);
}

int stream_close(struct stream *s, const struct io *io)
{
	int fd = s->fd;

	s->fd = -1;
	return fd < 0 ? 0 : io->ops->close(io->ctx, fd);
}

bool stream_buffer(struct stream *s, uint64_t bytes)
{
	s->buffer = memory_new((size_t)bytes,
			       (size_t)s->phase->workload->block_bytes);
	return s->buffer != NULL;
}

int stream_switch_to_buffered(struct stream *s)
{
	const struct io io = s->phase->io;

	s->direct = false;
	return io.ops->set_direct(io.ctx, s->fd, false);
}

static void fail(struct stream *s, enum phase_end end,
		 const struct stream_fault *fault)
{
	s->end = end;
	s->fault = *fault;
	s->fault.file = s->file;
	if (!phase_end_is_valid(end))
		atomic_store_explicit(&s->phase->abandoned, true,
				      memory_order_relaxed);
}

void stream_fail(struct stream *s, enum stream_fault_kind kind,
		 const char *doing, int errnum)
{
	fail(s, PHASE_END_ERROR,
	     &(struct stream_fault){
		     .kind = kind, .doing = doing, .errnum = errnum });
}

static void fail_byte(struct stream *s, const unsigned char *buf, size_t at,
		      uint64_t offset)
{
	const unsigned char *expected =
		data_window_fill(s->window, &s->key, offset + at, 1);

	fail(s, PHASE_END_CORRUPT,
	     &(struct stream_fault){ .kind = STREAM_FAULT_BYTE,
				     .place = offset + at,
				     .found = buf[at],
				     .expected = *expected });
}

bool stream_check(struct stream *s, uint64_t offset, const unsigned char *buf,
		  size_t length)
{
	const bool stamps =
		s->phase->workload->verify == WORKLOAD_VERIFY_STAMPS;
	size_t at;

	if (stamps ? data_check_stamps(&s->key, offset, buf, length, &at)
		   : data_window_check(s->window, &s->key, offset, buf, length,
				       &at))
		return true;
	fail_byte(s, buf, at, offset);
	return false;
}

void stream_fail_size(struct stream *s, uint64_t found)
{
	fail(s, PHASE_END_CORRUPT,
	     &(struct stream_fault){ .kind = STREAM_FAULT_SIZE,
				     .found = found });
}

bool stream_word_size(const struct stream *s, unsigned int file, uint64_t found,
		      struct err *err)
{
	char name[STREAM_NAME_MAX];

	stream_name(s, file, name);
	return err_set(err, ERR_FAILED,
		       "%s has %" PRIu64 " bytes, but %" PRIu64 " were written",
		       name, found, s->sizes[file]);
}

bool stream_word(const struct stream *s, struct err *err)
{
	const struct stream_fault *f = &s->fault;
	char name[STREAM_NAME_MAX];

	stream_name(s, f->file, name);
	switch (f->kind) {
	case STREAM_FAULT_NONE:
		break;
	case STREAM_FAULT_ERRNO:
		return err_sys(err, f->errnum, "%s %s", f->doing, name);
	case STREAM_FAULT_DIRECT:
		return err_sys(err, f->errnum, "opening %s for direct I/O",
			       name);
	case STREAM_FAULT_ALIGNMENT:
		return err_set(err, ERR_FAILED,
			       "direct I/O needs a block that is a multiple "
			       "of %u bytes here",
			       s->alignment_bytes);
	case STREAM_FAULT_MOUNT:
		return err_set(err, ERR_FAILED,
			       "%s would be on another filesystem: the one "
			       "under test is not mounted any more",
			       name);
	case STREAM_FAULT_FILES:
		return err_set(err, ERR_FAILED,
			       "more than %d files: file_limit is too small",
			       STREAM_FILES_MAX);
	case STREAM_FAULT_RESERVE:
		return err_set(err, ERR_FAILED,
			       "nothing can be written but what is to stay "
			       "free here (%" PRIu64 " MiB)",
			       f->found >> 20);
	case STREAM_FAULT_SIZE:
		return stream_word_size(s, f->file, f->found, err);
	case STREAM_FAULT_BYTE:
		return err_set(err, ERR_FAILED,
			       "%s: byte %" PRIu64 " is 0x%02x, but 0x%02x "
			       "was written",
			       name, f->place, (unsigned int)f->found,
			       f->expected);
	}
	return false;
}

/* The filesystem will not do direct I/O. False if the workload insists. */
static bool refuse_direct(struct stream *s, enum stream_fault_kind kind,
			  int errnum)
{
	if (s->phase->workload->io == WORKLOAD_DIRECT_STRICT) {
		stream_fail(s, kind, "", errnum);
		return false;
	}
	s->io = EVIDENCE_IO_DIRECT_REFUSED;
	return true;
}

static bool wants_direct(const struct stream *s)
{
	return s->phase->workload->io != WORKLOAD_BUFFERED &&
	       s->io != EVIDENCE_IO_DIRECT_REFUSED;
}

/*
 * Open s->file. Refused because of O_DIRECT, it is opened without; a new file
 * may be there then already, made by the open that failed.
 */
static int open_file(struct stream *s, int flags)
{
	const struct io io = s->phase->io;
	const int direct = wants_direct(s) ? O_DIRECT : 0;
	char name[STREAM_NAME_MAX];
	int fd;

	stream_name(s, s->file, name);
	flags |= O_NOFOLLOW;
	fd = io.ops->open(io.ctx, s->phase->dir, name, flags | direct);
	if (fd != -EINVAL || !direct) {
		s->direct = fd >= 0 && direct;
		return fd;
	}
	s->direct = false;
	if (flags & O_EXCL)
		(void)io.ops->unlink(io.ctx, s->phase->dir, name);
	if (!refuse_direct(s, STREAM_FAULT_DIRECT, EINVAL))
		return fd;
	return io.ops->open(io.ctx, s->phase->dir, name, flags);
}

/* With O_DIRECT on: whether it can move the workload's blocks. */
static bool settle_direct(struct stream *s)
{
	const struct io io = s->phase->io;
	const uint64_t block = s->phase->workload->block_bytes;
	int ret;

	if (s->io == EVIDENCE_IO_DIRECT)
		return true; /* as with the file before */
	ret = io.ops->alignment(io.ctx, s->fd, &s->alignment_bytes);
	if (ret == 0 && block % s->alignment_bytes == 0 &&
	    s->alignment_bytes <= DATA_ALIGNMENT) {
		s->io = EVIDENCE_IO_DIRECT;
		return true;
	}
	if (!refuse_direct(
		    s, ret < 0 ? STREAM_FAULT_DIRECT : STREAM_FAULT_ALIGNMENT,
		    ret < 0 ? -ret : EINVAL))
		return false;
	ret = stream_switch_to_buffered(s);
	if (ret < 0)
		stream_fail(s, STREAM_FAULT_ERRNO, "opening", -ret);
	return ret == 0;
}

/* A file that was made elsewhere must not stay there. */
static bool is_on_our_mount(struct stream *s)
{
	const struct io io = s->phase->io;
	char name[STREAM_NAME_MAX];
	uint64_t mount;
	int ret = io.ops->mount(io.ctx, s->fd, &mount);

	if (ret == 0 && mount == s->phase->mount)
		return true;
	if (ret < 0) {
		stream_fail(s, STREAM_FAULT_ERRNO, "opening", -ret);
		return false;
	}
	stream_name(s, s->file, name);
	if (s->phase->op == PHASE_WRITE)
		(void)io.ops->unlink(io.ctx, s->phase->dir, name);
	stream_fail(s, STREAM_FAULT_MOUNT, "", ENODEV);
	return false;
}

static bool has_its_size(struct stream *s)
{
	const struct io io = s->phase->io;
	uint64_t bytes;
	int ret = io.ops->size(io.ctx, s->fd, &bytes);

	if (ret < 0)
		stream_fail(s, STREAM_FAULT_ERRNO, "reading", -ret);
	else if (bytes != s->sizes[s->file])
		stream_fail_size(s, bytes);
	return s->end == PHASE_END_NONE;
}

/* What a call that failed has written nevertheless; nobody counted it. */
static bool cut_off(const struct stream *s)
{
	const struct io io = s->phase->io;
	uint64_t bytes;

	return io.ops->size(io.ctx, s->fd, &bytes) == 0 &&
	       (bytes == s->file_bytes ||
		io.ops->truncate(io.ctx, s->fd, s->file_bytes) == 0);
}

/*
 * A driver may have no word for it: of a full volume fusefat says EPERM, and
 * has written the beginning of the block.
 */
static bool is_used_up(const struct stream *s, int errnum)
{
	const struct io io = s->phase->io;
	uint64_t available;

	return errnum == EPERM && s->bytes > 0 && s->fd >= 0 &&
	       io.ops->available(io.ctx, s->fd, &available) == 0 &&
	       available < s->phase->workload->block_bytes && cut_off(s);
}

/* What an errno of a write means: a wanted end, or a fault. */
static void end_write(struct stream *s, const char *doing, int errnum)
{
	const bool until_full = s->phase->workload->size_bytes == 0;
	enum phase_end end = PHASE_END_ERROR;

	if (until_full && (errnum == ENOSPC || is_used_up(s, errnum)))
		end = PHASE_END_FULL;
	else if (until_full && errnum == EDQUOT)
		end = PHASE_END_QUOTA;
	else if (until_full && errnum == EFBIG)
		end = PHASE_END_LIMIT;
	fail(s, end,
	     &(struct stream_fault){ .kind = STREAM_FAULT_ERRNO,
				     .doing = doing,
				     .errnum = errnum });
}

/* Between two looks at the room there is; each costs some microseconds. */
#define ROOM_INTERVAL_BYTES (UINT64_C(64) << 20)

/*
 * What all streams may write until they look again must not touch it: beside
 * the interval, what an engine has under way of blocks that are not counted
 * yet, and the block with which it is passed. False as well, with s->end set,
 * if nobody can tell what room there is.
 */
static bool leaves_reserve(struct stream *s)
{
	const struct workload *w = s->phase->workload;
	const struct io io = s->phase->io;
	uint64_t interval = ROOM_INTERVAL_BYTES, available, needed;
	int ret = io.ops->available(io.ctx, s->fd, &available);

	if (ret < 0) {
		stream_fail(s, STREAM_FAULT_ERRNO, "looking for room beside",
			    -ret);
		return false;
	}
	if (interval < w->block_bytes)
		interval = w->block_bytes;
	s->room_at_bytes = s->bytes + interval;
	/* no overflow: see the limits of a workload */
	needed = w->streams * (interval + w->block_bytes * 2 * w->depth);
	return available >= needed && available - needed >= w->reserve_bytes;
}

bool stream_has_room(struct stream *s)
{
	const uint64_t before = stream_now(s);

	if (!leaves_reserve(s) && s->end == PHASE_END_NONE)
		s->end = PHASE_END_FULL;
	stream_pause(s, before);
	return s->end == PHASE_END_NONE;
}

/* Of a reserve that is used up before it begins nothing is measured. */
static bool begins_with_room(struct stream *s)
{
	const uint64_t reserve = s->phase->workload->reserve_bytes;

	if (s->phase->op != PHASE_WRITE || !reserve || leaves_reserve(s))
		return true;
	if (s->end != PHASE_END_NONE)
		return false;
	fail(s, PHASE_END_ERROR,
	     &(struct stream_fault){ .kind = STREAM_FAULT_RESERVE,
				     .errnum = ENOSPC,
				     .found = reserve });
	return false;
}

/* Open s->file for the phase; false with s->end set. */
static bool start_file(struct stream *s)
{
	const bool writes = s->phase->op == PHASE_WRITE;
	int fd;

	s->file_bytes = 0;
	s->key = data_key(s->phase->data, s->phase->sample,
			  (uint64_t)s->number * STREAM_FILES_MAX + s->file);
	fd = open_file(s, writes ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY);
	if (s->end != PHASE_END_NONE)
		return false;
	if (fd < 0 && writes)
		end_write(s, "creating", -fd);
	else if (fd < 0)
		stream_fail(s, STREAM_FAULT_ERRNO, "opening", -fd);
	if (fd < 0)
		return false;
	s->fd = fd;
	if (writes)
		s->file_count = s->file + 1;
	if (!is_on_our_mount(s) || (s->direct && !settle_direct(s)))
		return false;
	return writes || has_its_size(s);
}

static bool next_file(struct stream *s)
{
	const struct io io = s->phase->io;
	int ret = stream_close(s, &io);

	if (ret < 0) {
		stream_fail(s, STREAM_FAULT_ERRNO, "closing", -ret);
		return false;
	}
	if (s->file + 1 == STREAM_FILES_MAX) {
		stream_fail(s, STREAM_FAULT_FILES, "", EMFILE);
		return false;
	}
	s->file++;
	return start_file(s);
}

void stream_reset(struct stream *s)
{
	hist_free(s->latency);
	series_free(s->series);
	s->latency = NULL;
	s->series = NULL;
	s->file = 0;
	s->bytes = 0;
	s->paused_ns = 0;
	s->direct = false;
	s->alignment_bytes = 0;
	s->room_at_bytes = UINT64_MAX;
	s->end = PHASE_END_NONE;
	s->fault = (struct stream_fault){ 0 };
}

bool stream_begin(struct stream *s, struct stream_phase *phase)
{
	const struct workload *w = phase->workload;
	int ret;

	s->phase = phase;
	s->ticks = *phase->ticks;
	s->io = w->io == WORKLOAD_BUFFERED ? EVIDENCE_IO_BUFFERED
					   : EVIDENCE_IO_UNKNOWN;
	s->latency = hist_new();
	s->series = series_new();
	ret = s->latency && s->series ? phase->engine->begin(s) : -ENOMEM;
	if (ret < 0) {
		stream_fail(s, STREAM_FAULT_ERRNO, "preparing", -ret);
		return false;
	}
	return start_file(s) && begins_with_room(s);
}

/*
 * Some filesystems accept O_DIRECT and refuse the first transfer. Whether
 * that was it, and the file is buffered now.
 */
static bool first_transfer_was_refused(struct stream *s, int ret)
{
	if (ret != -EINVAL || !s->direct || s->bytes > 0)
		return false;
	if (!refuse_direct(s, STREAM_FAULT_DIRECT, EINVAL))
		return false;
	return stream_switch_to_buffered(s) == 0;
}

/* Move one file's bytes; false when the phase is over. */
static bool move_file(struct stream *s, uint64_t limit)
{
	const struct engine *engine = s->phase->engine;
	const bool writes = s->phase->op == PHASE_WRITE;
	int ret;

	do
		ret = writes ? engine->write(s, limit) : engine->read(s, limit);
	while (ret < 0 && first_transfer_was_refused(s, ret));

	if (writes)
		s->sizes[s->file] = s->file_bytes;
	if (ret < 0 && s->end == PHASE_END_NONE) {
		if (writes && ret == -EFBIG && s->file_bytes > 0)
			return true; /* goes on in a next file */
		if (writes)
			end_write(s, "writing", -ret);
		else
			stream_fail(s, STREAM_FAULT_ERRNO, "reading", -ret);
	}
	if (s->bytes == s->share_bytes)
		s->end = PHASE_END_SIZE; /* even if something else came too */
	return s->end == PHASE_END_NONE;
}

static uint64_t file_limit(const struct stream *s)
{
	const uint64_t left = s->share_bytes - s->bytes;
	const uint64_t limit = s->phase->workload->file_limit_bytes;

	if (s->phase->op == PHASE_READ)
		return s->sizes[s->file];
	return limit && limit < left ? limit : left;
}

void stream_run(struct stream *s)
{
	const struct stream_phase *p = s->phase;

	(void)ticks_anchor(&s->ticks);
	s->last_ns = p->start_ns;
	s->until_ns = UINT64_MAX;
	if (p->op == PHASE_WRITE && p->workload->duration_ns)
		s->until_ns = p->start_ns + p->workload->duration_ns;
	while (move_file(s, file_limit(s)) && next_file(s))
		continue;
}

void stream_end(struct stream *s)
{
	if (s->phase)
		s->phase->engine->end(s);
	data_window_free(s->window);
	s->window = NULL;
	memory_free(s->buffer);
	s->buffer = NULL;
	s->phase = NULL;
}
