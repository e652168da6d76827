/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "runner/doctor.h"
#include "runner/jsonout.h"
#include "runner/sysfile.h"
#include "runner/table.h"
#include "runner/view.h"

/* What the checks are called in the table. */
static const char *const titles[DOCTOR_CHECKS] = {
	[DOCTOR_ROOT] = "root",
	[DOCTOR_LOOP] = "loop devices",
	[DOCTOR_DIRECT] = "  with direct I/O",
	[DOCTOR_FUSE] = "FUSE",
	[DOCTOR_FUSECTL] = "  with fusectl",
	[DOCTOR_URING] = "io_uring",
	[DOCTOR_CACHES] = "dropping caches",
	[DOCTOR_DATABASE] = "database",
};

static const char *kind_word(const struct fstype_driver *driver)
{
	return driver->kind == FSTYPE_KERNEL ? "kernel" : "FUSE";
}

/* A driver that is there is of use only with what it takes to mount it. */
static const char *state_of(const struct doctor *doctor,
			    const struct doctor_driver *driver,
			    const struct fstype_driver *best)
{
	const struct doctor_finding *findings = doctor->findings;

	if (!driver->available)
		return driver->reason;
	if (!findings[DOCTOR_ROOT].ok)
		return "there; needs root";
	if (!findings[DOCTOR_LOOP].ok && doctor->devices == 0)
		return "there; needs loop devices";
	if (driver->driver->kind != FSTYPE_KERNEL && !findings[DOCTOR_FUSE].ok)
		return "there; needs FUSE";
	return driver->driver == best ? "ready: the one used" : "ready";
}

static bool add_type(struct table *table, const struct doctor *doctor,
		     const struct doctor_type *type)
{
	const struct fstype_driver *best = doctor_best_driver(doctor, type);
	const char *name = type->type->name;

	if (!type->mkfs) {
		if (table_add(table, TABLE_TOP,
			      (const char *const[]){ name, "", "",
						     type->reason }) < 0)
			return false;
		name = "";
	}
	for (size_t i = 0; i < type->driver_count; i++) {
		const struct doctor_driver *d = &type->drivers[i];
		if (table_add(table, TABLE_TOP,
			      (const char *const[]){
				      name, d->driver->name,
				      kind_word(d->driver),
				      state_of(doctor, d, best) }) < 0)
			return false;
		name = "";
	}
	return true;
}

static bool print_types(const struct doctor *doctor, size_t width, FILE *out,
			struct err *err)
{
	static const struct table_column columns[] = {
		{ "FILESYSTEM", TABLE_LEFT },
		{ "DRIVER", TABLE_LEFT },
		{ "IS", TABLE_LEFT },
		{ "STATE", TABLE_LEFT },
		{ NULL, 0 },
	};
	struct table *table = table_new(columns, width);
	bool ok = table != NULL;

	for (size_t i = 0; ok && i < doctor->type_count; i++)
		ok = add_type(table, doctor, &doctor->types[i]);
	ok = ok ? table_print(table, out, err) : err_nomem(err);
	table_free(table);
	return ok;
}

static bool print_findings(const struct doctor *doctor, size_t width, FILE *out,
			   struct err *err)
{
	static const struct table_column columns[] = {
		{ "MACHINE", TABLE_LEFT },
		{ "STATE", TABLE_LEFT },
		{ NULL, 0 },
	};
	struct table *table = table_new(columns, width);
	bool ok = table != NULL;

	for (size_t i = 0; ok && i < DOCTOR_CHECKS; i++)
		ok = table_add(table, TABLE_TOP,
			       (const char *const[]){
				       titles[i], doctor->findings[i].text }) >=
		     0;
	ok = ok ? table_print(table, out, err) : err_nomem(err);
	table_free(table);
	return ok;
}

/* Those whose programs are missing; a kernel's drivers are no packages. */
static bool find_packages(const struct doctor *doctor,
			  struct sysfile_names *packages)
{
	for (size_t i = 0; i < doctor->type_count; i++) {
		const struct doctor_type *type = &doctor->types[i];

		if (!type->mkfs &&
		    !sysfile_names_add(packages, type->type->package))
			return false;
		for (size_t j = 0; j < type->driver_count; j++) {
			const struct doctor_driver *d = &type->drivers[j];

			if (!d->available && d->driver->package &&
			    !sysfile_names_add(packages, d->driver->package))
				return false;
		}
	}
	return true;
}

static bool print_install(const struct sysfile_names *packages, size_t width,
			  FILE *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return false;
	fputs("  apt-get install", line);
	for (size_t i = 0; i < packages->count; i++)
		fprintf(line, " %s", packages->items[i]);
	fputs(", for what is missing above", line);
	if (fclose(line) == 0)
		view_say(out, width, 4, "%s", text);
	free(text);
	return text != NULL;
}

static bool print_steps(const struct doctor *doctor, size_t width, FILE *out,
			struct err *err)
{
	struct sysfile_names packages = { 0 };
	bool ok = find_packages(doctor, &packages);
	bool any = packages.count > 0;

	for (size_t i = 0; i < DOCTOR_CHECKS; i++)
		any |= doctor->findings[i].step[0] != '\0';
	if (any)
		fputs("\nNext steps:\n", out);
	for (size_t i = 0; i < DOCTOR_CHECKS; i++) {
		if (doctor->findings[i].step[0])
			view_say(out, width, 4, "  %s",
				 doctor->findings[i].step);
	}
	if (packages.count > 0)
		ok = print_install(&packages, width, out) && ok;
	sysfile_names_done(&packages);
	return ok || err_nomem(err);
}

static void print_verdict(const struct doctor *doctor, size_t width, FILE *out)
{
	size_t count = doctor_testable(doctor);

	fprintf(out, "\n%zu of %zu filesystems can be tested here.\n", count,
		doctor->type_count);
	if (count == 0 && doctor->directories > 0)
		view_say(out, width, 2,
			 "Directories can be, with the filesystems they are "
			 "on: see fsmatrix volumes.");
}

bool doctor_print(const struct doctor *doctor, size_t width, FILE *out,
		  struct err *err)
{
	if (!print_types(doctor, width, out, err))
		return false;
	fputc('\n', out);
	if (!print_findings(doctor, width, out, err))
		return false;
	print_verdict(doctor, width, out);
	return print_steps(doctor, width, out, err);
}

static json_t *json_one_driver(const struct doctor_driver *driver)
{
	const struct fstype_driver *d = driver->driver;
	bool kernel = d->kind == FSTYPE_KERNEL;

	return json_pack(
		"{s:s, s:s, s:b, s:o, s:o, s:o}", "name", d->name, "kind",
		kernel ? "kernel" : "fuse", "available", driver->available,
		"reason", jsonout_text(driver->reason), "program",
		jsonout_text(d->program), "package", jsonout_text(d->package));
}

static json_t *json_filesystem(const struct doctor *doctor,
			       const struct doctor_type *type)
{
	const struct fstype_driver *best = doctor_best_driver(doctor, type);
	json_t *drivers = json_array();

	for (size_t i = 0; drivers && i < type->driver_count; i++) {
		if (json_array_append_new(drivers,
					  json_one_driver(&type->drivers[i]))) {
			json_decref(drivers);
			drivers = NULL;
		}
	}
	return json_pack("{s:s, s:b, s:o, s:{s:s, s:b, s:o, s:s}, s:o}", "type",
			 type->type->name, "testable", best != NULL, "driver",
			 jsonout_text(best ? best->name : NULL), "mkfs",
			 "program", type->type->mkfs, "available", type->mkfs,
			 "reason", jsonout_text(type->reason), "package",
			 type->type->package, "drivers", drivers);
}

static json_t *json_findings(const struct doctor *doctor)
{
	json_t *object = json_object();

	for (size_t i = 0; object && i < DOCTOR_CHECKS; i++) {
		const struct doctor_finding *f = &doctor->findings[i];
		json_t *finding = json_pack("{s:b, s:o, s:o}", "ok", f->ok,
					    "text", jsonout_text(f->text),
					    "step", jsonout_text(f->step));

		if (json_object_set_new(object,
					doctor_check_word((enum doctor_check)i),
					finding)) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}

static json_t *json_packages(const struct doctor *doctor)
{
	struct sysfile_names names = { 0 };
	json_t *array =
		find_packages(doctor, &names) ? jsonout_names(&names) : NULL;

	sysfile_names_done(&names);
	return array;
}

bool doctor_print_json(const struct doctor *doctor, FILE *out, struct err *err)
{
	json_t *types = json_array(), *all;
	bool ok = types != NULL;

	for (size_t i = 0; ok && i < doctor->type_count; i++)
		ok = json_array_append_new(
			     types,
			     json_filesystem(doctor, &doctor->types[i])) == 0;
	all = json_pack("{s:i, s:i, s:o, s:o, s:o, s:s, s:i}", "format", 1,
			"testable", (int)doctor_testable(doctor), "filesystems",
			types, "machine", json_findings(doctor),
			"missing_packages", json_packages(doctor), "database",
			doctor->database, "directories",
			(int)doctor->directories);
	if (!ok) {
		json_decref(all);
		all = NULL;
	}
	return jsonout_print(all, out, err);
}
