/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard_undo - undoes what a record names. Not for others.
 */
#ifndef RUNNER_GUARD_UNDO_H
#define RUNNER_GUARD_UNDO_H

#include "runner/guard_record.h"

/*
 * Undo what is still there, the last made first, for at most `patience_ns`;
 * `dry_run`: only look. Returns how many things are still there, and tells
 * of each that was found when it began (`tell` may be NULL).
 */
size_t guard_undo(const struct guard_record *record, uint64_t patience_ns,
		  bool dry_run, guard_tell_fn *tell, void *ctx);

/*
 * What is undone is to stay so before its record goes: the two may be on
 * different disks, and then a power cut could take back only the one. False
 * if a disk does not answer; the record must then stay.
 */
bool guard_settle(const struct guard_record *record);

#endif
