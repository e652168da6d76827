/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schema/store_merge.h"
#include "tests/unit/store_fixture.h"

enum { DUMP_MAX = 1 << 20 };

/* Turn to another database of the folder. */
static void turn(struct fixture *f, const char *name)
{
	store_close(f->store);
	f->store = NULL;
	snprintf(f->path, sizeof(f->path), "%s/%s", f->folder, name);
}

static void path_of(const struct fixture *f, const char *name, char out[96])
{
	snprintf(out, 96, "%s/%s", f->folder, name);
}

/* A run of two cells, with `rounds` of samples of rates of its own. */
static void put_run(struct fixture *f, int number, int rounds)
{
	int64_t fat, ntfs;

	fixture_run(f, number, "run");
	fat = fixture_cell(f, "FAT", -1);
	ntfs = fixture_cell(f, "NTFS", fat);
	for (int round = 1; round <= rounds; round++) {
		double rate = 100 * number + round;

		assert_ok(f, fixture_sample(f, ntfs, round, RECORD_OK,
					    rate * 1.5, rate));
		assert_ok(f,
			  fixture_sample(f, fat, round,
					 round == 2 ? RECORD_FAILED : RECORD_OK,
					 rate, rate * 2));
	}
	assert_ok(f, store_end_run(f->store, f->run, "done",
				   "2026-01-02T04:00:00.000Z", &f->err));
}

/* A database `name` of the runs from..to. */
static void make(struct fixture *f, const char *name, int from, int to)
{
	turn(f, name);
	fixture_open(f, STORE_WRITE);
	for (int number = from; number <= to; number++)
		put_run(f, number, 3);
	turn(f, name);
}

static void sql(struct fixture *f, const char *name, const char *text)
{
	char path[96];
	sqlite3 *db;

	path_of(f, name, path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", text, sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void copy(struct fixture *f, const char *from, const char *to)
{
	char text[256];

	snprintf(text, sizeof(text), "VACUUM INTO '%s/%s'", f->folder, to);
	sql(f, from, text);
}

/* Merge the named databases (up to a NULL) into `into`. */
static bool merge(struct fixture *f, const char *into, const char *const *names,
		  struct store_merged *merged)
{
	char paths[16][96];
	const char *list[16];
	size_t count = 0;
	bool ok;

	for (; names[count]; count++) {
		path_of(f, names[count], paths[count]);
		list[count] = paths[count];
	}
	turn(f, into);
	fixture_open(f, STORE_WRITE);
	ok = store_merge(f->store, list, count, merged, &f->err);
	turn(f, into);
	return ok;
}

#define MERGE(f, into, ...)                                                    \
	do {                                                                   \
		struct store_merged merged_;                                   \
                                                                               \
		assert_ok(f, merge(f, into,                                    \
				   (const char *const[]){ __VA_ARGS__, NULL }, \
				   &merged_));                                 \
	} while (0)

/* What a database says, whatever its ids are: in the order of uuids. */
static const char *const said[] = {
	"SELECT uuid, name, os, kernel, cpu, machine_id FROM host ORDER BY 1",
	"SELECT run.uuid, host.uuid, batch, source, status, matrix, label, "
	"seed, rounds, started_at, ended_at, pinned, ignored, note, tagged_at "
	"FROM run JOIN host ON host.id = run.host ORDER BY 1",
	"SELECT run.uuid, cell.volume, cell.filesystem, cell.workload, "
	"cell.volume_path, base.filesystem, trend.key, cell.disk_model FROM "
	"cell "
	"JOIN run ON run.id = cell.run LEFT JOIN cell AS base "
	"ON base.id = cell.base_cell LEFT JOIN trend ON trend.id = cell.trend "
	"ORDER BY 1, 2, 3",
	"SELECT sample.uuid, run.uuid, cell.filesystem, ops, round, position, "
	"sample.status, sample.reason, sample.started_at FROM sample "
	"JOIN cell ON cell.id = sample.cell JOIN run ON run.id = cell.run "
	"ORDER BY 1",
	"SELECT sample.uuid, op, cached, bytes, total_ns, stated_kb_per_s, "
	"latency_max_ns FROM phase JOIN sample ON sample.id = phase.sample "
	"ORDER BY 1, 2",
	"SELECT sample.uuid, op, interval_ns, bytes FROM series "
	"JOIN sample ON sample.id = series.sample ORDER BY 1, 2",
	"SELECT sample.uuid, op, buckets FROM latency "
	"JOIN sample ON sample.id = latency.sample ORDER BY 1, 2",
	"SELECT trend.key, op, point.started_at, run.uuid, n, mean_ln, m2_ln, "
	"min_kb_per_s, max_kb_per_s, cached, cell.filesystem FROM point "
	"JOIN trend ON trend.id = point.trend JOIN run ON run.id = point.run "
	"JOIN cell ON cell.id = point.cell ORDER BY 1, 2, 3, 4",
	"SELECT * FROM pragma_foreign_key_check",
	"SELECT * FROM pragma_integrity_check",
};

static int add_row(void *ctx, int count, char **values, char **names)
{
	FILE *out = ctx;

	(void)names;
	for (int i = 0; i < count; i++)
		fprintf(out, "%s|", values[i] ? values[i] : "NULL");
	fputc('\n', out);
	return 0;
}

/* The caller's to free. */
static char *dump(struct fixture *f, const char *name)
{
	char path[96], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	sqlite3 *db;

	path_of(f, name, path);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		fprintf(out, "-- %zu\n", i);
		if (sqlite3_exec(db, said[i], add_row, out, NULL) != SQLITE_OK)
			fail_msg("%s: %s", said[i], sqlite3_errmsg(db));
	}
	sqlite3_close(db);
	fclose(out);
	return text;
}

static void assert_same(struct fixture *f, const char *a, const char *b)
{
	char *one = dump(f, a), *other = dump(f, b);

	assert_string_equal(one, other);
	free(one);
	free(other);
}

static void everything_of_a_database_gets_into_an_empty_one(void **state)
{
	struct fixture *f = *state;
	struct store_merged merged;

	make(f, "a.db", 1, 3);
	sql(f, "a.db",
	    "INSERT INTO series SELECT sample, op, 1000, '[1,2]' FROM phase;");
	assert_ok(f, merge(f, "into.db", (const char *const[]){ "a.db", NULL },
			   &merged));
	assert_int_equal(merged.runs, 3);
	assert_int_equal(merged.known_runs, 0);
	assert_int_equal(merged.samples, 18);
	assert_same(f, "a.db", "into.db");
}

static void merging_again_adds_nothing(void **state)
{
	struct fixture *f = *state;
	struct store_merged merged;
	char *before, *after;

	make(f, "a.db", 1, 3);
	make(f, "into.db", 4, 5);
	MERGE(f, "into.db", "a.db");
	before = dump(f, "into.db");
	assert_ok(f, merge(f, "into.db",
			   (const char *const[]){ "a.db", "a.db", NULL },
			   &merged));
	assert_int_equal(merged.runs, 0);
	assert_int_equal(merged.known_runs, 6);
	assert_int_equal(merged.samples, 0);
	after = dump(f, "into.db");
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void ids_that_are_here_stay(void **state)
{
	struct fixture *f = *state;

	make(f, "a.db", 1, 2);
	make(f, "into.db", 3, 4);
	MERGE(f, "into.db", "a.db");
	assert_string_equal(fixture_sql(f, "SELECT group_concat(substr(uuid, "
					   "-1)) FROM (SELECT uuid FROM run "
					   "ORDER BY id)"),
			    "3,4,1,2");
}

static void few_samples_step_aside_for_many_and_come_back(void **state)
{
	struct fixture *f = *state;

	make(f, "a.db", 1, 20);
	turn(f, "into.db");
	fixture_open(f, STORE_WRITE);
	put_run(f, 21, 2);
	put_run(f, 22, 1);
	fixture_run(f, 23, "run");
	fixture_cell(f, "FAT", -1);
	sql(f, "into.db",
	    "INSERT INTO series SELECT sample, op, 1000, '[1,2]' FROM phase;"
	    "INSERT INTO latency SELECT sample, op, '[[1,2]]' FROM phase");
	copy(f, "a.db", "other.db");
	MERGE(f, "other.db", "into.db");
	MERGE(f, "into.db", "a.db");
	assert_same(f, "into.db", "other.db");
	assert_string_equal(fixture_sql(f, "SELECT group_concat(substr(uuid, "
					   "-2)) FROM (SELECT uuid FROM run "
					   "ORDER BY id LIMIT 4)"),
			    "15,16,17,01");
	MERGE(f, "into.db", "a.db", "other.db");
	assert_same(f, "into.db", "other.db");
}

static void the_order_does_not_matter(void **state)
{
	struct fixture *f = *state;

	make(f, "a.db", 1, 3);
	make(f, "b.db", 4, 6);
	copy(f, "a.db", "c.db");
	turn(f, "c.db");
	fixture_open(f, STORE_WRITE);
	put_run(f, 7, 2);
	MERGE(f, "abc.db", "a.db", "b.db", "c.db");
	MERGE(f, "cba.db", "c.db", "b.db", "a.db");
	MERGE(f, "one.db", "b.db");
	MERGE(f, "one.db", "c.db");
	MERGE(f, "one.db", "a.db");
	assert_same(f, "abc.db", "cba.db");
	assert_same(f, "abc.db", "one.db");
	MERGE(f, "a.db", "b.db", "c.db");
	assert_same(f, "abc.db", "a.db");
}

static void more_databases_than_sqlite_attaches(void **state)
{
	struct fixture *f = *state;
	const char *names[14] = { NULL };
	char texts[13][16];
	struct store_merged merged;

	for (int i = 0; i < 13; i++) {
		snprintf(texts[i], sizeof(texts[i]), "s%d.db", i);
		names[i] = texts[i];
		make(f, names[i], i + 1, i + 2);
		/* Both say the same of the run they share: as it was later. */
		if (i > 0)
			sql(f, names[i],
			    "PRAGMA foreign_keys = ON; DELETE FROM point; "
			    "UPDATE cell SET base_cell = NULL; "
			    "DELETE FROM run WHERE id = 1");
	}
	MERGE(f, "one.db", "s12.db");
	for (int i = 11; i >= 0; i--)
		MERGE(f, "one.db", names[i]);
	assert_ok(f, merge(f, "into.db", names, &merged));
	assert_int_equal(merged.runs, 14);
	assert_same(f, "one.db", "into.db");
}

static void a_run_that_went_on_elsewhere_gets_its_samples(void **state)
{
	struct fixture *f = *state;
	struct store_merged merged;
	int64_t fat, ntfs;

	turn(f, "a.db");
	fixture_open(f, STORE_WRITE);
	put_run(f, 1, 2);
	assert_ok(f, store_end_run(f->store, f->run, "interrupted",
				   "2026-01-02T03:30:00.000Z", &f->err));
	copy(f, "a.db", "early.db");
	fat = fixture_cell(f, "FAT", -1);
	ntfs = fixture_cell(f, "NTFS", fat);
	fixture_cell(f, "ext4", fat);
	for (int round = 3; round <= 5; round++) {
		assert_ok(f, fixture_sample(f, fat, round, RECORD_OK, 77.7,
					    88.8 + round));
		assert_ok(f, fixture_sample(f, ntfs, round, RECORD_OK, 99.9,
					    round));
	}
	assert_ok(f, store_end_run(f->store, f->run, "done",
				   "2026-01-02T05:00:00.000Z", &f->err));
	copy(f, "early.db", "into.db");
	assert_ok(f, merge(f, "into.db", (const char *const[]){ "a.db", NULL },
			   &merged));
	assert_int_equal(merged.runs, 0);
	assert_int_equal(merged.samples, 6);
	assert_same(f, "a.db", "into.db");
	/* And the other way round nothing is taken back. */
	MERGE(f, "a.db", "early.db");
	assert_same(f, "a.db", "into.db");
}

static void the_tags_that_were_said_last_win(void **state)
{
	struct fixture *f = *state;

	make(f, "a.db", 1, 3);
	copy(f, "a.db", "b.db");
	sql(f, "a.db",
	    "UPDATE run SET label = 'old', pinned = 1, "
	    "tagged_at = '2026-02-01T00:00:00.000Z' WHERE id < 3");
	sql(f, "b.db",
	    "UPDATE run SET label = 'new', ignored = 1, note = 'x', "
	    "tagged_at = '2026-02-02T00:00:00.000Z' WHERE id = 1");
	sql(f, "b.db",
	    "UPDATE run SET label = NULL, "
	    "tagged_at = '2026-02-02T00:00:00.000Z' WHERE id = 2");
	copy(f, "b.db", "b_into_a.db");
	MERGE(f, "b_into_a.db", "a.db");
	MERGE(f, "a.db", "b.db");
	assert_same(f, "a.db", "b_into_a.db");
	assert_string_equal(
		fixture_sql(f, "SELECT group_concat(ifnull(label, '-') || "
			       "pinned || ignored || ifnull(note, '-')) "
			       "FROM (SELECT * FROM run ORDER BY id)"),
		"new01x,-00-,-00-");
}

static void series_that_were_removed_on_one_side_are_on_both(void **state)
{
	struct fixture *f = *state;

	make(f, "a.db", 1, 2);
	sql(f, "a.db",
	    "INSERT INTO series SELECT sample, op, 1000, '[1,2]' FROM phase");
	copy(f, "a.db", "b.db");
	sql(f, "b.db", "DELETE FROM series WHERE sample % 2");
	MERGE(f, "b.db", "a.db");
	assert_same(f, "a.db", "b.db");
}

static void an_older_database_is_upgraded_as_a_copy(void **state)
{
	struct fixture *f = *state;
	char before[4096], after[4096];
	char path[96];

	turn(f, "old.db");
	fixture_first_version(f);
	fixture_snapshot(f->folder, before, sizeof(before));
	path_of(f, "old.db", path);
	make(f, "into.db", 1, 1);
	MERGE(f, "into.db", "old.db");
	assert_string_equal(fixture_sql(f, "SELECT group_concat(op || "
					   "kb_per_s) FROM history "
					   "WHERE os = 'NT'"),
			    "W4439.0");
	unlink(f->path);
	fixture_snapshot(f->folder, after, sizeof(after));
	assert_string_equal(before, after);
	assert_true(fixture_hash(path) != 0);
}

static void a_source_is_not_touched_even_with_a_log_beside_it(void **state)
{
	struct fixture *f = *state;
	char before[4096], after[4096];
	char command[256];

	make(f, "live.db", 1, 2);
	fixture_open(f, STORE_WRITE);
	put_run(f, 3, 1);
	/* As a crash would leave it: the newest run is in the log only. */
	snprintf(command, sizeof(command),
		 "cd '%s' && cp live.db a.db && cp live.db-wal a.db-wal",
		 f->folder);
	assert_int_equal(system(command), 0);
	turn(f, "a.db");
	fixture_snapshot(f->folder, before, sizeof(before));
	MERGE(f, "into.db", "a.db");
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM run"), "3");
	unlink(f->path);
	snprintf(command, sizeof(command), "%s/a.db-shm", f->folder);
	unlink(command); /* the index of the log, made anew by any reader */
	fixture_snapshot(f->folder, after, sizeof(after));
	assert_string_equal(before, after);
}

static void a_database_that_is_being_written_is_read_as_it_was(void **state)
{
	struct fixture *f = *state;
	struct fixture writer;

	make(f, "live.db", 1, 2);
	writer = *f;
	fixture_open(&writer, STORE_WRITE);
	assert_ok(f, store_begin(writer.store, &f->err));
	put_run(&writer, 3, 2);
	MERGE(f, "into.db", "live.db");
	assert_string_equal(fixture_sql(f, "SELECT count(*) FROM run"), "2");
	assert_ok(f, store_commit(writer.store, &f->err));
	store_close(writer.store);
	MERGE(f, "into.db", "live.db");
	assert_same(f, "live.db", "into.db");
}

/* Refused, with the source's name, and nothing of any source is in. */
static void assert_refused(struct fixture *f, const char *bad,
			   const char *complaint)
{
	char *before = dump(f, "into.db"), *after;
	char path[96];
	struct store_merged merged;

	f->err = (struct err){ 0 };
	assert_false(merge(f, "into.db",
			   (const char *const[]){ "good.db", bad, NULL },
			   &merged));
	path_of(f, bad, path);
	assert_string_equal(f->err.source, path);
	if (!strstr(f->err.text, complaint))
		fail_msg("%s does not say: %s", f->err.text, complaint);
	assert_int_equal(f->err.code, ERR_INPUT);
	after = dump(f, "into.db");
	assert_string_equal(before, after);
	free(before);
	free(after);
}

static void make_good(struct fixture *f)
{
	make(f, "into.db", 1, 2);
	make(f, "good.db", 3, 4);
}

static void what_is_no_database_of_ours_is_refused(void **state)
{
	struct fixture *f = *state;
	char path[96];

	make_good(f);
	assert_refused(f, "none.db", "there is no such database");
	path_of(f, "text.db", path);
	fixture_put(path, "no database at all, but long enough to be one\n",
		    46);
	assert_refused(f, "text.db", "not a database");
	path_of(f, "empty.db", path);
	fixture_put(path, "", 0);
	assert_refused(f, "empty.db", "nothing is in it");
	sql(f, "foreign.db", "CREATE TABLE x (y); ");
	assert_refused(f, "foreign.db", "another program");
	copy(f, "good.db", "newer.db");
	sql(f, "newer.db", "PRAGMA user_version = 1000");
	assert_refused(f, "newer.db", "made by a newer fsmatrix");
	assert_refused(f, "into.db", "into itself");
}

static void a_file_cut_short_is_refused(void **state)
{
	struct fixture *f = *state;
	char path[96];
	struct stat st;

	make_good(f);
	make(f, "bad.db", 5, 40);
	path_of(f, "bad.db", path);
	assert_int_equal(stat(path, &st), 0);
	for (int part = 1; part < 8; part++) {
		assert_int_equal(truncate(path, st.st_size * (8 - part) / 8),
				 0);
		assert_refused(f, "bad.db", "damaged");
	}
}

static void damage_anywhere_is_found_or_does_no_harm(void **state)
{
	struct fixture *f = *state;
	char path[96], zeros[4096] = { 0 };
	struct stat st;

	make_good(f);
	make(f, "whole.db", 5, 7);
	path_of(f, "whole.db", path);
	assert_int_equal(stat(path, &st), 0);
	for (off_t page = 1; page < st.st_size / 4096; page++) {
		FILE *file;

		path_of(f, "bad.db", path);
		unlink(path);
		copy(f, "whole.db", "bad.db");
		assert_int_equal(stat(path, &st), 0);
		if (page >= st.st_size / 4096)
			break;
		file = fopen(path, "r+b");
		assert_non_null(file);
		fseek(file, page * 4096, SEEK_SET);
		fwrite(zeros, 1, sizeof(zeros), file);
		fclose(file);
		assert_refused(f, "bad.db", "damaged");
	}
}

static void a_reference_to_nothing_is_found(void **state)
{
	static const char *const broken[] = {
		"UPDATE sample SET cell = 999 WHERE id = 3",
		"UPDATE run SET host = 99 WHERE id = 1",
		"UPDATE phase SET sample = 7777 WHERE sample = 2",
		"UPDATE cell SET run = 99 WHERE id = 2",
		"UPDATE cell SET base_cell = 99 WHERE id = 2",
		"INSERT INTO series VALUES (999, 'W', 1, '[1]')",
		"UPDATE point SET cell = 99 WHERE run = 1 AND op = 'W'",
		"UPDATE point SET run = 99 WHERE run = 1",
	};
	struct fixture *f = *state;

	make_good(f);
	make(f, "whole.db", 5, 6);
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		char path[96];

		path_of(f, "bad.db", path);
		unlink(path);
		copy(f, "whole.db", "bad.db");
		sql(f, "bad.db", broken[i]);
		assert_refused(f, "bad.db", "damaged");
	}
}

/* Of runs that are here the points are made anew, of others they are taken. */
static void a_point_of_nothing_is_found_beside_known_runs_too(void **state)
{
	static const char *const broken[] = {
		"UPDATE point SET cell = 99 WHERE run = 3 AND op = 'W'",
		"UPDATE point SET run = 99 WHERE run = 3",
	};
	struct fixture *f = *state;

	make_good(f);
	copy(f, "into.db", "whole.db");
	make(f, "whole.db", 5, 5);
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		char path[96];

		path_of(f, "bad.db", path);
		unlink(path);
		copy(f, "whole.db", "bad.db");
		sql(f, "bad.db", broken[i]);
		assert_refused(f, "bad.db", "damaged");
	}
}

static void values_that_no_check_allows_are_found(void **state)
{
	static const char *const broken[] = {
		"PRAGMA ignore_check_constraints = ON; "
		"UPDATE sample SET status = 'fine' WHERE id = 3",
		"PRAGMA ignore_check_constraints = ON; "
		"UPDATE phase SET stated_kb_per_s = -4",
	};
	struct fixture *f = *state;

	make_good(f);
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		char path[96];

		path_of(f, "bad.db", path);
		unlink(path);
		make(f, "bad.db", 5, 6);
		sql(f, "bad.db", broken[i]);
		assert_refused(f, "bad.db", "damaged");
	}
}

static void what_was_altered_is_refused(void **state)
{
	static const struct {
		const char *sql, *complaint;
	} altered[] = {
		{ "UPDATE run SET seed = '99' WHERE id = 1",
		  "not the same in both is run " },
		{ "UPDATE run SET host = (SELECT max(id) FROM host) "
		  "WHERE id = 1",
		  "not the same in both is run " },
		{ "UPDATE cell SET volume_path = '/x' WHERE id = 1",
		  "not the same in both are the cells of run " },
		{ "UPDATE sample SET status = 'corrupt' WHERE id = 1",
		  "not the same in both is sample " },
		{ "UPDATE phase SET stated_kb_per_s = 9999 WHERE sample = 1",
		  "not the same in both is sample " },
		{ "DELETE FROM phase WHERE sample = 1 AND op = 'W'",
		  "not the same in both is sample " },
	};
	struct fixture *f = *state;

	make(f, "good.db", 3, 4);
	make(f, "into.db", 1, 2);
	sql(f, "into.db",
	    "INSERT INTO host (uuid, os) VALUES (printf('%036d', 9), 'X')");
	for (size_t i = 0; i < sizeof(altered) / sizeof(*altered); i++) {
		char path[96];

		path_of(f, "bad.db", path);
		unlink(path);
		copy(f, "into.db", "bad.db");
		sql(f, "bad.db", altered[i].sql);
		/* A phase more is a phase less on the other side. */
		if (i + 1 == sizeof(altered) / sizeof(*altered)) {
			unlink(path);
			copy(f, "into.db", "bad.db");
			sql(f, "into.db", altered[i].sql);
		}
		assert_refused(f, "bad.db", altered[i].complaint);
	}
}

static void a_round_that_both_measured_is_refused(void **state)
{
	struct fixture *f = *state;
	int64_t cell;

	make(f, "good.db", 3, 4);
	turn(f, "into.db");
	fixture_open(f, STORE_WRITE);
	put_run(f, 1, 1);
	copy(f, "into.db", "bad.db");
	cell = fixture_cell(f, "FAT", -1);
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 1, 2));
	turn(f, "bad.db");
	fixture_open(f, STORE_WRITE);
	assert_ok(f, fixture_sample(f, cell, 2, RECORD_OK, 1, 2));
	turn(f, "bad.db");
	assert_refused(f, "bad.db", "measured twice");
}

static void a_database_that_a_run_uses_is_busy(void **state)
{
	struct fixture *f = *state;
	struct fixture runner;
	struct store_merged merged;

	make(f, "a.db", 1, 1);
	make(f, "into.db", 2, 2);
	runner = *f;
	fixture_open(&runner, STORE_WRITE);
	assert_ok(f, store_claim(runner.store, &f->err));
	assert_false(merge(f, "into.db", (const char *const[]){ "a.db", NULL },
			   &merged));
	assert_int_equal(f->err.code, ERR_BUSY);
	store_close(runner.store);
}

/* A table that merging does not know would be left behind. */
static void merging_knows_every_table(void **state)
{
	struct fixture *f = *state;

	make(f, "a.db", 1, 1);
	assert_string_equal(
		fixture_sql(f, "SELECT group_concat(name) FROM (SELECT name "
			       "FROM sqlite_schema WHERE type = 'table' "
			       "AND name NOT LIKE 'sqlite_%' ORDER BY name)"),
		"cell,host,latency,phase,point,run,sample,series,trend");
}

#define TEST(name)                                                             \
	cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything_of_a_database_gets_into_an_empty_one),
		TEST(merging_again_adds_nothing),
		TEST(ids_that_are_here_stay),
		TEST(few_samples_step_aside_for_many_and_come_back),
		TEST(the_order_does_not_matter),
		TEST(more_databases_than_sqlite_attaches),
		TEST(a_run_that_went_on_elsewhere_gets_its_samples),
		TEST(the_tags_that_were_said_last_win),
		TEST(series_that_were_removed_on_one_side_are_on_both),
		TEST(an_older_database_is_upgraded_as_a_copy),
		TEST(a_source_is_not_touched_even_with_a_log_beside_it),
		TEST(a_database_that_is_being_written_is_read_as_it_was),
		TEST(what_is_no_database_of_ours_is_refused),
		TEST(a_file_cut_short_is_refused),
		TEST(damage_anywhere_is_found_or_does_no_harm),
		TEST(a_reference_to_nothing_is_found),
		TEST(a_point_of_nothing_is_found_beside_known_runs_too),
		TEST(values_that_no_check_allows_are_found),
		TEST(what_was_altered_is_refused),
		TEST(a_round_that_both_measured_is_refused),
		TEST(a_database_that_a_run_uses_is_busy),
		TEST(merging_knows_every_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
