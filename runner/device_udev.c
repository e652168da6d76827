/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <libudev.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "runner/device_private.h"

/* Undo udev's "\x20"; what is no such escape stays. */
static void decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		unsigned int byte;
		int length = 0;

		if (sscanf(from, "\\x%2x%n", &byte, &length) == 1 &&
		    length == 4 && byte != 0) {
			*to = (char)byte;
			from += length;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
	while (to > text && to[-1] == ' ')
		*--to = '\0';
}

struct property {
	const char *key;
	size_t offset, size; /* of the member of struct device */
	bool fallback;       /* only if the member is empty */
};

#define INTO(member)                                                           \
	offsetof(struct device, member), sizeof(((struct device *)0)->member)

/* In this order: a later line of a member wins unless it is a fallback. */
static const struct property properties[] = {
	{ "ID_SERIAL_SHORT", INTO(serial), false },
	{ "ID_WWN", INTO(wwn), false },
	{ "ID_WWN_WITH_EXTENSION", INTO(wwn), false },
	{ "ID_VENDOR_ENC", INTO(vendor), true },
	{ "ID_MODEL_ENC", INTO(model), true },
	{ "ID_MODEL", INTO(model), true },
	{ "ID_REVISION", INTO(firmware), true },
	{ "DM_UUID", INTO(uuid), true },
	{ "MD_UUID", INTO(uuid), true },
	{ "ID_PART_ENTRY_UUID", INTO(partuuid), false },
	{ "ID_PART_TABLE_TYPE", INTO(table), false },
	{ "ID_FS_TYPE", INTO(type), false },
	{ "ID_FS_LABEL", INTO(label), false },
	{ "ID_FS_LABEL_ENC", INTO(label), false },
};

enum { PROPERTIES = sizeof(properties) / sizeof(properties[0]) };

static void take_property(struct device *device, const struct property *p,
			  const char *value)
{
	char *member = (char *)device + p->offset;

	if (!value || !*value || (p->fallback && *member))
		return;
	snprintf(member, p->size, "%s", value);
	decode(member);
}

/* Only those that name for good; "/dev" is in front. */
static bool take_link(struct device *device, const char *path)
{
	if (strncmp(path, "/dev/disk/by-id/", 16) != 0 &&
	    strncmp(path, "/dev/disk/by-partuuid/", 22) != 0)
		return true;
	return sysfile_names_add(&device->claims, path);
}

static bool take_device(struct udev_device *udev_device, struct device *device)
{
	struct udev_list_entry *link;

	for (size_t i = 0; i < PROPERTIES; i++)
		take_property(device, &properties[i],
			      udev_device_get_property_value(
				      udev_device, properties[i].key));
	udev_list_entry_foreach(
		link, udev_device_get_devlinks_list_entry(udev_device))
	{
		if (!take_link(device, udev_list_entry_get_name(link)))
			return false;
	}
	return true;
}

static bool read_live(struct device *device)
{
	struct udev *udev = udev_new();
	struct udev_device *udev_device =
		udev ? udev_device_new_from_devnum(udev, 'b', device->number)
		     : NULL;
	bool ok = !udev_device || take_device(udev_device, device);

	udev_device_unref(udev_device);
	udev_unref(udev);
	return ok;
}

/*
 * libudev cannot be told another root. A recorded machine has the files that
 * it would read: "E:KEY=VALUE" is a property, "S:disk/by-id/x" a link.
 */
static bool read_recorded(FILE *file, struct device *device)
{
	char values[PROPERTIES][1024] = { "" }, line[1024], link[1040];
	bool ok = true;

	while (ok && fgets(line, sizeof(line), file)) {
		char *value = strchr(line, '=');

		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "S:", 2) == 0) {
			snprintf(link, sizeof(link), "/dev/%s", line + 2);
			ok = take_link(device, link);
		}
		if (strncmp(line, "E:", 2) != 0 || !value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < PROPERTIES; i++) {
			if (strcmp(line + 2, properties[i].key) == 0)
				snprintf(values[i], sizeof(values[i]), "%s",
					 value);
		}
	}
	for (size_t i = 0; i < PROPERTIES; i++)
		take_property(device, &properties[i], values[i]);
	return ok;
}

bool device_udev_read(const char *root, struct device *device)
{
	char path[PATH_MAX];
	FILE *file;
	bool ok;

	if (!*root)
		return read_live(device);
	snprintf(path, sizeof(path), "%s/run/udev/data/b%u:%u", root,
		 major(device->number), minor(device->number));
	file = fopen(path, "re");
	if (!file)
		return true;
	ok = read_recorded(file, device);
	fclose(file);
	return ok;
}
