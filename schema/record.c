/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/record.h"

#include <stddef.h>
#include <string.h>

static const char *const status_words[] = {
	[RECORD_OK] = "ok",           [RECORD_FAILED] = "failed",
	[RECORD_TIMEOUT] = "timeout", [RECORD_CORRUPT] = "corrupt",
	[RECORD_SKIPPED] = "skipped", [RECORD_STUCK] = "stuck",
	[RECORD_INVALID] = "invalid",
};

const char *record_status_word(enum record_status status)
{
	return status_words[status];
}

bool record_status_parse(const char *word, enum record_status *status)
{
	size_t count = sizeof(status_words) / sizeof(*status_words);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(word, status_words[i]) == 0) {
			*status = (enum record_status)i;
			return true;
		}
	}
	return false;
}

const char *record_io_word(enum workload_io io)
{
	static const char *const words[] = {
		[WORKLOAD_BUFFERED] = "buffered",
		[WORKLOAD_DIRECT] = "direct",
		[WORKLOAD_DIRECT_STRICT] = "direct-strict",
	};

	return words[io];
}

const char *record_io_name(enum workload_io io)
{
	return io == WORKLOAD_DIRECT_STRICT ? "direct!" : record_io_word(io);
}

bool record_io_parse(const char *word, enum workload_io *io)
{
	for (int i = WORKLOAD_BUFFERED; i <= WORKLOAD_DIRECT_STRICT; i++) {
		enum workload_io known = (enum workload_io)i;

		if (strcmp(word, record_io_word(known)) == 0 ||
		    strcmp(word, record_io_name(known)) == 0) {
			*io = known;
			return true;
		}
	}
	return false;
}

const char *record_read_word(enum workload_read read)
{
	return read == WORKLOAD_WARM ? "warm" : "cold";
}

const char *record_verify_word(enum workload_verify verify)
{
	return verify == WORKLOAD_VERIFY_STAMPS ? "stamps" : "bytes";
}

const char *record_evidence_word(enum evidence_io io)
{
	static const char *const words[] = {
		[EVIDENCE_IO_UNKNOWN] = NULL,
		[EVIDENCE_IO_BUFFERED] = "buffered",
		[EVIDENCE_IO_DIRECT] = "direct",
		[EVIDENCE_IO_DIRECT_REFUSED] = "direct-refused",
		[EVIDENCE_IO_DIRECT_IN_NAME] = "direct-in-name",
	};

	return words[io];
}

const char *record_power_word(enum record_power power)
{
	switch (power) {
	case RECORD_POWER_UNKNOWN:
		break;
	case RECORD_POWER_MAINS:
		return "mains";
	case RECORD_POWER_BATTERY:
		return "battery";
	}
	return NULL;
}
