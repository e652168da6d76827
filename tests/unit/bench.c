/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/bench.h"

#include "core/data.h"
#include "core/series.h"
#include "tests/unit/unit.h"

const struct workload ten_blocks = {
	.block_bytes = 4096,
	.size_bytes = 40960,
	.file_limit_bytes = WORKLOAD_FILE_LIMIT_BYTES,
	.depth = 1,
	.streams = 1,
};

void bench_setup(struct bench *b, const struct workload *workload)
{
	b->sim.control = &b->control;
	b->spec = (struct measure_spec){
		.workload = *workload,
		.data = data_new(1),
		.io = { &sim_io, &b->sim },
		.control = &b->control,
		.stamp = 77,
	};
	assert_non_null(b->spec.data);
	b->measure = measure_new(&b->spec, &b->err);
	assert_non_null(b->measure);
}

bool bench_write(struct bench *b)
{
	bool ok = measure_write(b->measure, SIM_DIR, &b->write, &b->err);

	assert_int_equal(b->sim.open_files, 0);
	assert_int_equal(b->control.phase, 0);
	if (b->write.series)
		assert_int_equal(series_total(b->write.series), b->write.bytes);
	return ok;
}

bool bench_read(struct bench *b)
{
	bool ok = measure_read(b->measure, SIM_DIR, &b->read, &b->err);

	assert_int_equal(b->sim.open_files, 0);
	if (b->read.series)
		assert_int_equal(series_total(b->read.series), b->read.bytes);
	return ok;
}

void bench_teardown(struct bench *b)
{
	struct err err = { 0 };

	assert_true(measure_remove(b->measure, SIM_DIR, &err));
	for (int i = 0; i < SIM_FILES; i++)
		assert_false(b->sim.files[i].exists);
	measure_free(b->measure);
	phase_result_done(&b->write);
	phase_result_done(&b->read);
	data_free(b->spec.data);
	sim_done(&b->sim);
}
