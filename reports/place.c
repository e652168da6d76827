/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/place.h"

#include <string.h>

#include "reports/intern.h"

bool place_set(struct place *place, void **strings,
	       const struct record_place *from)
{
	const struct {
		const char **to, *text;
	} fields[] = {
		{ &place->kind, from->kind },
		{ &place->path, from->path },
		{ &place->type, from->type },
		{ &place->device, from->device },
		{ &place->disk, from->disk },
		{ &place->vendor, from->vendor },
		{ &place->model, from->model },
	};

	place->disk_bytes = from->disk_bytes;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const char *text = fields[i].text ? fields[i].text : "";

		*fields[i].to = intern_text(strings, text);
		if (!*fields[i].to)
			return false;
	}
	return true;
}

static bool same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static bool same_or_unknown(const char *a, const char *b)
{
	return !*a || !*b || same(a, b);
}

/* Whatever the kernel calls it. */
static bool could_be_same_disk(const struct place *a, const struct place *b)
{
	return !*a->disk == !*b->disk && same(a->vendor, b->vendor) &&
	       same(a->model, b->model) && a->disk_bytes == b->disk_bytes;
}

/* What is mounted at one path, on what could be one disk. */
static bool is_mounted_alike(const struct place *a, const struct place *b)
{
	if (!same(a->kind, "directory") || !same(a->disk, b->disk))
		return true;
	return same_or_unknown(a->device, b->device);
}

/* Two paths on what could be one disk. */
static bool is_one_place(const struct place *a, const struct place *b)
{
	if (!same(a->disk, b->disk))
		return false;
	if (same(a->kind, "image"))
		return *a->disk;
	if (!*a->disk && same(a->type, "tmpfs") && same(b->type, "tmpfs"))
		return true;
	return same_or_unknown(a->device, b->device) &&
	       same_or_unknown(a->type, b->type);
}

bool place_differs(const struct place *a, const struct place *b)
{
	if (!a->path || !b->path || !*a->path || !*b->path)
		return false;
	if (!same(a->kind, b->kind) || !could_be_same_disk(a, b))
		return true;
	return same(a->path, b->path) ? !is_mounted_alike(a, b)
				      : !is_one_place(a, b);
}

void place_put(const struct place *place, FILE *out)
{
	const char *on = place->disk;

	if (same(place->kind, "directory") && *place->device)
		on = place->device;
	fputs(place->path, out);
	/* Memory, a network, or an array of several. */
	fprintf(out, " on %s", *on ? on : "no single disk");
	if (*place->model)
		fprintf(out, " (%s)", place->model);
}
