/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both engines, with one and several streams, on the filesystems at hand. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/data.h"
#include "core/hist.h"
#include "core/measure.h"
#include "core/series.h"
#include "tests/unit/unit.h"

/* A directory of its own below a place, and one sample in it. */
struct bench {
	char path[256];
	int dir;
	struct measure_spec spec;
	struct measure_control control;
	struct measure *measure;
	struct phase_result write, read;
	struct err err;
};

static const char *const places[] = { "/dev/shm", "." };

static bool setup(struct bench *b, const char *place, const struct workload *w)
{
	*b = (struct bench){ 0 };
	snprintf(b->path, sizeof(b->path), "%s/test_engines.XXXXXX", place);
	if (!mkdtemp(b->path))
		return false;
	b->dir = open(b->path, O_RDONLY | O_DIRECTORY);
	assert_true(b->dir >= 0);
	b->spec = (struct measure_spec){
		.workload = *w,
		.data = data_new(3),
		.io = { &io_system, NULL },
		.control = &b->control,
		.stamp = 9,
	};
	assert_non_null(b->spec.data);
	b->measure = measure_new(&b->spec, &b->err);
	if (!b->measure)
		print_error("%s\n", b->err.text);
	assert_non_null(b->measure);
	return true;
}

static void teardown(struct bench *b)
{
	struct err err = { 0 };

	assert_true(measure_remove(b->measure, b->dir, &err));
	measure_free(b->measure);
	phase_result_done(&b->write);
	phase_result_done(&b->read);
	data_free(b->spec.data);
	close(b->dir);
	assert_int_equal(rmdir(b->path), 0); /* nothing left in it */
}

static void assert_sample(struct bench *b)
{
	const struct workload *w = &b->spec.workload;

	if (!measure_write(b->measure, b->dir, &b->write, &b->err))
		print_error("%s\n", b->err.text);
	assert_string_equal(b->err.text, "");
	assert_int_equal(b->write.end, PHASE_END_SIZE);
	assert_int_equal(b->write.bytes, w->size_bytes);
	assert_int_equal(series_total(b->write.series), w->size_bytes);
	assert_true(hist_count(b->write.latency) >=
		    w->size_bytes / w->block_bytes);
	assert_true(measure_evict(b->measure, b->dir, &b->err));
	assert_true(measure_read(b->measure, b->dir, &b->read, &b->err));
	assert_string_equal(b->err.text, "");
	assert_int_equal(b->read.end, PHASE_END_SIZE);
	assert_int_equal(b->read.bytes, w->size_bytes);
	assert_int_equal(series_total(b->read.series), w->size_bytes);
	assert_int_equal(b->control.done_bytes, w->size_bytes);
}

static void run_everywhere(const struct workload *w)
{
	struct bench b;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!setup(&b, places[i], w))
			continue;
		assert_sample(&b);
		teardown(&b);
	}
}

static const struct workload plain = {
	.block_bytes = 65536,
	.size_bytes = 8 << 20,
	.file_limit_bytes = 3 << 20,
	.depth = 1,
	.streams = 1,
};

static void what_is_written_is_read_back(void **state)
{
	(void)state;
	run_everywhere(&plain);
}

static void odd_sizes_and_blocks_are_exact(void **state)
{
	struct workload w = plain;

	(void)state;
	w.size_bytes = 3000017;
	w.block_bytes = 10007;
	w.file_limit_bytes = 1000003;
	run_everywhere(&w);
	w.depth = 7;
	run_everywhere(&w);
	w.streams = 3;
	run_everywhere(&w);
}

static void direct_io_does_the_tail_too(void **state)
{
	struct workload w = plain;

	(void)state;
	w.size_bytes = 5000017;
	w.io = WORKLOAD_DIRECT;
	run_everywhere(&w);
	w.depth = 8;
	run_everywhere(&w);
}

static void requests_in_flight_are_kept_apart(void **state)
{
	struct workload w = plain;

	(void)state;
	w.depth = 32;
	w.block_bytes = 4096;
	run_everywhere(&w);
	w.depth = 3;
	w.block_bytes = 1 << 20;
	run_everywhere(&w);
	w.depth = 2;
	w.block_bytes = 16 << 20; /* more than the file */
	run_everywhere(&w);
}

static void streams_are_added_up(void **state)
{
	struct workload w = plain;

	(void)state;
	w.streams = 5;
	run_everywhere(&w);
	w.depth = 4;
	run_everywhere(&w);
	w.size_bytes = 3 * w.block_bytes + 1; /* one has nothing to do */
	run_everywhere(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(odd_sizes_and_blocks_are_exact),
		cmocka_unit_test(direct_io_does_the_tail_too),
		cmocka_unit_test(requests_in_flight_are_kept_apart),
		cmocka_unit_test(streams_are_added_up),
	};
	struct err err = { 0 };

	if (!measure_uring_available(&err)) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
