/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/fit.h"
#include "reports/intern.h"

enum { COMMAND_MAX = 200 }; /* columns of one that is told */

static bool set_text(const char **to, void **strings, const char *text)
{
	*to = intern_text(strings, text ? text : "");
	return *to;
}

/* Without the argument that is the device; or, `rest`, all behind it, too. */
static bool set_command(const char **to, void **strings, const char *command,
			const char *device, bool rest)
{
	size_t length = device ? strlen(device) : 0;
	const char *at = command;
	char *text;
	bool ok;

	while (length > 0 && at && (at = strstr(at, device))) {
		if (at > command && at[-1] == ' ' &&
		    (at[length] == ' ' || at[length] == '\0'))
			break;
		at += length;
	}
	if (length == 0 || !at)
		return set_text(to, strings, command);
	if (asprintf(&text, "%.*s%s", (int)(at - command - 1), command,
		     rest ? "" : at + length) < 0)
		return false;
	ok = set_text(to, strings, text);
	free(text);
	return ok;
}

bool site_set(struct site *site, void **strings, const struct record_site *from)
{
	const struct {
		const char **to, *text;
	} fields[] = {
		{ &site->kind, from->kind },   { &site->path, from->path },
		{ &site->type, from->type },   { &site->device, from->device },
		{ &site->disk, from->disk },   { &site->vendor, from->vendor },
		{ &site->model, from->model }, { &site->driver, from->driver },
	};

	site->disk_bytes = from->disk_bytes;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!set_text(fields[i].to, strings, fields[i].text))
			return false;
	}
	return set_command(&site->mkfs, strings, from->mkfs_command,
			   from->device, false) &&
	       set_command(&site->mount, strings, from->mount_command,
			   from->device, true);
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
static bool could_be_same_disk(const struct site *a, const struct site *b)
{
	return !*a->disk == !*b->disk && same(a->vendor, b->vendor) &&
	       same(a->model, b->model) && a->disk_bytes == b->disk_bytes;
}

/* What is mounted at one path, on what could be one disk. */
static bool is_mounted_alike(const struct site *a, const struct site *b)
{
	if (!same(a->kind, "directory") || !same(a->disk, b->disk))
		return true;
	return same_or_unknown(a->device, b->device);
}

/* Two paths on what could be one disk. */
static bool is_one_place(const struct site *a, const struct site *b)
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

bool site_is_elsewhere(const struct site *a, const struct site *b)
{
	if (!a->path || !b->path || !*a->path || !*b->path)
		return false;
	if (!same(a->kind, b->kind) || !could_be_same_disk(a, b))
		return true;
	return same(a->path, b->path) ? !is_mounted_alike(a, b)
				      : !is_one_place(a, b);
}

void site_put_place(const struct site *site, FILE *out)
{
	const char *on = site->disk;

	if (same(site->kind, "directory") && *site->device)
		on = site->device;
	fputs(site->path, out);
	/* Memory, a network, or an array of several. */
	fprintf(out, " on %s", *on ? on : "no single disk");
	if (*site->model)
		fprintf(out, " (%s)", site->model);
}

bool site_is_made_otherwise(const struct site *a, const struct site *b)
{
	if (!a->mkfs || !b->mkfs || !*a->mkfs || !*b->mkfs)
		return false;
	if (!same(a->mkfs, b->mkfs))
		return true;
	return *a->mount && *b->mount && same(a->driver, b->driver) &&
	       !same(a->mount, b->mount);
}

/* What no line has room for is cut. */
static void put_command(const char *text, FILE *out)
{
	size_t bytes = fit_head(text, COMMAND_MAX);

	fprintf(out, "%.*s%s", (int)bytes, text, text[bytes] ? "..." : "");
}

void site_put_making(const struct site *site, FILE *out)
{
	put_command(site->mkfs, out);
	if (*site->mount)
		fputs(", ", out);
	put_command(site->mount, out);
}
