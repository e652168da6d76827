/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/guard_undo.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runner/aside.h"
#include "runner/guard_private.h"
#include "runner/process.h"
#include "runner/wait.h"

enum { PAUSE_MS = 20, LOOSEN_EVERY = 10, SETTLE_MS = 2000 };

static bool process_probe(const struct guard_entry *entry)
{
	return entry->b != 0 && process_start((pid_t)entry->a) == entry->b;
}

static enum guard_look process_look(const struct guard_entry *entry,
				    struct err *err)
{
	(void)err;
	return process_probe(entry) ? GUARD_OURS : GUARD_GONE;
}

/* Looked at again through the pidfd: it cannot become another's. */
static bool process_undo(const struct guard_entry *entry, struct err *err)
{
	int fd = pidfd_open((pid_t)entry->a, 0);

	if (fd < 0)
		return errno == ESRCH || err_sys(err, errno, "watching it");
	if (process_probe(entry) &&
	    pidfd_send_signal(fd, SIGKILL, NULL, 0) < 0 && errno != ESRCH)
		err_sys(err, errno, "killing it");
	else if (process_probe(entry) && !wait_readable(fd, PAUSE_MS))
		err_set(err, ERR_FAILED, "it does not end");
	close(fd);
	return err->code == ERR_NONE;
}

static void process_kill(const struct guard_entry *entry)
{
	struct err later = { 0 };

	process_undo(entry, &later);
}

static const struct {
	bool survives_boot;
	enum guard_look (*probe)(const struct guard_entry *entry,
				 struct err *err);
	/* Whether it is gone; may be called again if not. */
	bool (*undo)(const struct guard_entry *entry, struct err *err);
	void (*give_up)(const struct guard_entry *entry); /* see loosen() */
} kinds[] = {
	[GUARD_PROCESS] = { false, process_look, process_undo, process_kill },
	[GUARD_MOUNT] = { false, guard_mount_probe, guard_mount_undo,
			  guard_mount_give_up },
	[GUARD_LOOP] = { false, guard_loop_probe, guard_loop_undo,
			 guard_loop_give_up },
	[GUARD_FILE] = { true, guard_file_probe, guard_file_undo, NULL },
	[GUARD_DIRECTORY] = { true, guard_file_probe, guard_file_undo, NULL },
};

/* What became of one entry. */
struct fate {
	bool was_there;
	enum guard_look look;
	struct err err;
};

static void look_once(const struct guard_record *record, size_t i,
		      struct fate *fate)
{
	const struct guard_entry *entry = &record->entries[i];

	fate->err = (struct err){ 0 };
	if (record->this_boot || kinds[entry->kind].survives_boot)
		fate->look = kinds[entry->kind].probe(entry, &fate->err);
	/* One that was not there may have been in the making. */
	fate->was_there |= fate->look != GUARD_GONE;
}

/* Whether the record has a mount there that is to be undone. */
static bool has_mount(const struct guard_record *record,
		      const struct fate *fates, const char *path)
{
	for (size_t i = 0; i < record->count; i++) {
		if (record->entries[i].kind == GUARD_MOUNT &&
		    fates[i].look == GUARD_OURS &&
		    strcmp(record->entries[i].name, path) == 0)
			return true;
	}
	return false;
}

/* How many are there. */
static size_t look(const struct guard_record *record, struct fate *fates)
{
	size_t count = 0;

	for (size_t i = 0; i < record->count; i++) {
		look_once(record, i, &fates[i]);
		count += fates[i].look != GUARD_GONE;
	}
	/* What only our own mount is in the way of will be undone. */
	for (size_t i = 0; i < record->count; i++) {
		if (record->entries[i].kind == GUARD_DIRECTORY &&
		    fates[i].err.code == ERR_FAILED &&
		    has_mount(record, fates, record->entries[i].name))
			fates[i].err = (struct err){ 0 };
	}
	return count;
}

/*
 * A daemon of ours that does not end may wait for itself, in the unmount of
 * what nobody sees any more. As long as it lives it has its device for
 * itself, so that the number of a block device can be no other's connection.
 * A loop device that is on record says for itself whether it is still ours.
 */
static void free_hidden(const struct guard_record *record,
			const struct fate *fates)
{
	bool lives = false;

	for (size_t i = 0; i < record->count; i++) {
		const struct guard_entry *entry = &record->entries[i];

		if (entry->kind == GUARD_LOOP && entry->c != 0)
			return;
		lives |= entry->kind == GUARD_PROCESS &&
			 fates[i].look == GUARD_OURS && process_probe(entry);
	}
	for (size_t i = 0; lives && i < record->count; i++) {
		const struct guard_entry *entry = &record->entries[i];

		if (entry->kind == GUARD_MOUNT && fates[i].look == GUARD_GONE &&
		    major(entry->a) != 0)
			guard_abort_fuse(entry->a);
	}
}

/*
 * First what lets go of others: nobody may go on waiting for a daemon, and no
 * time be spent on writing what nobody will read. In this order, for each is
 * in the way of the next.
 */
static void loosen(const struct guard_record *record, const struct fate *fates)
{
	static const enum guard_kind order[] = { GUARD_MOUNT, GUARD_PROCESS,
						 GUARD_LOOP };

	for (size_t o = 0; o < sizeof(order) / sizeof(*order); o++) {
		for (size_t i = 0; i < record->count; i++) {
			const struct guard_entry *entry = &record->entries[i];

			if (fates[i].look == GUARD_OURS &&
			    entry->kind == order[o])
				kinds[entry->kind].give_up(entry);
		}
	}
	free_hidden(record, fates);
}

/*
 * Once over all, the last made first; how many are left. *again: for some of
 * them there is hope.
 */
static size_t pass(const struct guard_record *record, struct fate *fates,
		   bool *again)
{
	size_t left = 0;

	*again = false;
	for (size_t i = record->count; i > 0; i--) {
		const struct guard_entry *entry = &record->entries[i - 1];
		struct fate *fate = &fates[i - 1];

		look_once(record, i - 1, fate);
		if (fate->look == GUARD_OURS &&
		    kinds[entry->kind].undo(entry, &fate->err)) {
			fate->look = GUARD_GONE;
			fate->err = (struct err){ 0 };
		}
		left += fate->look != GUARD_GONE;
		*again |= fate->look != GUARD_GONE &&
			  fate->err.code != ERR_REFUSED;
	}
	return left;
}

static void name_thing(const struct guard_entry *entry, char *out, size_t size)
{
	if (entry->kind == GUARD_PROCESS)
		snprintf(out, size, "process %" PRIu64 " (%s)", entry->a,
			 entry->name);
	else if (entry->kind == GUARD_LOOP)
		snprintf(out, size, "loop device %s", entry->name);
	else
		snprintf(out, size, "%s %s", guard_record_word(entry->kind),
			 entry->name);
}

static void tell_all(const struct guard_record *record,
		     const struct fate *fates, guard_tell_fn *tell, void *ctx)
{
	char what[5000];

	for (size_t i = record->count; i > 0; i--) {
		if (!fates[i - 1].was_there)
			continue;
		name_thing(&record->entries[i - 1], what, sizeof(what));
		tell(ctx, what,
		     fates[i - 1].err.code != ERR_NONE ? fates[i - 1].err.text
						       : NULL);
	}
}

size_t guard_undo(const struct guard_record *record, uint64_t patience_ns,
		  bool dry_run, guard_tell_fn *tell, void *ctx)
{
	uint64_t until = wait_now_ns() + patience_ns;
	struct fate *fates = calloc(record->count + 1, sizeof(*fates));
	size_t left;
	bool again = true;

	if (!fates)
		return record->count;
	left = look(record, fates);
	if (!dry_run) {
		for (unsigned int i = 0; again; i++) {
			/* What hangs may do so only now. */
			if (i % LOOSEN_EVERY == 0)
				loosen(record, fates);
			left = pass(record, fates, &again);
			again = again && wait_now_ns() < until;
			if (again)
				wait_ms(PAUSE_MS);
		}
	}
	if (tell)
		tell_all(record, fates, tell, ctx);
	free(fates);
	return left;
}

bool guard_settle(const struct guard_record *record)
{
	bool ok = true;

	for (size_t i = 0; i < record->count; i++) {
		const struct guard_entry *entry = &record->entries[i];

		/* where it cannot be done, nothing better can */
		if (kinds[entry->kind].survives_boot &&
		    aside_call(guard_file_settle, entry->name, SETTLE_MS) ==
			    ETIMEDOUT)
			ok = false;
	}
	return ok;
}
