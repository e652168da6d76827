/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream - one file after another, written or read by one thread.
 *
 * It opens files, goes on in a next one where a file must end, decides why a
 * phase ends, and keeps the figures. How bytes get into an open file is an
 * engine's business (engine.h). While the clock runs it neither allocates nor
 * formats: a fault is noted, and put into words later.
 *
 * Threads: a stream belongs to one thread at a time; what the streams of a
 * phase share is only read while they run, but for its atomics.
 */
#ifndef CORE_STREAM_H
#define CORE_STREAM_H

#include <stdalign.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "core/data.h"
#include "core/hist.h"
#include "core/measure.h"
#include "core/series.h"
#include "core/ticks.h"

#define STREAM_FILES_MAX 100000 /* as many as a name has digits for */
#define STREAM_NAME_MAX  16

struct engine;

/* What all streams of a phase share. */
struct stream_phase {
	const struct engine *engine;
	const struct workload *workload;
	const struct data *data;
	struct measure_control *control;
	struct io io;
	uint64_t sample;
	enum phase_op op;
	int dir;
	uint64_t mount;            /* that `dir` is on, and each file must be */
	const struct ticks *ticks; /* calibrated; each stream has a copy */
	bool is_shared;            /* there is more than one stream */
	bool is_resident;          /* a read: all of it is in the page cache */
	atomic_bool abandoned;     /* one of them failed: the others end, too */
	uint64_t start_ns;         /* set before any of them runs */
	uint64_t paused_ns;        /* of the stream that ended last */
	struct rusage usage;       /* of the process, then */
};

enum stream_fault_kind {
	STREAM_FAULT_NONE,
	STREAM_FAULT_ERRNO,
	STREAM_FAULT_DIRECT,    /* the filesystem refused O_DIRECT */
	STREAM_FAULT_ALIGNMENT, /* the block is no multiple of the alignment */
	STREAM_FAULT_MOUNT,     /* the new file is on another mount */
	STREAM_FAULT_FILES,     /* STREAM_FILES_MAX reached */
	STREAM_FAULT_RESERVE,   /* the workload's was used up before */
	STREAM_FAULT_SIZE,      /* the file's size is not what was written */
	STREAM_FAULT_BYTE,      /* a byte is not what was written */
};

struct stream_fault {
	enum stream_fault_kind kind;
	int errnum;
	unsigned int file;
	const char *doing; /* "writing" */
	uint64_t place;    /* of a byte */
	uint64_t found;    /* a byte's value, a file's size, or the reserve */
	unsigned char expected; /* a byte's value */
};

struct stream {
	/* apart from its neighbours', for the cache's sake */
	alignas(64) struct stream_phase *phase;
	unsigned int number;
	uint64_t share_bytes;   /* to move in this phase; UINT64_MAX: all */
	uint64_t room_at_bytes; /* look again how much room there is */

	uint64_t *sizes; /* owned; of the files written */
	unsigned int file_count;

	/* The file that is open. */
	int fd; /* -1: none */
	unsigned int file;
	uint64_t file_bytes; /* moved so far, from its beginning on */
	struct data_key key;
	bool direct; /* O_DIRECT is on */

	/* The phase. */
	struct data_window *window;
	unsigned char *buffer; /* owned; read into */
	void *engine_state;
	enum evidence_io io;
	uint32_t alignment_bytes; /* direct only */
	struct ticks ticks;
	uint64_t paused_ns; /* that the clock stood still so far */
	uint64_t last_ns;   /* end of the last call */
	uint64_t until_ns;  /* when the phase's duration is over */
	uint64_t bytes;
	enum phase_end end;
	struct stream_fault fault;
	struct hist *latency;
	struct series *series;
};

/* False when out of memory. */
bool stream_init(struct stream *s, unsigned int number);
void stream_done(struct stream *s, const struct io *io);

/* Forget the phase before; the files stay. */
void stream_reset(struct stream *s);
/*
 * Before the clock: take memory, open the first file. False: s->end and
 * s->fault say why.
 */
bool stream_begin(struct stream *s, struct stream_phase *phase);
/* From phase->start_ns on; sets s->end. */
void stream_run(struct stream *s);
/* After the clock: frees all but the figures, and leaves the file open. */
void stream_end(struct stream *s);

/* The bytes of all its files. */
uint64_t stream_written(const struct stream *s);
void stream_name(const struct stream *s, unsigned int file,
		 char name[STREAM_NAME_MAX]);
/* Close the open file, if there is one; 0 or -errno. */
int stream_close(struct stream *s, const struct io *io);

/* For engines: s->buffer of so many bytes, touched; false: out of memory. */
bool stream_buffer(struct stream *s, uint64_t bytes);
/* Before the clock or in it: switch O_DIRECT off for the rest of the file. */
int stream_switch_to_buffered(struct stream *s);

/* End the stream, and the phase for all others. */
void stream_fail(struct stream *s, enum stream_fault_kind kind,
		 const char *doing, int errnum);
/*
 * Compare what was read at `offset` with what was written, as the workload
 * wants it; a byte that differs fails the stream.
 */
bool stream_check(struct stream *s, uint64_t offset, const unsigned char *buf,
		  size_t length);
void stream_fail_size(struct stream *s, uint64_t found);
/* A file's size that is not what was written, in words. Returns false. */
bool stream_word_size(const struct stream *s, unsigned int file, uint64_t found,
		      struct err *err);
/* The fault in words. Returns false. */
bool stream_word(const struct stream *s, struct err *err);

/* Whether something asks the phase to end; says so in s->end. */
static inline bool stream_is_over(struct stream *s, uint64_t now)
{
	const struct stream_phase *p = s->phase;
	struct measure_control *control = p->control;
	uint64_t deadline = atomic_load_explicit(&control->deadline_ns,
						 memory_order_relaxed);

	if (atomic_load_explicit(&control->stop, memory_order_relaxed) ||
	    atomic_load_explicit(&p->abandoned, memory_order_relaxed))
		s->end = PHASE_END_STOPPED;
	else if (deadline && now + s->paused_ns >= deadline)
		s->end = PHASE_END_TIMEOUT;
	else if (now >= s->until_ns)
		s->end = PHASE_END_DURATION;
	else if (p->op == PHASE_WRITE &&
		 atomic_load_explicit(&control->read_now, memory_order_relaxed))
		s->end = PHASE_END_READ_NOW;
	return s->end != PHASE_END_NONE;
}

/* The phase's clock: what it stood still is left out. Never goes back. */
static inline uint64_t stream_now(struct stream *s)
{
	uint64_t now = ticks_now(&s->ticks) - s->paused_ns;

	return now < s->last_ns ? s->last_ns : now;
}

/* Let the clock stand still since `now`. */
static inline void stream_pause(struct stream *s, uint64_t now)
{
	uint64_t paused = ticks_now(&s->ticks) - now;

	if (paused <= s->paused_ns)
		return;
	s->paused_ns = paused;
	if (!s->phase->is_shared)
		atomic_store_explicit(&s->phase->control->paused_ns, paused,
				      memory_order_relaxed);
}

/*
 * O_DIRECT cannot move the end of a file that is no multiple of its
 * alignment, nor go on behind a short count that was none: from there on the
 * file is buffered. 0 or -errno.
 */
static inline int stream_keep_aligned(struct stream *s, size_t length)
{
	if (!s->direct ||
	    ((s->file_bytes | length) & (s->alignment_bytes - 1)) == 0)
		return 0;
	return stream_switch_to_buffered(s);
}

/*
 * Whether the write may go on without touching the workload's reserve; if not
 * it is full. The clock stands still meanwhile.
 */
bool stream_has_room(struct stream *s);

/*
 * Count bytes that follow those counted before, as of `now`. False: the phase
 * is over.
 */
static inline bool stream_count(struct stream *s, uint64_t now, uint64_t bytes)
{
	const struct stream_phase *p = s->phase;
	atomic_uint_fast64_t *done = &p->control->done_bytes;

	series_add(s->series, s->last_ns - p->start_ns, now - p->start_ns,
		   bytes);
	s->last_ns = now;
	s->bytes += bytes;
	s->file_bytes += bytes;
	if (p->is_shared)
		atomic_fetch_add_explicit(done, bytes, memory_order_relaxed);
	else
		atomic_store_explicit(done, s->bytes, memory_order_relaxed);
	if (s->bytes >= s->room_at_bytes && !stream_has_room(s))
		return false;
	return !stream_is_over(s, now);
}

#endif
