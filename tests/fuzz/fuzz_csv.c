/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whatever bytes a CSV file has: it is read, or refused with a line; and each
 * field that was read is read again from what is written of it.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "reports/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_field(void *ctx, struct csv_record *record)
{
	char *safe = text_safe(ctx);

	assert(safe && record->count == 1);
	assert(strcmp(csv_restore(record->fields[0]), safe) == 0);
	free(safe);
	return true;
}

static void write_and_read(char *field)
{
	struct err err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	csv_put_text(field, file);
	fputc('\n', file);
	fclose(file);
	file = fmemopen(text, size, "r");
	if (!csv_each_record(file, "written", same_field, field, &err))
		abort();
	fclose(file);
	free(text);
}

static bool take_record(void *ctx, struct csv_record *record)
{
	int *last = ctx;

	assert(record->count > 0 && record->line >= *last);
	*last = record->line;
	for (size_t i = 0; i < record->count; i++)
		write_and_read(record->fields[i]);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	int last = 1;
	FILE *in;

	if (size == 0)
		return 0;
	in = fmemopen((void *)data, size, "r");
	if (!csv_each_record(in, "fuzz", take_record, &last, &err))
		assert(err.code == ERR_INPUT && err.line > 0);
	fclose(in);
	return 0;
}
