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
		char *key; /* owned */
		int64_t run;
	} * list; /* owned */
	size_t count;
	bool machines; /* whatever their OS */
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

static const char *key_of(const struct hosts *hosts,
			  const struct record_host *host)
{
	if (!hosts->machines)
		return host->uuid;
	if (host->machine_id)
		return host->machine_id;
	return host->name && *host->name ? host->name : host->os;
}

static bool add_host(struct hosts *hosts, const char *key)
{
	struct host *list =
		reallocarray(hosts->list, hosts->count + 1, sizeof(*list));
	char *copy = strdup(key);

	hosts->list = list ? list : hosts->list;
	if (!list || !copy) {
		free(copy);
		return false;
	}
	list[hosts->count++] = (struct host){ .key = copy };
	return true;
}

/* Runs come oldest first: a later one of the same host takes its place. */
static bool note_host(void *ctx, const struct record_run_info *info)
{
	struct hosts *hosts = ctx;
	const char *matrix = info->run.matrix ? info->run.matrix : "";
	const char *key = key_of(hosts, &info->host);
	size_t i = 0;

	if (info->ignored || strcmp(matrix, hosts->matrix) != 0)
		return true;
	while (i < hosts->count && strcmp(hosts->list[i].key, key) != 0)
		i++;
	if (i == hosts->count && !add_host(hosts, key)) {
		hosts->ok = err_nomem(hosts->err);
		return false;
	}
	hosts->list[i].run = info->id;
	return true;
}

static bool add_hosts(struct store *store, int64_t run, bool machines,
		      struct selection *selection, struct err *err)
{
	struct hosts hosts = { .machines = machines, .err = err, .ok = true };
	bool ok = store_run_info(store, run, note_matrix, &hosts, err) &&
		  hosts.ok && store_each_run(store, note_host, &hosts, err) &&
		  hosts.ok;

	for (size_t i = 0; ok && i < hosts.count; i++)
		ok = add_batch(store, hosts.list[i].run, selection, err);
	for (size_t i = 0; i < hosts.count; i++)
		free(hosts.list[i].key);
	free(hosts.matrix);
	free(hosts.list);
	return ok;
}

bool selection_last(struct store *store, enum selection_hosts hosts,
		    struct selection *selection, struct err *err)
{
	int64_t run;

	if (!store_find_run(store, NULL, &run, err))
		return false;
	if (hosts != SELECTION_ONE &&
	    !add_hosts(store, run, hosts == SELECTION_MACHINES, selection, err))
		return false;
	return add_batch(store, run, selection, err);
}
