/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "schema/store.h"

enum { LEFT_OUT_MAX = 10 }; /* machines that are named */

void selection_done(struct selection *selection)
{
	free(selection->runs);
	free(selection->left_out);
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

struct host {
	char *key; /* owned */
	int64_t run;
	char *name, *matrix; /* owned; of one that is left out */
};

/* The newest run of each host with one matrix, and hosts with others. */
struct hosts {
	char *matrix;               /* owned */
	struct host *list, *others; /* owned */
	size_t count, other_count;
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

static struct host *find_host(struct host *list, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].key, key) == 0)
			return &list[i];
	}
	return NULL;
}

/* That of the key, which is added if need be; NULL: out of memory. */
static struct host *have_host(struct host **list, size_t *count,
			      const char *key)
{
	struct host *found = find_host(*list, *count, key), *grown;
	char *copy;

	if (found)
		return found;
	grown = reallocarray(*list, *count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	*list = grown;
	copy = strdup(key);
	if (!copy)
		return NULL;
	grown[*count] = (struct host){ .key = copy };
	return &grown[(*count)++];
}

static bool note_other(struct hosts *hosts, const char *key,
		       const struct record_run_info *info)
{
	const char *name = info->host.name && *info->host.name ? info->host.name
							       : info->host.os;
	struct host *host = have_host(&hosts->others, &hosts->other_count, key);

	if (!host)
		return false;
	free(host->name);
	free(host->matrix);
	host->name = strdup(name ? name : key);
	host->matrix = strdup(info->run.matrix ? info->run.matrix : "");
	return host->name && host->matrix;
}

/* Runs come oldest first: a later one of the same host takes its place. */
static bool note_host(void *ctx, const struct record_run_info *info)
{
	struct hosts *hosts = ctx;
	const char *matrix = info->run.matrix ? info->run.matrix : "";
	const char *key = key_of(hosts, &info->host);
	struct host *host;

	if (info->ignored)
		return true;
	if (strcmp(matrix, hosts->matrix) != 0) {
		hosts->ok =
			note_other(hosts, key, info) || err_nomem(hosts->err);
		return hosts->ok;
	}
	host = have_host(&hosts->list, &hosts->count, key);
	if (host)
		host->run = info->id;
	hosts->ok = host || err_nomem(hosts->err);
	return hosts->ok;
}

/* Owned; NULL where none is left out, or without memory to say so. */
static char *left_out(const struct hosts *hosts)
{
	size_t size, count = 0;
	char *text = NULL;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < hosts->other_count; i++) {
		const struct host *host = &hosts->others[i];

		if (find_host(hosts->list, hosts->count, host->key))
			continue;
		if (count < LEFT_OUT_MAX)
			fprintf(out, "%s%s (%s)", count > 0 ? ", " : "",
				host->name, host->matrix);
		count++;
	}
	if (count > LEFT_OUT_MAX)
		fprintf(out, " and %zu more", count - LEFT_OUT_MAX);
	if (fclose(out) == 0 && count > 0)
		return text;
	free(text);
	return NULL;
}

static void free_hosts(struct host *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].key);
		free(list[i].name);
		free(list[i].matrix);
	}
	free(list);
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
	if (ok && machines)
		selection->left_out = left_out(&hosts);
	free_hosts(hosts.list, hosts.count);
	free_hosts(hosts.others, hosts.other_count);
	free(hosts.matrix);
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
