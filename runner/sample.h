/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample - one cell measured once: prepare, write, flush, evict, read, clean
 * up; and what came of it as a record for the store.
 */
#ifndef RUNNER_SAMPLE_H
#define RUNNER_SAMPLE_H

#include "core/measure.h"
#include "runner/plan.h"
#include "runner/target.h"
#include "runner/timestamp.h"
#include "schema/record.h"

struct sample;

struct sample_spec {
	const struct plan_cell *cell;
	struct data *data;
	struct measure_control *control;
	struct guard *guard;    /* borrowed; NULL: nothing is recorded */
	uint64_t stamp;         /* see measure_spec */
	uint64_t timeout_ns;    /* of the whole sample; 0: none */
	uint64_t reserve_bytes; /* see struct workload */
	dev_t home; /* the filesystem that the volume must be on; 0: any */
	/*
	 * Told of the sample so far, when it is prepared and when its write
	 * phase was good; may be NULL.
	 */
	void (*so_far)(void *ctx, const struct sample *sample);
	void *so_far_ctx;
};

/* Zero-initialise; sample_done() frees what it owns. */
struct sample {
	enum record_status status;
	struct err reason; /* the words, unless the status is ok */
	struct target_facts facts;
	struct phase_result write, read;
	bool has_write, has_read;
	bool stopped; /* not to be kept */
	uint64_t prepare_ns, evict_ns, clean_ns;
	char started_at[TIMESTAMP_SIZE], ended_at[TIMESTAMP_SIZE];
};

/* Never fails: what fails is the sample's status and reason. */
void sample_measure(const struct sample_spec *spec, struct sample *sample);
void sample_done(struct sample *sample);

/* The reason of a timeout: "took longer than 30min (timeout of the matrix)". */
void sample_explain_timeout(struct sample *sample, uint64_t timeout_ns);

/*
 * The record, which borrows from the sample. The caller adds uuid, cell,
 * round and position.
 */
struct record_sample sample_record(const struct sample *sample);

#endif
