/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/phase.h"

#include "core/hist.h"
#include "core/series.h"

void phase_result_init(struct phase_result *result)
{
	*result = (struct phase_result){
		.evidence = { .resident_bytes = EVIDENCE_UNKNOWN,
			      .device_bytes = EVIDENCE_UNKNOWN,
			      .process_bytes = EVIDENCE_UNKNOWN },
	};
}

void phase_result_done(struct phase_result *result)
{
	hist_free(result->latency);
	series_free(result->series);
	*result = (struct phase_result){ 0 };
}

const char *phase_end_word(enum phase_end end)
{
	switch (end) {
	case PHASE_END_NONE:
		break;
	case PHASE_END_SIZE:
		return "size";
	case PHASE_END_FULL:
		return "full";
	case PHASE_END_QUOTA:
		return "quota";
	case PHASE_END_LIMIT:
		return "limit";
	case PHASE_END_DURATION:
		return "duration";
	case PHASE_END_READ_NOW:
		return "shortened";
	case PHASE_END_STOPPED:
		return "stopped";
	case PHASE_END_TIMEOUT:
		return "timeout";
	case PHASE_END_ERROR:
		return "error";
	case PHASE_END_CORRUPT:
		return "corrupt";
	}
	return "none";
}

bool phase_end_is_valid(enum phase_end end)
{
	switch (end) {
	case PHASE_END_SIZE:
	case PHASE_END_FULL:
	case PHASE_END_QUOTA:
	case PHASE_END_LIMIT:
	case PHASE_END_DURATION:
	case PHASE_END_READ_NOW:
		return true;
	case PHASE_END_NONE:
	case PHASE_END_STOPPED:
	case PHASE_END_TIMEOUT:
	case PHASE_END_ERROR:
	case PHASE_END_CORRUPT:
		break;
	}
	return false;
}
