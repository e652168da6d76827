/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_record - the file that says what a run has made. Not for others.
 *
 * Lines of text, appended one at a time:
 *
 *   fsmatrix-record 2 BOOT-ID PID START
 *   + KIND A B C SINCE NAME   about to be made; the line's offset is its ticket
 *   = TICKET A B C            what it became
 *   - TICKET                  gone again
 *
 * A, B and C are numbers that tell this thing from another of the same name
 * (0: not known): see enum guard_kind. SINCE is the wall clock in ns. In NAME,
 * which ends the line, a backslash and control characters are written as
 * \ooo. Version 1 had no C: what it named is then not known so well.
 *
 * A run holds its record locked. A line that is cut short, as by a power
 * cut, ends the record: what it would have named was not made.
 */
#ifndef RUNNER_GUARD_RECORD_H
#define RUNNER_GUARD_RECORD_H

#include "runner/guard.h"

enum guard_kind {
	GUARD_PROCESS,   /* A: pid, B: start time, NAME: its program */
	GUARD_MOUNT,     /* A: device number, NAME: mount point */
	GUARD_LOOP,      /* A, B: as the next, of the backing file; C: diskseq,
			  * new with each attachment; NAME: /dev/loopN */
	GUARD_FILE,      /* A, B: device and inode, C: when it was made, in ns,
			  * as its filesystem says it; NAME: path */
	GUARD_DIRECTORY, /* likewise */
};

struct guard_entry {
	guard_ticket ticket;
	enum guard_kind kind;
	uint64_t a, b, c;
	uint64_t since_ns;
	char *name; /* owned */
};

/* What is in force, in the order in which it was added. */
struct guard_record {
	unsigned int version;
	bool this_boot; /* else only files and directories can be left */
	pid_t owner;
	uint64_t owner_start;
	struct guard_entry *entries; /* owned */
	size_t count;
};

/*
 * `boot` is the id of the boot that runs. ERR_INPUT: not a record, or one of
 * a later version. An empty text is a record without entries.
 */
MUST_USE bool guard_record_parse(const char *text, size_t length,
				 const char *boot, struct guard_record *record,
				 struct err *err);
MUST_USE bool guard_record_read(int fd, struct guard_record *record,
				struct err *err);
void guard_record_done(struct guard_record *record);

/* "mount", ...: the word in the file. */
const char *guard_record_word(enum guard_kind kind);

/* A new record, locked and on the disk; *path is the caller's. -1. */
int guard_record_create(char **path, struct err *err);

MUST_USE bool guard_record_add(int fd, const struct guard_entry *entry,
			       guard_ticket *ticket, struct err *err);
void guard_record_know(int fd, guard_ticket ticket, uint64_t a, uint64_t b,
		       uint64_t c);
void guard_record_drop(int fd, guard_ticket ticket);
/* Of a record with nothing in force: back to its first line. */
void guard_record_clear(int fd);

#endif
