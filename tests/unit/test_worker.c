/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/hist.h"
#include "core/series.h"
#include "runner/worker.h"
#include "tests/unit/unit.h"

static void fill_phase(struct phase_result *phase, uint64_t bytes)
{
	phase->end = PHASE_END_SIZE;
	phase->bytes = bytes;
	phase->app_ns = 123456789;
	phase->flush_ns = 42;
	phase->evidence.device_bytes = EVIDENCE_UNKNOWN;
	phase->latency = hist_new();
	phase->series = series_new();
	hist_record_many(phase->latency, 1000, 3);
	hist_record(phase->latency, 123457); /* not a bucket's bound */
	series_add(phase->series, 0, 500, bytes / 4);
	/* Far enough for the intervals to have been doubled. */
	series_add(phase->series, UINT64_C(3000000000), UINT64_C(3000000500),
		   bytes - bytes / 4);
}

static void assert_same_phase(const struct phase_result *a,
			      const struct phase_result *b)
{
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->bytes, b->bytes);
	assert_int_equal(a->app_ns, b->app_ns);
	assert_int_equal(a->flush_ns, b->flush_ns);
	assert_true(a->evidence.device_bytes == b->evidence.device_bytes);
	assert_int_equal(hist_count(a->latency), hist_count(b->latency));
	assert_int_equal(hist_max(a->latency), hist_max(b->latency));
	assert_int_equal(hist_percentile(a->latency, 50),
			 hist_percentile(b->latency, 50));
	assert_int_equal(series_interval_ns(a->series),
			 series_interval_ns(b->series));
	assert_int_equal(series_count(a->series), series_count(b->series));
	for (size_t i = 0; i < series_count(a->series); i++)
		assert_int_equal(series_bytes(a->series, i),
				 series_bytes(b->series, i));
}

static void a_sample_comes_back_as_it_was_sent(void **state)
{
	struct sample sent = { .status = RECORD_CORRUPT, .has_write = true };
	struct sample got = { 0 };
	FILE *pipe = tmpfile();

	(void)state;
	assert_non_null(pipe);
	err_set(&sent.reason, ERR_FAILED, "file 1 differs at 4096");
	strcpy(sent.facts.driver, "ntfs-3g");
	sent.facts.mkfs_command = strdup("mkfs.ntfs -Q '/dev/loop 1'");
	sent.facts.mount_options = strdup("");
	fill_phase(&sent.write, 1 << 20);
	fill_phase(&sent.read, 12345);
	assert_true(worker_send(&sent, pipe));
	rewind(pipe);
	assert_true(worker_receive(&got, pipe));
	assert_int_equal(got.status, RECORD_CORRUPT);
	assert_string_equal(got.reason.text, "file 1 differs at 4096");
	assert_string_equal(got.facts.driver, "ntfs-3g");
	assert_string_equal(got.facts.mkfs_command,
			    "mkfs.ntfs -Q '/dev/loop 1'");
	assert_null(got.facts.mount_command);
	assert_string_equal(got.facts.mount_options, "");
	assert_same_phase(&sent.write, &got.write);
	assert_same_phase(&sent.read, &got.read);
	sample_done(&sent);
	sample_done(&got);
	fclose(pipe);
}

/* The end of the last interval of all must not need room for one more. */
static void a_full_series_keeps_its_resolution(void **state)
{
	struct sample sent = { .status = RECORD_OK, .has_write = true };
	struct sample got = { 0 };
	FILE *pipe = tmpfile();
	uint64_t interval;

	(void)state;
	assert_non_null(pipe);
	fill_phase(&sent.write, 1 << 20);
	interval = series_interval_ns(sent.write.series);
	for (uint64_t i = 0; i < SERIES_MAX; i++)
		series_add(sent.write.series, i * interval, i * interval,
			   i + 1);
	assert_int_equal(series_interval_ns(sent.write.series), interval);
	assert_int_equal(series_count(sent.write.series), SERIES_MAX);
	assert_true(worker_send(&sent, pipe));
	rewind(pipe);
	assert_true(worker_receive(&got, pipe));
	assert_same_phase(&sent.write, &got.write);
	sample_done(&sent);
	sample_done(&got);
	fclose(pipe);
}

static void a_sample_cut_short_anywhere_is_not_taken_for_one(void **state)
{
	struct sample sent = { .has_write = true };
	char *bytes = NULL;
	size_t size = 0;
	FILE *pipe = open_memstream(&bytes, &size);

	(void)state;
	fill_phase(&sent.write, 4096);
	sent.facts.mount_options = strdup("rw,relatime");
	assert_true(worker_send(&sent, pipe));
	fclose(pipe);
	for (size_t cut = 0; cut < size; cut += 7) {
		struct sample got = { 0 };
		FILE *from = fmemopen(bytes, cut ? cut : 1, "r");

		assert_false(worker_receive(&got, from));
		sample_done(&got);
		fclose(from);
	}
	sample_done(&sent);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_comes_back_as_it_was_sent),
		cmocka_unit_test(a_full_series_keeps_its_resolution),
		cmocka_unit_test(
			a_sample_cut_short_anywhere_is_not_taken_for_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
