/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure - one sample: a write phase, its flush, and a read phase.
 *
 * It knows an open directory, a workload and an io table. It refuses to know
 * how the directory came to be mounted: between the phases the caller evicts
 * (remounts) and hands in the directory again.
 *
 * The program must ignore SIGXFSZ: a file that its limits allow no longer
 * goes on in a next one, as EFBIG says.
 *
 * Threads: a measure belongs to one thread; `control` may be read and written
 * by any other, and by signal handlers.
 */
#ifndef CORE_MEASURE_H
#define CORE_MEASURE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "core/io.h"
#include "core/phase.h"
#include "core/workload.h"

struct data;
struct measure;

/*
 * What others ask of a sample, and what they see of it: signal handlers, a
 * progress display, and who has to say how far a sample came that was killed.
 * Zero-initialise. `stop` is the run's and is never taken back; all else is
 * of one sample, and whoever has it made calls measure_control_reset() before
 * anybody makes it.
 */
struct measure_control {
	atomic_bool stop;     /* set: end the phase at a block's end */
	atomic_bool read_now; /* set: end the write phase; it stays set */
	/* Set: the process that measures was stopped, and goes on again. */
	atomic_bool continued;
	atomic_uint_fast64_t deadline_ns; /* on the io table's clock; 0: none */
	/* What the read phase is to read; 0: not known. For a user's eyes. */
	atomic_uint_fast64_t read_bytes;
	/*
	 * A signal handler sees the phase that is running: 'W', 'F' (flush),
	 * 'R', or 0 between phases; see measure_control_enter().
	 */
	atomic_int phase;
	/* When its clock started, on the io table's; 0: not yet. */
	atomic_uint_fast64_t phase_ns;
	/* What the write took before its flush: struct phase_result's app_ns */
	atomic_uint_fast64_t write_ns;
	/* Of the phase that is running; 'F': as the write left it. */
	atomic_uint_fast64_t done_bytes;
	/* For how long its clock stood still; of one stream. */
	atomic_uint_fast64_t paused_ns;
};

/* Before a sample: forget the one before. */
void measure_control_reset(struct measure_control *control);

/*
 * A phase or, by who makes the sample, a step between two begins. `now_ns` is
 * 0 where the phase's clock starts later.
 */
void measure_control_enter(struct measure_control *control, int phase,
			   uint64_t now_ns);

/*
 * Of a sample whose process was killed at `now_ns`: how far the phase came
 * that it was in. All else of it is unknown. False where no clock was running.
 */
bool measure_control_partial(const struct measure_control *control,
			     uint64_t now_ns, struct phase_result *out);

struct measure_spec {
	struct workload workload;
	struct data *data; /* borrowed; made once per run by data_new() */
	struct io io;
	struct measure_control *control; /* borrowed */
	uint64_t stamp; /* unlike that of any other sample of the run */
	/*
	 * /sys/dev/block/M:N/stat of the disk that holds the bytes in the end
	 * (through a loop device to its disk); "" if there is none.
	 */
	char device_stat[256];
	/* likewise of the block device that is mounted; maybe the same */
	char mounted_stat[256];
	/*
	 * The block device below the filesystem, to be fsynced at the end of
	 * the flush: a FUSE driver may leave what it was given in the device's
	 * own cache. 0: none.
	 */
	int device;
};

/* NULL with `err` set: out of memory, or a workload the engines cannot do. */
struct measure *measure_new(const struct measure_spec *spec, struct err *err);
/* Closes and frees; does not remove the test files. */
void measure_free(struct measure *m);

/*
 * Write new files into the directory `dir` (an fd, borrowed) and flush them.
 * True whenever there are figures to keep, even of a phase that an error or
 * a deadline ended: look at out->end, and at `err` for the words of
 * PHASE_END_ERROR. False when an error came before the first byte (the first
 * file could not be made); a stop or a deadline that did is a figure, of 0.
 * `out` is zeroed first and owned by the caller in both cases.
 */
bool measure_write(struct measure *m, int dir, struct phase_result *out,
		   struct err *err);

/*
 * Read back and verify every byte that measure_write() wrote. A byte that
 * differs ends the phase: PHASE_END_CORRUPT, with file and offset in `err`.
 * Returns as measure_write().
 */
bool measure_read(struct measure *m, int dir, struct phase_result *out,
		  struct err *err);

/*
 * Drop the files' pages (POSIX_FADV_DONTNEED), for a target that cannot be
 * mounted anew.
 */
bool measure_evict(struct measure *m, int dir, struct err *err);

/* Unlink what measure_write() made in `dir`. */
bool measure_remove(struct measure *m, int dir, struct err *err);

/*
 * Whether the machine was suspended since measure_new(), as the clocks show
 * at the end of each phase: such a sample is not valid.
 */
bool measure_suspended(const struct measure *m);

/*
 * Whether a workload's depth can be more than 1 here. False, with the reason
 * in `err`, where the kernel has no io_uring or forbids it.
 */
bool measure_uring_available(struct err *err);

#endif
