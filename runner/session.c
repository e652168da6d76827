/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "core/data.h"
#include "core/units.h"
#include "runner/remarks.h"
#include "runner/skips.h"
#include "runner/wait.h"
#include "runner/worker.h"

/* What the walk through the plan keeps from sample to sample. */
struct walk {
	const struct session_spec *spec;
	struct session_totals *totals;
	struct data *data;
	struct remarks remarks; /* on the sample in turn */
	struct skips skips;     /* of all so far */
	struct skips failures;  /* the same, each with its cell */
	size_t *order;          /* of the round */
	/* Of these, in their order, what is not stored yet. */
	size_t *missing;
	uint64_t *positions; /* of the missing in the run, 1-based */
	size_t missing_count;
	bool any_complete; /* of the rounds so far */
};

/* From the `next` of the missing on; 0 if nothing is known. */
static uint64_t estimate_left(const struct walk *walk, size_t next,
			      unsigned int round)
{
	const struct session_spec *spec = walk->spec;
	uint64_t limit = timelimit_left_ns(&spec->limit);
	uint64_t rounds = spec->plan->rounds - round, left, each;
	size_t known;

	left = budget_sum(spec->budget, walk->missing + next,
			  walk->missing_count - next, &known);
	each = budget_sum(spec->budget, walk->order, spec->plan->cell_count,
			  &known);
	if (__builtin_mul_overflow(each, rounds, &each) ||
	    __builtin_add_overflow(left, each, &left))
		return 0;
	return left < limit ? left : limit;
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

/* " (shortened: 45MiB of 480MiB)", if the user had no more of it written. */
static void add_shortened(const struct sample *sample,
			  const struct plan_cell *cell, char *out, size_t size)
{
	uint64_t wanted_bytes = cell->workload->core.size_bytes;
	char bytes[UNITS_TEXT_MAX], wanted[UNITS_TEXT_MAX];

	*out = '\0';
	if (sample->write.end != PHASE_END_READ_NOW)
		return;
	units_format_bytes(sample->write.bytes, bytes, sizeof(bytes));
	units_format_bytes(wanted_bytes, wanted, sizeof(wanted));
	snprintf(out, size, " (shortened: %s%s%s)", bytes,
		 wanted_bytes ? " of " : "", wanted_bytes ? wanted : "");
}

/* What fails in every round of a cell is told in full once. */
static bool is_new_failure(struct walk *walk, const struct sample *sample,
			   const struct plan_cell *cell)
{
	char key[32 + sizeof(sample->reason.text)];

	if (sample->status == RECORD_SKIPPED)
		return true; /* that was found out before */
	snprintf(key, sizeof(key), "%td %s", cell - walk->spec->plan->cells,
		 sample->reason.text);
	return skips_is_new(&walk->failures, key);
}

static void tell(struct walk *walk, const struct sample *sample,
		 const struct plan_cell *cell, const char *name)
{
	char shortened[80];

	if (sample->status == RECORD_SKIPPED &&
	    !skips_is_new(&walk->skips, sample->reason.text))
		return;
	if (sample->status != RECORD_OK) {
		progress_end(walk->spec->progress, "%s: %s: %s", name,
			     record_status_word(sample->status),
			     is_new_failure(walk, sample, cell)
				     ? sample->reason.text
				     : "as in an earlier round");
		return;
	}
	add_shortened(sample, cell, shortened, sizeof(shortened));
	progress_end(walk->spec->progress,
		     "%s: W %.0f KB/s%s  R %.0f KB/s  (%s)", name,
		     kb_per_s(sample->write.bytes,
			      sample->write.app_ns + sample->write.flush_ns),
		     shortened,
		     kb_per_s(sample->read.bytes, sample->read.app_ns),
		     sample->facts.driver);
}

/* Which sample of the plan. */
struct place {
	size_t cell;
	unsigned int round;
	uint64_t position;
};

static bool keep(struct walk *walk, const struct sample *sample,
		 const struct place *at, struct err *err)
{
	struct record_sample record = sample_record(sample);
	struct session_totals *totals = walk->totals;
	uuid_t uuid;

	uuid_generate(uuid);
	uuid_unparse_lower(uuid, record.uuid);
	record.cell = walk->spec->cells[at->cell];
	record.round = at->round;
	record.position = (int64_t)at->position;
	remarks_put(&walk->remarks, &record);
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

/*
 * A database that somebody has locked is waited for, but not by who was asked
 * to stop: then the sample is not kept, and resume measures it again.
 */
static void give_way(struct walk *walk, struct err *err)
{
	if (err->code != ERR_BUSY || !atomic_load(&walk->spec->control->stop))
		return;
	*err = (struct err){ 0 };
	walk->totals->stopped = true;
}

static bool one_sample(struct walk *walk, const struct place *at,
		       uint64_t left_ns, struct err *err)
{
	const struct session_spec *spec = walk->spec;
	const struct plan_cell *cell = &spec->plan->cells[at->cell];
	uint64_t begun_ns = wait_now_ns();
	struct sample sample = { 0 };
	struct sample_spec s = {
		.cell = cell,
		.data = walk->data,
		.control = spec->control,
		.guard = spec->guard,
		.stamp = at->position,
		.timeout_ns = spec->matrix->timeout_ns,
		.reserve_bytes =
			spec->reserves[cell->volume - spec->matrix->volumes],
		.home = spec->homes[cell->volume - spec->matrix->volumes],
	};
	char name[512];
	bool ok = true;

	cell_name(cell, at->round, name, sizeof(name));
	progress_begin(spec->progress, at->position, name,
		       cell->workload->core.size_bytes, left_ns);
	remarks_begin(&walk->remarks);
	worker_measure(&s, &sample);
	remarks_end(&walk->remarks, &sample.facts);
	if (sample.stopped) {
		walk->totals->stopped = true;
	} else {
		ok = keep(walk, &sample, at, err);
		if (ok)
			tell(walk, &sample, cell, name);
		else
			give_way(walk, err);
		budget_learn(spec->budget, at->cell, wait_now_ns() - begun_ns);
	}
	sample_done(&sample);
	return ok && !walk->totals->stopped;
}

/* The round's order, and what of it is still to be measured. */
static bool list_round(struct walk *walk, unsigned int round, struct err *err)
{
	const struct session_spec *spec = walk->spec;
	const uint64_t before = (uint64_t)spec->plan->cell_count * (round - 1);

	plan_order(spec->plan, round, walk->order);
	walk->missing_count = 0;
	for (size_t i = 0; i < spec->plan->cell_count; i++) {
		size_t cell = walk->order[i];
		bool stored = false;

		if (spec->resumed &&
		    !store_has_sample(spec->store, spec->cells[cell], round,
				      &stored, err))
			return false;
		if (stored)
			continue;
		walk->missing[walk->missing_count] = cell;
		walk->positions[walk->missing_count++] = before + i + 1;
	}
	return true;
}

/* False when the session is to end, be it stopped or failed. */
static bool measure_missing(struct walk *walk, unsigned int round,
			    size_t *measured, struct err *err)
{
	const struct session_spec *spec = walk->spec;

	*measured = 0;
	for (size_t i = 0; i < walk->missing_count; i++) {
		struct place at = { .cell = walk->missing[i],
				    .round = round,
				    .position = walk->positions[i] };

		if (atomic_load(&spec->control->stop)) {
			walk->totals->stopped = true;
			return false;
		}
		if (!budget_allows_cell(spec->budget, at.cell,
					timelimit_left_ns(&spec->limit)))
			continue;
		if (!one_sample(walk, &at, estimate_left(walk, i, round), err))
			return false;
		++*measured;
	}
	return true;
}

/* False when the session is to end: stopped, failed, or out of time. */
static bool one_round(struct walk *walk, unsigned int round, struct err *err)
{
	const struct session_spec *spec = walk->spec;
	size_t measured;

	if (!list_round(walk, round, err))
		return false;
	if (walk->missing_count > 0 &&
	    !budget_allows_round(spec->budget, walk->missing,
				 walk->missing_count, walk->any_complete,
				 timelimit_left_ns(&spec->limit))) {
		walk->totals->out_of_time = true;
		return false;
	}
	if (!measure_missing(walk, round, &measured, err))
		return false;
	if (measured == walk->missing_count)
		walk->any_complete = true;
	else
		walk->totals->out_of_time = true;
	/* where no cell fits now, none will later */
	return measured > 0 || walk->missing_count == 0;
}

static bool walk_init(struct walk *walk, struct err *err)
{
	const size_t count = walk->spec->plan->cell_count;
	uuid_t seed;
	uint64_t data_seed;

	/* The data must be new in every run, repeated seed or not. */
	uuid_generate_random(seed);
	memcpy(&data_seed, seed, sizeof(data_seed));
	walk->data = data_new(data_seed);
	walk->remarks = remarks_open();
	walk->order = calloc(count, sizeof(*walk->order));
	walk->missing = calloc(count, sizeof(*walk->missing));
	walk->positions = calloc(count, sizeof(*walk->positions));
	return (walk->data && walk->order && walk->missing &&
		walk->positions) ||
	       err_nomem(err);
}

bool session_run(const struct session_spec *spec, struct session_totals *totals,
		 struct err *err)
{
	struct walk walk = { .spec = spec, .totals = totals };

	if (walk_init(&walk, err)) {
		for (unsigned int r = 1; r <= spec->plan->rounds; r++) {
			if (!one_round(&walk, r, err))
				break;
		}
	}
	skips_tell(&walk.skips, spec->progress);
	skips_done(&walk.skips);
	skips_done(&walk.failures);
	remarks_close(&walk.remarks);
	data_free(walk.data);
	free(walk.order);
	free(walk.missing);
	free(walk.positions);
	return err->code == ERR_NONE;
}
