/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>

#include "core/hist.h"
#include "core/series.h"
#include "tests/unit/store_fixture.h"

static int64_t make_store(struct fixture *f)
{
	int64_t cell;

	fixture_open(f, STORE_WRITE);
	fixture_run(f, 1, "run");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 1, RECORD_OK, 100, 200));
	return cell;
}

static void close_store(struct fixture *f)
{
	store_close(f->store);
	f->store = NULL;
}

static int64_t count_samples(struct fixture *f, struct store *store)
{
	int64_t count = -1;

	assert_ok(f, store_count_samples(store, f->run, &count, &f->err));
	return count;
}

static void a_reader_sees_what_was_committed_and_nothing_else(void **state)
{
	struct fixture *f = *state;
	int64_t cell = make_store(f);
	struct store *reader = store_open(f->path, STORE_READ, &f->err);

	assert_non_null(reader);
	assert_int_equal(count_samples(f, reader), 1);
	assert_ok(f, store_begin(f->store, &f->err));
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 1, 2));
	assert_int_equal(count_samples(f, reader), 1);
	assert_ok(f, store_commit(f->store, &f->err));
	assert_int_equal(count_samples(f, reader), 2);
	store_close(reader);
	assert_ok(f, fixture_sample(f, cell, 3, RECORD_OK, 1, 2));
}

struct writing {
	struct fixture *f;
	int64_t cell;
	int seen;
};

static bool write_meanwhile(void *ctx, const struct record_result *row)
{
	struct writing *w = ctx;

	assert_int_equal(row->round, 1);
	w->seen++;
	assert_ok(w->f,
		  fixture_sample(w->f, w->cell, w->seen + 1, RECORD_OK, 1, 2));
	return true;
}

/* A table that is being printed while the next sample is stored. */
static void a_reader_in_the_middle_of_its_rows_holds_up_no_writer(void **state)
{
	struct fixture *f = *state;
	struct writing w = { .f = f, .cell = make_store(f) };
	struct store *reader = store_open(f->path, STORE_READ, &f->err);

	assert_non_null(reader);
	assert_ok(f, store_each_result(reader, &f->run, 1, write_meanwhile, &w,
				       &f->err));
	assert_int_equal(w.seen, 2);
	assert_int_equal(count_samples(f, reader), 3);
	store_close(reader);
}

static void wait_for(pid_t pid, int signal)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), signal);
}

static void a_kill_within_a_transaction_leaves_what_was_before(void **state)
{
	struct fixture *f = *state;
	int64_t cell = make_store(f);
	pid_t pid;

	close_store(f);
	pid = fixture_fork(f);
	if (pid == 0) {
		fixture_open(f, STORE_WRITE);
		if (!store_begin(f->store, &f->err))
			_exit(1);
		for (int round = 2; round < 400; round++)
			if (!fixture_sample(f, cell, round, RECORD_OK, 1, 2))
				_exit(1);
		kill(getpid(), SIGKILL);
	}
	wait_for(pid, SIGKILL);
	fixture_open(f, STORE_READ);
	assert_int_equal(count_samples(f, f->store), 1);
	close_store(f);
	assert_string_equal(fixture_sql(f, "PRAGMA integrity_check"), "ok");
}

/* Adds samples until it is killed; tells through the pipe of each it did. */
static void add_until_killed(struct fixture *f, int64_t cell, int64_t round,
			     int tell)
{
	struct phase_result r = {
		.end = PHASE_END_SIZE,
		.bytes = 1000,
		.app_ns = 1000,
		.latency = hist_new(),
		.series = series_new(),
	};

	for (uint64_t i = 1; i < 2000; i++)
		hist_record(r.latency, i * i);
	fixture_open(f, STORE_WRITE);
	for (;; round++) {
		struct record_sample sample = {
			.cell = cell,
			.round = round,
			.write = { .result = &r },
			.read = { .result = &r },
			.has_write = true,
			.has_read = true,
		};

		fixture_uuid(sample.uuid, 5, (int)round);
		if (!store_add_sample(f->store, &sample, &f->err) ||
		    write(tell, &round, sizeof(round)) != sizeof(round))
			_exit(1);
	}
}

/* Kills a writer after `after` samples and `us` more; the last it told of. */
static int64_t kill_a_writer(struct fixture *f, int64_t cell, int64_t round,
			     int after, unsigned int us)
{
	int64_t told = round - 1;
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fixture_fork(f);
	if (pid == 0) {
		close(ends[0]);
		add_until_killed(f, cell, round, ends[1]);
	}
	close(ends[1]);
	while (after-- > 0)
		assert_int_equal(read(ends[0], &told, sizeof(told)),
				 sizeof(told));
	usleep(us);
	kill(pid, SIGKILL);
	while (read(ends[0], &told, sizeof(told)) == sizeof(told))
		;
	close(ends[0]);
	wait_for(pid, SIGKILL);
	return told;
}

static void what_was_told_of_is_there_whenever_the_kill_comes(void **state)
{
	struct fixture *f = *state;
	int64_t cell = make_store(f), told = 1;

	close_store(f);
	for (int i = 0; i < 20; i++) {
		int64_t count;

		told = kill_a_writer(f, cell, told + 1, i % 3 + 1,
				     (unsigned int)(i * 397) % 5000);
		fixture_open(f, STORE_READ);
		count = count_samples(f, f->store);
		close_store(f);
		/* One may be in that it had no time to tell of. */
		assert_in_range(count, told, told + 1);
		told = count;
		assert_string_equal(fixture_sql(f, "PRAGMA integrity_check"),
				    "ok");
		assert_string_equal(
			fixture_sql(f, "SELECT count(*) - (SELECT count(*) "
				       "FROM phase) / 2 FROM sample"),
			"0");
	}
}

static void a_kill_while_it_is_made_leaves_what_can_be_made(void **state)
{
	struct fixture *f = *state;

	for (unsigned int us = 0; us < 12000; us += 600) {
		pid_t pid = fixture_fork(f);

		if (pid == 0) {
			store_close(store_open(f->path, STORE_WRITE, &f->err));
			for (;;)
				pause();
		}
		usleep(us);
		kill(pid, SIGKILL);
		wait_for(pid, SIGKILL);
		fixture_open(f, STORE_WRITE);
		close_store(f);
		assert_string_equal(fixture_sql(f, "PRAGMA integrity_check"),
				    "ok");
		assert_int_equal(unlink(f->path), 0);
	}
}

/* What a child found out on a disk of its own. */
struct report {
	bool mounted, opened, kept_on;
	struct err err, again;
	int64_t before, after;
	char integrity[64];
};

/* A tmpfs on the fixture's folder, in a namespace that goes with the child. */
static void mount_disk(struct fixture *f, const char *size, bool *mounted)
{
	char options[64];

	snprintf(options, sizeof(options), "size=%s", size);
	*mounted = unshare(CLONE_NEWNS) == 0 &&
		   mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
		   mount("none", f->folder, "tmpfs", 0, options) == 0;
}

static void skip_unless(bool mounted)
{
	if (!mounted) {
		print_message("skipped: needs root to mount a tmpfs\n");
		skip();
	}
}

static void make_it(struct fixture *f, struct report *report)
{
	struct store *store = store_open(f->path, STORE_WRITE, &report->err);

	report->opened = store != NULL;
	store_close(store);
}

static void make_it_where_it_does_not_fit(struct fixture *f, void *to)
{
	struct report *report = to;

	mount_disk(f, "40k", &report->mounted);
	if (report->mounted)
		make_it(f, report);
}

static void a_new_database_that_does_not_fit_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct report report;

	fixture_apart(f, make_it_where_it_does_not_fit, &report,
		      sizeof(report));
	skip_unless(report.mounted);
	assert_false(report.opened);
	assert_int_equal(report.err.code, ERR_FAILED);
	assert_non_null(strstr(report.err.text, "no space left for it"));
	assert_string_equal(report.err.source, f->path);
}

static void fill_it(struct fixture *f, void *to)
{
	struct report *report = to;
	struct err err = { 0 };
	int64_t cell;

	mount_disk(f, "1m", &report->mounted);
	if (!report->mounted)
		return;
	cell = make_store(f);
	report->before = 1;
	for (int round = 2; round < 20000; round++) {
		if (!fixture_sample(f, cell, round, RECORD_OK, 1, 2))
			break;
		report->before++;
	}
	report->err = f->err;
	f->err = err;
	report->after = count_samples(f, f->store);
	/* A second try says the same, and is no worse. */
	fixture_sample(f, cell, 30000, RECORD_OK, 1, 2);
	report->again = f->err;
	close_store(f);
	snprintf(report->integrity, sizeof(report->integrity), "%s",
		 fixture_sql(f, "PRAGMA integrity_check"));
}

static void a_full_disk_loses_no_sample_that_was_added(void **state)
{
	struct fixture *f = *state;
	struct report report;

	fixture_apart(f, fill_it, &report, sizeof(report));
	skip_unless(report.mounted);
	assert_int_equal(report.err.code, ERR_FAILED);
	assert_non_null(strstr(report.err.text, "no space left for it"));
	assert_int_equal(report.again.code, ERR_FAILED);
	assert_true(report.before > 10);
	assert_int_equal(report.after, report.before);
	assert_string_equal(report.integrity, "ok");
}

static void make_read_only(struct fixture *f)
{
	if (mount("none", f->folder, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
		_exit(1);
}

static void read_on_a_read_only_mount(struct fixture *f, void *to)
{
	struct report *report = to;

	mount_disk(f, "1m", &report->mounted);
	if (!report->mounted)
		return;
	make_store(f);
	close_store(f);
	make_read_only(f);
	f->store = store_open(f->path, STORE_READ, &report->err);
	report->opened = f->store != NULL;
	if (f->store)
		report->after = count_samples(f, f->store);
	close_store(f);
	f->store = store_open(f->path, STORE_WRITE, &report->again);
	report->kept_on = f->store != NULL;
}

static void a_read_only_filesystem_can_be_read_and_not_written(void **state)
{
	struct fixture *f = *state;
	struct report report;

	fixture_apart(f, read_on_a_read_only_mount, &report, sizeof(report));
	skip_unless(report.mounted);
	assert_string_equal(report.err.text, "");
	assert_true(report.opened);
	assert_int_equal(report.after, 1);
	assert_false(report.kept_on);
	assert_int_equal(report.again.code, ERR_FAILED);
	assert_string_equal(report.again.text, "the database cannot be "
					       "written: Read-only file "
					       "system");
}

static void make_it_on_a_read_only_mount(struct fixture *f, void *to)
{
	struct report *report = to;

	mount_disk(f, "1m", &report->mounted);
	if (!report->mounted)
		return;
	make_read_only(f);
	make_it(f, report);
}

static void a_new_database_on_a_read_only_filesystem_is_an_error(void **state)
{
	struct fixture *f = *state;
	struct report report;

	fixture_apart(f, make_it_on_a_read_only_mount, &report, sizeof(report));
	skip_unless(report.mounted);
	assert_false(report.opened);
	assert_string_equal(report.err.text,
			    "opening the database: Read-only file system");
	assert_int_equal(report.err.code, ERR_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
		TEST(a_reader_sees_what_was_committed_and_nothing_else),
		TEST(a_reader_in_the_middle_of_its_rows_holds_up_no_writer),
		TEST(a_kill_within_a_transaction_leaves_what_was_before),
		TEST(what_was_told_of_is_there_whenever_the_kill_comes),
		TEST(a_kill_while_it_is_made_leaves_what_can_be_made),
		TEST(a_new_database_that_does_not_fit_is_an_error),
		TEST(a_full_disk_loses_no_sample_that_was_added),
		TEST(a_read_only_filesystem_can_be_read_and_not_written),
		TEST(a_new_database_on_a_read_only_filesystem_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
