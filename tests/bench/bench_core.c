/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench_core - what measuring costs: the core beside a bare loop of pwrite
 * and pread over the same buffers, in one process, by turns.
 *
 *   bench_core pairs DIR BLOCK SIZE N       N pairs of (bare, core)
 *   bench_core once DIR BLOCK SIZE IO DEPTH one sample of the core
 *
 * `pairs` prints a line a pair: ns of bare write, core write, bare read, core
 * read, and then the same four in CPU time, which a busy machine disturbs
 * less. `once` prints KiB/s and CPU s/GiB of write (flush included), then of
 * read.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/data.h"
#include "core/measure.h"

struct bench {
	int dir;
	struct io_ops ops;
	struct workload workload;
	struct data *data;
	struct data_window *window;
	struct measure_control control;
	uint64_t samples;
};

struct figures {
	uint64_t write_ns, flush_ns, read_ns, write_cpu_ns, read_cpu_ns;
};

/* fio flushes its file, and not what others wrote to the same disk. */
static int no_syncfs(void *ctx, int fd)
{
	(void)ctx;
	(void)fd;
	return 0;
}

static uint64_t now(void)
{
	return io_system.now(NULL);
}

static uint64_t cpu_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static bool bare_write(const struct bench *b, int fd)
{
	const uint64_t block = b->workload.block_bytes;
	size_t bytes;
	const char *memory = data_window_memory(b->window, &bytes);

	for (uint64_t o = 0; o < b->workload.size_bytes; o += block)
		if (pwrite(fd, memory + o % DATA_POOL_BYTES, block, (off_t)o) !=
		    (ssize_t)block)
			return false;
	return true;
}

static bool bare_read(const struct bench *b, int fd, void *buf)
{
	const uint64_t block = b->workload.block_bytes;

	for (uint64_t o = 0; o < b->workload.size_bytes; o += block)
		if (pread(fd, buf, block, (off_t)o) != (ssize_t)block)
			return false;
	return true;
}

static bool run_bare(const struct bench *b, struct figures *f)
{
	void *buf = NULL;
	uint64_t start, cpu;
	bool ok = false;
	int fd = openat(b->dir, "bare", O_RDWR | O_CREAT | O_EXCL, 0600);

	if (fd < 0 || posix_memalign(&buf, 65536, b->workload.block_bytes))
		goto out;
	memset(buf, 1, b->workload.block_bytes);
	start = now();
	cpu = cpu_now();
	if (!bare_write(b, fd))
		goto out;
	f->write_cpu_ns = cpu_now() - cpu;
	f->write_ns = now() - start;
	start = now();
	cpu = cpu_now();
	if (!bare_read(b, fd, buf))
		goto out;
	f->read_cpu_ns = cpu_now() - cpu;
	f->read_ns = now() - start;
	ok = true;
out:
	free(buf);
	if (fd >= 0)
		close(fd);
	unlinkat(b->dir, "bare", 0);
	return ok;
}

static bool run_core(struct bench *b, struct figures *f)
{
	const struct measure_spec spec = {
		.workload = b->workload,
		.data = b->data,
		.io = { .ops = b->workload.read == WORKLOAD_WARM ? &io_system
								 : &b->ops },
		.control = &b->control,
		.stamp = ++b->samples,
	};
	struct phase_result w = { 0 }, r = { 0 };
	struct err err = { 0 };
	struct measure *m = measure_new(&spec, &err);
	bool ok = m && measure_write(m, b->dir, &w, &err) &&
		  (b->workload.read == WORKLOAD_WARM ||
		   measure_evict(m, b->dir, &err)) &&
		  measure_read(m, b->dir, &r, &err);

	if (m)
		(void)measure_remove(m, b->dir, &err);
	measure_free(m);
	*f = (struct figures){ w.app_ns, w.flush_ns, r.app_ns,
			       w.user_ns + w.system_ns,
			       r.user_ns + r.system_ns };
	if (err.code)
		fprintf(stderr, "bench_core: %s\n", err.text);
	phase_result_done(&w);
	phase_result_done(&r);
	return ok && err.code == ERR_NONE;
}

static bool run_pairs(struct bench *b, int count)
{
	struct figures bare, core;
	bool ok;

	b->workload.read = WORKLOAD_WARM;
	for (int i = -1; i < count; i++) {
		ok = i % 2 ? run_bare(b, &bare) && run_core(b, &core)
			   : run_core(b, &core) && run_bare(b, &bare);
		if (!ok)
			return false;
		if (i < 0)
			continue; /* the first only warms up */
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
		       bare.write_ns, core.write_ns, bare.read_ns,
		       core.read_ns);
		printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       bare.write_cpu_ns, core.write_cpu_ns, bare.read_cpu_ns,
		       core.read_cpu_ns);
	}
	return true;
}

static bool run_once(struct bench *b)
{
	const double gib = (double)b->workload.size_bytes / (1 << 30);
	const double kib = (double)b->workload.size_bytes / 1024;
	struct figures f;

	if (!run_core(b, &f))
		return false;
	printf("%.0f %.4f %.0f %.4f\n",
	       kib / ((double)(f.write_ns + f.flush_ns) / 1e9),
	       (double)f.write_cpu_ns / 1e9 / gib,
	       kib / ((double)f.read_ns / 1e9),
	       (double)f.read_cpu_ns / 1e9 / gib);
	return true;
}

int main(int argc, char **argv)
{
	struct bench b = { .dir = -1, .ops = io_system };
	bool ok = false;

	if (argc < 6) {
		fputs("usage: bench_core pairs DIR BLOCK SIZE N\n"
		      "       bench_core once DIR BLOCK SIZE IO DEPTH "
		      "[stamps]\n",
		      stderr);
		return 2;
	}
	b.workload = (struct workload){
		.block_bytes = strtoull(argv[3], NULL, 0),
		.size_bytes = strtoull(argv[4], NULL, 0),
		.depth = argc > 6 ? (unsigned int)atoi(argv[6]) : 1,
		.streams = 1,
	};
	b.ops.syncfs = no_syncfs;
	if (strcmp(argv[5], "direct") == 0)
		b.workload.io = WORKLOAD_DIRECT_STRICT;
	else if (strcmp(argv[5], "warm") == 0)
		b.workload.read = WORKLOAD_WARM;
	if (argc > 7 && strcmp(argv[7], "stamps") == 0)
		b.workload.verify = WORKLOAD_VERIFY_STAMPS;
	b.dir = open(argv[2], O_RDONLY | O_DIRECTORY);
	b.data = data_new(now());
	if (b.dir >= 0 && b.data)
		b.window = data_window_new(b.data, b.workload.block_bytes, 0);
	if (b.window && strcmp(argv[1], "pairs") == 0)
		ok = run_pairs(&b, atoi(argv[5]));
	else if (b.window)
		ok = run_once(&b);
	data_window_free(b.window);
	data_free(b.data);
	return ok ? 0 : 1;
}
