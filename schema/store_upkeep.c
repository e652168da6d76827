/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schema/store_private.h"

/* What is old, from the side of what there is to remove. */
#define OLD(table)                                                             \
	"FROM " table " JOIN sample ON sample.id = " table ".sample "          \
	"JOIN cell ON cell.id = sample.cell JOIN run ON run.id = cell.run "    \
	"WHERE run.started_at < ?1 AND run.pinned = 0"

static bool count_old(struct store *store, const char *before,
		      struct store_pruned *pruned, struct err *err)
{
	static const char sql[] =
		"SELECT count(*), sum(size) FROM (SELECT sum(size) AS size "
		"FROM (SELECT series.sample AS sample, series.op AS op, "
		"length(series.bytes) AS size " OLD(
			"series") " UNION ALL SELECT latency.sample, "
				  "latency.op, "
				  "length(latency.buckets) " OLD(
					  "latency") ") GROUP BY sample, op)";
	struct store_query q = store_query(store, sql);

	store_bind_text(&q, before);
	if (store_step(&q) == SQLITE_ROW) {
		pruned->phases = store_next_int(&q, 0);
		pruned->bytes = store_next_int(&q, 0);
	}
	return store_finish(&q, "looking for what is old", err);
}

static bool delete_old(struct store *store, const char *sql, const char *before,
		       struct err *err)
{
	struct store_query q = store_query(store, sql);

	store_bind_text(&q, before);
	return store_run(&q, "removing what is old", err);
}

bool store_prune(struct store *store, const char *before, bool look,
		 struct store_pruned *pruned, struct err *err)
{
	static const char series[] =
		"DELETE FROM series WHERE (sample, op) IN "
		"(SELECT series.sample, series.op " OLD("series") ")";
	static const char latency[] =
		"DELETE FROM latency WHERE (sample, op) IN "
		"(SELECT latency.sample, latency.op " OLD("latency") ")";

	*pruned = (struct store_pruned){ 0 };
	if (look)
		return count_old(store, before, pruned, err);
	if (!store_begin(store, err))
		return false;
	if (count_old(store, before, pruned, err) &&
	    delete_old(store, series, before, err) &&
	    delete_old(store, latency, before, err) && store_commit(store, err))
		return true;
	store_rollback(store);
	return false;
}

static bool size_of(struct store *store, int64_t *bytes, struct err *err)
{
	struct store_query q =
		store_query(store, "SELECT page_count * page_size FROM "
				   "pragma_page_count, pragma_page_size");
	bool found;

	return store_one(&q, bytes, &found, "measuring the database", err);
}

bool store_vacuum(struct store *store, int64_t *before, int64_t *after,
		  struct err *err)
{
	return size_of(store, before, err) &&
	       store_exec(store, "VACUUM", "vacuuming the database", err) &&
	       size_of(store, after, err);
}

static bool fail_file(const char *path, int errnum, const char *what,
		      struct err *err)
{
	err_sys(err, errnum, "%s", what);
	err_at(err, path, 0, 0);
	return false;
}

/* What is in the file, or in the folder, is on the disk. */
static bool sync_path(const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;
	int errnum = errno;

	if (fd >= 0)
		close(fd);
	return ok || fail_file(path, errnum, "writing the copy", err);
}

static bool sync_folder(const char *path, struct err *err)
{
	char *copy = strdup(path);
	bool ok = copy ? sync_path(dirname(copy), O_RDONLY | O_DIRECTORY, err)
		       : err_nomem(err);

	free(copy);
	return ok;
}

static bool copy_into(struct store *store, const char *part, struct err *err)
{
	struct store_query q;
	char *doing;
	bool ok;

	/* What the copy lacks, a folder or space, is not the original's. */
	if (asprintf(&doing, "copying the database to %s", part) < 0)
		return err_nomem(err);
	q = store_query(store, "VACUUM INTO ?");
	store_bind_text(&q, part);
	ok = store_run(&q, doing, err);
	free(doing);
	return ok;
}

/* An empty file: of one that it cannot make SQLite does not say why. */
static bool make_part(const char *part, const char *to, struct err *err)
{
	int fd;

	/* What a backup that was killed left. */
	if (unlink(part) < 0 && errno != ENOENT && errno != ENOTDIR)
		return fail_file(part, errno, "removing what was left", err);
	fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return fail_file(to, errno, "making the copy", err);
	close(fd);
	return true;
}

/* One that is there is never written over. */
static bool take_name(const char *part, const char *to, struct err *err)
{
	if (renameat2(AT_FDCWD, part, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno == EINVAL && access(to, F_OK) < 0 && rename(part, to) == 0)
		return true; /* a filesystem that knows no flags */
	if (errno != EEXIST)
		return fail_file(to, errno, "naming the copy", err);
	err_set(err, ERR_REFUSED, "there is such a file already");
	err_at(err, to, 0, 0);
	return false;
}

static bool backup(struct store *store, const char *part, const char *to,
		   struct err *err)
{
	if (!make_part(part, to, err))
		return false;
	if (copy_into(store, part, err) && sync_path(part, O_RDWR, err) &&
	    take_name(part, to, err) && sync_folder(to, err))
		return true;
	unlink(part);
	return false;
}

bool store_backup(const char *path, const char *to, struct err *err)
{
	struct store *store;
	char *part;
	bool ok;

	if (access(to, F_OK) == 0) {
		err_set(err, ERR_REFUSED, "there is such a file already");
		err_at(err, to, 0, 0);
		return false;
	}
	store = store_connect(path, err);
	if (!store)
		return false;
	if (asprintf(&part, "%s.part", to) < 0) {
		store_close(store);
		return err_nomem(err);
	}
	ok = backup(store, part, to, err);
	free(part);
	store_close(store);
	return ok;
}
