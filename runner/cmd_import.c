/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/text.h"
#include "runner/command.h"
#include "runner/import.h"

static void print_known(const char *path, const struct import_known *known)
{
	text_fputs_safe(path, stdout);
	if (known->added > 0)
		printf(": %" PRId64 " sample%s added to run %" PRId64
		       "; %" PRId64 " of it %s here already\n",
		       known->added, known->added == 1 ? "" : "s", known->run,
		       known->here, known->here == 1 ? "is" : "are");
	else if (known->here > 0)
		printf(": %" PRId64 " sample%s of run %" PRId64
		       " %s here already\n",
		       known->here, known->here == 1 ? "" : "s", known->run,
		       known->here == 1 ? "is" : "are");
	else
		printf(": run %" PRId64 " is here already\n", known->run);
}

static void print_result(const char *path, const struct import_result *result)
{
	for (size_t i = 0; i < result->known_count; i++)
		print_known(path, &result->known[i]);
	if (result->runs == 0)
		return;
	text_fputs_safe(path, stdout);
	printf(": %" PRId64 " row%s, %zu cell%s, run %" PRId64, result->rows,
	       result->rows == 1 ? "" : "s", result->cells,
	       result->cells == 1 ? "" : "s", result->first_run);
	if (result->runs > 1)
		printf(" to %" PRId64,
		       result->first_run + (int64_t)result->runs - 1);
	putchar('\n');
}

static bool import(const struct import_file *file, struct err *err)
{
	struct err_list faults = { 0 };
	struct import_result result = { 0 };
	bool ok = import_file(command_database(), file, &result, &faults, err);

	if (ok)
		print_result(file->source, &result);
	else if (faults.count > 0)
		command_fail_list(&faults, err);
	free(result.known);
	err_list_done(&faults);
	return ok;
}

static bool import_path(struct import_file *file, struct err *err)
{
	struct stat st;
	bool ok;

	file->in = fopen(file->source, "r");
	if (!file->in)
		return err_set(err, ERR_INPUT, "opening %s: %s", file->source,
			       strerror(errno));
	if (fstat(fileno(file->in), &st) == 0 && S_ISDIR(st.st_mode))
		ok = err_set(err, ERR_INPUT, "%s is a directory", file->source);
	else
		ok = import(file, err);
	fclose(file->in);
	return ok;
}

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option options[] = {
		{ "again", no_argument, NULL, 'a' },
		{ 0 },
	};
	struct import_file file = { .in = stdin };
	int found;

	while ((found = command_getopt(argc, argv, "", options, err)) != -1) {
		if (found != 'a')
			return false;
		file.again = true;
	}
	if (!command_arguments(argc, argv, 1, 1, "FILE.csv", err))
		return false;
	file.source = argv[optind];
	return strcmp(file.source, "-") == 0 ? import(&file, err)
					     : import_path(&file, err);
}

const struct command cmd_import = {
	.name = "import",
	.synopsis = "[--again] FILE.csv",
	.brief = "take in results measured elsewhere, from a CSV file",
	.options = "  FILE.csv            \"-\" is standard input. Its first "
		   "line names the columns:\n"
		   "                      os, volume, filesystem, op (W or R) "
		   "and kb_per_s; and,\n"
		   "                      where known, host, label, driver, "
		   "workload, round, bytes,\n"
		   "                      seconds, status and started_at; and "
		   "run, which tells the\n"
		   "                      runs of a file apart. What export "
		   "writes can be read,\n"
		   "                      with all of its columns: by its "
		   "run_uuid and sample_uuid\n"
		   "                      what is here already is known, and "
		   "not doubled\n"
		   "      --again         import as new runs what is here "
		   "already\n",
	.run = run,
};
