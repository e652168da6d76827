/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "reports/sheet_private.h"

struct sheet *sheet_new(const struct sheet_view *view, struct err *err)
{
	const char *unit = view->view->unit;
	struct sheet *sheet = calloc(1, sizeof(*sheet));

	if (!sheet) {
		err_nomem(err);
		return NULL;
	}
	sheet->view = view;
	sheet->unit = figure_unit(unit ? unit : "KB", err);
	if (sheet->unit)
		return sheet;
	sheet_free(sheet);
	return NULL;
}

static void end_cell(struct sheet *sheet)
{
	compare_lines_done(&sheet->commands);
	compare_lines_done(&sheet->failures);
	compare_lines_done(&sheet->kernel);
	grid_done(&sheet->grid);
	json_decref(sheet->cell);
	json_decref(sheet->samples);
	sheet->cell = sheet->samples = NULL;
	sheet->sample = 0;
	sheet->time_count = 0;
}

void sheet_free(struct sheet *sheet)
{
	if (!sheet)
		return;
	end_cell(sheet);
	free(sheet->times);
	free(sheet);
}

bool sheet_run(struct sheet *sheet, const struct record_run_info *info,
	       const struct record_listed *listed, struct err *err)
{
	return sheet->view->json ? sheet_json_run(sheet, info, listed, err)
				 : sheet_text_run(sheet, info, listed, err);
}

bool sheet_cell(struct sheet *sheet, const struct record_cell_info *cell,
		struct err *err)
{
	sheet->base = cell->cell.base_cell == cell->id;
	return sheet->view->json ? sheet_json_cell(sheet, cell, err)
				 : sheet_text_cell(sheet, cell, err);
}

/* Doubles as it fills. */
static bool add_times(struct sheet *sheet, const struct record_setup *setup)
{
	size_t room = sheet->time_room;

	if (sheet->time_count == room) {
		struct sheet_times *times;

		room = room ? 2 * room : 16;
		times = reallocarray(sheet->times, room, sizeof(*times));
		if (!times)
			return false;
		sheet->times = times;
		sheet->time_room = room;
	}
	sheet->times[sheet->time_count++] = (struct sheet_times){
		.sample = setup->sample,
		.prepare_ns = setup->prepare_ns,
		.evict_ns = setup->evict_ns,
		.clean_ns = setup->clean_ns,
	};
	return true;
}

const struct sheet_times *sheet_times_of(const struct sheet *sheet,
					 int64_t sample)
{
	for (size_t i = 0; i < sheet->time_count; i++) {
		if (sheet->times[i].sample == sample)
			return &sheet->times[i];
	}
	return NULL;
}

/* How long what is random in each sample is at the beginning; 0: nothing. */
static size_t random_length(const char *text, const char **stands_for)
{
	static const char loop[] = "/dev/loop";
	static const char run[] = "/run/fsmatrix-";
	size_t length = strlen(loop);

	if (strncmp(text, loop, length) == 0) {
		*stands_for = "/dev/loopN";
		return length + strspn(text + length, "0123456789");
	}
	length = strlen(run);
	*stands_for = "MOUNTPOINT";
	return strncmp(text, run, length) == 0 ? strcspn(text, " \n") : 0;
}

/* Without what tells one sample's command from another's; owned. */
static char *general(const char *text)
{
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	while (out && *text) {
		const char *stands_for;
		size_t length = random_length(text, &stands_for);

		if (length > 0)
			fputs(stands_for, out);
		else
			fputc(*text, out);
		text += length > 0 ? length : 1;
	}
	if (out && fclose(out) == 0)
		return made;
	free(made);
	return NULL;
}

/* Each of the text's lines that is not there yet. */
static bool add_lines(struct compare_lines *lines, const char *name,
		      const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");
		char *line;
		bool known = false;

		if (asprintf(&line, "%-*s %.*s", SHEET_NAME, name, (int)length,
			     text) < 0)
			return false;
		for (size_t i = 0; !known && i < lines->count; i++)
			known = strcmp(lines->items[i], line) == 0;
		if (!known && !compare_lines_add(lines, "%s", line)) {
			free(line);
			return false;
		}
		free(line);
		text += length + (text[length] == '\n');
	}
	return true;
}

static bool add_general(struct compare_lines *lines, const char *name,
			const char *text)
{
	char *made = text ? general(text) : NULL;
	bool ok = (made || !text) && add_lines(lines, name, made);

	free(made);
	return ok;
}

/* The kernel's words, by the round in which it said them. */
static bool add_kernel(struct sheet *sheet, const struct record_setup *setup)
{
	char name[48];

	snprintf(name, sizeof(name),
		 "round %lld: kernel:", (long long)setup->round);
	return add_lines(&sheet->kernel, name, setup->kernel_messages);
}

bool sheet_setup(struct sheet *sheet, const struct record_setup *setup,
		 struct err *err)
{
	struct compare_lines *lines = &sheet->commands;

	if (sheet->view->json)
		return sheet_json_setup(sheet, setup, err);
	if (add_times(sheet, setup) &&
	    add_lines(lines, "driver", setup->driver) &&
	    add_general(lines, "device", setup->device) &&
	    add_general(lines, "mkfs", setup->mkfs_command) &&
	    add_general(lines, "mount", setup->mount_command) &&
	    add_lines(lines, "options", setup->mount_options) &&
	    add_lines(lines, "governor", setup->conditions.governor) &&
	    add_lines(lines, "power",
		      record_power_word(setup->conditions.power)) &&
	    add_kernel(sheet, setup))
		return true;
	return err_nomem(err);
}

bool sheet_result(struct sheet *sheet, const struct record_result *result,
		  struct err *err)
{
	return sheet->view->json ? sheet_json_result(sheet, result, err)
				 : sheet_text_result(sheet, result, err);
}

bool sheet_cell_end(struct sheet *sheet, struct err *err)
{
	bool ok = sheet->view->json ? sheet_json_cell_end(sheet, err)
				    : sheet_text_cell_end(sheet, err);

	end_cell(sheet);
	sheet->cells++;
	return ok;
}

double sheet_cache_error(const struct record_result *result)
{
	if (result->op != 'W' || !(result->app_kb_per_s > 0) ||
	    !(result->kb_per_s > 0))
		return NAN;
	return result->app_kb_per_s / result->kb_per_s - 1;
}

static void put_bytes(uint64_t bytes, FILE *out)
{
	char text[UNITS_TEXT_MAX];

	units_format_bytes(bytes, text, sizeof(text));
	fputs(text, out);
}

static void put_settings(const struct workload *w, FILE *out)
{
	char text[UNITS_TEXT_MAX];

	if (w->size_bytes)
		put_bytes(w->size_bytes, out);
	else
		fputs("until full", out);
	fputs(" in blocks of ", out);
	put_bytes(w->block_bytes, out);
	fprintf(out, ", %s, %s read", record_io_name(w->io),
		record_read_word(w->read));
	if (w->depth > 1)
		fprintf(out, ", depth %u", w->depth);
	if (w->streams > 1)
		fprintf(out, ", %u streams", w->streams);
	if (w->file_limit_bytes &&
	    w->file_limit_bytes != WORKLOAD_FILE_LIMIT_BYTES) {
		fputs(", files of ", out);
		put_bytes(w->file_limit_bytes, out);
	}
	if (w->verify == WORKLOAD_VERIFY_STAMPS)
		fputs(", stamps verified", out);
	if (w->duration_ns) {
		units_format_duration(w->duration_ns, text, sizeof(text));
		fprintf(out, ", at most %s", text);
	}
}

char *sheet_settings(const struct workload *w)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_settings(w, out);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
