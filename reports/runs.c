/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "reports/render_private.h"
#include "reports/runs_private.h"

enum column {
	RUN,
	STARTED,
	HOST,
	OS,
	MATRIX,
	LABEL,
	STATUS,
	TAGS,
	CELLS,
	FAILED,
	TIME,
	SAMPLES,
};

/* As for every JSON of ours: members may be added within a version. */
enum { FORMAT = 1 };

bool runs_begin(struct runs *runs, struct err *err)
{
	struct grid_build *b = &runs->build;

	(void)err;
	if (runs->json) {
		fprintf(runs->out, "{\n\"format\": %d,\n\"runs\": [", FORMAT);
		return true;
	}
	b->grid = &runs->grid;
	/* What a run is found by is never cut, and stands in every block. */
	grid_add_column(b, GRID_OP, true, 0, "Run");
	grid_add_column(b, GRID_OP, false, 0, "Started (UTC)");
	grid_add_column(b, GRID_DETAIL, false, 0, "Host");
	grid_add_column(b, GRID_DETAIL, false, 0, "OS");
	grid_add_column(b, GRID_DETAIL, false, 0, "Matrix");
	grid_add_column(b, GRID_DETAIL, false, 0, "Label");
	grid_add_column(b, GRID_FIGURE, false, 0, "Status");
	grid_add_column(b, GRID_FIGURE, false, 0, "Tags");
	grid_add_column(b, GRID_DETAIL, true, 0, "Cells");
	grid_add_column(b, GRID_FIGURE, true, 0, "Failed");
	grid_add_column(b, GRID_FIGURE, true, 0, "Time");
	grid_add_column(b, GRID_FIGURE, true, 0, "Samples");
	return true;
}

/* "2026-11-30 19:05" of "2026-11-30T19:05:47.123Z". */
static void put_started(struct grid_build *b, size_t row, const char *iso)
{
	char text[17];

	snprintf(text, sizeof(text), "%s", iso);
	if (strlen(text) > 10)
		text[10] = ' ';
	grid_set(b, row, STARTED, text);
}

static void put_tags(struct grid_build *b, size_t row,
		     const struct record_tag *tag)
{
	if (tag->pinned && tag->ignored)
		grid_set(b, row, TAGS, "baseline, ignored");
	else if (tag->pinned)
		grid_set(b, row, TAGS, "baseline");
	else if (tag->ignored)
		grid_set(b, row, TAGS, "ignored");
}

/* "98/100", or "98" where nobody knows how many there were to be. */
static void put_counts(struct grid_build *b, size_t row,
		       const struct record_listed *run)
{
	int64_t planned = run->rounds * run->cells;
	int64_t failed = run->samples_failed;
	char text[64];

	snprintf(text, sizeof(text), "%" PRId64 "/%" PRId64, run->cells_done,
		 run->cells);
	grid_set(b, row, CELLS, text);
	if (planned > 0)
		snprintf(text, sizeof(text), "%" PRId64 "/%" PRId64,
			 run->samples_ok, planned);
	else
		snprintf(text, sizeof(text), "%" PRId64, run->samples_ok);
	grid_set(b, row, SAMPLES, text);
	if (failed > 0) {
		snprintf(text, sizeof(text), "%" PRId64, failed);
		grid_set(b, row, FAILED, text);
	}
}

static void put_time(struct grid_build *b, size_t row,
		     const struct record_listed *run)
{
	char text[UNITS_TEXT_MAX];

	if (!(run->seconds >= 0 && run->seconds < 1e9) ||
	    strcmp(run->source, "import") == 0)
		return;
	/* SQL's days have no more than milliseconds. */
	units_format_duration((uint64_t)llround(run->seconds * 1e3) * 1000000,
			      text, sizeof(text));
	grid_set(b, row, TIME, text);
}

/* Its name may turn out to be another's as well. */
static bool note_machine(struct runs *runs, const struct record_listed *run)
{
	size_t *of = reallocarray(runs->machine_of, (size_t)runs->count + 1,
				  sizeof(*of));
	const char *id = run->machine_id;

	if (!of)
		return false;
	runs->machine_of = of;
	if (!id)
		id = run->host ? run->host : run->os;
	return machines_note(&runs->machines, run->host, id, &of[runs->count]);
}

static void name_machines(struct runs *runs)
{
	char name[MACHINES_NAME_SIZE];

	for (int64_t i = 0; i < runs->count; i++) {
		if (machines_name(&runs->machines, runs->machine_of[i], name))
			grid_set(&runs->build, (size_t)i, HOST, name);
	}
}

static void add_row(struct runs *runs, const struct record_listed *run)
{
	struct grid_build *b = &runs->build;
	size_t row = grid_add_row(b);
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, run->id);
	grid_set(b, row, RUN, id);
	put_started(b, row, run->started_at);
	grid_set(b, row, HOST, run->host ? run->host : "");
	grid_set(b, row, OS, run->os);
	grid_set(b, row, MATRIX, run->matrix ? run->matrix : "");
	grid_set(b, row, LABEL, run->tag.label ? run->tag.label : "");
	grid_set(b, row, STATUS,
		 strcmp(run->source, "import") == 0 ? run->source
						    : run->status);
	put_tags(b, row, &run->tag);
	put_counts(b, row, run);
	put_time(b, row, run);
}

bool runs_add(struct runs *runs, const struct record_listed *run,
	      struct err *err)
{
	if (runs->json) {
		if (!runs_print_json(runs, run, err))
			return false;
	} else {
		add_row(runs, run);
		if (!note_machine(runs, run))
			return err_nomem(err);
	}
	runs->count++;
	return !runs->build.failed || err_nomem(err);
}

static bool print_table(struct runs *runs, int64_t total, struct err *err)
{
	static const struct render_style style = { .repeated = true };

	name_machines(runs);
	grid_drop_blank(&runs->build);
	if (!grid_finish(&runs->build, err))
		return false;
	if (runs->count == 0)
		return true;
	if (!render_table(&runs->grid, runs->view, &style, runs->out, err))
		return false;
	if (runs->count < total)
		fprintf(runs->out,
			"The newest %" PRId64 " of %" PRId64
			" runs; --limit 0 lists all.\n",
			runs->count, total);
	return true;
}

bool runs_end(struct runs *runs, int64_t total, struct err *err)
{
	if (!runs->json)
		return print_table(runs, total, err);
	fprintf(runs->out, "\n],\n\"total\": %" PRId64 "\n}\n", total);
	return true;
}

void runs_done(struct runs *runs)
{
	grid_done(&runs->grid);
	machines_done(&runs->machines);
	free(runs->machine_of);
}
