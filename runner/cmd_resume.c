/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/cellrecord.h"
#include "runner/changed.h"
#include "runner/command.h"
#include "runner/diskfacts.h"
#include "runner/holder.h"
#include "runner/hostfacts.h"
#include "runner/running.h"
#include "runner/signals.h"

static const struct option options[] = {
	{ "budget", required_argument, NULL, 'b' },
	{ "until", required_argument, NULL, 'u' },
	{ "notify-cmd", required_argument, NULL, 'n' },
	{ 0 },
};

/* Copies of what the store says of the run: its texts live only so long. */
struct stored {
	char *text, *path, *status;
	char host[37];
	uint64_t seed;
	unsigned int rounds;
	bool nomem;
};

static bool copy_info(void *ctx, const struct record_run_info *info)
{
	struct stored *s = ctx;

	s->text = info->run.matrix_text ? strdup(info->run.matrix_text) : NULL;
	s->path = strdup(info->run.matrix_path ? info->run.matrix_path
					       : info->run.matrix);
	s->status = strdup(info->status);
	s->nomem =
		!s->path || !s->status || (info->run.matrix_text && !s->text);
	memcpy(s->host, info->host.uuid, sizeof(s->host));
	s->seed = info->run.seed;
	s->rounds = info->run.rounds;
	return true;
}

static void stored_done(struct stored *s)
{
	free(s->text);
	free(s->path);
	free(s->status);
}

static bool check_host(const struct stored *s, struct err *err)
{
	struct hostfacts facts;

	hostfacts_read_here(&facts);
	if (strcmp(facts.uuid, s->host) == 0)
		return true;
	return err_set(err, ERR_REFUSED,
		       "the run was begun on another machine, or under "
		       "another kernel than this %s",
		       facts.os);
}

static bool check_matrix(const struct running *r, const struct stored *s,
			 struct err *err)
{
	struct changed changed;

	if (!changed_since(s->path, s->text, &changed))
		return true;
	err_set(err, ERR_REFUSED,
		"the matrix changed since run %" PRId64 " began: "
		"`%s` is here, and was `%s`",
		r->run, changed.now, changed.was);
	err_at(err, s->path, changed.line, 0);
	return err_advise(err,
			  "put that back, or move the file away, as the run "
			  "has its own copy, and resume; or begin a new run "
			  "with: " PROGRAM " run %s; resume with a number "
			  "goes on with another one",
			  s->path);
}

static bool plan_anew(struct running *r, const struct stored *s,
		      struct err *err)
{
	struct planning *p = &r->planning;
	struct err_list faults = { 0 };

	p->matrix = matrix_parse(s->text, strlen(s->text), s->path, &faults);
	if (!p->matrix)
		command_fail_list(&faults, err);
	else
		p->plan = plan_new(p->matrix, s->rounds, s->seed, err);
	err_list_done(&faults);
	return p->plan != NULL;
}

/* The stored cells beside the planned ones, as they come in the same order. */
struct match {
	struct running *r;
	struct cellrecord now;               /* of the cell in turn */
	const struct matrix_volume *disk_of; /* whose disk this is: */
	struct diskfacts disk;
	struct err err; /* why it is not to be gone on with */
	size_t count;
	bool differ;
};

static bool same_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool is_gone(struct match *m, const struct matrix_volume *volume)
{
	struct stat st;

	if (volume->kind != MATRIX_DIRECTORY || stat(volume->path, &st) == 0)
		return false;
	err_sys(&m->err, errno, "the directory of volume %s, %s", volume->name,
		volume->path);
	m->err.code = ERR_REFUSED;
	err_advise(&m->err, "make it or mount it again, then resume");
	return true;
}

/* Another filesystem in a directory is another volume. */
static bool same_volume(struct match *m, const struct plan_cell *cell,
			const struct record_cell *stored)
{
	const char *now;

	if (is_gone(m, cell->volume))
		return false;
	if (!cellrecord_make(&m->now, cell))
		return err_nomem(&m->err);
	now = m->now.record.type;
	if (cell->filesystem || !stored->type || same_text(now, stored->type))
		return true;
	return err_set(&m->err, ERR_REFUSED,
		       "volume %s (%s) is on %s, and was on %s when the run "
		       "began; mount what was there then",
		       cell->volume->name, cell->volume->path,
		       now ? now : "nothing that is known", stored->type);
}

static bool same_or_unknown(const char *a, const char *b)
{
	return !a || !b || strcmp(a, b) == 0;
}

/*
 * The kernel's name of a disk may be another after a start of the machine; its
 * model and size are not. A device has its own check, by serial number.
 */
static bool same_disk(struct match *m, const struct plan_cell *cell,
		      const struct record_disk *stored)
{
	struct record_disk now;

	if (!stored || cell->volume->kind == MATRIX_DEVICE)
		return true;
	if (m->disk_of != cell->volume)
		diskfacts_of_volume(cell->volume, &m->disk);
	m->disk_of = cell->volume;
	now = diskfacts_record(&m->disk);
	if (!now.name ||
	    (same_or_unknown(now.vendor, stored->vendor) &&
	     same_or_unknown(now.model, stored->model) &&
	     (!now.bytes || !stored->bytes || now.bytes == stored->bytes)))
		return true;
	return err_set(&m->err, ERR_REFUSED,
		       "volume %s (%s) is on another disk than when the run "
		       "began: %s (%s, %" PRId64 " bytes), which was %s (%s, "
		       "%" PRId64 " bytes); mount what was there then",
		       cell->volume->name, cell->volume->path, now.name,
		       now.model ? now.model : "no model", now.bytes,
		       stored->name, stored->model ? stored->model : "no model",
		       stored->bytes);
}

static bool match_cell(void *ctx, const struct record_cell_info *info)
{
	struct match *m = ctx;
	const struct plan *plan = m->r->planning.plan;
	const struct plan_cell *cell;

	if (m->count == plan->cell_count) {
		m->differ = true;
		return false;
	}
	cell = &plan->cells[m->count];
	m->r->cells[m->count++] = info->id;
	m->differ = !same_text(cell->volume->name, info->cell.volume) ||
		    !same_text(cell->workload->name, info->cell.workload) ||
		    (cell->filesystem &&
		     !same_text(cell->filesystem->name, info->cell.filesystem));
	return !m->differ && same_volume(m, cell, &info->cell) &&
	       same_disk(m, cell, info->cell.disk);
}

static bool find_cells(struct running *r, struct err *err)
{
	const struct plan *plan = r->planning.plan;
	struct match m = { .r = r };
	bool ok;

	r->cells = calloc(plan->cell_count, sizeof(*r->cells));
	if (!r->cells)
		return err_nomem(err);
	ok = store_run_cells(r->store, r->run, match_cell, &m, err);
	cellrecord_done(&m.now);
	if (!ok)
		return false;
	if (m.err.code != ERR_NONE) {
		*err = m.err;
		return false;
	}
	if (m.differ || m.count != plan->cell_count)
		return err_set(err, ERR_REFUSED,
			       "the stored cells are not the matrix's");
	return true;
}

static bool check_status(const struct stored *s, int64_t run, struct err *err)
{
	if (!s->text)
		return err_set(err, ERR_INPUT,
			       "an import cannot be gone on with");
	if (strcmp(s->status, "done") == 0)
		return err_set(err, ERR_INPUT,
			       "run %" PRIi64 " is done: nothing of it is left "
			       "to measure",
			       run);
	return true;
}

static bool find_run(struct running *r, const char *which, struct err *err)
{
	struct hostfacts facts;

	if (which)
		return store_find_run(r->store, which, &r->run, err);
	hostfacts_read_here(&facts);
	return store_find_unfinished_run(r->store, facts.uuid, &r->run, err);
}

/* Where a run would make a database, there is nothing to go on with. */
static bool is_there(struct err *err)
{
	struct store *store = store_open(command_database(), STORE_READ, err);

	store_close(store);
	return store != NULL;
}

static bool go_on(struct running *r, const char *which, struct err *err)
{
	struct stored s = { 0 };
	char holder[HOLDER_SIZE];
	bool ok = false;

	holder_own(holder);
	if (!is_there(err) || !running_open(r, err) ||
	    !find_run(r, which, err) ||
	    !store_run_info(r->store, r->run, copy_info, &s, err))
		goto out;
	if (s.nomem) {
		err_nomem(err);
		goto out;
	}
	ok = check_status(&s, r->run, err) && check_host(&s, err) &&
	     check_matrix(r, &s, err) && plan_anew(r, &s, err) &&
	     find_cells(r, err) && running_prepare(r, err) &&
	     store_hold_run(r->store, r->run, holder, err) &&
	     running_measure(r, err);
out:
	stored_done(&s);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	struct running r = { .resumed = true };
	bool ok;
	int found;

	signals_begin();
	while ((found = command_getopt(argc, argv, "", options, err)) != -1) {
		if (!running_option(&r, found, optarg, err))
			return false;
	}
	if (!command_arguments(argc, argv, 0, 1, "RUN", err))
		return false;
	ok = go_on(&r, argv[optind], err);
	running_finish(&r, err);
	return ok;
}

const struct command cmd_resume = {
	.name = "resume",
	.synopsis = "[OPTION]... [RUN]",
	.brief = "go on with an interrupted run (the last), in the same order",
	.options = RUNNING_OPTIONS,
	.run = run,
};
