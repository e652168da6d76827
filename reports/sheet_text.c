/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "reports/fit.h"
#include "reports/render_private.h"
#include "reports/sheet_private.h"

enum { INDENT = 2, NAME = SHEET_NAME };

enum column {
	ROUND,
	OP,
	RATE,
	APP,
	CACHE_ERROR,
	SUSTAINED,
	FLUSH,
	TIME,
	SIZE,
	END,
	IO,
	RESIDENT,
	DEVICE,
	CACHED,
	P50,
	P90,
	P99,
	P99_9,
	MOST,
	CALLS,
	USER,
	SYSTEM,
	SWITCHES,
	FILES,
	PREPARE,
	EVICT,
	CLEAN,
};

/* A line of its own, escaped and folded. */
PRINTF(3, 4)
static bool say(struct sheet *sheet, size_t indent, const char *fmt, ...)
{
	const struct render_view *view = sheet->view->view;
	char *text, *safe = NULL, *line = NULL;
	va_list ap;
	int length;

	va_start(ap, fmt);
	length = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (length < 0)
		return false;
	safe = fit_safe(text, view->utf8);
	/* What is folded starts where its text does. */
	if (safe && asprintf(&line, "%*s%s", (int)indent, "", safe) >= 0)
		fit_fold(line, render_columns(view),
			 indent + (indent ? NAME + 1 : 0), sheet->view->out);
	free(safe);
	free(text);
	free(line);
	return safe && line;
}

/* A named fact; nothing where it is not known. */
static bool fact(struct sheet *sheet, const char *name, const char *text)
{
	return !text || !*text ||
	       say(sheet, INDENT, "%-*s %s", NAME, name, text);
}

static bool count_fact(struct sheet *sheet, const char *name, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	return value <= 0 || fact(sheet, name, text);
}

static bool host_facts(struct sheet *sheet, const struct record_host *host)
{
	char memory[UNITS_TEXT_MAX] = "";

	if (host->memory_bytes > 0)
		units_format_bytes((uint64_t)host->memory_bytes, memory,
				   sizeof(memory));
	return say(sheet, 0, host->name ? "Host %s" : "Host%s",
		   host->name ? host->name : "") &&
	       fact(sheet, "OS", host->os) &&
	       fact(sheet, "distribution", host->distribution) &&
	       fact(sheet, "kernel", host->kernel) &&
	       fact(sheet, "machine", host->machine) &&
	       fact(sheet, "CPU", host->cpu) &&
	       count_fact(sheet, "CPUs", host->cpus) &&
	       fact(sheet, "memory", memory) &&
	       fact(sheet, "virtual", host->virtualization) &&
	       fact(sheet, "uuid", host->uuid) &&
	       fact(sheet, "machine id", host->machine_id);
}

static bool condition_facts(struct sheet *sheet,
			    const struct record_conditions *c)
{
	return fact(sheet, "governor", c->governor) &&
	       fact(sheet, "power", record_power_word(c->power)) &&
	       (!c->has_temperature ||
		say(sheet, INDENT, "%-*s %.0f degrees Celsius", NAME, "CPU at",
		    (double)c->temperature_mc / 1000));
}

static bool time_facts(struct sheet *sheet, const struct record_listed *listed)
{
	char text[UNITS_TEXT_MAX];

	if (!fact(sheet, "started", listed->started_at) ||
	    !fact(sheet, "ended", listed->ended_at))
		return false;
	if (!(listed->seconds > 0 && listed->seconds < 1e9) ||
	    strcmp(listed->source, "import") == 0)
		return true;
	units_format_duration((uint64_t)llround(listed->seconds * 1e3) *
				      1000000,
			      text, sizeof(text));
	return fact(sheet, "took", text);
}

static bool plan_facts(struct sheet *sheet, const struct record_run *run)
{
	bool known = run->rounds > 0 && run->matrix_text;

	return fact(sheet, "matrix", run->matrix) &&
	       fact(sheet, "read from", run->matrix_path) &&
	       (!known || say(sheet, INDENT, "%-*s %u, seed %" PRIu64, NAME,
			      "rounds", run->rounds, run->seed)) &&
	       (!run->baseline ||
		say(sheet, INDENT, "%-*s %s=%s", NAME, "baseline",
		    run->baseline_dimension, run->baseline));
}

static bool result_facts(struct sheet *sheet,
			 const struct record_listed *listed)
{
	int64_t planned = listed->cells * listed->rounds;

	return say(sheet, INDENT,
		   "%-*s %" PRId64 " with a valid sample, %" PRId64
		   " without one, of %" PRId64,
		   NAME, "cells", listed->cells_done,
		   listed->cells - listed->cells_done, listed->cells) &&
	       say(sheet, INDENT,
		   planned > 0 ? "%-*s %" PRId64 " ok, %" PRId64
				 " failed, %" PRId64 " skipped, of %" PRId64
			       : "%-*s %" PRId64 " ok, %" PRId64
				 " failed, %" PRId64 " skipped",
		   NAME, "samples", listed->samples_ok, listed->samples_failed,
		   listed->samples_skipped, planned);
}

bool sheet_text_run(struct sheet *sheet, const struct record_run_info *info,
		    const struct record_listed *listed, struct err *err)
{
	const struct record_tag *tag = &listed->tag;

	if (say(sheet, 0, "Run %" PRId64 ": %s", info->id,
		strcmp(info->run.source, "import") == 0 ? info->run.source
							: listed->status) &&
	    fact(sheet, "uuid", info->run.uuid) &&
	    fact(sheet, "label", tag->label) &&
	    fact(sheet, "pinned", tag->pinned ? "a baseline" : NULL) &&
	    fact(sheet, "ignored",
		 tag->ignored ? "left out of history" : NULL) &&
	    fact(sheet, "note", tag->note) && time_facts(sheet, listed) &&
	    plan_facts(sheet, &info->run) && result_facts(sheet, listed) &&
	    fact(sheet, "made by", info->run.program) &&
	    host_facts(sheet, &info->host) &&
	    condition_facts(sheet, &info->run.conditions))
		return true;
	return err_nomem(err);
}

static void make_columns(struct sheet *sheet)
{
	static const char *const titles[] = {
		[RATE] = NULL,
		[APP] = "App",
		[CACHE_ERROR] = "Error",
		[SUSTAINED] = "Sustained",
		[FLUSH] = "Flush",
		[TIME] = "Time",
		[SIZE] = "Size",
		[END] = "End",
		[IO] = "I/O",
		[RESIDENT] = "Resident",
		[DEVICE] = "Device",
		[CACHED] = "From",
		[P50] = "p50",
		[P90] = "p90",
		[P99] = "p99",
		[P99_9] = "p99.9",
		[MOST] = "Max",
		[CALLS] = "Calls",
		[USER] = "User",
		[SYSTEM] = "System",
		[SWITCHES] = "Switches",
		[FILES] = "Files",
		[PREPARE] = "Prepare",
		[EVICT] = "Evict",
		[CLEAN] = "Clean",
	};
	struct grid_build *b = &sheet->build;
	char rate[32];

	*b = (struct grid_build){ &sheet->grid, false };
	snprintf(rate, sizeof(rate), "%s/Sec", sheet->unit->name);
	grid_add_column(b, GRID_OP, true, 0, "Round");
	grid_add_column(b, GRID_OP, false, 0, "Op");
	for (size_t i = RATE; i <= CLEAN; i++)
		grid_add_column(b, GRID_FIGURE, i != END && i != IO, 0,
				titles[i] ? titles[i] : rate);
}

static void put_disk(const struct record_disk *disk, FILE *out)
{
	char bytes[UNITS_TEXT_MAX];

	fprintf(out, "%s:%s%s %s", disk->name, disk->vendor ? " " : "",
		disk->vendor ? disk->vendor : "",
		disk->model ? disk->model : "no model");
	if (disk->firmware)
		fprintf(out, ", firmware %s", disk->firmware);
	if (disk->bytes > 0) {
		units_format_bytes((uint64_t)disk->bytes, bytes, sizeof(bytes));
		fprintf(out, ", %s", bytes);
	}
	fprintf(out, ", %s", disk->rotational ? "rotational" : "solid state");
	if (disk->scheduler)
		fprintf(out, ", scheduler %s", disk->scheduler);
	if (disk->write_cache)
		fprintf(out, ", write cache: %s", disk->write_cache);
}

/* "sda: ATA ST4000, firmware TN03, 3.6TiB, rotational, ..." */
static bool disk_fact(struct sheet *sheet, const struct record_disk *disk)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool ok;

	if (!out)
		return false;
	put_disk(disk, out);
	ok = fclose(out) == 0 && fact(sheet, "disk", text);
	free(text);
	return ok;
}

static bool print_settings(struct sheet *sheet, const struct record_cell *cell)
{
	char *settings = cell->settings ? sheet_settings(cell->settings) : NULL;
	bool ok = (!cell->settings || settings) &&
		  fact(sheet, "workload", settings) &&
		  fact(sheet, cell->volume_kind ? cell->volume_kind : "volume",
		       cell->volume_path) &&
		  (!cell->disk || disk_fact(sheet, cell->disk)) &&
		  fact(sheet, "type", cell->type);

	free(settings);
	return ok;
}

bool sheet_text_cell(struct sheet *sheet, const struct record_cell_info *info,
		     struct err *err)
{
	const struct record_cell *cell = &info->cell;
	const char *filesystem = cell->filesystem;
	bool ok;

	fputc('\n', sheet->view->out);
	if (!filesystem)
		filesystem = cell->type ? cell->type : "";
	ok = say(sheet, 0, "%s %s%s%s%s", cell->volume, filesystem,
		 cell->workload ? " " : "",
		 cell->workload ? cell->workload : "",
		 sheet->base ? " (baseline)" : "") &&
	     print_settings(sheet, cell);
	if (ok && info->samples == 0)
		ok = say(sheet, INDENT, "not measured");
	make_columns(sheet);
	return ok || err_nomem(err);
}

static void put(struct sheet *sheet, size_t row, size_t column,
		const char *text)
{
	grid_set(&sheet->build, row, column, text ? text : "");
	if (text && *text)
		sheet->columns |= 1u << column;
}

static void put_count(struct sheet *sheet, size_t row, size_t column,
		      int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	if (value >= 0)
		put(sheet, row, column, text);
}

static void put_rate(struct sheet *sheet, size_t row, size_t column,
		     double kb_per_s)
{
	char text[FIGURE_SIZE];

	if (!(kb_per_s > 0))
		return;
	figure_rate(kb_per_s, sheet->unit, true, text);
	put(sheet, row, column, text);
}

/* Three digits, in the unit that leaves the fewest zeros. */
static void put_ns(struct sheet *sheet, size_t row, size_t column, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	size_t unit = 0;
	char text[32];

	if (!(ns >= 0))
		return;
	for (; unit < 3 && ns >= 999.5; unit++)
		ns /= 1000;
	snprintf(text, sizeof(text), "%.*f%s",
		 unit == 0 || ns >= 99.95 ? 0
		 : ns >= 9.995            ? 1
					  : 2,
		 ns, units[unit]);
	put(sheet, row, column, text);
}

static void put_seconds(struct sheet *sheet, size_t row, size_t column,
			double seconds)
{
	put_ns(sheet, row, column, seconds * 1e9);
}

static void put_rates(struct sheet *sheet, size_t row,
		      const struct record_result *r)
{
	double cache_error = sheet_cache_error(r);
	char text[FIGURE_SIZE];

	put_rate(sheet, row, RATE, r->kb_per_s);
	if (r->op == 'W')
		put_rate(sheet, row, APP, r->app_kb_per_s);
	if (isfinite(cache_error)) {
		figure_change(1 + cache_error, text);
		put(sheet, row, CACHE_ERROR, text);
	}
	put_rate(sheet, row, SUSTAINED, r->sustained_kb_per_s);
	put_seconds(sheet, row, FLUSH, r->flush_seconds);
	put_seconds(sheet, row, TIME, r->seconds);
}

static void put_evidence(struct sheet *sheet, size_t row,
			 const struct record_result *r)
{
	char text[FIGURE_SIZE];

	put(sheet, row, END, r->end);
	put(sheet, row, IO, r->io_effective);
	put(sheet, row, CACHED, r->cached ? "memory" : "");
	if (r->bytes < 0)
		return;
	units_format_bytes((uint64_t)r->bytes, text, sizeof(text));
	put(sheet, row, SIZE, text);
	if (r->bytes == 0)
		return;
	if (r->resident_bytes >= 0) {
		snprintf(text, sizeof(text), "%.1f%%",
			 100.0 * (double)r->resident_bytes / (double)r->bytes);
		put(sheet, row, RESIDENT, text);
	}
	if (r->device_bytes >= 0) {
		snprintf(text, sizeof(text), "%.3f",
			 (double)r->device_bytes / (double)r->bytes);
		put(sheet, row, DEVICE, text);
	}
}

static void put_latency(struct sheet *sheet, size_t row,
			const struct record_result *r)
{
	put_ns(sheet, row, P50, (double)r->latency.p50_ns);
	put_ns(sheet, row, P90, (double)r->latency.p90_ns);
	put_ns(sheet, row, P99, (double)r->latency.p99_ns);
	put_ns(sheet, row, P99_9, (double)r->latency.p99_9_ns);
	put_ns(sheet, row, MOST, (double)r->latency.max_ns);
	put_count(sheet, row, CALLS, r->latency.count);
}

static void put_costs(struct sheet *sheet, size_t row,
		      const struct record_result *r)
{
	const struct sheet_times *times =
		r->op == 'W' ? sheet_times_of(sheet, r->sample) : NULL;

	put_seconds(sheet, row, USER, r->user_seconds);
	put_seconds(sheet, row, SYSTEM, r->system_seconds);
	if (r->voluntary_switches >= 0 && r->involuntary_switches >= 0)
		put_count(sheet, row, SWITCHES,
			  r->voluntary_switches + r->involuntary_switches);
	put_count(sheet, row, FILES, r->files);
	if (!times)
		return;
	put_ns(sheet, row, PREPARE, (double)times->prepare_ns);
	put_ns(sheet, row, EVICT, (double)times->evict_ns);
	put_ns(sheet, row, CLEAN, (double)times->clean_ns);
}

/* "FAILED", "TIMEOUT"; but what was only left out is not shouted. */
static void put_status(struct sheet *sheet, size_t row, size_t column,
		       enum record_status status)
{
	char text[32];

	snprintf(text, sizeof(text), "%s", record_status_word(status));
	for (char *c = text; *c && status != RECORD_SKIPPED; c++)
		*c = (char)toupper((unsigned char)*c);
	put(sheet, row, column, text);
}

/* Once for a sample, whatever of it failed. */
static bool add_failure(struct sheet *sheet, const struct record_result *r)
{
	struct compare_lines *lines = &sheet->failures;
	const char *reason = r->reason ? r->reason : "no reason is known";
	char *line;
	bool ok = true;

	if (asprintf(&line, "round %" PRId64 ": %s: %s", r->round,
		     record_status_word(r->status), reason) < 0)
		return false;
	if (lines->count == 0 ||
	    strcmp(lines->items[lines->count - 1], line) != 0)
		ok = compare_lines_add(lines, "%s", line);
	free(line);
	return ok;
}

bool sheet_text_result(struct sheet *sheet, const struct record_result *r,
		       struct err *err)
{
	size_t row = grid_add_row(&sheet->build);
	const char op[2] = { r->op, '\0' };

	if (sheet->build.failed)
		return err_nomem(err);
	if (r->round > 0)
		put_count(sheet, row, ROUND, r->round);
	put(sheet, row, OP, op);
	if (r->status != RECORD_OK && !(r->kb_per_s > 0)) {
		put_status(sheet, row, RATE, r->status);
		sheet->grid.rows[row].status = RATE;
	} else {
		put_rates(sheet, row, r);
		put_evidence(sheet, row, r);
		put_latency(sheet, row, r);
		put_costs(sheet, row, r);
	}
	if (r->status == RECORD_OK)
		return !sheet->build.failed || err_nomem(err);
	if (r->kb_per_s > 0)
		put_status(sheet, row, END, r->status);
	return (add_failure(sheet, r) && !sheet->build.failed) ||
	       err_nomem(err);
}

static bool say_lines(struct sheet *sheet, const struct compare_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		if (!say(sheet, INDENT, "%s", lines->items[i]))
			return false;
	}
	return true;
}

bool sheet_text_cell_end(struct sheet *sheet, struct err *err)
{
	static const struct render_style style = { .repeated = true };
	bool any;

	if (!say_lines(sheet, &sheet->commands))
		return err_nomem(err);
	grid_drop_blank(&sheet->build);
	if (!grid_finish(&sheet->build, err))
		return false;
	any = sheet->grid.row_count > 0;
	if (any && !render_table(&sheet->grid, sheet->view->view, &style,
				 sheet->view->out, err))
		return false;
	return (say_lines(sheet, &sheet->failures) &&
		say_lines(sheet, &sheet->kernel)) ||
	       err_nomem(err);
}

/* Of the columns there are; a reader knows the others. */
static bool say_legend(struct sheet *sheet, FILE *out)
{
	static const struct {
		enum column column;
		const char *words;
	} legend[] = {
		{ APP, "App: until the last write returned" },
		{ CACHE_ERROR, "Error: by how much App is too high" },
		{ SUSTAINED, "Sustained: the rate of a steady state" },
		{ FLUSH, "Flush: until all was on the device, a part of Time" },
		{ END, "End: why the phase ended; size: all of it was moved" },
		{ IO, "I/O: the mode really in force" },
		{ RESIDENT, "Resident: of the file, in memory before the "
			    "phase" },
		{ DEVICE, "Device: what the device transferred, as a multiple "
			  "of the file" },
		{ CACHED, "From: memory, where it served the phase" },
		{ P50, "p50 to Max: how long a call took" },
		{ USER, "User, System: CPU time" },
		{ SWITCHES, "Switches: of context" },
		{ PREPARE, "Prepare: mkfs and mount, outside of the phases" },
		{ EVICT, "Evict: the caches emptied between W and R" },
		{ CLEAN, "Clean: unmounted and removed" },
	};

	fputs("KB = 1024 bytes. The rate of a W is until its data was on the "
	      "device.",
	      out);
	for (size_t i = 0; i < sizeof(legend) / sizeof(*legend); i++) {
		if (sheet->columns & 1u << legend[i].column)
			fprintf(out, " %s.", legend[i].words);
	}
	return !ferror(out);
}

bool sheet_end(struct sheet *sheet, struct err *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory;
	bool ok;

	if (sheet->view->json)
		return sheet_json_end(sheet, err);
	if (sheet->cells == 0)
		return true;
	memory = open_memstream(&text, &size);
	if (!memory)
		return err_nomem(err);
	ok = say_legend(sheet, memory);
	if (fclose(memory) != 0 || !ok) {
		free(text);
		return err_nomem(err);
	}
	fputc('\n', sheet->view->out);
	ok = render_prose(text, sheet->view->view, sheet->view->out, err);
	free(text);
	return ok;
}
