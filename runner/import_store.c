/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "runner/command.h"
#include "runner/import_private.h"
#include "runner/timestamp.h"

/* A namespace of our own, for hosts that are known by name only. */
static const uuid_t host_namespace = { 0x6f, 0x1d, 0x0c, 0x52, 0x8e, 0x0b,
				       0x4b, 0x57, 0x9f, 0x3a, 0x21, 0xc4,
				       0x5a, 0x77, 0xe6, 0x90 };

static void host_of(const struct import_run *run, struct record_host *host)
{
	uuid_t uuid;
	char name[1024];

	snprintf(name, sizeof(name), "%s\n%s%s%s", run->names[IMPORT_OS],
		 run->names[IMPORT_HOST], *run->machine_id ? "\n" : "",
		 run->machine_id);
	uuid_generate_sha1(uuid, host_namespace, name, strlen(name));
	*host = (struct record_host){ .os = run->names[IMPORT_OS] };
	/* As its own machine knows it. */
	if (*run->host_uuid)
		memcpy(host->uuid, run->host_uuid, sizeof(host->uuid));
	else
		uuid_unparse_lower(uuid, host->uuid);
	if (*run->machine_id)
		host->machine_id = run->machine_id;
	if (*run->names[IMPORT_HOST])
		host->name = run->names[IMPORT_HOST];
}

static void new_uuid(char out[37])
{
	uuid_t uuid;

	uuid_generate_random(uuid);
	uuid_unparse_lower(uuid, out);
}

/* "article" of "results/article.csv"; owned. */
static char *file_name(const char *source)
{
	const char *slash = strrchr(source, '/');
	char *name = text_safe(slash ? slash + 1 : source);
	char *dot = name ? strrchr(name, '.') : NULL;

	if (dot && dot > name && strcmp(dot, ".csv") == 0)
		*dot = '\0';
	return name;
}

/* Which runs of the file there are already. */
static bool find_known(struct import *im)
{
	for (size_t i = 0; !im->again && i < im->run_count; i++) {
		struct import_run *run = &im->runs[i];

		if (*run->uuid &&
		    !store_find_uuid(im->store, run->uuid, &run->id,
				     &run->known, &run->measured, im->err))
			return false;
	}
	return true;
}

static bool store_runs(struct import *im)
{
	bool piped = strcmp(im->source, "-") == 0;
	char *matrix = file_name(piped ? "import" : im->source);
	char batch[37], now[TIMESTAMP_SIZE];
	bool ok = matrix || err_nomem(im->err);

	new_uuid(batch);
	timestamp_now(now);
	for (size_t i = 0; ok && i < im->run_count; i++) {
		struct import_run *from = &im->runs[i];
		struct record_run run = {
			.source = "import",
			.matrix = *from->matrix ? from->matrix : matrix,
			.baseline_dimension = from->baseline_dimension,
			.baseline = from->baseline,
			.program = PROGRAM " " FSMATRIX_VERSION,
			.digest = im->digest,
			/* Without times, where it stands among the runs. */
			.started_at =
				*from->started_at ? from->started_at : now,
		};
		struct record_host host;
		int64_t id;

		if (from->known)
			continue;
		if (*from->names[IMPORT_LABEL])
			run.label = from->names[IMPORT_LABEL];
		if (*from->uuid && !im->again)
			memcpy(run.uuid, from->uuid, sizeof(run.uuid));
		else
			new_uuid(run.uuid);
		memcpy(run.batch, batch, sizeof(batch));
		host_of(from, &host);
		ok = store_add_host(im->store, &host, &id, im->err) &&
		     store_add_run(im->store, id, &run, &from->id, im->err);
	}
	free(matrix);
	return ok;
}

static bool store_cell(struct import *im, struct import_cell *from)
{
	struct record_cell cell = {
		.volume = from->names[IMPORT_VOLUME],
	};

	if (*from->names[IMPORT_FILESYSTEM])
		cell.filesystem = from->names[IMPORT_FILESYSTEM];
	if (*from->volume_kind)
		cell.volume_kind = from->volume_kind;
	if (*from->names[IMPORT_WORKLOAD])
		cell.workload = from->names[IMPORT_WORKLOAD];
	if (*from->type)
		cell.type = from->type;
	if (from->has_settings)
		cell.settings = &from->settings;
	return store_add_cell(im->store, im->runs[from->run].id, &cell,
			      &from->id, im->err);
}

/* Those of a run that is there only with a sample of theirs. */
static bool store_cells(struct import *im)
{
	for (size_t i = 0; i < im->cell_count; i++) {
		if (!im->runs[im->cells[i]->run].known &&
		    !store_cell(im, im->cells[i]))
			return false;
	}
	return true;
}

static enum import_column baseline_name(const struct import_run *run)
{
	if (strcmp(run->baseline_dimension, "volume") == 0)
		return IMPORT_VOLUME;
	if (strcmp(run->baseline_dimension, "workload") == 0)
		return IMPORT_WORKLOAD;
	return IMPORT_FILESYSTEM;
}

static bool is_directory(const struct import_cell *cell)
{
	return strcmp(cell->volume_kind, "directory") == 0;
}

static bool is_base_of(const struct import_cell *base,
		       const struct import_cell *cell, enum import_column name)
{
	static const enum import_column others[] = { IMPORT_VOLUME,
						     IMPORT_FILESYSTEM,
						     IMPORT_WORKLOAD };

	for (size_t i = 0; i < 3; i++) {
		/* A directory brings its own filesystem. */
		if (others[i] == name ||
		    (name == IMPORT_VOLUME && others[i] == IMPORT_FILESYSTEM &&
		     (is_directory(cell) || is_directory(base))))
			continue;
		if (strcmp(base->names[others[i]], cell->names[others[i]]) != 0)
			return false;
	}
	return base->run == cell->run;
}

/* The cell that has the baseline's name and is else alike; NULL: none. */
static const struct import_cell *base_of(const struct import *im,
					 const struct import_cell *cell)
{
	const struct import_run *run = &im->runs[cell->run];
	enum import_column name = baseline_name(run);
	struct import_cell wanted = *cell, **node;

	if (strcmp(cell->names[name], run->baseline) == 0)
		return cell;
	wanted.names[name] = run->baseline;
	node = tfind(&wanted, &im->tree, import_by_names);
	if (node)
		return *node;
	for (size_t i = 0; name == IMPORT_VOLUME && i < im->cell_count; i++) {
		if (strcmp(im->cells[i]->names[name], run->baseline) == 0 &&
		    is_base_of(im->cells[i], cell, name))
			return im->cells[i];
	}
	return NULL;
}

static bool store_bases(struct import *im)
{
	for (size_t i = 0; i < im->cell_count; i++) {
		const struct import_cell *cell = im->cells[i];
		const struct import_cell *base = base_of(im, cell);

		if (base && !im->runs[cell->run].known &&
		    !store_set_base(im->store, cell->id, base->id, im->err))
			return false;
	}
	return true;
}

/* Words are the program's own, so that they outlive the row. */
static const char *end_word(const char *word)
{
	for (int end = PHASE_END_NONE; end <= PHASE_END_CORRUPT; end++) {
		const char *own = phase_end_word((enum phase_end)end);

		if (strcmp(word, own) == 0)
			return own;
	}
	return NULL;
}

static struct record_phase phase_of(const struct import_row *row)
{
	return (struct record_phase){
		.stated_kb_per_s = row->kb_per_s,
		.bytes = row->bytes,
		.total_ns = row->total_ns,
		.app_ns = (uint64_t)row->app_ns,
		.sustained_bytes_per_second =
			(uint64_t)llround(row->sustained_kb_per_s * 1024),
		.files = row->files,
		.io = row->io_effective,
		.cached = row->cached,
		.end = end_word(row->end),
	};
}

static bool store_pending(struct import *im)
{
	struct record_sample *sample = &im->pending;
	struct err err = { 0 }, ignored = { 0 };
	bool twice = false;

	if (!im->has_pending)
		return true;
	im->has_pending = false;
	if (store_add_sample(im->store, sample, &err))
		return true;
	if (sample->round > 0 &&
	    store_has_sample(im->store, sample->cell, sample->round, &twice,
			     &ignored) &&
	    twice)
		err_set(im->err, ERR_INPUT,
			"this cell, round and op was there before%s",
			import_run_advice(im));
	else
		*im->err = err;
	err_at(im->err, im->source, im->pending_line, 0);
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b) == 0;
}

/* Whether the row is the read of the write before it. */
static bool completes(const struct import *im, const struct import_cell *cell,
		      const struct import_row *row)
{
	const struct record_sample *pending = &im->pending;

	return im->has_pending && row->op == 'R' && pending->cell == cell->id &&
	       pending->round == row->round && pending->status == row->status &&
	       (im->again || !*row->sample_uuid ||
		strcmp(pending->uuid, row->sample_uuid) == 0) &&
	       same_text(pending->reason, row->reason) &&
	       same_text(pending->driver, row->driver);
}

static bool keep_text(char **copy, const char *text)
{
	free(*copy);
	*copy = *text ? strdup(text) : NULL;
	return *copy || !*text;
}

/*
 * The next sample's: 74 bits that are random once an import, then a count, so
 * that ten million of them go to the end of their index and not all over it.
 */
static void count_uuid(struct import *im, char out[37])
{
	uuid_t uuid;

	memcpy(uuid, im->first_uuid, sizeof(uuid));
	for (int i = 0; i < 6; i++)
		uuid[15 - i] = (unsigned char)(im->positions >> 8 * i);
	uuid_unparse_lower(uuid, out);
}

static bool begin_sample(struct import *im, const struct import_cell *cell,
			 const struct import_row *row, int line)
{
	if (!keep_text(&im->pending_reason, row->reason) ||
	    !keep_text(&im->pending_driver, row->driver))
		return err_nomem(im->err);
	memcpy(im->pending_time, row->started_at, sizeof(im->pending_time));
	im->pending = (struct record_sample){
		.cell = cell->id,
		.round = row->round,
		.position = ++im->positions,
		.status = row->status,
		.reason = im->pending_reason,
		.driver = im->pending_driver,
		.started_at = *im->pending_time ? im->pending_time : NULL,
		.write = phase_of(row),
		.read = phase_of(row),
		.has_write = row->op == 'W',
		.has_read = row->op == 'R',
	};
	if (*row->sample_uuid && !im->again)
		memcpy(im->pending.uuid, row->sample_uuid,
		       sizeof(im->pending.uuid));
	else
		count_uuid(im, im->pending.uuid);
	im->pending_line = line;
	im->has_pending = true;
	return true;
}

/*
 * Whether the row is of a sample of a run that is there, and is there itself.
 * One that is not is added to a run that came from such a file; one that was
 * measured has all its samples.
 */
static bool is_here(struct import *im, struct import_run *run,
		    const struct import_row *row, bool *here)
{
	*here = true;
	if (!*row->sample_uuid) {
		run->here += row->op == 'W';
		return true;
	}
	if (strcmp(run->last_here, row->sample_uuid) == 0)
		return true;
	if (!store_has_sample_uuid(im->store, run->id, row->sample_uuid, here,
				   im->err))
		return false;
	if (*here) {
		run->here++;
		memcpy(run->last_here, row->sample_uuid,
		       sizeof(run->last_here));
	} else if (run->measured) {
		return err_set(im->err, ERR_INPUT,
			       "run %" PRId64 " was measured here, and this is "
			       "no sample of it: %s; --again imports all of "
			       "the file as new runs",
			       run->id, row->sample_uuid);
	}
	return true;
}

static bool store_new(struct import *im, struct import_cell *cell,
		      const struct import_row *row, int line)
{
	struct import_run *run = &im->runs[cell->run];
	bool here = false;

	if (run->known && !is_here(im, run, row, &here))
		return false;
	if (here)
		return true;
	if (run->known && cell->id == 0 && !store_cell(im, cell))
		return false;
	run->added++;
	return begin_sample(im, cell, row, line);
}

static bool store_row(struct import *im, const struct import_row *row, int line)
{
	struct import_cell *cell = import_find_cell(im, row);

	if (!cell)
		return err_set(im->err, ERR_FAILED,
			       "the file changed while it was read");
	if (!row->measured)
		return true;
	if (!completes(im, cell, row))
		return store_pending(im) && store_new(im, cell, row, line);
	im->pending.read = phase_of(row);
	im->pending.has_read = true;
	return store_pending(im);
}

/* The second reading: nothing is wrong any more. */
static bool store_record(void *ctx, struct csv_record *record)
{
	struct import *im = ctx;
	struct import_row row;
	bool ok;

	if (!im->has_header) {
		im->has_header = true;
		return true;
	}
	ok = import_row_parse(&im->header, record, &row, im->err) &&
	     store_row(im, &row, record->line);
	if (!ok)
		err_at(im->err, im->source, record->line, 0);
	return ok;
}

bool import_store(struct import *im, FILE *in)
{
	bool ok = store_begin(im->store, im->err);

	im->has_header = false;
	im->last = NULL;
	uuid_generate_random(im->first_uuid);
	ok = ok && find_known(im) && store_runs(im) && store_cells(im) &&
	     store_bases(im) &&
	     csv_each_record(in, im->source, store_record, im, im->err) &&
	     store_pending(im);
	for (size_t i = 0; ok && i < im->run_count; i++) {
		if (im->runs[i].known)
			continue;
		/* No file says when its last sample ended. */
		ok = store_end_run(im->store, im->runs[i].id, "done", NULL,
				   im->err);
	}
	ok = ok && store_commit(im->store, im->err);
	store_rollback(im->store);
	return ok;
}
