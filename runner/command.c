/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "core/units.h"
#include "runner/child.h"
#include "schema/matrix.h"
#include "schema/store.h"

enum { KNOWN_MAX = 64 };

static const char default_database[] = "fsmatrix.db";

const char command_common_options[] =
	"      --db FILE       the database (default: $FSMATRIX_DB, else "
	"fsmatrix.db)\n"
	"  -h, --help          print this\n";

const struct command *command_find(const char *name)
{
	for (size_t i = 0; command_table[i]; i++) {
		if (strcmp(command_table[i]->name, name) == 0)
			return command_table[i];
	}
	return NULL;
}

void command_print_usage(const struct command *command, FILE *out)
{
	fprintf(out, "usage: " PROGRAM " %s %s\n", command->name,
		command->synopsis);
}

void command_print_help(const struct command *command, FILE *out)
{
	command_print_usage(command, out);
	fprintf(out, "\n%s\n", command->brief);
	fprintf(out, "\n%s%s", command->options, command_common_options);
}

void command_print_overview(FILE *out)
{
	fputs("usage: " PROGRAM " COMMAND [OPTION]... [ARGUMENT]...\n\n"
	      "Compares filesystems: writes and reads on every cell of a "
	      "matrix of volumes,\nfilesystems and workloads, keeps every "
	      "sample, and says which is faster.\n\n",
	      out);
	for (size_t i = 0; command_table[i]; i++)
		fprintf(out, "  %-10s %s\n", command_table[i]->name,
			command_table[i]->brief);
	fputs("\nTo begin:\n"
	      "  " PROGRAM " init                 writes " PROGRAM
	      ".json, a matrix for this machine\n"
	      "  " PROGRAM " plan " PROGRAM ".json   what it would do\n"
	      "  " PROGRAM " run " PROGRAM ".json    measure and compare\n"
	      "Afterwards:\n"
	      "  " PROGRAM " list                 the runs; " PROGRAM
	      " compare RUN prints one again\n\n" PROGRAM
	      " COMMAND --help (or " PROGRAM
	      " help COMMAND) says more of one command,\n" PROGRAM
	      " manual of all.\n",
	      out);
}

static bool fail_unknown_command(const char *name, struct err *err)
{
	const char *known[KNOWN_MAX] = { NULL };
	const char *nearest;

	for (size_t i = 0; command_table[i] && i + 1 < KNOWN_MAX; i++)
		known[i] = command_table[i]->name;
	nearest = text_nearest(name, known);
	if (nearest)
		return err_usage(err, "no command %s; did you mean %s?", name,
				 nearest);
	return err_usage(err, "no command %s; see " PROGRAM " --help", name);
}

/*
 * --db goes to where command_database() looks. Arguments behind "--" are
 * not options. Returns the number of arguments left.
 */
static int take_database(int argc, char **argv, struct err *err)
{
	int kept = 0;
	bool options = true;

	for (int i = 0; i < argc; i++) {
		const char *value = NULL;

		if (strcmp(argv[i], "--") == 0)
			options = false;
		if (options && strncmp(argv[i], "--db=", 5) == 0)
			value = argv[i] + 5;
		else if (options && strcmp(argv[i], "--db") == 0)
			value = i + 1 < argc ? argv[++i] : "";
		if (!value) {
			argv[kept++] = argv[i];
			continue;
		}
		if (!*value)
			err_usage(err, "option --db needs a file");
		else if (setenv("FSMATRIX_DB", value, 1) != 0)
			err_nomem(err);
	}
	argv[kept] = NULL;
	return kept;
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool is_version(const char *word)
{
	return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

static bool wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0)
			return false;
		if (strcmp(argv[i], "--help") == 0 ||
		    strcmp(argv[i], "-h") == 0)
			return true;
	}
	return false;
}

bool command_dispatch(int argc, char **argv, struct err *err)
{
	const struct command *command;
	bool helping;

	argc = take_database(argc, argv, err);
	if (err->code != ERR_NONE)
		return false;
	if (argc == 0)
		return err_usage(err,
				 "no command given; see " PROGRAM " --help");
	if (is_version(argv[0])) {
		puts(PROGRAM " " FSMATRIX_VERSION);
		return true;
	}
	if (is_help(argv[0]) || (strcmp(argv[0], "help") == 0 && argc == 1)) {
		command_print_overview(stdout);
		return true;
	}
	helping = strcmp(argv[0], "help") == 0 || wants_help(argc, argv);
	if (strcmp(argv[0], "help") == 0)
		argv++;
	command = command_find(argv[0]);
	if (!command)
		return fail_unknown_command(argv[0], err);
	if (helping) {
		command_print_help(command, stdout);
		return true;
	}
	optind = 0; /* glibc: start anew */
	return command->run(argc, argv, err);
}

const char *command_database(void)
{
	const char *path = getenv("FSMATRIX_DB");

	return path && *path ? path : default_database;
}

char *command_about_run(const char *command, int64_t run, struct err *err)
{
	struct child_argv argv = { 0 };
	char number[24], *text;

	snprintf(number, sizeof(number), "%" PRId64, run);
	child_argv_add(&argv, PROGRAM);
	child_argv_add(&argv, command);
	if (strcmp(command_database(), default_database) != 0) {
		child_argv_add(&argv, "--db");
		child_argv_add(&argv, command_database());
	}
	child_argv_add(&argv, number);
	text = child_command_text(&argv);
	child_argv_done(&argv);
	if (!text)
		err_nomem(err);
	return text;
}

struct store *command_store(struct err *err)
{
	struct store *store = store_open(command_database(), STORE_READ, err);

	if (!store)
		return NULL;
	store_close(store);
	return store_open(command_database(), STORE_WRITE, err);
}

static void fail_unknown_option(const char *word, const struct option *options,
				struct err *err)
{
	const char *known[KNOWN_MAX] = { NULL };
	const char *nearest;
	char name[64];

	if (word[0] != '-' || word[1] != '-') {
		err_usage(err, "unknown option %s", word);
		return;
	}
	for (size_t i = 0; options[i].name && i + 1 < KNOWN_MAX; i++)
		known[i] = options[i].name;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="),
		 word + 2);
	nearest = text_nearest(name, known);
	if (nearest)
		err_usage(err, "unknown option --%s; did you mean --%s?", name,
			  nearest);
	else
		err_usage(err, "unknown option --%s", name);
}

int command_getopt(int argc, char **argv, const char *letters,
		   const struct option *options, struct err *err)
{
	char all[64];
	int found;

	/* ':' tells a missing value from an unknown option. */
	snprintf(all, sizeof(all), ":%s", letters);
	opterr = 0;
	found = getopt_long(argc, argv, all, options, NULL);
	if (found == ':') {
		err_usage(err, "option %s needs a value", argv[optind - 1]);
		return '?';
	}
	if (found != '?')
		return found;
	if (optopt >= ' ' && optopt < 127 && !strchr(letters, optopt))
		err_usage(err, "unknown option -%c", optopt);
	else if (optopt)
		err_usage(err, "option %s takes no value", argv[optind - 1]);
	else
		fail_unknown_option(argv[optind - 1], options, err);
	return '?';
}

bool command_arguments(int argc, char **argv, int least, int most,
		       const char *what, struct err *err)
{
	int count = argc - optind;

	if (count < least) {
		err_usage(err, "no %s given", what);
		return strcmp(what, "MATRIX") == 0 &&
		       err_advise(err, "`" PROGRAM " init` writes one");
	}
	if (count > most)
		return err_usage(err, "unexpected argument %s",
				 argv[optind + most]);
	return true;
}

bool command_number(const char *option, const char *text,
		    unsigned long long least, unsigned long long most,
		    unsigned long long *value, struct err *err)
{
	char *end = NULL;
	unsigned long long number;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno != 0 ||
	    number < least || number > most)
		return err_usage(err,
				 "%s: not a whole number from %llu to %llu: %s",
				 option, least, most, text);
	*value = number;
	return true;
}

/* Who means hours by "7" is to hear of it before the night. */
static void tell_seconds(const char *option, const char *text, uint64_t ns)
{
	char understood[UNITS_TEXT_MAX];

	if (text[strspn(text, "0123456789.")])
		return;
	units_format_duration(ns, understood, sizeof(understood));
	command_note("%s %s: understood as %s, a number alone being seconds",
		     option, text, understood);
}

bool command_duration(const char *option, const char *text, const char *such_as,
		      uint64_t *ns, struct err *err)
{
	char near[2 * UNITS_TEXT_MAX];

	if (units_parse_duration(text, ns) && *ns > 0 && *ns <= INT64_MAX) {
		tell_seconds(option, text, *ns);
		return true;
	}
	if (units_near_duration(text, near, sizeof(near)))
		return err_usage(err,
				 "%s: not a time such as %s: %s; did you "
				 "mean %s?",
				 option, such_as, text, near);
	return err_usage(err, "%s: not a time such as %s: %s", option, such_as,
			 text);
}

bool command_fail_list(const struct err_list *errs, struct err *err)
{
	for (size_t i = 0; i < errs->count; i++) {
		if (i + 1 == errs->count) {
			*err = errs->items[i];
			break;
		}
		fputs(PROGRAM ": ", stderr);
		err_print(&errs->items[i], stderr);
	}
	if (errs->truncated)
		command_warn("more faults than these were found");
	return false;
}

struct matrix *command_matrix(const char *path, struct err *err)
{
	struct err_list faults = { 0 };
	struct matrix *matrix = matrix_load(path, &faults);

	if (!matrix) {
		command_fail_list(&faults, err);
		if (access(path, F_OK) < 0 && errno == ENOENT)
			err_advise(err, "`" PROGRAM " init` writes a matrix");
	}
	err_list_done(&faults);
	return matrix;
}

static void say(const char *kind, const char *fmt, va_list ap) PRINTF(2, 0);
static void say(const char *kind, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	fprintf(stderr, PROGRAM ": %s", kind);
	text_fputs_safe(text, stderr);
	fputc('\n', stderr);
}

void command_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void command_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}
