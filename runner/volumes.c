/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/volumes.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "runner/command.h"
#include "runner/initial.h"
#include "runner/jsonout.h"
#include "runner/table.h"
#include "runner/view.h"

/* Memory devices that a kernel has in stock, and images' loop devices. */
static bool is_shown(const struct device *device)
{
	static const char *const stock[] = { "loop", "ram", "zram" };

	if (device->size_bytes == 0)
		return false;
	if (device->partition || device->partitions.count ||
	    device->links.count)
		return true;
	for (size_t i = 0; i < sizeof(stock) / sizeof(stock[0]); i++) {
		if (strncmp(device->name, stock[i], strlen(stock[i])) == 0)
			return false;
	}
	return true;
}

/* What to add to a matrix; NULL if the device may not be erased. */
static json_t *device_member(const struct volumes *volumes,
			     const struct device *device)
{
	char erase[DEVICE_ERASE_MAX];
	struct err why = { 0 };

	if (!device_is_erasable(volumes->devices, device, &why))
		return NULL;
	device_erase_text(device, erase);
	return json_pack("{s:s, s:s, s:s}", "name", device->name, "device",
			 device_stable_path(device), "erase", erase);
}

static const char *short_name(const struct place *place)
{
	if (strcmp(place->path, PLACE_MEMORY) == 0)
		return "memory";
	return place->path[1] ? place->path + 1 : "root";
}

/* "/home/bench" is named "home-bench"; if it can be a name. */
static json_t *place_member(const struct place *place)
{
	char *name = strdup(short_name(place));
	json_t *member = NULL;

	for (char *c = name; c && *c; c++) {
		if (*c == '/')
			*c = '-';
	}
	if (name)
		member = json_pack("{s:s, s:s}", "name",
				   strlen(name) <= MATRIX_NAME_MAX &&
						   text_is_safe(name)
					   ? name
					   : "directory",
				   "directory", place->path);
	free(name);
	return member;
}

static void say(FILE *out, size_t width, const char *text)
{
	fputc('\n', out);
	view_say(out, width, 0, "%s", text);
}

/* A path that is no UTF-8 cannot be said in a matrix: no member for it. */
static void print_member(json_t *member, size_t width, FILE *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *line = member ? open_memstream(&text, &size) : NULL;

	if (line) {
		(void)jsonvalue_print(member, 0, line);
		if (fclose(line) == 0 && (width == 0 || size + 2 <= width))
			fprintf(out, "  %s\n", text);
		else if (jsonvalue_print(member, JSON_INDENT(2), out))
			fputc('\n', out);
		free(text);
	}
	json_decref(member);
}

static void format_content(const struct device *device, char *out, size_t size)
{
	if (device->label[0])
		snprintf(out, size, "%s \"%s\"", device->type, device->label);
	else if (device->type[0])
		snprintf(out, size, "%s", device->type);
	else
		snprintf(out, size, "%s", device->table);
}

static bool add_device(struct table *table, int parent,
		       const struct volumes *volumes,
		       const struct device *device, int *row)
{
	char size[UNITS_TEXT_MAX],
		model[2 * DEVICE_TEXT_MAX +
		      2] = "",
		      content[DEVICE_TEXT_MAX + 40],
		      verdict[sizeof(((struct err *)0)->text)];
	struct err why = { 0 };

	units_format_bytes(device->size_bytes, size, sizeof(size));
	format_content(device, content, sizeof(content));
	if (!device->partition)
		snprintf(model, sizeof(model), "%s%s%s", device->vendor,
			 device->vendor[0] && device->model[0] ? " " : "",
			 device->model);
	if (device_is_erasable(volumes->devices, device, &why))
		snprintf(verdict, sizeof(verdict), "free: may be erased");
	else
		snprintf(verdict, sizeof(verdict), "%s", why.text);
	*row = table_add(table, parent,
			 (const char *const[]){ device->path + 5, size, model,
						content, verdict });
	return *row >= 0;
}

static bool add_devices(struct table *table, const struct volumes *volumes)
{
	const struct device_list *list = volumes->devices;

	for (size_t i = 0; i < list->count; i++) {
		const struct device *disk = &list->items[i];
		int row, ignored;

		if (disk->partition || !is_shown(disk))
			continue;
		if (!add_device(table, TABLE_TOP, volumes, disk, &row))
			return false;
		for (size_t j = 0; j < disk->partitions.count; j++) {
			const struct device *partition = device_list_named(
				list, disk->partitions.items[j]);

			if (partition && !add_device(table, row, volumes,
						     partition, &ignored))
				return false;
		}
	}
	return true;
}

static size_t count_shown(const struct device_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += is_shown(&list->items[i]);
	return count;
}

static bool print_devices(const struct volumes *volumes, size_t width,
			  FILE *out, struct err *err)
{
	static const struct table_column columns[] = {
		{ "DEVICE", TABLE_TREE }, { "SIZE", TABLE_RIGHT },
		{ "MODEL", TABLE_LEFT },  { "HOLDS", TABLE_LEFT },
		{ "STATE", TABLE_LEFT },  { NULL, 0 },
	};
	struct table *table = NULL;
	bool ok;

	if (count_shown(volumes->devices) == 0) {
		fputs("No disks are visible here.\n", out);
		return true;
	}
	table = table_new(columns, width);
	ok = table && add_devices(table, volumes);
	ok = ok ? table_print(table, out, err) : err_nomem(err);
	table_free(table);
	return ok;
}

static bool print_places(const struct volumes *volumes, size_t width, FILE *out,
			 struct err *err)
{
	static const struct table_column columns[] = {
		{ "DIRECTORY", TABLE_LEFT }, { "FILESYSTEM", TABLE_LEFT },
		{ "SOURCE", TABLE_LEFT },    { "SIZE", TABLE_RIGHT },
		{ "FREE", TABLE_RIGHT },     { NULL, 0 },
	};
	struct table *table = table_new(columns, width);
	bool ok = table != NULL;

	for (size_t i = 0; ok && i < volumes->places->count; i++) {
		const struct place *place = &volumes->places->items[i];
		char size[UNITS_TEXT_MAX], free_size[UNITS_TEXT_MAX];

		units_format_bytes(place->size_bytes, size, sizeof(size));
		units_format_bytes(place->free_bytes, free_size,
				   sizeof(free_size));
		ok = table_add(table, TABLE_TOP,
			       (const char *const[]){ place->path, place->type,
						      place->source, size,
						      free_size }) >= 0;
	}
	ok = ok ? table_print(table, out, err) : err_nomem(err);
	table_free(table);
	return ok;
}

static void print_device_members(const struct volumes *volumes, size_t width,
				 FILE *out)
{
	const struct device_list *list = volumes->devices;
	bool first = true;

	for (size_t i = 0; i < list->count; i++) {
		json_t *member =
			is_shown(&list->items[i])
				? device_member(volumes, &list->items[i])
				: NULL;

		if (member && first) {
			say(out, width,
			    "To test on a device, add to a matrix's "
			    "\"volumes\" (a run destroys all on it):");
			fputc('\n', out);
		}
		first &= member == NULL;
		print_member(member, width, out);
	}
	if (first)
		say(out, width,
		    "No device may be erased: test on an image or a "
		    "directory.");
}

static void print_place_members(const struct volumes *volumes, size_t width,
				FILE *out)
{
	say(out, width, "To test in a directory, which is left as it is:");
	fputc('\n', out);
	for (size_t i = 0; i < volumes->places->count; i++)
		print_member(place_member(&volumes->places->items[i]), width,
			     out);
	say(out, width,
	    "The database of a run may not lie below that directory: keep it "
	    "elsewhere (--db FILE), or make a folder there to test in, as "
	    "`" PROGRAM " init` does with " INITIAL_FOLDER ".");
}

bool volumes_print(const struct volumes *volumes, size_t width, FILE *out,
		   struct err *err)
{
	if (!print_devices(volumes, width, out, err))
		return false;
	print_device_members(volumes, width, out);
	fputc('\n', out);
	if (volumes->places->count == 0) {
		fputs("No directory lets us write.\n", out);
	} else {
		if (!print_places(volumes, width, out, err))
			return false;
		print_place_members(volumes, width, out);
	}
	if (!volumes->root)
		say(out, width,
		    "Only root can test on devices and images. For root this "
		    "list also says what is on devices that udev does not "
		    "describe.");
	return true;
}

static json_t *json_state(const struct volumes *volumes,
			  const struct device *device)
{
	struct err why = { 0 };
	bool erasable = device_is_erasable(volumes->devices, device, &why);
	json_t *member = device_member(volumes, device);

	return json_pack("{s:b, s:o, s:o}", "erasable", erasable, "reason",
			 jsonout_text(why.text), "volume",
			 member ? member : json_null());
}

static json_t *json_device(const struct volumes *volumes,
			   const struct device *device)
{
	json_t *state = json_state(volumes, device);
	json_t *partition = device->partition ? json_integer(device->partition)
					      : json_null();
	json_t *object = json_pack(
		"{s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:b, s:b, s:b}",
		"name", jsonout_text(device->name), "path",
		jsonout_text(device->path), "stable_paths",
		jsonout_names(&device->links), "size_bytes",
		(json_int_t)device->size_bytes, "disk",
		jsonout_text(device->disk), "partition", partition, "vendor",
		jsonout_text(device->vendor), "model",
		jsonout_text(device->model), "firmware",
		jsonout_text(device->firmware), "serial",
		jsonout_text(device->serial), "wwn", jsonout_text(device->wwn),
		"partition_uuid", jsonout_text(device->partuuid), "scheduler",
		jsonout_text(device->scheduler), "write_cache",
		jsonout_text(device->write_cache), "rotational",
		device->rotational, "removable", device->removable, "read_only",
		device->read_only);
	json_t *use =
		json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "type",
			  jsonout_text(device->type), "label",
			  jsonout_text(device->label), "partition_table",
			  jsonout_text(device->table), "partitions",
			  jsonout_names(&device->partitions), "holders",
			  jsonout_names(&device->holders), "mounted_at",
			  jsonout_names(&device->mounts), "swap", device->swap);

	if (!state || !object || !use || json_object_update(object, use) ||
	    json_object_update(object, state)) {
		json_decref(object);
		object = NULL;
	}
	json_decref(use);
	json_decref(state);
	return object;
}

static json_t *json_place(const struct place *place)
{
	json_t *member = place_member(place);

	return json_pack("{s:o, s:o, s:o, s:I, s:I, s:o}", "directory",
			 jsonout_text(place->path), "filesystem",
			 jsonout_text(place->type), "source",
			 jsonout_text(place->source), "size_bytes",
			 (json_int_t)place->size_bytes, "free_bytes",
			 (json_int_t)place->free_bytes, "volume",
			 member ? member : json_null());
}

bool volumes_print_json(const struct volumes *volumes, FILE *out,
			struct err *err)
{
	json_t *devices = json_array(), *directories = json_array(), *all;
	bool ok = devices && directories;

	for (size_t i = 0; ok && i < volumes->devices->count; i++)
		ok = json_array_append_new(
			     devices,
			     json_device(volumes,
					 &volumes->devices->items[i])) == 0;
	for (size_t i = 0; ok && i < volumes->places->count; i++)
		ok = json_array_append_new(
			     directories,
			     json_place(&volumes->places->items[i])) == 0;
	all = json_pack("{s:i, s:b, s:o, s:o}", "format", 1, "root",
			volumes->root, "devices", devices, "directories",
			directories);
	if (!ok) {
		json_decref(all);
		all = NULL;
	}
	return jsonout_print(all, out, err);
}
