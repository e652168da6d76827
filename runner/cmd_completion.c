/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/command.h"
#include "runner/completion.h"

static bool run(int argc, char **argv, struct err *err)
{
	static const struct option options[] = {
		{ "words", no_argument, NULL, 'w' },
		{ NULL, 0, NULL, 0 },
	};
	bool words = false;
	const char *script;
	int option;

	while ((option = command_getopt(argc, argv, "", options, err)) != -1) {
		if (option != 'w')
			return false;
		words = true;
	}
	if (words) {
		completion_print(argc - optind, argv + optind, stdout);
		return true;
	}
	if (!command_arguments(argc, argv, 1, 1, "SHELL", err))
		return false;
	script = completion_script(argv[optind]);
	if (!script)
		return err_usage(err, "no shell %s; there are bash, zsh, fish",
				 argv[optind]);
	fputs(script, stdout);
	return true;
}

const struct command cmd_completion = {
	.name = "completion",
	.synopsis = "[--words] [--] SHELL",
	.brief = "print what makes a shell complete our command lines",
	.options =
		"  SHELL               bash, zsh or fish; load it by, e.g.,\n"
		"                      source <(fsmatrix completion bash)\n"
		"      --words         say what may come next, of the words "
		"behind --\n",
	.run = run,
};
