/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/dataset.h"

#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/units.h"
#include "reports/intern.h"
#include "reports/machines.h"
#include "reports/settings.h"
#include "reports/stats.h"

static const char *const dimension_names[DATASET_DIMENSIONS] = {
	[DATASET_OS] = "os",
	[DATASET_HOST] = "host",
	[DATASET_RUN] = "run",
	[DATASET_LABEL] = "label",
	[DATASET_MATRIX] = "matrix",
	[DATASET_VOLUME] = "volume",
	[DATASET_FILESYSTEM] = "filesystem",
	[DATASET_DRIVER] = "driver",
	[DATASET_WORKLOAD] = "workload",
	[DATASET_SETTINGS] = "settings",
};

const char *dataset_dimension_name(enum dataset_dimension dimension)
{
	return dimension_names[dimension];
}

bool dataset_dimension_parse(const char *name,
			     enum dataset_dimension *dimension, struct err *err)
{
	if (strcasecmp(name, "fs") == 0)
		name = "filesystem";
	if (strcasecmp(name, "drive") == 0)
		name = "volume";
	for (size_t i = 0; i < DATASET_DIMENSIONS; i++) {
		if (strcasecmp(name, dimension_names[i]) == 0) {
			*dimension = (enum dataset_dimension)i;
			return true;
		}
	}
	return err_set(err, ERR_INPUT,
		       "no dimension %s; there are " DATASET_DIMENSION_NAMES,
		       name);
}

/* NULL when out of memory. */
static const char *intern(struct dataset *data, const char *text)
{
	return intern_text(&data->strings, text ? text : "");
}

/* Where in the array the cell of an id is. */
struct indexed {
	int64_t id;
	size_t at;
};

static int by_id(const void *a, const void *b)
{
	int64_t x = ((const struct indexed *)a)->id;
	int64_t y = ((const struct indexed *)b)->id;

	return (x > y) - (x < y);
}

static struct dataset_cell *find(const struct dataset *data, int64_t id)
{
	struct indexed wanted = { .id = id };
	struct indexed **node;

	/* Rows come cell by cell. */
	if (data->count > 0 && data->cells[data->count - 1].id == id)
		return &data->cells[data->count - 1];
	node = tfind(&wanted, &data->index, by_id);
	return node ? &data->cells[(*node)->at] : NULL;
}

const struct dataset_cell *dataset_find(const struct dataset *data, int64_t id)
{
	return find(data, id);
}

static bool index_cell(struct dataset *data, int64_t id)
{
	struct indexed *added = malloc(sizeof(*added));

	if (!added)
		return false;
	*added = (struct indexed){ .id = id, .at = data->count };
	if (tsearch(added, &data->index, by_id))
		return true;
	free(added);
	return false;
}

static bool name_cell(struct dataset *data, struct dataset_cell *cell,
		      const struct record_result *row)
{
	char run[32];
	const char *names[DATASET_DIMENSIONS] = {
		[DATASET_OS] = row->os,
		[DATASET_HOST] = row->host,
		[DATASET_RUN] = run,
		[DATASET_LABEL] = row->label,
		[DATASET_MATRIX] = row->matrix,
		[DATASET_VOLUME] = row->volume,
		[DATASET_FILESYSTEM] = row->filesystem,
		[DATASET_DRIVER] = row->driver,
		[DATASET_WORKLOAD] = row->workload,
	};

	snprintf(run, sizeof(run), "%" PRId64, row->run);
	for (size_t i = 0; i < DATASET_DIMENSIONS; i++) {
		cell->names[i] = intern(data, names[i]);
		if (!cell->names[i])
			return false;
	}
	return true;
}

static const char *machine_of(const char *id, const char *host, const char *os)
{
	if (id)
		return id;
	return host && *host ? host : os;
}

static struct dataset_cell *add_cell(struct dataset *data,
				     const struct record_result *row)
{
	struct dataset_cell *cell = find(data, row->cell), *cells;
	size_t room = data->room ? 2 * data->room : 16;

	if (cell)
		return cell;
	if (!data->cells || data->count == data->room) {
		cells = reallocarray(data->cells, room, sizeof(*cells));
		if (!cells)
			return NULL;
		data->cells = cells;
		data->room = room;
	}
	cell = &data->cells[data->count];
	*cell = (struct dataset_cell){
		.id = row->cell,
		.run = row->run,
		.base = row->base_cell,
		.directory = row->volume_kind &&
			     strcmp(row->volume_kind, "directory") == 0,
	};
	cell->machine =
		intern(data, machine_of(row->machine_id, row->host, row->os));
	cell->type = intern(data, row->type);
	if (!cell->machine || !cell->type || !name_cell(data, cell, row) ||
	    !index_cell(data, row->cell))
		return NULL;
	cell->host = cell->names[DATASET_HOST];
	data->count++;
	return cell;
}

bool dataset_add_cell(struct dataset *data, const struct record_result *row,
		      const struct workload *settings, struct err *err)
{
	struct dataset_cell *cell = add_cell(data, row);
	const char *interned;
	char text[SETTINGS_SIZE] = "";

	if (!cell)
		return err_nomem(err);
	if (!settings)
		return true;
	settings_text(settings, text);
	interned = intern(data, text);
	if (!interned)
		return err_nomem(err);
	cell->names[DATASET_SETTINGS] = interned;
	return true;
}

bool dataset_set_site(struct dataset *data, int64_t cell,
		      const struct record_site *site, struct err *err)
{
	return site_set(&find(data, cell)->site, &data->strings, site) ||
	       err_nomem(err);
}

/* Whether the list "a, b" has `name`. */
static bool lists(const char *list, const char *name)
{
	size_t length = strlen(name);
	const char *at = list;

	while ((at = strstr(at, name))) {
		bool starts = at == list || at[-1] == ' ';

		at += length;
		if (starts && (*at == '\0' || *at == ','))
			return true;
	}
	return false;
}

/* A driver is found anew with each sample; seldom is there more than one. */
static bool note_driver(struct dataset *data, struct dataset_cell *cell,
			const char *driver)
{
	const char **known = &cell->names[DATASET_DRIVER];
	const char *interned;
	char *both;

	if (!driver || !*driver || lists(*known, driver))
		return true;
	if (asprintf(&both, "%s%s%s", *known, **known ? ", " : "", driver) < 0)
		return false;
	interned = intern(data, both);
	free(both);
	if (interned)
		*known = interned;
	return interned;
}

/* A directory's own filesystem is known once something was measured. */
static bool note_filesystem(struct dataset *data, struct dataset_cell *cell,
			    const char *filesystem)
{
	const char **known = &cell->names[DATASET_FILESYSTEM];

	if (!**known)
		*known = intern(data, filesystem);
	return *known;
}

static double rate_of(const struct record_result *row,
		      enum dataset_metric metric)
{
	if (row->op == 'W' && metric == DATASET_APP)
		return row->app_kb_per_s;
	if (row->op == 'W' && metric == DATASET_SUSTAINED)
		return row->sustained_kb_per_s;
	return row->kb_per_s;
}

static unsigned int flags_of(const struct record_result *row)
{
	unsigned int flags = 0;

	if (row->cached)
		flags |= DATASET_CACHED;
	if (row->shortened)
		flags |= DATASET_SHORTENED;
	if (row->io_asked && row->io_effective &&
	    strncmp(row->io_asked, "direct", 6) == 0 &&
	    strcmp(row->io_effective, "direct") != 0)
		flags |= DATASET_BUFFERED;
	if (row->files > 1)
		flags |= DATASET_FILES;
	return flags;
}

/* NULL when out of memory. */
static struct dataset_sample *append(struct dataset_samples *samples,
				     bool detailed)
{
	size_t room = samples->room ? 2 * samples->room : 8;
	struct dataset_sample *items;
	struct detail *details;

	if (samples->count < samples->room)
		return &samples->items[samples->count++];
	items = reallocarray(samples->items, room, sizeof(*items));
	if (!items)
		return NULL;
	samples->items = items;
	if (detailed) {
		details =
			reallocarray(samples->details, room, sizeof(*details));
		if (!details)
			return NULL;
		samples->details = details;
	}
	samples->room = room;
	return &samples->items[samples->count++];
}

bool dataset_add(struct dataset *data, const struct record_result *row,
		 struct err *err)
{
	struct dataset_cell *cell = add_cell(data, row);
	struct dataset_samples *samples;
	struct dataset_sample *sample;
	const char *reason = NULL;

	if (!cell || !note_driver(data, cell, row->driver) ||
	    !note_filesystem(data, cell, row->filesystem))
		return err_nomem(err);
	if (row->status != RECORD_OK) {
		reason = intern(data, row->reason);
		if (!reason)
			return err_nomem(err);
	}
	samples = row->op == 'W' ? &cell->writes : &cell->reads;
	sample = append(samples, data->detailed);
	if (!sample)
		return err_nomem(err);
	if (data->detailed)
		samples->details[samples->count - 1] = detail_of(row);
	*sample = (struct dataset_sample){
		.round = row->round,
		.kb_per_s = rate_of(row, data->metric),
		.brief = row->seconds > 0 && row->seconds < 1,
		.app_kb_per_s = row->op == 'W' ? row->app_kb_per_s : NAN,
		.reason = reason,
		.status = (uint8_t)row->status,
		.flags = (uint8_t)flags_of(row),
		.errnum = (int16_t)row->errnum,
	};
	return true;
}

const struct dataset_samples *dataset_op(const struct dataset_cell *cell,
					 char op)
{
	return op == 'W' ? &cell->writes : &cell->reads;
}

/* Where more samples could come from. */
static void note_rounds(struct dataset *data,
			const struct record_run_info *info)
{
	if (info->run.rounds == 0)
		data->unknown_rounds = true;
	else if (info->run.rounds < STATS_LEAST)
		data->few_rounds = true;
	else if (info->status && strcmp(info->status, "done") != 0 &&
		 strcmp(info->status, "running") != 0)
		data->unfinished = true;
}

static bool add_plan(struct dataset *data, const struct record_run_info *info)
{
	const char *source = info->run.source;
	struct dataset_plan *plans, plan = {
		.run = info->id,
		.imported = source && strcmp(source, "import") == 0,
		.dimension = intern(data, info->run.baseline_dimension),
		.baseline = intern(data, info->run.baseline),
	};

	plans = reallocarray(data->plans, data->plan_count + 1, sizeof(*plans));
	if (!plans)
		return false;
	data->plans = plans;
	plans[data->plan_count++] = plan;
	return plan.dimension && plan.baseline;
}

const struct dataset_plan *dataset_plan(const struct dataset *data, int64_t run)
{
	for (size_t i = 0; i < data->plan_count; i++) {
		if (data->plans[i].run == run)
			return &data->plans[i];
	}
	return NULL;
}

bool dataset_add_run(struct dataset *data, const struct record_run_info *info,
		     struct err *err)
{
	struct dataset_run *runs, *run;

	note_rounds(data, info);
	if (!add_plan(data, info))
		return err_nomem(err);
	if (!data->detailed)
		return true;
	runs = reallocarray(data->runs, data->run_count + 1, sizeof(*runs));
	if (!runs)
		return err_nomem(err);
	data->runs = runs;
	run = &runs[data->run_count++];
	*run = (struct dataset_run){
		.id = info->id,
		.label = intern(data, info->run.label),
		.matrix = intern(data, info->run.matrix),
		.host = intern(data, info->host.name),
		.os = intern(data, info->host.os),
		.cpu = intern(data, info->host.cpu),
		.virtualization = intern(data, info->host.virtualization),
		.program = intern(data, info->run.program),
		.status = intern(data, info->status),
		.started_at = intern(data, info->run.started_at),
		.ended_at = intern(data, info->ended_at),
		.machine = intern(data,
				  machine_of(info->host.machine_id,
					     info->host.name, info->host.os)),
		.memory_bytes = info->host.memory_bytes,
	};
	return (run->label && run->matrix && run->host && run->os && run->cpu &&
		run->virtualization && run->program && run->status &&
		run->started_at && run->ended_at && run->machine) ||
	       err_nomem(err);
}

/* *name becomes longer where it alone does not tell the machine. */
static bool name_machine(struct dataset *data, struct machines *machines,
			 const char *id, const char **name)
{
	char full[MACHINES_NAME_SIZE];
	size_t at;

	if (!machines_note(machines, *name, id, &at))
		return false;
	if (machines_name(machines, at, full))
		*name = intern(data, full);
	return *name;
}

bool dataset_name_machines(struct dataset *data, struct err *err)
{
	struct machines machines = { 0 };
	bool ok = true;
	size_t at;

	for (size_t i = 0; ok && i < data->count; i++)
		ok = machines_note(&machines, data->cells[i].host,
				   data->cells[i].machine, &at);
	for (size_t i = 0; ok && i < data->count; i++)
		ok = name_machine(data, &machines, data->cells[i].machine,
				  &data->cells[i].names[DATASET_HOST]);
	for (size_t i = 0; ok && i < data->run_count; i++)
		ok = name_machine(data, &machines, data->runs[i].machine,
				  &data->runs[i].host);
	machines_done(&machines);
	return ok || err_nomem(err);
}

static void samples_done(struct dataset_samples *samples)
{
	for (size_t i = 0; samples->details && i < samples->count; i++)
		detail_done(&samples->details[i]);
	free(samples->details);
	free(samples->items);
}

void dataset_done(struct dataset *data)
{
	for (size_t i = 0; i < data->count; i++) {
		samples_done(&data->cells[i].writes);
		samples_done(&data->cells[i].reads);
	}
	free(data->cells);
	free(data->runs);
	free(data->plans);
	tdestroy(data->strings, free);
	tdestroy(data->index, free);
	*data = (struct dataset){ 0 };
}
