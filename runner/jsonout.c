/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/jsonout.h"

#include "runner/command.h"

json_t *jsonout_text(const char *text)
{
	return jsonvalue_text(text && *text ? text : NULL);
}

json_t *jsonout_names(const struct sysfile_names *names)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < names->count; i++) {
		if (json_array_append_new(array,
					  jsonout_text(names->items[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

bool jsonout_option(int argc, char **argv, bool *json, struct err *err)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	*json = false;
	while ((option = command_getopt(argc, argv, "", options, err)) != -1) {
		if (option != 'j')
			return false;
		*json = true;
	}
	return command_arguments(argc, argv, 0, 0, "", err);
}

bool jsonout_print(json_t *document, FILE *out, struct err *err)
{
	bool ok = document != NULL;

	if (!ok)
		err_nomem(err);
	else if (!jsonvalue_print(document, JSON_INDENT(2), out))
		ok = err_set(err, ERR_FAILED, "writing JSON");
	else
		fputc('\n', out);
	json_decref(document);
	return ok;
}
