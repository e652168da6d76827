/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/measure.h"

void measure_control_reset(struct measure_control *control)
{
	atomic_store(&control->read_now, false);
	atomic_store(&control->continued, false);
	atomic_store(&control->deadline_ns, 0);
	atomic_store(&control->read_bytes, 0);
	atomic_store(&control->write_ns, 0);
	measure_control_enter(control, 0, 0);
	atomic_store(&control->done_bytes, 0);
	atomic_store(&control->paused_ns, 0);
}

/* Whoever sees a phase sees nothing of another with it. */
void measure_control_enter(struct measure_control *control, int phase,
			   uint64_t now_ns)
{
	atomic_store(&control->phase, 0);
	if (phase == 'W' || phase == 'R') {
		atomic_store(&control->done_bytes, 0);
		atomic_store(&control->paused_ns, 0);
	}
	atomic_store(&control->phase_ns, now_ns);
	atomic_store(&control->phase, phase);
}

bool measure_control_partial(const struct measure_control *control,
			     uint64_t now_ns, struct phase_result *out)
{
	uint64_t paused_ns, write_ns, start_ns, bytes, passed_ns;
	int phase;

	/* it may go on meanwhile: all of it is to be of one moment's phase */
	do {
		phase = atomic_load(&control->phase);
		start_ns = atomic_load(&control->phase_ns);
		paused_ns = atomic_load(&control->paused_ns);
		write_ns = atomic_load(&control->write_ns);
		bytes = atomic_load(&control->done_bytes);
	} while (phase != atomic_load(&control->phase) ||
		 start_ns != atomic_load(&control->phase_ns));
	if ((phase != 'W' && phase != 'F' && phase != 'R') || start_ns == 0 ||
	    now_ns <= start_ns)
		return false;
	passed_ns = now_ns - start_ns;
	phase_result_init(out);
	out->bytes = bytes;
	if (phase == 'F') {
		out->app_ns = write_ns;
		out->flush_ns = passed_ns;
	} else {
		out->app_ns = passed_ns > paused_ns ? passed_ns - paused_ns : 0;
	}
	return true;
}
