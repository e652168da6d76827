/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/jsonvalue.h"
#include "reports/samples_private.h"

/* As for the comparison: members may be added within a version. */
static void begin_json(FILE *out)
{
	fputs("{\n\"format\": 1,\n\"kb_bytes\": 1024,\n\"samples\": [", out);
}

static bool put_names(json_t *object, const struct record_result *row)
{
	return jsonvalue_put(object, "os", jsonvalue_text(row->os)) &&
	       jsonvalue_put(object, "host", jsonvalue_text(row->host)) &&
	       jsonvalue_put(object, "host_uuid",
			     jsonvalue_text(row->host_uuid)) &&
	       jsonvalue_put(object, "run", json_integer(row->run)) &&
	       jsonvalue_put(object, "run_uuid",
			     jsonvalue_text(row->run_uuid)) &&
	       jsonvalue_put(object, "label", jsonvalue_text(row->label)) &&
	       jsonvalue_put(object, "matrix", jsonvalue_text(row->matrix)) &&
	       jsonvalue_put(object, "source", jsonvalue_text(row->source)) &&
	       jsonvalue_put(object, "volume", jsonvalue_text(row->volume)) &&
	       jsonvalue_put(object, "volume_kind",
			     jsonvalue_text(row->volume_kind)) &&
	       jsonvalue_put(object, "filesystem",
			     jsonvalue_text(row->filesystem)) &&
	       jsonvalue_put(object, "type", jsonvalue_text(row->type)) &&
	       jsonvalue_put(object, "driver", jsonvalue_text(row->driver)) &&
	       jsonvalue_put(object, "workload", jsonvalue_text(row->workload));
}

static bool put_figures(json_t *object, const struct record_result *row)
{
	return jsonvalue_put(object, "bytes",
			     jsonvalue_count(row->bytes, -1)) &&
	       jsonvalue_put(object, "seconds",
			     jsonvalue_number(row->seconds)) &&
	       jsonvalue_put(object, "flush_seconds",
			     jsonvalue_number(row->flush_seconds)) &&
	       jsonvalue_put(object, "kb_per_s",
			     jsonvalue_number(row->kb_per_s)) &&
	       jsonvalue_put(object, "app_kb_per_s",
			     jsonvalue_number(row->app_kb_per_s)) &&
	       jsonvalue_put(object, "sustained_kb_per_s",
			     jsonvalue_number(row->sustained_kb_per_s)) &&
	       jsonvalue_put(object, "user_seconds",
			     jsonvalue_number(row->user_seconds)) &&
	       jsonvalue_put(object, "system_seconds",
			     jsonvalue_number(row->system_seconds));
}

static bool put_evidence(json_t *object, const struct record_result *row)
{
	return jsonvalue_put(object, "end", jsonvalue_text(row->end)) &&
	       jsonvalue_put(object, "cached", json_boolean(row->cached)) &&
	       jsonvalue_put(object, "shortened",
			     json_boolean(row->shortened)) &&
	       jsonvalue_put(object, "io_asked",
			     jsonvalue_text(row->io_asked)) &&
	       jsonvalue_put(object, "io_effective",
			     jsonvalue_text(row->io_effective)) &&
	       jsonvalue_put(object, "files",
			     jsonvalue_count(row->files, -1)) &&
	       jsonvalue_put(object, "resident_bytes",
			     jsonvalue_count(row->resident_bytes, -1)) &&
	       jsonvalue_put(object, "device_bytes",
			     jsonvalue_count(row->device_bytes, -1)) &&
	       jsonvalue_put(object, "process_bytes",
			     jsonvalue_count(row->process_bytes, -1));
}

static bool put_latency(json_t *object, const struct record_latency *latency)
{
	bool known = latency->count > 0;
	json_t *value = known ? json_object() : json_null();

	if (known && value &&
	    !(jsonvalue_put(value, "count", json_integer(latency->count)) &&
	      jsonvalue_put(value, "p50_ns", json_integer(latency->p50_ns)) &&
	      jsonvalue_put(value, "p90_ns", json_integer(latency->p90_ns)) &&
	      jsonvalue_put(value, "p99_ns", json_integer(latency->p99_ns)) &&
	      jsonvalue_put(value, "p99_9_ns",
			    json_integer(latency->p99_9_ns)) &&
	      jsonvalue_put(value, "max_ns", json_integer(latency->max_ns)))) {
		json_decref(value);
		value = NULL;
	}
	return jsonvalue_put(object, "latency", value);
}

bool samples_put_settings(json_t *object, const struct workload *w)
{
	static const struct workload none;
	const char *io = w ? record_io_name(w->io) : NULL;
	const char *read = w ? record_read_word(w->read) : NULL;
	const char *verify = w ? record_verify_word(w->verify) : NULL;

	if (!w)
		w = &none;
	return jsonvalue_put(object, "block_bytes",
			     jsonvalue_count((int64_t)w->block_bytes, 0)) &&
	       jsonvalue_put(object, "size_bytes",
			     jsonvalue_count((int64_t)w->size_bytes, 0)) &&
	       jsonvalue_put(object, "duration_ns",
			     jsonvalue_count((int64_t)w->duration_ns, 0)) &&
	       jsonvalue_put(
		       object, "file_limit_bytes",
		       jsonvalue_count((int64_t)w->file_limit_bytes, 0)) &&
	       jsonvalue_put(object, "io", jsonvalue_text(io)) &&
	       jsonvalue_put(object, "read", jsonvalue_text(read)) &&
	       jsonvalue_put(object, "depth", jsonvalue_count(w->depth, 0)) &&
	       jsonvalue_put(object, "streams",
			     jsonvalue_count(w->streams, 0)) &&
	       jsonvalue_put(object, "verify", jsonvalue_text(verify));
}

bool samples_put_phase(json_t *object, const struct record_result *row)
{
	return put_figures(object, row) && put_evidence(object, row) &&
	       put_latency(object, &row->latency);
}

static json_t *object_of(const struct samples_row *sample)
{
	const struct record_result *row = sample->result;
	bool measured = row->sample != 0;
	char op[2] = { row->op, '\0' };
	const char *baseline = *sample->baseline ? sample->baseline : NULL;
	json_t *object = json_object();

	if (object && put_names(object, row) &&
	    jsonvalue_put(object, "machine_id",
			  jsonvalue_text(sample->machine_id)) &&
	    jsonvalue_put(object, "baseline", jsonvalue_text(baseline)) &&
	    jsonvalue_put(object, "sample_uuid",
			  jsonvalue_text(row->sample_uuid)) &&
	    jsonvalue_put(object, "round", jsonvalue_count(row->round, 0)) &&
	    jsonvalue_put(object, "position",
			  jsonvalue_count(row->position, 0)) &&
	    jsonvalue_put(object, "op", jsonvalue_text(row->op ? op : NULL)) &&
	    jsonvalue_put(object, "status",
			  json_string(measured ? record_status_word(row->status)
					       : "n/a")) &&
	    jsonvalue_put(object, "reason", jsonvalue_text(row->reason)) &&
	    samples_put_settings(object, sample->settings) &&
	    samples_put_phase(object, row) &&
	    jsonvalue_put(object, "started_at",
			  jsonvalue_text(row->started_at)) &&
	    jsonvalue_put(object, "ended_at", jsonvalue_text(row->ended_at)))
		return object;
	json_decref(object);
	return NULL;
}

static bool put_json(const struct samples_row *sample, bool first, FILE *out,
		     struct err *err)
{
	json_t *object = object_of(sample);

	if (!object)
		return err_nomem(err);
	fputs(first ? "\n" : ",\n", out);
	/* What cannot be written shows in ferror(out). */
	(void)jsonvalue_print(object, JSON_COMPACT, out);
	json_decref(object);
	return true;
}

static void end_json(FILE *out)
{
	fputs("\n]\n}\n", out);
}

const struct samples_format samples_json = {
	.name = "json", .begin = begin_json, .put = put_json, .end = end_json
};
