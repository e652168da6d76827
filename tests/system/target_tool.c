/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target_tool - a target from the command line, for the tests here.
 *
 *   target_tool [-t TYPE] [-d DRIVER] [-o OPTIONS] [-m MKFS-OPTION]...
 *               [-s BYTES] [-a] [-k image|directory|device] [-w WHEN] [-p]
 *               PATH
 *
 * Prepares, writes a file, evicts, verifies the file, finishes; prints what
 * it found as NAME=VALUE lines. -p prints the plan instead. -w waits at
 * prepared, evicted or verified until SIGUSR1 comes, and says so in the line
 * "waiting". SIGTERM stops what prepares. Ends with 0, 77 (skipped; the reason
 * on stderr), 4 (refused), 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runner/target.h"

enum { BLOCK = 65536, BLOCKS = 64, MKFS_MAX = 16 };

static atomic_bool stop; /* SIGTERM came */

static void on_term(int signum)
{
	(void)signum;
	atomic_store(&stop, true);
}

struct job {
	struct matrix_volume volume;
	struct matrix_filesystem filesystem;
	char *mkfs[MKFS_MAX + 1];
	const char *wait_when;
	bool plan;
};

static void fill(unsigned char *block, size_t number)
{
	for (size_t i = 0; i < BLOCK; i++)
		block[i] = (unsigned char)(i * 31 + number * 7 + (i >> 8));
}

static bool write_file(int dir)
{
	static unsigned char block[BLOCK];
	int fd = openat(dir, "data", O_CREAT | O_EXCL | O_WRONLY, 0600);
	bool ok = fd >= 0;

	for (size_t i = 0; ok && i < BLOCKS; i++) {
		fill(block, i);
		ok = write(fd, block, BLOCK) == BLOCK;
	}
	ok = ok && fsync(fd) == 0;
	if (!ok)
		perror("writing");
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool verify_file(int dir)
{
	static unsigned char block[BLOCK], expected[BLOCK];
	int fd = openat(dir, "data", O_RDONLY);
	bool ok = fd >= 0;

	if (!ok)
		perror("opening again");
	for (size_t i = 0; ok && i < BLOCKS; i++) {
		fill(expected, i);
		ok = read(fd, block, BLOCK) == BLOCK &&
		     memcmp(block, expected, BLOCK) == 0;
		if (!ok)
			fprintf(stderr, "block %zu is not what it was\n", i);
	}
	if (ok && read(fd, block, 1) != 0)
		ok = !fprintf(stderr, "longer than it was\n");
	if (fd >= 0)
		close(fd);
	return ok;
}

static void print_facts(const struct target_facts *facts)
{
	printf("driver=%s\ntype=%s\ndevice=%s\nstat=%s\n", facts->driver,
	       facts->type, facts->device, facts->device_stat);
	printf("mkfs=%s\nmount=%s\noptions=%s\nbuffered_loop=%d\n",
	       facts->mkfs_command ? facts->mkfs_command : "",
	       facts->mount_command ? facts->mount_command : "",
	       facts->mount_options ? facts->mount_options : "",
	       facts->buffered_loop);
	fflush(stdout);
}

static void wait_if(const struct job *job, const char *now)
{
	sigset_t set;
	int signum;

	if (!job->wait_when || strcmp(job->wait_when, now) != 0)
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	puts("waiting");
	fflush(stdout);
	sigwait(&set, &signum);
}

/* How much of the file is in memory; -1: cannot be told. */
static long resident_bytes(int dir)
{
	static unsigned char pages[BLOCK * BLOCKS / 4096];
	const size_t size = (size_t)BLOCK * BLOCKS;
	int fd = openat(dir, "data", O_RDONLY);
	void *map = fd < 0 ? MAP_FAILED
			   : mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	long count = -1;

	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return -1;
	if (mincore(map, size, pages) == 0) {
		count = 0;
		for (size_t i = 0; i < sizeof(pages); i++)
			count += pages[i] & 1;
	}
	munmap(map, size);
	return count * 4096;
}

/* What the target's loop device has written so far; 0: it is none. */
static unsigned long long written_bytes(const struct target *target)
{
	const char *name = strrchr(target_facts(target)->device, '/');
	unsigned long long sectors = 0;
	char path[128];
	FILE *stat;

	snprintf(path, sizeof(path), "/sys/block%s/stat", name ? name : "");
	stat = fopen(path, "r");
	if (stat && fscanf(stat, "%*u %*u %*u %*u %*u %*u %llu", &sectors) != 1)
		sectors = 0;
	if (stat)
		fclose(stat);
	return sectors * 512;
}

static bool use(const struct job *job, struct target *target, struct err *err)
{
	unsigned long long before;

	print_facts(target_facts(target));
	before = written_bytes(target);
	if (!write_file(target_dir(target)))
		return err_set(err, ERR_FAILED, "could not write");
	if (target_device(target) > 0 && fsync(target_device(target)) < 0)
		return err_set(err, ERR_FAILED, "could not sync");
	printf("written=%llu\n", written_bytes(target) - before);
	wait_if(job, "prepared");
	if (!target_evict(target, err))
		return false;
	printf("resident=%ld\n", resident_bytes(target_dir(target)));
	wait_if(job, "evicted");
	if (!verify_file(target_dir(target)))
		return err_set(err, ERR_FAILED, "could not verify");
	wait_if(job, "verified");
	return true;
}

static int plan(const struct job *job)
{
	struct err err = { 0 };
	char *commands = NULL;
	enum target_outcome outcome =
		target_plan(&job->volume, &job->filesystem, &commands, &err);

	fputs(commands ? commands : "", stdout);
	free(commands);
	if (err.code)
		err_print(&err, stderr);
	return outcome == TARGET_READY ? 0 : outcome == TARGET_SKIPPED ? 77 : 1;
}

static int run(const struct job *job)
{
	struct err err = { 0 }, finish_err = { 0 };
	struct target *target;
	enum target_outcome outcome;
	struct guard *guard = guard_start(&err);
	bool ok;

	if (!guard) {
		err_print(&err, stderr);
		return 1;
	}
	outcome = target_prepare(
		&job->volume,
		job->volume.kind == MATRIX_DIRECTORY ? NULL : &job->filesystem,
		guard, &stop, &target, &err);
	ok = outcome == TARGET_READY && use(job, target, &err);
	if (!target_finish(target, &finish_err)) {
		fputs("finish: ", stderr);
		err_print(&finish_err, stderr);
		ok = false;
	}
	if (!guard_end(guard, &finish_err)) {
		err_print(&finish_err, stderr);
		ok = false;
	}
	if (err.code)
		err_print(&err, stderr);
	if (outcome == TARGET_SKIPPED && !finish_err.code)
		return 77;
	return ok ? 0 : err.code == ERR_REFUSED ? 4 : 1;
}

static bool parse(int argc, char **argv, struct job *job)
{
	size_t mkfs = 0;
	int letter;

	while ((letter = getopt(argc, argv, "t:d:o:m:s:ak:w:p")) != -1) {
		switch (letter) {
		case 't':
			job->filesystem.type = optarg;
			break;
		case 'd':
			job->filesystem.driver = optarg;
			break;
		case 'o':
			job->filesystem.mount = optarg;
			break;
		case 'm':
			if (mkfs == MKFS_MAX)
				return false;
			job->mkfs[mkfs++] = optarg;
			break;
		case 's':
			job->volume.size_bytes = strtoull(optarg, NULL, 10);
			break;
		case 'a':
			job->volume.allocate = true;
			break;
		case 'k':
			if (strcmp(optarg, "directory") == 0)
				job->volume.kind = MATRIX_DIRECTORY;
			else if (strcmp(optarg, "device") == 0)
				job->volume.kind = MATRIX_DEVICE;
			break;
		case 'w':
			job->wait_when = optarg;
			break;
		case 'p':
			job->plan = true;
			break;
		default:
			return false;
		}
	}
	job->volume.path = argv[optind];
	return argv[optind] && !argv[optind + 1];
}

int main(int argc, char **argv)
{
	static char volume_name[] = "volume", name[] = "filesystem",
		    type[] = "ext4";
	static struct job job;
	sigset_t usr1;

	job.volume.name = volume_name;
	job.volume.size_bytes = UINT64_C(512) << 20;
	job.filesystem.name = name;
	job.filesystem.type = type;
	job.filesystem.mkfs = job.mkfs;
	if (!parse(argc, argv, &job))
		return 2;
	signal(SIGTERM, on_term);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	return job.plan ? plan(&job) : run(&job);
}
