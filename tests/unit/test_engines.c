/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both engines, with one and several streams, on the filesystems at hand. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
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

/* Each engine, alone and with several streams. */
static const struct {
	unsigned int depth, streams;
} ways[] = { { 1, 1 }, { 8, 1 }, { 1, 3 }, { 4, 3 } };

#define WAYS (sizeof(ways) / sizeof(ways[0]))

static struct workload in_way(size_t way)
{
	struct workload w = plain;

	w.depth = ways[way].depth;
	w.streams = ways[way].streams;
	return w;
}

/* A filesystem of 4 MiB; false, with a reason printed, if it cannot be. */
static bool mount_small(char path[64])
{
	snprintf(path, 64, "/tmp/test_engines.XXXXXX");
	assert_non_null(mkdtemp(path));
	if (mount("none", path, "tmpfs", 0, "size=4m") == 0)
		return true;
	printf("skipped: cannot mount a tmpfs: %s\n", strerror(errno));
	rmdir(path);
	return false;
}

static void a_volume_is_written_until_it_is_full(void **state)
{
	char place[64];

	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct workload w = in_way(i);
		struct bench b;

		if (!mount_small(place))
			skip();
		w.size_bytes = 0;
		assert_true(setup(&b, place, &w));
		assert_true(measure_write(b.measure, b.dir, &b.write, &b.err));
		assert_string_equal(b.err.text, "");
		assert_int_equal(b.write.end, PHASE_END_FULL);
		assert_in_range(b.write.bytes, (4 << 20) - 3 * 65536, 4 << 20);
		assert_true(measure_read(b.measure, b.dir, &b.read, &b.err));
		assert_int_equal(b.read.end, PHASE_END_SIZE);
		assert_int_equal(b.read.bytes, b.write.bytes);
		teardown(&b);
		assert_int_equal(umount(place), 0);
		rmdir(place);
	}
}

static void a_size_that_does_not_fit_is_an_error(void **state)
{
	char place[64];

	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		const struct workload w = in_way(i);
		struct bench b;

		if (!mount_small(place))
			skip();
		assert_true(setup(&b, place, &w));
		assert_true(measure_write(b.measure, b.dir, &b.write, &b.err));
		assert_int_equal(b.write.end, PHASE_END_ERROR);
		assert_int_equal(b.write.errnum, ENOSPC);
		assert_non_null(
			strstr(b.err.text, ": No space left on device"));
		teardown(&b);
		assert_int_equal(umount(place), 0);
		rmdir(place);
	}
}

static void a_process_limit_on_files_makes_them_roll_over(void **state)
{
	struct rlimit before, limit;
	struct bench b;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 1000000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t i = 0; i < WAYS; i++) {
		struct workload w = in_way(i);

		assert_true(setup(&b, ".", &w));
		assert_sample(&b);
		assert_true(b.write.files > 8);
		teardown(&b);
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

/* Change a byte of a file behind the measurement's back. */
static void flip(const struct bench *b, const char *name, off_t at)
{
	int fd = openat(b->dir, name, O_RDWR);
	unsigned char byte;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

static void a_byte_changed_on_the_disk_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		const struct workload w = in_way(i);
		struct bench b;

		assert_true(setup(&b, ".", &w));
		assert_true(measure_write(b.measure, b.dir, &b.write, &b.err));
		flip(&b, "fsm00000.000", 1234567);
		assert_true(measure_read(b.measure, b.dir, &b.read, &b.err));
		assert_int_equal(b.read.end, PHASE_END_CORRUPT);
		assert_true(b.read.bytes < w.size_bytes);
		assert_non_null(
			strstr(b.err.text, "fsm00000.000: byte 1234567 is 0x"));
		teardown(&b);
	}
}

static void stamps_alone_are_looked_at_if_that_is_asked_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct workload w = in_way(i);
		struct bench b;

		w.verify = WORKLOAD_VERIFY_STAMPS;
		assert_true(setup(&b, ".", &w));
		assert_true(measure_write(b.measure, b.dir, &b.write, &b.err));
		flip(&b, "fsm00000.000", 40 * 4096 + 32);
		assert_true(measure_read(b.measure, b.dir, &b.read, &b.err));
		assert_int_equal(b.read.end, PHASE_END_SIZE);
		phase_result_done(&b.read);
		flip(&b, "fsm00000.000", 40 * 4096 + 31);
		assert_true(measure_read(b.measure, b.dir, &b.read, &b.err));
		assert_int_equal(b.read.end, PHASE_END_CORRUPT);
		assert_non_null(
			strstr(b.err.text, "fsm00000.000: byte 163871 is 0x"));
		teardown(&b);
	}
}

static void what_is_in_the_page_cache_is_known(void **state)
{
	struct bench b;

	(void)state;
	assert_true(setup(&b, "/dev/shm", &plain));
	assert_sample(&b);
	assert_int_equal(b.read.evidence.resident_bytes, plain.size_bytes);
	teardown(&b);
	assert_true(setup(&b, ".", &plain));
	assert_sample(&b); /* evicts */
	if (b.read.evidence.resident_bytes == (int64_t)plain.size_bytes)
		printf("skipped: this filesystem lives in memory\n");
	else
		assert_in_range(b.read.evidence.resident_bytes, 0,
				plain.size_bytes / 10);
	teardown(&b);
}

static void direct_io_to_memory_is_direct_in_name(void **state)
{
	struct workload w = plain;
	struct bench b;

	(void)state;
	w.io = WORKLOAD_DIRECT;
	assert_true(setup(&b, "/dev/shm", &w));
	assert_sample(&b);
	/* Linux before 6.6 refuses it */
	assert_true(b.write.evidence.io == EVIDENCE_IO_DIRECT_IN_NAME ||
		    b.write.evidence.io == EVIDENCE_IO_DIRECT_REFUSED);
	assert_int_equal(b.read.evidence.io, b.write.evidence.io);
	teardown(&b);
}

static void *stop_soon(void *arg)
{
	struct measure_control *control = arg;

	while (atomic_load(&control->done_bytes) < 1 << 20)
		usleep(100);
	atomic_store(&control->read_now, true);
	return NULL;
}

static void another_thread_can_ask_for_the_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < WAYS; i++) {
		struct workload w = in_way(i);
		struct bench b;
		pthread_t thread;

		w.size_bytes = UINT64_C(1) << 40;
		assert_true(setup(&b, "/dev/shm", &w));
		assert_int_equal(
			pthread_create(&thread, NULL, stop_soon, &b.control),
			0);
		assert_true(measure_write(b.measure, b.dir, &b.write, &b.err));
		pthread_join(thread, NULL);
		assert_int_equal(b.write.end, PHASE_END_READ_NOW);
		assert_true(b.write.bytes >= 1 << 20);
		assert_int_equal(b.control.done_bytes, b.write.bytes);
		assert_true(measure_read(b.measure, b.dir, &b.read, &b.err));
		assert_int_equal(b.read.end, PHASE_END_SIZE);
		assert_int_equal(b.read.bytes, b.write.bytes);
		teardown(&b);
	}
}

static void ring(int signum)
{
	(void)signum;
}

/* Calls are interrupted by it, and not begun again by the kernel. */
static void set_alarm_every(suseconds_t microseconds)
{
	const struct sigaction action = { .sa_handler = microseconds
								? ring
								: SIG_DFL };
	const struct itimerval every = { { 0, microseconds },
					 { 0, microseconds } };

	if (microseconds)
		assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &every, NULL), 0);
	if (!microseconds)
		assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
}

static void a_storm_of_signals_loses_no_byte(void **state)
{
	(void)state;
	set_alarm_every(200);
	for (size_t i = 0; i < WAYS; i++) {
		struct workload w = in_way(i);

		run_everywhere(&w);
	}
	set_alarm_every(0);
}

static void one_streams_failure_ends_all(void **state)
{
	struct workload w = plain;
	struct bench b;
	int fd;

	(void)state;
	w.streams = 4;
	w.size_bytes = UINT64_C(1) << 40;
	assert_true(setup(&b, "/dev/shm", &w));
	fd = openat(b.dir, "fsm00000.002", O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_false(measure_write(b.measure, b.dir, &b.write, &b.err));
	assert_int_equal(b.write.end, PHASE_END_ERROR);
	assert_string_equal(b.err.text, "creating fsm00000.002: File exists");
	assert_int_equal(unlinkat(b.dir, "fsm00000.002", 0), 0);
	teardown(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(odd_sizes_and_blocks_are_exact),
		cmocka_unit_test(direct_io_does_the_tail_too),
		cmocka_unit_test(requests_in_flight_are_kept_apart),
		cmocka_unit_test(streams_are_added_up),
		cmocka_unit_test(a_volume_is_written_until_it_is_full),
		cmocka_unit_test(a_size_that_does_not_fit_is_an_error),
		cmocka_unit_test(a_process_limit_on_files_makes_them_roll_over),
		cmocka_unit_test(a_byte_changed_on_the_disk_is_found),
		cmocka_unit_test(
			stamps_alone_are_looked_at_if_that_is_asked_for),
		cmocka_unit_test(what_is_in_the_page_cache_is_known),
		cmocka_unit_test(direct_io_to_memory_is_direct_in_name),
		cmocka_unit_test(another_thread_can_ask_for_the_read),
		cmocka_unit_test(a_storm_of_signals_loses_no_byte),
		cmocka_unit_test(one_streams_failure_ends_all),
	};
	struct err err = { 0 };

	if (!measure_uring_available(&err)) {
		printf("skipped: %s\n", err.text);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
