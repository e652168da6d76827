/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/hist.h"
#include "core/series.h"
#include "runner/worker.h"

enum { TEXT_MAX = 1 << 20 }; /* of one of a sample's texts */

/* Both ends are the same program: records go as they lie in memory. */
static bool put(FILE *to, const void *data, size_t size)
{
	return fwrite(data, size, 1, to) == 1;
}

static bool get(FILE *from, void *data, size_t size)
{
	return fread(data, size, 1, from) == 1;
}

static bool put_text(FILE *to, const char *text)
{
	int64_t length = text ? (int64_t)strlen(text) : -1;

	return put(to, &length, sizeof(length)) &&
	       (length <= 0 || put(to, text, (size_t)length));
}

static bool get_text(FILE *from, char **text)
{
	int64_t length;

	if (!get(from, &length, sizeof(length)) || length > TEXT_MAX)
		return false;
	if (length < 0)
		return true;
	*text = calloc((size_t)length + 1, 1);
	return *text && (length == 0 || get(from, *text, (size_t)length));
}

/* The last bucket goes by the exact maximum, which lies in it. */
static bool put_hist(FILE *to, const struct hist *h)
{
	struct hist_bucket bucket, end = { 0 };
	size_t cursor = 0;

	while (h && hist_next(h, &cursor, &bucket)) {
		if (bucket.bound_ns > hist_max(h))
			bucket.bound_ns = hist_max(h);
		if (!put(to, &bucket, sizeof(bucket)))
			return false;
	}
	return put(to, &end, sizeof(end));
}

static bool get_hist(FILE *from, struct hist **h)
{
	struct hist_bucket bucket;

	*h = hist_new();
	while (*h && get(from, &bucket, sizeof(bucket))) {
		if (bucket.count == 0)
			return true;
		hist_record_many(*h, bucket.bound_ns, bucket.count);
	}
	return false;
}

static bool put_series(FILE *to, const struct series *s)
{
	uint64_t interval = s ? series_interval_ns(s) : 0;
	uint64_t count = s ? series_count(s) : 0;

	if (!put(to, &interval, sizeof(interval)) ||
	    !put(to, &count, sizeof(count)))
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = series_bytes(s, i);

		if (!put(to, &bytes, sizeof(bytes)))
			return false;
	}
	return true;
}

static bool get_series(FILE *from, struct series **s)
{
	uint64_t interval, count, bytes;

	*s = series_new();
	if (!*s || !get(from, &interval, sizeof(interval)) ||
	    !get(from, &count, sizeof(count)) || count > SERIES_MAX)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (!get(from, &bytes, sizeof(bytes)))
			return false;
		/* its end would be the next one's beginning, and need room */
		series_add(*s, i * interval, (i + 1) * interval - 1, bytes);
	}
	return true;
}

static bool put_phase(FILE *to, const struct phase_result *phase)
{
	return put(to, phase, sizeof(*phase)) && put_hist(to, phase->latency) &&
	       put_series(to, phase->series);
}

static bool get_phase(FILE *from, struct phase_result *phase)
{
	struct phase_result sent;

	if (!get(from, &sent, sizeof(sent)))
		return false;
	sent.latency = NULL;
	sent.series = NULL;
	*phase = sent;
	return get_hist(from, &phase->latency) &&
	       get_series(from, &phase->series);
}

bool worker_send(const struct sample *sample, FILE *to)
{
	const struct target_facts *facts = &sample->facts;

	return put(to, sample, sizeof(*sample)) &&
	       put_text(to, facts->mkfs_command) &&
	       put_text(to, facts->mount_command) &&
	       put_text(to, facts->mount_options) &&
	       put_phase(to, &sample->write) && put_phase(to, &sample->read) &&
	       fflush(to) == 0;
}

bool worker_receive(struct sample *sample, FILE *from)
{
	struct sample sent;

	if (!get(from, &sent, sizeof(sent)))
		return false;
	/* The sender's pointers mean nothing here. */
	sent.facts.mkfs_command = NULL;
	sent.facts.mount_command = NULL;
	sent.facts.mount_options = NULL;
	sent.write = (struct phase_result){ 0 };
	sent.read = (struct phase_result){ 0 };
	if (get_text(from, &sent.facts.mkfs_command) &&
	    get_text(from, &sent.facts.mount_command) &&
	    get_text(from, &sent.facts.mount_options) &&
	    get_phase(from, &sent.write) && get_phase(from, &sent.read)) {
		sample_done(sample);
		*sample = sent;
		return true;
	}
	sample_done(&sent);
	return false;
}
