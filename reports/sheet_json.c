/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "reports/runs_private.h"
#include "reports/samples_private.h"
#include "reports/sheet_private.h"

enum {
	FORMAT = 1,
	STYLE = JSON_COMPACT | JSON_REAL_PRECISION(15),
};

static bool text(json_t *object, const char *key, const char *value)
{
	return jsonvalue_put(object, key, jsonvalue_text(value));
}

static bool count(json_t *object, const char *key, int64_t value,
		  int64_t absent)
{
	return jsonvalue_put(object, key, jsonvalue_count(value, absent));
}

/* `object` under a key of the document; it is freed. */
static bool print_member(struct sheet *sheet, const char *key, json_t *object)
{
	if (object) {
		fprintf(sheet->view->out, "\"%s\": ", key);
		/* What cannot be written shows in ferror(). */
		(void)jsonvalue_print(object, STYLE, sheet->view->out);
		fputs(",\n", sheet->view->out);
	}
	json_decref(object);
	return object;
}

static bool put_conditions(json_t *object, const struct record_conditions *c)
{
	return text(object, "cpu_governor", c->governor) &&
	       text(object, "power", record_power_word(c->power)) &&
	       jsonvalue_put(object, "temperature_celsius",
			     jsonvalue_number(
				     c->has_temperature
					     ? (double)c->temperature_mc / 1000
					     : NAN));
}

static json_t *host_of(const struct record_host *host)
{
	json_t *object = json_object();

	if (object && text(object, "uuid", host->uuid) &&
	    text(object, "name", host->name) && text(object, "os", host->os) &&
	    text(object, "distribution", host->distribution) &&
	    text(object, "kernel", host->kernel) &&
	    text(object, "machine", host->machine) &&
	    text(object, "cpu", host->cpu) &&
	    count(object, "cpus", host->cpus, 0) &&
	    count(object, "memory_bytes", host->memory_bytes, 0) &&
	    text(object, "virtualization", host->virtualization) &&
	    text(object, "machine_id", host->machine_id))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *run_of(const struct record_run_info *info,
		      const struct record_listed *listed)
{
	const struct record_run *run = &info->run;
	json_t *object = json_object();
	char seed[24];

	/* More than a number of JSON can be trusted with. */
	snprintf(seed, sizeof(seed), "%" PRIu64, run->seed);
	if (object && runs_put_json(object, listed) &&
	    text(object, "seed", run->matrix_text ? seed : NULL) &&
	    text(object, "baseline_dimension", run->baseline_dimension) &&
	    text(object, "baseline_value", run->baseline) &&
	    text(object, "program", run->program) &&
	    text(object, "matrix_path", run->matrix_path) &&
	    text(object, "matrix_text", run->matrix_text) &&
	    put_conditions(object, &run->conditions))
		return object;
	json_decref(object);
	return NULL;
}

bool sheet_json_run(struct sheet *sheet, const struct record_run_info *info,
		    const struct record_listed *listed, struct err *err)
{
	FILE *out = sheet->view->out;

	fprintf(out, "{\n\"format\": %d,\n\"kb_bytes\": 1024,\n", FORMAT);
	if (!print_member(sheet, "run", run_of(info, listed)) ||
	    !print_member(sheet, "host", host_of(&info->host)))
		return err_nomem(err);
	fputs("\"cells\": [", out);
	return true;
}

static json_t *disk_of(const struct record_disk *disk)
{
	json_t *object = json_object();

	if (object && text(object, "name", disk->name) &&
	    text(object, "vendor", disk->vendor) &&
	    text(object, "model", disk->model) &&
	    text(object, "firmware", disk->firmware) &&
	    count(object, "bytes", disk->bytes, 0) &&
	    jsonvalue_put(object, "rotational",
			  json_boolean(disk->rotational)) &&
	    text(object, "scheduler", disk->scheduler) &&
	    text(object, "write_cache", disk->write_cache))
		return object;
	json_decref(object);
	return NULL;
}

bool sheet_json_cell(struct sheet *sheet, const struct record_cell_info *info,
		     struct err *err)
{
	const struct record_cell *cell = &info->cell;
	json_t *object = json_object();

	sheet->cell = object;
	sheet->samples = json_array();
	if (sheet->samples && object && text(object, "volume", cell->volume) &&
	    text(object, "volume_kind", cell->volume_kind) &&
	    text(object, "volume_path", cell->volume_path) &&
	    jsonvalue_put(object, "disk",
			  cell->disk ? disk_of(cell->disk) : json_null()) &&
	    text(object, "filesystem", cell->filesystem) &&
	    text(object, "type", cell->type) &&
	    text(object, "workload", cell->workload) &&
	    samples_put_settings(object, cell->settings) &&
	    jsonvalue_put(object, "is_base", json_boolean(sheet->base)))
		return true;
	return err_nomem(err);
}

bool sheet_json_setup(struct sheet *sheet, const struct record_setup *setup,
		      struct err *err)
{
	json_t *object = json_object();

	if (object && count(object, "sample", setup->sample, 0) &&
	    text(object, "driver", setup->driver) &&
	    text(object, "device", setup->device) &&
	    text(object, "mkfs_command", setup->mkfs_command) &&
	    text(object, "mount_command", setup->mount_command) &&
	    text(object, "mount_options", setup->mount_options) &&
	    count(object, "prepare_ns", setup->prepare_ns, -1) &&
	    count(object, "evict_ns", setup->evict_ns, -1) &&
	    count(object, "clean_ns", setup->clean_ns, -1) &&
	    put_conditions(object, &setup->conditions) &&
	    text(object, "kernel_messages", setup->kernel_messages) &&
	    json_array_append(sheet->samples, object) == 0) {
		json_decref(object);
		return true;
	}
	json_decref(object);
	return err_nomem(err);
}

/* As a part of the file, where both are known. */
static double part_of(int64_t bytes, const struct record_result *r)
{
	return bytes >= 0 && r->bytes > 0 ? (double)bytes / (double)r->bytes
					  : NAN;
}

static json_t *phase_of(const struct record_result *r)
{
	json_t *object = json_object();

	if (object && samples_put_phase(object, r) &&
	    jsonvalue_put(object, "cache_error_pct",
			  jsonvalue_number(100 * sheet_cache_error(r))) &&
	    jsonvalue_put(object, "resident_share",
			  jsonvalue_number(part_of(r->resident_bytes, r))) &&
	    jsonvalue_put(object, "device_bytes_per_byte",
			  jsonvalue_number(part_of(r->device_bytes, r))) &&
	    count(object, "voluntary_switches", r->voluntary_switches, -1) &&
	    count(object, "involuntary_switches", r->involuntary_switches, -1))
		return object;
	json_decref(object);
	return NULL;
}

/* Results come in the order of the setups: the one that is of this sample. */
static json_t *sample_of(struct sheet *sheet, int64_t sample)
{
	size_t count = json_array_size(sheet->samples);

	for (; sheet->sample < count; sheet->sample++) {
		json_t *object = json_array_get(sheet->samples, sheet->sample);

		if (json_integer_value(json_object_get(object, "sample")) ==
		    sample)
			return object;
	}
	return NULL;
}

bool sheet_json_result(struct sheet *sheet, const struct record_result *r,
		       struct err *err)
{
	json_t *object = sample_of(sheet, r->sample);

	if (object && text(object, "uuid", r->sample_uuid) &&
	    count(object, "round", r->round, 0) &&
	    count(object, "position", r->position, 0) &&
	    text(object, "status", record_status_word(r->status)) &&
	    text(object, "reason", r->reason) &&
	    text(object, "started_at", r->started_at) &&
	    text(object, "ended_at", r->ended_at) &&
	    jsonvalue_put(object, r->op == 'W' ? "write" : "read", phase_of(r)))
		return true;
	return err_nomem(err);
}

bool sheet_json_cell_end(struct sheet *sheet, struct err *err)
{
	FILE *out = sheet->view->out;

	if (json_object_set(sheet->cell, "samples", sheet->samples) != 0)
		return err_nomem(err);
	fputs(sheet->cells > 0 ? ",\n" : "\n", out);
	(void)jsonvalue_print(sheet->cell, STYLE, out);
	return true;
}

bool sheet_json_end(struct sheet *sheet, struct err *err)
{
	(void)err;
	fputs("\n]\n}\n", sheet->view->out);
	return true;
}
