/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uuid/uuid.h>

#include "core/data.h"
#include "runner/worker.h"

/* What the walk through the plan keeps from sample to sample. */
struct walk {
	const struct session_spec *spec;
	struct session_totals *totals;
	struct data *data;
	size_t *order;     /* of the round */
	uint64_t position; /* of the sample in the run, 1-based */
	uint64_t measured; /* by this process, for the estimate */
	uint64_t begun_ns;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static uint64_t sample_count(const struct plan *plan)
{
	return (uint64_t)plan->cell_count * plan->rounds;
}

/* As long per sample as those until now took on average. */
static uint64_t estimate_left(const struct walk *walk)
{
	uint64_t left = sample_count(walk->spec->plan) - walk->position + 1;

	if (walk->measured == 0)
		return 0;
	return (now_ns() - walk->begun_ns) / walk->measured * left;
}

static void cell_name(const struct plan_cell *cell, unsigned int round,
		      char *out, size_t size)
{
	snprintf(out, size, "%s %s%s%s, round %u", cell->volume->name,
		 cell->filesystem ? cell->filesystem->name : "",
		 cell->filesystem ? " " : "", cell->workload->name, round);
}

static double kb_per_s(uint64_t bytes, uint64_t ns)
{
	return ns ? (double)bytes / 1024 * 1e9 / (double)ns : 0;
}

static void tell(const struct walk *walk, const struct sample *sample,
		 const char *name)
{
	if (sample->status != RECORD_OK) {
		progress_end(walk->spec->progress, "%s: %s: %s", name,
			     record_status_word(sample->status),
			     sample->reason.text);
		return;
	}
	progress_end(walk->spec->progress, "%s: W %.0f KB/s  R %.0f KB/s  (%s)",
		     name,
		     kb_per_s(sample->write.bytes,
			      sample->write.app_ns + sample->write.flush_ns),
		     kb_per_s(sample->read.bytes, sample->read.app_ns),
		     sample->facts.driver);
}

static bool keep(struct walk *walk, const struct sample *sample, size_t cell,
		 unsigned int round, struct err *err)
{
	struct record_sample record = sample_record(sample);
	struct session_totals *totals = walk->totals;
	uuid_t uuid;

	uuid_generate(uuid);
	uuid_unparse_lower(uuid, record.uuid);
	record.cell = walk->spec->cells[cell];
	record.round = round;
	record.position = (int64_t)walk->position;
	if (!store_add_sample(walk->spec->store, &record, err))
		return false;
	if (sample->status == RECORD_OK)
		totals->ok++;
	else if (sample->status == RECORD_SKIPPED)
		totals->skipped++;
	else
		totals->failed++;
	return true;
}

static bool one_sample(struct walk *walk, size_t index, unsigned int round,
		       struct err *err)
{
	const struct session_spec *spec = walk->spec;
	const struct plan_cell *cell = &spec->plan->cells[index];
	struct sample sample = { 0 };
	struct sample_spec s = {
		.cell = cell,
		.data = walk->data,
		.control = spec->control,
		.guard = spec->guard,
		.stamp = walk->position,
		.timeout_ns = spec->matrix->timeout_ns,
	};
	char name[512];
	bool ok = true;

	cell_name(cell, round, name, sizeof(name));
	progress_begin(spec->progress, walk->position, name,
		       cell->workload->core.size_bytes, estimate_left(walk));
	atomic_store(&spec->control->read_now, false);
	worker_measure(&s, &sample);
	walk->measured++;
	if (sample.stopped) {
		walk->totals->stopped = true;
	} else {
		ok = keep(walk, &sample, index, round, err);
		if (ok)
			tell(walk, &sample, name);
	}
	sample_done(&sample);
	return ok && !walk->totals->stopped;
}

/* False when the session is to end, be it stopped or failed. */
static bool one_round(struct walk *walk, unsigned int round, struct err *err)
{
	const struct session_spec *spec = walk->spec;

	plan_order(spec->plan, round, walk->order);
	for (size_t i = 0; i < spec->plan->cell_count; i++) {
		bool stored = false;

		if (atomic_load(&spec->control->stop)) {
			walk->totals->stopped = true;
			return false;
		}
		walk->position++;
		if (spec->resumed &&
		    !store_has_sample(spec->store, spec->cells[walk->order[i]],
				      round, &stored, err))
			return false;
		if (stored)
			continue;
		if (!one_sample(walk, walk->order[i], round, err))
			return false;
	}
	return true;
}

bool session_run(const struct session_spec *spec, struct session_totals *totals,
		 struct err *err)
{
	struct walk walk = {
		.spec = spec,
		.totals = totals,
		.order = calloc(spec->plan->cell_count, sizeof(*walk.order)),
	};
	uuid_t seed;
	uint64_t data_seed;

	/* The data must be new in every run, repeated seed or not. */
	uuid_generate_random(seed);
	memcpy(&data_seed, seed, sizeof(data_seed));
	walk.data = data_new(data_seed);
	if (!walk.order || !walk.data) {
		err_nomem(err);
		goto out;
	}
	walk.begun_ns = now_ns();
	for (unsigned int round = 1; round <= spec->plan->rounds; round++) {
		if (!one_round(&walk, round, err))
			break;
	}
out:
	data_free(walk.data);
	free(walk.order);
	return err->code == ERR_NONE;
}
