/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "runner/command.h"

/* One line per command, here and below, in the order of the overview. */
extern const struct command cmd_backup;
extern const struct command cmd_check;
extern const struct command cmd_check_db;
extern const struct command cmd_clean;
extern const struct command cmd_compare;
extern const struct command cmd_completion;
extern const struct command cmd_doctor;
extern const struct command cmd_export;
extern const struct command cmd_history;
extern const struct command cmd_import;
extern const struct command cmd_init;
extern const struct command cmd_list;
extern const struct command cmd_manual;
extern const struct command cmd_merge;
extern const struct command cmd_plan;
extern const struct command cmd_prune;
extern const struct command cmd_resume;
extern const struct command cmd_run;
extern const struct command cmd_show;
extern const struct command cmd_tag;
extern const struct command cmd_vacuum;
extern const struct command cmd_volumes;

/* clang-format off */
const struct command *const command_table[] = {
	&cmd_init,
	&cmd_check,
	&cmd_plan,
	&cmd_run,
	&cmd_resume,
	&cmd_compare,
	&cmd_list,
	&cmd_show,
	&cmd_history,
	&cmd_tag,
	&cmd_merge,
	&cmd_backup,
	&cmd_check_db,
	&cmd_prune,
	&cmd_vacuum,
	&cmd_import,
	&cmd_export,
	&cmd_volumes,
	&cmd_doctor,
	&cmd_clean,
	&cmd_manual,
	&cmd_completion,
	NULL,
};
/* clang-format on */
