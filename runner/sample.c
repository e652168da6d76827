/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "runner/wait.h"

/* What one sample holds while it is made. */
struct work {
	const struct sample_spec *spec;
	struct sample *sample;
	struct target *target;
	struct measure *measure;
};

/* What is done outside the phases, for who watches. */
static void step(struct work *w, int what)
{
	measure_control_enter(w->spec->control, what, wait_now_ns());
}

static bool is_directory(const struct work *w)
{
	return w->spec->cell->volume->kind == MATRIX_DIRECTORY;
}

/* Each takes what went wrong first; later faults are consequences. */
static bool fail(struct work *w, enum record_status status)
{
	if (w->sample->status == RECORD_OK)
		w->sample->status = status;
	return false;
}

static bool copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return *to || !from;
}

/* The target ends before they are stored. */
static void keep_facts(struct work *w)
{
	const struct target_facts *from = target_facts(w->target);
	struct target_facts *to = &w->sample->facts;

	if (!from)
		return;
	free(to->mkfs_command);
	free(to->mount_command);
	free(to->mount_options);
	*to = *from;
	to->mkfs_command = to->mount_command = to->mount_options = NULL;
	if (!copy_text(&to->mkfs_command, from->mkfs_command) ||
	    !copy_text(&to->mount_command, from->mount_command) ||
	    !copy_text(&to->mount_options, from->mount_options)) {
		err_nomem(&w->sample->reason);
		fail(w, RECORD_FAILED);
	}
}

static void tell_so_far(struct work *w)
{
	if (!w->spec->so_far)
		return;
	keep_facts(w);
	w->spec->so_far(w->spec->so_far_ctx, w->sample);
}

/*
 * A disk that is gone leaves an empty folder, on another filesystem: nothing
 * is made there, nor where a link leads that was changed.
 */
static bool is_at_home(struct work *w)
{
	const struct matrix_volume *v = w->spec->cell->volume;

	if (!w->spec->home || w->spec->home == target_home(v))
		return true;
	err_set(&w->sample->reason, ERR_FAILED,
		"%s %s is not on the filesystem that it was on when the run "
		"began",
		v->kind == MATRIX_IMAGE ? "image" : "directory", v->path);
	return fail(w, RECORD_FAILED);
}

static bool prepare(struct work *w)
{
	struct sample *s = w->sample;
	uint64_t start = wait_now_ns();
	enum target_outcome outcome;

	step(w, 'P');
	outcome =
		target_prepare(w->spec->cell->volume, w->spec->cell->filesystem,
			       w->spec->guard, &w->spec->control->stop,
			       &w->target, &s->reason);
	s->prepare_ns = wait_now_ns() - start;
	if (outcome == TARGET_SKIPPED)
		return fail(w, RECORD_SKIPPED);
	if (outcome == TARGET_FAILED)
		return fail(w, RECORD_FAILED);
	tell_so_far(w);
	return true;
}

static bool begin_measure(struct work *w)
{
	const struct sample_spec *spec = w->spec;
	struct measure_spec m = {
		.workload = spec->cell->workload->core,
		.data = spec->data,
		.io = { .ops = &io_system },
		.control = spec->control,
		.stamp = spec->stamp,
		.device = target_device(w->target),
	};

	if (m.workload.size_bytes == 0)
		m.workload.reserve_bytes = spec->reserve_bytes;
	memcpy(m.device_stat, target_facts(w->target)->device_stat,
	       sizeof(m.device_stat));
	memcpy(m.mounted_stat, target_facts(w->target)->mounted_stat,
	       sizeof(m.mounted_stat));
	if (m.workload.depth > 1 &&
	    !measure_uring_available(&w->sample->reason))
		return fail(w, RECORD_SKIPPED);
	w->measure = measure_new(&m, &w->sample->reason);
	return w->measure || fail(w, RECORD_FAILED);
}

/* Tables are too narrow for strerror's words: they show what is in "( )". */
static void add_errno_name(struct err *err, int errnum)
{
	const char *name = strerrorname_np(errnum);
	size_t used = strlen(err->text);

	if (name && errnum != 0)
		snprintf(err->text + used, sizeof(err->text) - used, " (%s)",
			 name);
}

/* The name of a test file says nothing to a reader; its size does. */
static void explain_size(struct work *w)
{
	uint64_t bytes = w->spec->cell->workload->core.size_bytes;
	struct err *reason = &w->sample->reason;
	char size[UNITS_TEXT_MAX];

	if (bytes == 0 || w->sample->write.errnum != ENOSPC)
		return;
	units_format_bytes(bytes, size, sizeof(size));
	*reason = (struct err){ 0 };
	err_set(reason, ERR_FAILED,
		"the volume has no room for the workload's %s: %s", size,
		strerrordesc_np(ENOSPC));
}

/* Whether the clock saw nothing but the sample. */
static bool undisturbed(struct work *w)
{
	const char *reason = NULL;

	if (measure_suspended(w->measure))
		reason = "the machine slept during the sample";
	else if (atomic_load(&w->spec->control->continued))
		reason = "the process was stopped for a while";
	if (!reason)
		return true;
	err_set(&w->sample->reason, ERR_FAILED, "%s", reason);
	return fail(w, RECORD_INVALID);
}

void sample_explain_timeout(struct sample *sample, uint64_t timeout_ns)
{
	char limit[UNITS_TEXT_MAX];

	units_format_limit(timeout_ns, limit, sizeof(limit));
	err_set(&sample->reason, ERR_FAILED,
		"took longer than %s (timeout of the matrix)", limit);
}

/* What the end of a phase makes of the sample; whether to go on. */
static bool judge(struct work *w, const struct phase_result *phase)
{
	switch (phase->end) {
	case PHASE_END_STOPPED:
		w->sample->stopped = true;
		return false;
	case PHASE_END_TIMEOUT:
		if (!undisturbed(w))
			return false;
		sample_explain_timeout(w->sample, w->spec->timeout_ns);
		return fail(w, RECORD_TIMEOUT);
	case PHASE_END_CORRUPT:
		return fail(w, RECORD_CORRUPT);
	default:
		break;
	}
	if (phase_end_is_valid(phase->end))
		return true;
	if (phase == &w->sample->write)
		explain_size(w);
	add_errno_name(&w->sample->reason, phase->errnum);
	target_explain(w->target, &w->sample->reason);
	return fail(w, RECORD_FAILED);
}

/* "direct!" means what it says, also where O_DIRECT is taken in name only. */
static bool honoured(struct work *w, const struct phase_result *phase)
{
	if (w->spec->cell->workload->core.io != WORKLOAD_DIRECT_STRICT ||
	    phase->evidence.io != EVIDENCE_IO_DIRECT_IN_NAME)
		return true;
	err_set(&w->sample->reason, ERR_FAILED,
		"direct I/O was taken in name only: a page cache was in "
		"between");
	return fail(w, RECORD_FAILED);
}

static bool write_phase(struct work *w)
{
	struct sample *s = w->sample;

	s->has_write = measure_write(w->measure, target_dir(w->target),
				     &s->write, &s->reason);
	if (!s->has_write) {
		explain_size(w);
		add_errno_name(&s->reason, s->write.errnum);
		target_explain(w->target, &s->reason);
		return fail(w, RECORD_FAILED);
	}
	if (!judge(w, &s->write) || !honoured(w, &s->write))
		return false;
	atomic_store(&w->spec->control->read_bytes, s->write.bytes);
	tell_so_far(w);
	return true;
}

/* Its own time: no phase's clock runs. */
static bool evict(struct work *w)
{
	struct sample *s = w->sample;
	uint64_t start = wait_now_ns();
	bool ok = true;

	if (w->spec->cell->workload->core.read == WORKLOAD_WARM)
		return true;
	step(w, 'E');
	if (is_directory(w))
		ok = measure_evict(w->measure, target_dir(w->target),
				   &s->reason);
	ok = ok && target_evict(w->target, &s->reason);
	s->evict_ns = wait_now_ns() - start;
	return ok || fail(w, RECORD_FAILED);
}

static bool read_phase(struct work *w)
{
	struct sample *s = w->sample;

	s->has_read = measure_read(w->measure, target_dir(w->target), &s->read,
				   &s->reason);
	if (!s->has_read) {
		add_errno_name(&s->reason, s->read.errnum);
		return fail(w, RECORD_FAILED);
	}
	return judge(w, &s->read) && honoured(w, &s->read);
}

static void clean_up(struct work *w)
{
	struct sample *s = w->sample;
	struct err err = { 0 };
	uint64_t start = wait_now_ns();

	step(w, 'C');
	if (w->target)
		keep_facts(w);
	if (w->measure && is_directory(w))
		measure_remove(w->measure, target_dir(w->target), &err);
	measure_free(w->measure);
	target_finish(w->target, &err);
	step(w, 0);
	s->clean_ns = wait_now_ns() - start;
	if (err.code == ERR_NONE)
		return;
	if (s->status == RECORD_OK)
		s->reason = err;
	fail(w, RECORD_FAILED);
}

void sample_measure(const struct sample_spec *spec, struct sample *sample)
{
	struct work w = { .spec = spec, .sample = sample };
	uint64_t deadline =
		spec->timeout_ns ? wait_now_ns() + spec->timeout_ns : 0;

	timestamp_now(sample->started_at);
	atomic_store(&spec->control->deadline_ns, deadline);
	if (is_at_home(&w) && prepare(&w) && begin_measure(&w) &&
	    write_phase(&w) && evict(&w) && read_phase(&w))
		(void)undisturbed(&w);
	if (atomic_load(&spec->control->stop) && sample->status != RECORD_OK)
		sample->stopped = true;
	clean_up(&w);
	timestamp_now(sample->ended_at);
}

void sample_done(struct sample *sample)
{
	free(sample->facts.mkfs_command);
	free(sample->facts.mount_command);
	free(sample->facts.mount_options);
	phase_result_done(&sample->write);
	phase_result_done(&sample->read);
	*sample = (struct sample){ 0 };
}

struct record_sample sample_record(const struct sample *s)
{
	struct record_sample record = {
		.status = s->status,
		.reason = s->status == RECORD_OK ? NULL : s->reason.text,
		.driver = text_or_null(s->facts.driver),
		.device = text_or_null(s->facts.device),
		.mkfs_command = s->facts.mkfs_command,
		.mount_command = s->facts.mount_command,
		.mount_options = s->facts.mount_options,
		.started_at = s->started_at,
		.ended_at = s->ended_at,
		.prepare_ns = s->prepare_ns,
		.evict_ns = s->evict_ns,
		.clean_ns = s->clean_ns,
		.has_write = s->has_write,
		.has_read = s->has_read,
	};

	record.write.result = &s->write;
	record.read.result = &s->read;
	record.read.cached =
		evidence_is_cached(&s->read.evidence, s->read.bytes);
	return record;
}
