/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record - what outlives the process, as plain structs: the rows that a run
 * adds to the store and that reports read back.
 *
 * Strings are borrowed in both directions; those handed to a callback live
 * until it returns. NULL is absent. Times of day are ISO-8601 UTC text
 * ("2026-11-30T19:05:47.123Z"), durations nanoseconds.
 */
#ifndef SCHEMA_RECORD_H
#define SCHEMA_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/phase.h"
#include "core/workload.h"

enum record_status {
	RECORD_OK,
	RECORD_FAILED,  /* an error; `reason` has its words */
	RECORD_TIMEOUT, /* the matrix's timeout passed */
	RECORD_CORRUPT, /* what was read is not what was written */
	RECORD_SKIPPED, /* something is missing here; `reason` says what */
	RECORD_STUCK,   /* the kernel did not come back from a call */
	RECORD_INVALID, /* measured, but not to be trusted (a suspend) */
};

/* "ok", "failed", ...; the words stored. */
const char *record_status_word(enum record_status status);
/* False for an unknown word. */
bool record_status_parse(const char *word, enum record_status *status);

/* The words stored: "buffered", "direct", "direct-strict"; "cold", "warm". */
const char *record_io_word(enum workload_io io);
/* As a matrix has it, and whoever reads of it: "direct!" for the last one. */
const char *record_io_name(enum workload_io io);
/* Of a word stored, or a name; false for an unknown one. */
bool record_io_parse(const char *word, enum workload_io *io);
const char *record_read_word(enum workload_read read);
const char *record_verify_word(enum workload_verify verify);
/* "buffered", "direct", "direct-refused", "direct-in-name"; NULL: unknown. */
const char *record_evidence_word(enum evidence_io io);

enum record_power {
	RECORD_POWER_UNKNOWN,
	RECORD_POWER_MAINS,
	RECORD_POWER_BATTERY,
};

/* "mains", "battery"; NULL: unknown. */
const char *record_power_word(enum record_power power);

/* What the machine was like at one moment, as far as that could be read. */
struct record_conditions {
	const char *governor; /* of the CPUs; NULL: unknown */
	enum record_power power;
	bool has_temperature;
	int64_t temperature_mc; /* thousandths of a degree Celsius */
};

/* The machine and its OS. The key is derived from both, so that the same
 * machine after an upgrade is another host. */
struct record_host {
	char uuid[37];
	const char *name; /* host name; NULL: not known (an import) */
	const char *os;   /* "Linux 6.12.5": the table's first column */
	const char *distribution, *kernel, *machine, *cpu;
	int64_t cpus, memory_bytes; /* 0: unknown */
	const char *virtualization; /* "kvm", "none"; NULL: unknown */
	const char *machine_id;     /* a uuid of the machine alone; NULL */
};

struct record_run {
	char uuid[37];
	char batch[37];          /* runs of one import share it; else "" */
	const char *source;      /* "run" or "import" */
	const char *matrix;      /* its name */
	const char *matrix_text; /* the document; NULL for an import */
	const char *matrix_path; /* absolute, where it was read; NULL: none */
	const char *label;
	uint64_t seed;
	unsigned int rounds;                       /* 0: not known */
	const char *baseline_dimension, *baseline; /* NULL: none */
	const char *program;                       /* "fsmatrix 0.1.0" */
	const char *started_at;
	struct record_conditions conditions; /* when it began */
	const char *holder; /* the process that is at it; NULL: none */
	const char *digest; /* of the file that was imported; NULL */
};

/* A run as it is stored, with its host. */
struct record_run_info {
	int64_t id;
	struct record_run run;
	struct record_host host;
	const char *status; /* "running", "broken off", "done", ... */
	const char *ended_at;
	int64_t cells, samples;
	bool ignored; /* tagged so */
};

/* The disk that has a volume's bytes in the end. */
struct record_disk {
	const char *name; /* the kernel's: "sda" */
	const char *vendor, *model, *firmware;
	int64_t bytes;                       /* 0: unknown */
	bool rotational;                     /* turns */
	const char *scheduler, *write_cache; /* "mq-deadline"; "write back" */
};

/* Where a cell was measured and what was done there, as far as is stored. */
struct record_site {
	const char *kind, *path; /* as of a cell */
	const char *type;        /* of the filesystem */
	const char *device;      /* that was mounted, as a sample found it */
	const char *disk, *vendor, *model;
	int64_t disk_bytes;                                /* 0: unknown */
	const char *mkfs_command, *mount_command, *driver; /* of that sample */
};

/* Volume, filesystem and workload together are unlike any other of the run. */
struct record_cell {
	const char *volume, *volume_kind; /* "image", "device", "directory" */
	const char *volume_path;
	const char *filesystem; /* NULL: the type is its name (a directory) */
	const char *type;
	const char *workload;
	const struct workload *settings; /* NULL: not known (an import) */
	const struct record_disk *disk;  /* below the volume; NULL: unknown */
	int64_t base_cell; /* an id from store_add_cell(); 0: none.
			      The base's own is its own id: pass -1.
			      Not known yet: 0, then store_set_base(). */
};

/* A cell as it is stored. */
struct record_cell_info {
	int64_t id;
	struct record_cell cell;
	int64_t samples; /* of whatever status */
	struct record_site site;
};

struct record_phase {
	const struct phase_result *result; /* NULL for an import */
	/* For an import, which may know no more than a rate: */
	double stated_kb_per_s;  /* NaN: from bytes and time */
	int64_t bytes, total_ns; /* -1: unknown */
	uint64_t app_ns;         /* of total_ns, until the last write returned;
				    0: unknown */
	uint64_t sustained_bytes_per_second; /* 0: unknown or not reached */
	int64_t files;                       /* 0: unknown */
	const char *end;     /* a phase_end_word(); NULL: unknown */
	enum evidence_io io; /* in force; as far as it is known */
	bool cached;         /* the evidence says memory served it */
};

struct record_sample {
	char uuid[37];
	int64_t cell;     /* from store_add_cell() */
	int64_t round;    /* 1-based; 0: not known (an import) */
	int64_t position; /* 1-based, in the order measured within the run;
			     0: not known */
	enum record_status status;
	const char *reason; /* NULL when ok */
	const char *driver; /* as found after mounting; NULL: never mounted */
	const char *mkfs_command, *mount_command, *mount_options, *device;
	const char *started_at, *ended_at;
	uint64_t prepare_ns, evict_ns, clean_ns; /* 0: not done, or unknown */
	struct record_conditions conditions;     /* when it began */
	const char *kernel_messages;             /* one a line; NULL: none */
	struct record_phase write, read; /* .result->end NONE: did not happen;
					    see has_write, has_read */
	/*
	 * An import of one rate alone (result NULL) is a sample of that op
	 * alone; its cell may have one of the other in the same round.
	 */
	bool has_write, has_read;
};

/* What is stored of a phase's latency histogram. */
struct record_latency {
	int64_t count; /* of calls; -1: there is no histogram */
	int64_t p50_ns, p90_ns, p99_ns, p99_9_ns, max_ns;
};

/* Bytes per interval of one phase. */
struct record_series {
	uint64_t interval_ns;
	const uint64_t *bytes;
	size_t count; /* at most SERIES_MAX */
};

/* One row of the view `result`, as reports read it. */
struct record_result {
	int64_t run, cell, sample;
	const char *run_uuid, *batch, *label, *matrix, *source;
	const char *host_uuid, *host, *os;
	const char *machine_id; /* NULL: unknown, or not asked for */
	const char *volume, *volume_kind, *filesystem, *type, *driver;
	const char *workload;
	int64_t base_cell; /* 0: none */
	int64_t round, position;
	char op; /* 'W' or 'R' */
	enum record_status status;
	const char *reason;
	int64_t bytes;             /* -1: unknown */
	double seconds;            /* W: with the flush; NaN: unknown */
	double flush_seconds;      /* NaN: unknown */
	double kb_per_s;           /* W: durable; NaN: none */
	double app_kb_per_s;       /* NaN: none */
	double sustained_kb_per_s; /* NaN: not reached or unknown */
	bool cached, shortened;
	const char *end;          /* phase_end_word(); NULL */
	const char *io_asked;     /* a record_io_name(); NULL */
	const char *io_effective; /* a record_evidence_word() */
	int64_t files, resident_bytes, device_bytes; /* -1: unknown */
	int64_t process_bytes, alignment_bytes;      /* -1: unknown */
	int errnum;                                  /* 0: none */
	struct record_latency latency;
	double user_seconds, system_seconds; /* CPU; NaN: unknown */
	int64_t voluntary_switches, involuntary_switches; /* -1: unknown */
	const char *sample_uuid, *started_at, *ended_at;
};

/* What people said of a run. */
struct record_tag {
	const char *label, *note;
	bool pinned;           /* a baseline for what comes after it */
	bool ignored;          /* kept, but left out where none was named */
	const char *tagged_at; /* when any of these was last said */
};

/* A run in a list of runs. */
struct record_listed {
	int64_t id;
	char uuid[37];
	const char *host, *os;  /* host: NULL where it is not known */
	const char *machine_id; /* NULL: unknown */
	const char *source, *matrix, *status;
	const char *started_at, *ended_at;
	/* Of its samples; without their times from start to end. NaN: no idea.
	 */
	double seconds;
	const char *holder; /* the process that is at it; NULL: none */
	struct record_tag tag;
	int64_t rounds; /* 0: not known */
	int64_t cells;
	int64_t cells_done;   /* have a sample that is ok */
	int64_t cells_failed; /* have samples, and none of them is ok */
	int64_t samples_ok, samples_skipped, samples_failed;
};

/* How a sample was prepared; the results (struct record_result) say what came
 * of it. */
struct record_setup {
	int64_t sample, cell;
	int64_t round; /* 0: not known */
	const char *driver, *device;
	/* As they were run, one a line; NULL: there was none. */
	const char *mkfs_command, *mount_command, *mount_options;
	int64_t prepare_ns, evict_ns, clean_ns; /* -1: not known */
	struct record_conditions conditions;
	const char *kernel_messages; /* one a line; NULL: none */
};

/* What stays the same from run to run: a cell on one machine. */
struct record_trend {
	int64_t id;
	const char *host, *os; /* of its newest run; host: NULL where unknown */
	const char *machine;   /* its id, else its name, else its OS */
	const char *volume, *volume_kind, *filesystem, *type, *workload;
	const struct workload *settings; /* NULL for an import */
};

/* One op of it in one run: over the samples that are ok. */
struct record_point {
	int64_t run, cell;
	const char *started_at; /* the run's */
	const char *driver;     /* NULL: not known */
	int64_t n;
	double mean_ln; /* of the logarithms of the rates in KB/s */
	double m2_ln;   /* the sum of their squared differences from it */
	double min_kb_per_s, max_kb_per_s;
	int64_t cached; /* how many of the n memory served */
};

/* What a reader knows a run by. */
struct record_run_name {
	int64_t id;
	const char *uuid, *label, *os, *kernel, *program;
};

/* One row of the view `comparison`. */
struct record_compared {
	const char *volume, *filesystem, *workload; /* NULL: none */
	char op;
	int64_t n;
	double kb_per_s;   /* NaN: none */
	double change_pct; /* NaN: of a base, or nothing to compare with */
	bool is_base;
};

#endif
