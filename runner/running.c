/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/running.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reports/report.h"
#include "runner/command.h"
#include "runner/estimate.h"
#include "runner/guard.h"
#include "runner/inhibit.h"
#include "runner/lock.h"
#include "runner/notify.h"
#include "runner/progress.h"
#include "runner/safety.h"
#include "runner/signals.h"
#include "runner/target.h"
#include "runner/timestamp.h"
#include "runner/view.h"
#include "runner/worker.h"
#include "schema/store_list.h"

bool running_option(struct running *r, int letter, const char *value,
		    struct err *err)
{
	if (letter != 'n')
		return timelimit_option(&r->limit, letter, value, err);
	if (!*value)
		return err_usage(err, "--notify-cmd: no command");
	r->notify = value;
	return true;
}

/*
 * Somebody works on the database with other means. What was measured is worth
 * waiting for; who asks us to stop will not.
 */
static bool wait_for_database(void *ctx, unsigned int waited_ms)
{
	enum { TELL_MS = 5000, STOP_MS = 1000, MOST_MS = 60 * 60 * 1000 };
	struct running *r = ctx;

	if (r->control && atomic_load(&r->control->stop))
		return waited_ms < STOP_MS;
	if (waited_ms == TELL_MS)
		command_note("%s is locked by another process; waiting for it",
			     command_database());
	return waited_ms < MOST_MS;
}

/* Without it the first write to anything ends in a riddle. */
static bool may_write_files(struct err *err)
{
	const rlim_t least = 128 << 10;
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 || limit.rlim_cur >= least)
		return true;
	return err_set(err, ERR_FAILED,
		       "files may have at most %llu bytes here, which is too "
		       "little for a database (ulimit -f, RLIMIT_FSIZE); raise "
		       "that limit",
		       (unsigned long long)limit.rlim_cur);
}

bool running_open(struct running *r, struct err *err)
{
	if (!may_write_files(err))
		return false;
	r->database = lock_take_database(command_database(), err);
	if (!r->database)
		return false;
	r->store = store_open(command_database(), STORE_WRITE, err);
	if (!r->store) {
		lock_abandon_database(r->database, command_database());
		r->database = NULL;
		return err_advise(err, "--db FILE names another");
	}
	store_set_wait(r->store, wait_for_database, r);
	return true;
}

static void tell_swept(void *ctx, const char *what, const char *problem)
{
	(void)ctx;
	if (problem)
		command_warn("an earlier run left behind: %s: %s", what,
			     problem);
	else
		command_warn("an earlier run left behind, now removed: %s",
			     what);
}

/* Locks hold files open; the usual limit is far below what is allowed. */
static void allow_files(size_t volumes)
{
	enum { PER_VOLUME = 3, OTHERS = 256 };
	rlim_t wanted = volumes * PER_VOLUME + OTHERS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return;
	limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static bool lock_volumes(struct running *r, struct err *err)
{
	const struct matrix *matrix = r->planning.matrix;

	allow_files(matrix->volume_count);
	r->volumes = calloc(matrix->volume_count, sizeof(struct lock *));
	if (!r->volumes)
		return err_nomem(err);
	for (size_t i = 0; i < matrix->volume_count; i++) {
		r->volumes[i] = lock_take_volume(&matrix->volumes[i], err);
		if (!r->volumes[i])
			return false;
	}
	return true;
}

static bool check_volumes(struct running *r, struct err *err)
{
	const struct matrix *matrix = r->planning.matrix;

	r->reserves = calloc(matrix->volume_count, sizeof(*r->reserves));
	r->homes = calloc(matrix->volume_count, sizeof(*r->homes));
	if (!r->reserves || !r->homes)
		return err_nomem(err);
	for (size_t i = 0; i < matrix->volume_count; i++) {
		if (!target_check(&matrix->volumes[i], err))
			return false;
		r->homes[i] = target_home(&matrix->volumes[i]);
	}
	return safety_check(matrix, command_database(), r->reserves, err);
}

bool running_prepare(struct running *r, struct err *err)
{
	struct err told = { 0 };

	if (!may_write_files(err) || !lock_volumes(r, err))
		return false;
	if (!guard_sweep(false, tell_swept, NULL, &told) &&
	    told.code == ERR_REFUSED)
		return err_set(err, told.code, "%s", told.text);
	if (!check_volumes(r, err))
		return false;
	r->control = worker_control_new();
	if (!r->control)
		return err_nomem(err);
	r->guard = guard_start(err);
	if (r->guard)
		r->inhibit = inhibit_begin();
	return r->guard != NULL;
}

static const char *status_word(const struct session_totals *totals, bool ran)
{
	if (!ran)
		return "failed";
	if (totals->stopped)
		return "interrupted";
	return totals->out_of_time ? "stopped" : "done";
}

static bool end_run(struct running *r, bool ran, struct err *err)
{
	char ended[TIMESTAMP_SIZE];

	r->status = status_word(&r->totals, ran);
	timestamp_now(ended);
	return store_end_run(r->store, r->run, r->status, ended, err);
}

/* From here on it can be asked to stop. */
static bool run_session(struct running *r, struct session_spec *spec,
			struct err *err)
{
	const struct plan *plan = spec->plan;
	bool ok;

	spec->progress = progress_new(
		stderr, r->control, (uint64_t)plan->cell_count * plan->rounds);
	if (!spec->progress)
		return err_nomem(err);
	signals_install(r->control);
	ok = estimate_from_history(r->store, plan, spec->budget, err) &&
	     session_run(spec, &r->totals, err);
	progress_free(spec->progress);
	return ok;
}

static bool measure(struct running *r, struct err *err)
{
	struct session_spec spec = {
		.matrix = r->planning.matrix,
		.plan = r->planning.plan,
		.store = r->store,
		.cells = r->cells,
		.control = r->control,
		.guard = r->guard,
		.reserves = r->reserves,
		.homes = r->homes,
		.limit = r->limit,
		.resumed = r->resumed,
		.budget = budget_new(r->planning.plan->cell_count),
	};
	struct err end_err = { 0 };
	bool ok;

	if (!spec.budget)
		return err_nomem(err);
	ok = run_session(r, &spec, err);
	budget_free(spec.budget);
	if (end_run(r, ok, &end_err) || !ok)
		return ok;
	/* a run that is stopped does not wait: it can be gone on with anyway */
	if (r->totals.stopped && end_err.code == ERR_BUSY)
		return true;
	return err_set(err, end_err.code, "%s", end_err.text);
}

/* The cells that a table can say nothing about. */
struct never {
	char text[512];
	size_t count;
};

static bool add_never(void *ctx, const struct record_cell_info *info)
{
	enum { NAMES_MAX = 3 };
	struct never *never = ctx;
	const struct record_cell *cell = &info->cell;
	size_t used = strlen(never->text);

	if (info->samples > 0)
		return true;
	if (never->count++ < NAMES_MAX)
		snprintf(never->text + used, sizeof(never->text) - used,
			 "%s%s %s%s%s", used ? ", " : "", cell->volume,
			 cell->filesystem ? cell->filesystem : "",
			 cell->filesystem ? " " : "", cell->workload);
	else if (never->count == NAMES_MAX + 1)
		snprintf(never->text + used, sizeof(never->text) - used,
			 ", ...");
	return true;
}

/* A run whose time was up has done what it should: this is no error. */
static bool tell_unmeasured(const struct running *r, struct err *err)
{
	const struct plan *plan = r->planning.plan;
	uint64_t wanted = (uint64_t)plan->cell_count * plan->rounds;
	struct never never = { 0 };
	int64_t stored;
	char *resume;

	if (!r->totals.out_of_time || r->totals.stopped)
		return true;
	if (!store_count_samples(r->store, r->run, &stored, err) ||
	    !store_run_cells(r->store, r->run, add_never, &never, err))
		return false;
	resume = command_about_run("resume", r->run, err);
	if (!resume)
		return false;
	command_note("the time is up: %llu of %llu samples were not "
		     "measured; go on with: %s",
		     (unsigned long long)(wanted - (uint64_t)stored),
		     (unsigned long long)wanted, resume);
	free(resume);
	if (never.count > 0)
		command_note("%zu of %zu cells were not measured at all: %s",
			     never.count, plan->cell_count, never.text);
	return true;
}

static bool say_interrupted(const struct running *r, struct err *err)
{
	char *resume = command_about_run("resume", r->run, err);
	enum err_code code = signals_stopped();

	if (!resume)
		return false;
	/* Asked by whatever way, as of the process that measures. */
	if (code == ERR_NONE)
		code = ERR_INTERRUPT;
	err_set(err, code,
		"run %lld was interrupted; what was measured is in %s; go on "
		"with: %s",
		(long long)r->run, command_database(), resume);
	free(resume);
	return false;
}

/* The exit status: what the table cannot say to a script. */
static bool conclude(const struct running *r, struct err *err)
{
	const struct session_totals *t = &r->totals;
	const unsigned long long skipped = t->skipped;
	const unsigned long long without = t->failed + skipped;
	const unsigned long long all = without + t->ok;

	/* a signal after the last sample has nothing left to interrupt */
	if (t->stopped)
		return say_interrupted(r, err);
	if (t->failed > 0 && skipped > 0)
		return err_set(err, ERR_CELLS,
			       "%llu of %llu samples have no valid result "
			       "(%llu of them were skipped); the lines below "
			       "the table say why",
			       without, all, skipped);
	if (t->failed > 0)
		return err_set(err, ERR_CELLS,
			       "%llu of %llu samples have no valid result; the "
			       "lines below the table say why",
			       without, all);
	if (t->ok == 0 && t->skipped > 0)
		return err_set(
			err, ERR_FAILED,
			"nothing could be measured here; the lines below "
			"the table say why, `" PROGRAM " doctor` what can be");
	return true;
}

static bool print_table(const struct running *r, FILE *out, FILE *warnings,
			struct err *err)
{
	struct render_view view = view_of(out);

	return report_print_run(r->store, r->run, &view, out, warnings, err);
}

/* Its own table for --notify-cmd, as wide as a mail. */
static bool print_tables(struct running *r, struct err *err)
{
	struct err ignored = { 0 };
	int fd = r->notify ? memfd_create("fsmatrix-table", MFD_CLOEXEC) : -1;

	if (fd >= 0)
		r->table = fdopen(fd, "w");
	if (fd >= 0 && !r->table)
		close(fd);
	if (r->table && !print_table(r, r->table, r->table, &ignored))
		command_warn("no table for --notify-cmd: %s", ignored.text);
	return print_table(r, stdout, stderr, err);
}

bool running_measure(struct running *r, struct err *err)
{
	char *compare;

	if (!measure(r, err))
		return false;
	compare = command_about_run("compare", r->run, err);
	if (!compare)
		return false;
	command_note("run %lld is kept in %s; %s prints its table again",
		     (long long)r->run, command_database(), compare);
	free(compare);
	return print_tables(r, err) && tell_unmeasured(r, err) &&
	       conclude(r, err);
}

/* A run that failed before its first sample is nothing to keep. */
static bool is_empty(struct running *r)
{
	struct err ignored = { 0 };
	int64_t runs = 0, samples = 0;

	if (!r->store || (r->status && strcmp(r->status, "failed") != 0) ||
	    !store_count_runs(r->store, "", &runs, &ignored))
		return false;
	if (runs == 0)
		return true;
	return runs == 1 && r->run > 0 &&
	       store_count_samples(r->store, r->run, &samples, &ignored) &&
	       samples == 0;
}

static void release(struct running *r)
{
	bool empty = is_empty(r);

	struct err left = { 0 };

	inhibit_end(r->inhibit);
	if (!guard_end(r->guard, &left))
		command_warn("%s; try: " PROGRAM " clean", left.text);
	signals_restore();
	store_close(r->store);
	/* Only if this run made it. */
	if (empty)
		lock_abandon_database(r->database, command_database());
	else
		lock_free(r->database);
	for (size_t i = 0; r->volumes && i < r->planning.matrix->volume_count;
	     i++)
		lock_free(r->volumes[i]);
	free(r->volumes);
	free(r->reserves);
	free(r->homes);
	worker_control_free(r->control);
	free(r->cells);
	planning_done(&r->planning);
}

/* When others may have the volumes and the database again. */
static void notify(const struct running *r, const struct err *end)
{
	struct err err = { 0 };
	struct notify n = {
		.command = r->notify,
		.table = r->table,
		.status = r->status ? r->status : "failed",
		.end = end,
		.run = r->run,
		.database = command_database(),
		.ok = r->totals.ok,
		.failed = r->totals.failed,
		.skipped = r->totals.skipped,
		.patience_s = 60,
	};

	fflush(stdout);
	if (!notify_run(&n, &err))
		command_warn("%s", err.text);
}

void running_finish(struct running *r, const struct err *err)
{
	release(r);
	if (r->notify && !err->usage)
		notify(r, err);
	if (r->table)
		fclose(r->table);
	*r = (struct running){ 0 };
}
