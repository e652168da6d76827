/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "schema/store_private.h"

enum {
	PREFIX_MIN = 4, /* of a uuid; less is a slip of the fingers */
	UUID_LENGTH = 36,
};

static const char digits[] = "0123456789";
static const char uuid_characters[] = "0123456789abcdefABCDEF-";

static const char doing[] = "looking for a run";

static bool is_of(const char *text, const char *characters)
{
	return !text[strspn(text, characters)];
}

static bool find_newest(struct store *store, int64_t *run, struct err *err)
{
	static const char sql[] = "SELECT id FROM run WHERE ignored = 0 "
				  "ORDER BY started_at DESC, id DESC LIMIT 1";
	struct store_query q = store_query(store, sql);
	bool found;

	if (!store_one(&q, run, &found, doing, err))
		return false;
	return found || store_refuse(store, ERR_INPUT, err,
				     "no run in it yet; run a matrix first");
}

static bool find_id(struct store *store, const char *which, int64_t *run,
		    bool *found, struct err *err)
{
	static const char sql[] = "SELECT id FROM run WHERE id = ?";
	struct store_query q;

	*found = false;
	if (!which[0] || strlen(which) > 18 || !is_of(which, digits))
		return true;
	q = store_query(store, sql);
	store_bind_int(&q, strtoll(which, NULL, 10));
	return store_one(&q, run, found, doing, err);
}

static bool find_label(struct store *store, const char *which, int64_t *run,
		       bool *found, struct err *err)
{
	static const char sql[] =
		"SELECT id FROM run WHERE label = ? "
		"ORDER BY ignored, started_at DESC, id DESC LIMIT 1";
	struct store_query q = store_query(store, sql);

	store_bind_text(&q, which);
	return store_one(&q, run, found, doing, err);
}

static bool find_uuid(struct store *store, const char *which, int64_t *run,
		      bool *found, struct err *err)
{
	/* The range is what the index can look up. */
	static const char sql[] =
		"SELECT CASE count(*) WHEN 1 THEN id ELSE -1 END FROM run "
		"WHERE uuid >= lower(?1) AND uuid < lower(?1) || 'g' "
		"HAVING count(*) > 0";
	struct store_query q;
	int64_t id = 0;

	*found = false;
	if (strlen(which) < PREFIX_MIN || !is_of(which, uuid_characters))
		return true;
	q = store_query(store, sql);
	store_bind_text(&q, which);
	if (!store_one(&q, &id, found, doing, err))
		return false;
	if (*found && id == -1)
		return store_refuse(store, ERR_INPUT, err,
				    "several runs have a uuid that begins "
				    "with %s",
				    which);
	*run = *found ? id : *run;
	return true;
}

bool store_find_run(struct store *store, const char *which, int64_t *run,
		    struct err *err)
{
	bool found = false;

	if (!which || strcmp(which, "last") == 0)
		return find_newest(store, run, err);
	if (!find_id(store, which, run, &found, err))
		return false;
	if (!found && !find_label(store, which, run, &found, err))
		return false;
	if (!found && !find_uuid(store, which, run, &found, err))
		return false;
	return found || store_refuse(store, ERR_INPUT, err,
				     "no run %s: none has this id, uuid or "
				     "label; `fsmatrix list` prints them",
				     which);
}

#define FIGURES                                                                \
	"SELECT sample.id FROM cell JOIN sample ON sample.cell = cell.id "     \
	"WHERE sample.status = 'ok' AND cell.run = "

bool store_has_figures(struct store *store, int64_t run, bool *found,
		       struct err *err)
{
	struct store_query q = store_query(store, FIGURES "? LIMIT 1");
	int64_t sample;

	store_bind_int(&q, run);
	return store_one(&q, &sample, found, doing, err);
}

bool store_find_figures(struct store *store, int64_t *run, bool *found,
			struct err *err)
{
	static const char sql[] =
		"SELECT id FROM run WHERE ignored = 0 AND EXISTS (" FIGURES
		"run.id) ORDER BY started_at DESC, id DESC LIMIT 1";
	struct store_query q = store_query(store, sql);

	return store_one(&q, run, found, doing, err);
}

bool store_check_label(const char *label, struct err *err)
{
	if (!text_is_safe(label))
		return err_set(err, ERR_INPUT,
			       "the label contains a control character");
	if (strcmp(label, "last") == 0)
		return err_set(err, ERR_INPUT,
			       "the label \"last\" would hide the newest run, "
			       "which this word means");
	if (*label && is_of(label, digits))
		return err_set(err, ERR_INPUT,
			       "the label %s has digits only, and so would be "
			       "taken for the number of a run; \"v%s\" would "
			       "not",
			       label, label);
	if (strlen(label) == UUID_LENGTH && is_of(label, uuid_characters))
		return err_set(err, ERR_INPUT,
			       "the label %s would be taken for a uuid", label);
	return true;
}

bool store_find_unfinished_run(struct store *store, const char *host,
			       int64_t *run, struct err *err)
{
	static const char sql[] =
		"SELECT run.id FROM run JOIN host ON host.id = run.host "
		"WHERE source = 'run' AND status <> 'done' AND ignored = 0 "
		"ORDER BY host.uuid = ? DESC, started_at DESC, run.id DESC "
		"LIMIT 1";
	struct store_query q = store_query(store, sql);
	bool found;

	store_bind_text(&q, host);
	if (!store_one(&q, run, &found, doing, err))
		return false;
	return found || store_refuse(store, ERR_INPUT, err,
				     "no run in it was interrupted");
}

bool store_count_samples(struct store *store, int64_t run, int64_t *count,
			 struct err *err)
{
	static const char sql[] =
		"SELECT count(*) FROM sample JOIN cell ON cell.id = "
		"sample.cell WHERE cell.run = ?";
	struct store_query q = store_query(store, sql);
	bool found;

	store_bind_int(&q, run);
	return store_one(&q, count, &found, "counting samples", err);
}

bool store_has_sample(struct store *store, int64_t cell, int64_t round,
		      bool *found, struct err *err)
{
	static const char sql[] =
		"SELECT id FROM sample WHERE cell = ? AND round = ?";
	struct store_query q = store_keep(store, sql);
	int64_t id;

	store_bind_int(&q, cell);
	store_bind_int(&q, round);
	return store_one(&q, &id, found, "looking for a sample", err);
}

bool store_estimate_ns(struct store *store, const char *host,
		       const struct record_cell *cell, uint64_t *ns,
		       struct err *err)
{
	static const char sql[] =
		"SELECT CAST(avg(ns) AS INTEGER) FROM ("
		" SELECT (julianday(sample.ended_at)"
		"  - julianday(sample.started_at)) * 86400e9 AS ns"
		" FROM cell JOIN run ON run.id = cell.run"
		" JOIN host ON host.id = run.host"
		" JOIN sample ON sample.cell = cell.id"
		" WHERE cell.volume_path = ? AND cell.volume_kind = ?"
		" AND host.name = ? AND cell.filesystem IS ?"
		" AND cell.type IS ? AND cell.block_bytes IS ?"
		" AND cell.size_bytes IS ? AND cell.duration_ns IS ?"
		" AND cell.file_limit_bytes IS ? AND cell.io IS ?"
		" AND cell.read IS ? AND cell.depth IS ?"
		" AND cell.streams IS ? AND cell.verify IS ?"
		" AND sample.status = 'ok'"
		" ORDER BY sample.started_at DESC LIMIT 10)";
	struct store_query q = store_query(store, sql);
	int64_t mean = 0;
	bool found;

	store_bind_text(&q, cell->volume_path);
	store_bind_text(&q, cell->volume_kind);
	store_bind_text(&q, host);
	store_bind_text(&q, cell->filesystem);
	store_bind_text(&q, cell->type);
	store_bind_settings(&q, cell->settings);
	if (!store_one(&q, &mean, &found, "estimating", err))
		return false;
	*ns = mean > 0 ? (uint64_t)mean : 0;
	return true;
}

bool store_find_import(struct store *store, const char *digest, int64_t *run,
		       bool *found, struct err *err)
{
	static const char sql[] =
		"SELECT min(id) FROM run WHERE digest = ? HAVING count(*) > 0";
	struct store_query q = store_query(store, sql);

	store_bind_text(&q, digest);
	return store_one(&q, run, found, "looking for an import", err);
}

bool store_find_uuid(struct store *store, const char *uuid, int64_t *run,
		     bool *found, bool *measured, struct err *err)
{
	static const char sql[] =
		"SELECT id, source = 'run' FROM run WHERE uuid = ?";
	struct store_query q = store_query(store, sql);

	store_bind_text(&q, uuid);
	*found = store_step(&q) == SQLITE_ROW;
	if (*found) {
		*run = store_next_int(&q, 0);
		*measured = store_next_int(&q, 0) != 0;
	}
	return store_finish(&q, doing, err);
}

bool store_has_sample_uuid(struct store *store, int64_t run, const char *uuid,
			   bool *found, struct err *err)
{
	static const char sql[] =
		"SELECT sample.id FROM sample JOIN cell ON cell.id = "
		"sample.cell WHERE sample.uuid = ? AND cell.run = ?";
	struct store_query q = store_keep(store, sql);
	int64_t id;

	store_bind_text(&q, uuid);
	store_bind_int(&q, run);
	return store_one(&q, &id, found, "looking for a sample", err);
}
