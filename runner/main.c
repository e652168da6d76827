/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>

#include "runner/command.h"

/* A result that did not reach its reader is not a success. */
static bool flush_results(struct err *err)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return true;
	return err_sys(err, errno ? errno : EIO, "writing results");
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	bool done;

	setlocale(LC_CTYPE, "");
	/* A file that its limit allows no longer ends in a message. */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		command_print_overview(stderr);
		return ERR_INPUT;
	}
	done = command_dispatch(argc - 1, argv + 1, &err);
	if (flush_results(&err) && done)
		return ERR_NONE;

	if (err.text[0]) {
		fputs(PROGRAM ": ", stderr);
		err_print(&err, stderr);
	}
	if (err.usage && command_find(argv[1]))
		command_print_usage(command_find(argv[1]), stderr);
	return (int)err.code;
}
