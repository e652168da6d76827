/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/selection.h"

#include <stdlib.h>
#include <string.h>

#include "schema/store.h"

void selection_done(struct selection *selection)
{
	free(selection->runs);
	*selection = (struct selection){ 0 };
}

bool selection_add(struct selection *selection, int64_t run, struct err *err)
{
	size_t count = selection->count;
	int64_t *runs = selection->runs;

	for (size_t i = 0; i < count; i++) {
		if (runs[i] == run)
			return true;
	}
	runs = reallocarray(runs, count + 1, sizeof(*runs));
	if (!runs)
		return err_nomem(err);
	runs[count] = run;
	selection->runs = runs;
	selection->count++;
	return true;
}

struct adding {
	struct selection *selection;
	struct err *err;
	bool ok;
};

static bool add_one(void *ctx, int64_t run)
{
	struct adding *adding = ctx;

	adding->ok = selection_add(adding->selection, run, adding->err);
	return adding->ok;
}

static bool add_batch(struct store *store, int64_t run,
		      struct selection *selection, struct err *err)
{
	struct adding adding = { selection, err, true };

	return store_each_run_of_batch(store, run, add_one, &adding, err) &&
	       adding.ok && selection_add(selection, run, err);
}

bool selection_run(struct store *store, const char *which,
		   struct selection *selection, struct err *err)
{
	int64_t run;

	if (!store_find_run(store, which, &run, err))
		return false;
	/* Who names a run means that one. */
	return which && strcmp(which, "last") != 0
		       ? selection_add(selection, run, err)
		       : add_batch(store, run, selection, err);
}

/* The newest run of each host with one matrix. */
struct hosts {
	char *matrix; /* owned */
	struct host {
		char uuid[37];
		int64_t run;
	} * list; /* owned */
	size_t count;
	struct err *err;
	bool ok;
};

static bool note_matrix(void *ctx, const struct record_run_info *info)
{
	struct hosts *hosts = ctx;

	hosts->matrix = strdup(info->run.matrix ? info->run.matrix : "");
	hosts->ok = hosts->matrix || err_nomem(hosts->err);
	return hosts->ok;
}

/* Runs come oldest first: a later one of the same host takes its place. */
static bool note_host(void *ctx, const struct record_run_info *info)
{
	struct hosts *hosts = ctx;
	const char *matrix = info->run.matrix ? info->run.matrix : "";
	struct host *list = hosts->list;
	size_t i = 0;

	if (strcmp(matrix, hosts->matrix) != 0)
		return true;
	while (i < hosts->count && strcmp(list[i].uuid, info->host.uuid) != 0)
		i++;
	if (i == hosts->count) {
		list = reallocarray(list, i + 1, sizeof(*list));
		if (!list) {
			hosts->ok = err_nomem(hosts->err);
			return false;
		}
		hosts->list = list;
		hosts->count++;
		memcpy(list[i].uuid, info->host.uuid, sizeof(list[i].uuid));
	}
	list[i].run = info->id;
	return true;
}

static bool add_hosts(struct store *store, int64_t run,
		      struct selection *selection, struct err *err)
{
	struct hosts hosts = { .err = err, .ok = true };
	bool ok = store_run_info(store, run, note_matrix, &hosts, err) &&
		  hosts.ok && store_each_run(store, note_host, &hosts, err) &&
		  hosts.ok;

	for (size_t i = 0; ok && i < hosts.count; i++)
		ok = add_batch(store, hosts.list[i].run, selection, err);
	free(hosts.matrix);
	free(hosts.list);
	return ok;
}

bool selection_last(struct store *store, bool hosts,
		    struct selection *selection, struct err *err)
{
	int64_t run;

	if (!store_find_run(store, NULL, &run, err))
		return false;
	if (hosts && !add_hosts(store, run, selection, err))
		return false;
	return add_batch(store, run, selection, err);
}
