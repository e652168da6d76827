/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench - one sample on the simulated device, and what came of it.
 */
#ifndef TESTS_UNIT_BENCH_H
#define TESTS_UNIT_BENCH_H

#include "core/measure.h"
#include "tests/unit/sim.h"
#include "tests/unit/unit.h"

struct bench {
	struct sim sim;
	struct measure_spec spec;
	struct measure_control control;
	struct measure *measure;
	struct phase_result write, read;
	struct err err;
};

/* Of 4 KiB, buffered, one stream. */
extern const struct workload ten_blocks;

void bench_setup(struct bench *b, const struct workload *workload);

/* As measure_write() and measure_read(); nothing may be left open. */
bool bench_write(struct bench *b);
bool bench_read(struct bench *b);

/* Removes the files; nothing may be left. */
void bench_teardown(struct bench *b);

static inline void assert_write_end(struct bench *b, bool ok,
				    enum phase_end end, const char *text)
{
	assert_int_equal(ok, b->write.bytes > 0);
	assert_int_equal(b->write.end, end);
	assert_string_equal(b->err.text, text);
}

static inline void assert_reads_back(struct bench *b, uint64_t bytes)
{
	assert_true(bench_read(b));
	assert_int_equal(b->read.end, PHASE_END_SIZE);
	assert_int_equal(b->read.bytes, bytes);
}

#endif
