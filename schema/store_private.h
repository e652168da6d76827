/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_private - what the files of the store share: the connection, its
 * statements, and how an SQLite error becomes words.
 */
#ifndef SCHEMA_STORE_PRIVATE_H
#define SCHEMA_STORE_PRIVATE_H

#include <sqlite3.h>

#include "core/embed.h"
#include "schema/store.h"

#define STORE_APPLICATION_ID 0x46534d58 /* "FSMX" */
#define STORE_BUSY_MS        10000

enum { STORE_KEPT_MAX = 48 };

struct store {
	char *path; /* as the user gave it */
	sqlite3 *db;
	int claim;           /* an fd that holds the flock, or -1 */
	store_wait_fn *wait; /* NULL: it waits for STORE_BUSY_MS */
	void *wait_ctx;
	unsigned int waited_ms; /* for the lock in question */
	bool immutable;         /* opened as a file that nobody changes */
	/* Statements prepared once, known again by the address of their SQL. */
	struct store_kept {
		const char *sql;
		sqlite3_stmt *stmt;
	} kept[STORE_KEPT_MAX];
};

/*
 * Put SQLite's code into words: "<doing>: <why>", with the file as its place.
 * Returns false.
 */
bool store_error(const struct store *store, int rc, const char *doing,
		 struct err *err);
/* As err_set(), with the file as its place. */
bool store_refuse(const struct store *store, enum err_code code,
		  struct err *err, const char *fmt, ...) PRINTF(4, 5);

MUST_USE bool store_exec(struct store *store, const char *sql,
			 const char *doing, struct err *err);

/*
 * As store_open() for reading, but as the file is: not upgraded, and with
 * nothing set. Its schema may be as old as none at all.
 */
struct store *store_connect(const char *path, struct err *err);
/* An empty database without a name, called `name` in errors. */
struct store *store_temporary(const char *name, struct err *err);

/* Whether the file beside the database that ends in `suffix` has anything. */
bool store_has_beside(const char *path, const char *suffix);

/*
 * The path as SQLite's URI, on sqlite3_malloc's heap; NULL: no memory. `query`
 * is "" or begins with '?'.
 */
char *store_uri(const char *path, const char *query);

/* schema/migrations/NNN_name.sql: the file NNN makes version NNN. */
extern const struct embed store_migrations[];

/* Bring the file's schema up to ours; see store_open(). */
MUST_USE bool store_migrate(struct store *store, enum store_mode mode,
			    struct err *err);
/* The version that our migrations lead to. */
int64_t store_newest_version(void);
/* What says whose file it is, and how old. */
struct store_identity {
	int64_t application_id, user_version, tables;
};
/* Returns SQLite's code; may be called before anything else. */
int store_identify(sqlite3 *db, struct store_identity *identity);
/* The same; of one of ours `tables` stays 0, as no schema is parsed for it. */
int store_identify_quickly(sqlite3 *db, struct store_identity *identity);
/* Whether it is ours or new, and not newer than this program. */
MUST_USE bool store_is_ours(const struct store *store,
			    const struct store_identity *identity,
			    struct err *err);

/*
 * A statement and the values put into it in order. The first thing that fails
 * stays in `rc`, so that a whole list is written without looking.
 */
struct store_query {
	struct store *store;
	sqlite3_stmt *stmt;
	int bound;  /* parameters so far */
	int column; /* of the row, the next */
	int rc;
	bool kept; /* the store's: reset, not finalized */
};

/* What was done for a cell, as its first sample tells that mounted something.
 */
#define STORE_CELL_MADE                                                        \
	" made.device, made.mkfs_command, made.mount_command, made.driver "
#define STORE_FROM_CELL_MADE                                                   \
	"FROM cell LEFT JOIN sample AS made ON made.id = "                     \
	"(SELECT id FROM sample WHERE sample.cell = cell.id "                  \
	"AND device IS NOT NULL ORDER BY id LIMIT 1) "
/* Takes what STORE_CELL_MADE selects. */
void store_next_made(struct store_query *q, struct record_site *site);

/* `sql` is a string that lives as long as the program. */
struct store_query store_keep(struct store *store, const char *sql);
/* For statements that a callback may use again while they run. */
struct store_query store_query(struct store *store, const char *sql);

void store_bind_int(struct store_query *q, int64_t value);
/* `known` false: NULL. */
void store_bind_known(struct store_query *q, int64_t value, bool known);
void store_bind_size(struct store_query *q, uint64_t value);
void store_bind_real(struct store_query *q, double value); /* NaN: NULL */
void store_bind_text(struct store_query *q, const char *text);

/* The nine that are the settings of a cell, in the order of the table. */
void store_bind_settings(struct store_query *q, const struct workload *w);

/* SQLITE_ROW, SQLITE_DONE or an error, as in q->rc. */
int store_step(struct store_query *q);

/* The columns of the row, in the order they were asked for. */
const char *store_next_text(struct store_query *q); /* until the next step */
int64_t store_next_int(struct store_query *q, int64_t absent);
double store_next_real(struct store_query *q); /* NULL: NaN */
void store_next_uuid(struct store_query *q, char uuid[37]);
/* As store_bind_settings(); false when there are none. */
bool store_next_settings(struct store_query *q, struct workload *w);
/* Three columns: cpu_governor, power, temperature_mc. */
struct record_conditions store_next_conditions(struct store_query *q);

/*
 * The end of every query. False with `err` set when anything since
 * store_keep() or store_query() failed.
 */
MUST_USE bool store_finish(struct store_query *q, const char *doing,
			   struct err *err);
/* Runs a statement without rows, from bound to finished. */
MUST_USE bool store_run(struct store_query *q, const char *doing,
			struct err *err);
/* The integer of the first row; *found says whether there was one. */
MUST_USE bool store_one(struct store_query *q, int64_t *value, bool *found,
			const char *doing, struct err *err);

/* The status of a run, as the view `runs` has it. */
#define STORE_RUN_STATUS                                                       \
	"CASE WHEN run.status = 'running' AND run.holder IS NULL "             \
	"THEN 'broken off' ELSE run.status END"

/* A sample's phase, with its series and its histogram. */
MUST_USE bool store_add_phase(struct store *store, int64_t sample, char op,
			      const struct record_phase *phase,
			      struct err *err);

/*
 * The two halves of a statement that adds samples to points; what stands
 * between them says which samples, and begins with AND. Mean and squares go
 * by Welford's recurrence, which is exact for equal rates.
 */
#define STORE_ADD_POINTS                                                       \
	"INSERT INTO point (trend, op, started_at, run, cell, driver, n, "     \
	"mean_ln, m2_ln, min_kb_per_s, max_kb_per_s, cached) "                 \
	"SELECT cell.trend, phase.op, run.started_at, run.id, cell.id, "       \
	"sample.driver, 1, ln(phase.kb_per_s), 0.0, phase.kb_per_s, "          \
	"phase.kb_per_s, phase.cached "                                        \
	"FROM sample JOIN phase_rate AS phase ON phase.sample = sample.id "    \
	"JOIN cell ON cell.id = sample.cell JOIN run ON run.id = cell.run "    \
	"WHERE sample.status = 'ok' AND phase.kb_per_s > 0 "                   \
	"AND cell.trend IS NOT NULL "
#define STORE_JOIN_POINTS                                                      \
	"ON CONFLICT (trend, op, started_at, run) DO UPDATE SET n = n + 1, "   \
	"mean_ln = mean_ln + (excluded.mean_ln - mean_ln) / (n + 1), "         \
	"m2_ln = m2_ln + (excluded.mean_ln - mean_ln) * "                      \
	"(excluded.mean_ln - mean_ln) * n / (n + 1), "                         \
	"min_kb_per_s = min(min_kb_per_s, excluded.min_kb_per_s), "            \
	"max_kb_per_s = max(max_kb_per_s, excluded.max_kb_per_s), "            \
	"cached = cached + excluded.cached, "                                  \
	"driver = ifnull(excluded.driver, driver)"

/*
 * Which trend a new cell belongs to, and what a new sample, whose phases are
 * there, adds to the points of its trend.
 */
MUST_USE bool store_add_trend(struct store *store, int64_t cell,
			      struct err *err);
MUST_USE bool store_add_points(struct store *store, int64_t sample,
			       struct err *err);

#endif
