/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "core/units.h"
#include "runner/device_private.h"

#define BY_ID       "/dev/disk/by-id/"
#define BY_PARTUUID "/dev/disk/by-partuuid/"

/* As udev does it for names; so that it needs no quoting in JSON. */
static bool is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || (c && strchr("#+-.:=@_", c));
}

/* Cheap sticks all have the serial number 0, which tells them from none. */
static bool make_word(const char *text, char *out, size_t size)
{
	size_t i = 0;
	bool telling = false;

	for (; text[i] && i + 1 < size; i++) {
		out[i] = text[i];
		if (!is_plain(text[i]))
			out[i] = '_';
		telling |= out[i] != '0' && out[i] != '_' && out[i] != '-';
	}
	out[i] = '\0';
	return telling;
}

static const char *identity(const struct device *device,
			    char word[DEVICE_TEXT_MAX])
{
	const char *const sources[] = { device->serial, device->wwn,
					device->uuid, device->partuuid };

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		if (make_word(sources[i], word, DEVICE_TEXT_MAX))
			return word;
	}
	return NULL;
}

bool device_erase_text(const struct device *device, char out[DEVICE_ERASE_MAX])
{
	char word[DEVICE_TEXT_MAX];

	out[0] = '\0';
	if (!identity(device, word))
		return false;
	snprintf(out, DEVICE_ERASE_MAX, "%s %" PRIu64, word,
		 device->size_bytes);
	return true;
}

static int rank_path(const char *path, const char *word)
{
	if (strncmp(path, BY_ID, strlen(BY_ID)) != 0)
		return 1;
	return word && strstr(path, word) ? 3 : 2;
}

const char *device_stable_path(const struct device *device)
{
	char buffer[DEVICE_TEXT_MAX];
	const char *word = identity(device, buffer), *best = NULL;

	for (size_t i = 0; i < device->links.count; i++) {
		const char *path = device->links.items[i];

		if (!best || rank_path(path, word) > rank_path(best, word))
			best = path;
	}
	return best;
}

void device_describe(const struct device *device, char *out, size_t size)
{
	char bytes[UNITS_TEXT_MAX], *vendor = text_safe(device->vendor),
				    *model = text_safe(device->model),
				    *label = text_safe(device->label);
	FILE *text = fmemopen(out, size, "w");

	out[0] = '\0';
	if (!vendor || !model || !label || !text)
		goto out;
	units_format_bytes(device->size_bytes, bytes, sizeof(bytes));
	fprintf(text, "%s (", device->name);
	if (*vendor)
		fprintf(text, "%s ", vendor);
	if (*model)
		fprintf(text, "%s, ", model);
	fputs(bytes, text);
	if (device->type[0])
		fprintf(text, ", %s", device->type);
	if (*label)
		fprintf(text, " \"%s\"", label);
	fputc(')', text);
out:
	if (text)
		fclose(text);
	free(label);
	free(model);
	free(vendor);
}

/* Behind either folder, one component that is a name. */
static bool is_stable(const char *path)
{
	const char *name;

	if (strncmp(path, BY_ID, strlen(BY_ID)) == 0)
		name = path + strlen(BY_ID);
	else if (strncmp(path, BY_PARTUUID, strlen(BY_PARTUUID)) == 0)
		name = path + strlen(BY_PARTUUID);
	else
		return false;
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static bool fail_unstable(const struct device_list *list, const char *path,
			  struct err *err)
{
	const struct device *device = device_list_at(list, path);
	const char *better = device ? device_stable_path(device) : NULL;

	if (better)
		return err_set(err, ERR_REFUSED,
			       "not a name that always means the same device; "
			       "today it is %s",
			       better);
	if (device)
		return err_set(err, ERR_REFUSED,
			       "not a name that always means the same device, "
			       "and %s has none in " BY_ID " or " BY_PARTUUID
			       "; \"fsmatrix volumes\" lists what has one",
			       device->name);
	return err_set(err, ERR_REFUSED,
		       "not a path in " BY_ID " or " BY_PARTUUID
		       "; \"fsmatrix volumes\" lists those there are");
}

static bool fail_missing(const struct device_list *list, const char *path,
			 struct err *err)
{
	struct stat st;

	if (!*list->root && stat(path, &st) == 0)
		return err_set(err, ERR_REFUSED, "not a block device");
	return err_set(err, ERR_REFUSED,
		       "no such device here; is it plugged in? \"fsmatrix "
		       "volumes\" lists those there are");
}

/* Cloned disks: the link leads to whichever udev saw last. */
static bool check_claims(const struct device_list *list,
			 const struct device *device, const char *path,
			 struct err *err)
{
	for (const struct device *other = list->items;
	     other < list->items + list->count; other++) {
		const struct device *first = other < device ? other : device;
		const struct device *second = other < device ? device : other;

		if (other != device && sysfile_names_have(&other->claims, path))
			return err_set(err, ERR_REFUSED,
				       "both %s and %s go by one name; unplug "
				       "one of them",
				       first->name, second->name);
	}
	return true;
}

bool device_is_erasable(const struct device_list *list,
			const struct device *device, struct err *err)
{
	const char *path = device_stable_path(device);
	char text[DEVICE_ERASE_MAX];

	if (!device_is_free(list, device, NULL, err))
		return false;
	for (size_t i = 0; i < device->claims.count; i++) {
		if ((!path || strcmp(path, device->claims.items[i]) == 0) &&
		    !check_claims(list, device, device->claims.items[i], err))
			return false;
	}
	if (!path)
		return err_set(err, ERR_REFUSED, "it has no stable path");
	if (!device_erase_text(device, text))
		return err_set(err, ERR_REFUSED, "it has no serial number");
	return true;
}

/* A link that was put there by hand may say what is not so. */
static bool check_partuuid(const struct device *device, const char *path,
			   struct err *err)
{
	if (strncmp(path, BY_PARTUUID, strlen(BY_PARTUUID)) != 0 ||
	    strcasecmp(path + strlen(BY_PARTUUID), device->partuuid) == 0)
		return true;
	return err_set(err, ERR_REFUSED,
		       "leads to %s, whose partition UUID is %s", device->name,
		       device->partuuid[0] ? device->partuuid : "not known");
}

static bool check_erase(const struct device *device, const char *erase,
			struct err *err)
{
	char wanted[DEVICE_ERASE_MAX], description[512];

	if (!device_erase_text(device, wanted))
		return err_set(
			err, ERR_REFUSED,
			"%s has no serial number, WWN or UUID to tell it "
			"from others; give it a GPT and name the "
			"partition",
			device->name);
	if (erase && strcmp(erase, wanted) == 0)
		return true;
	device_describe(device, description, sizeof(description));
	if (!erase)
		return err_set(err, ERR_REFUSED,
			       "a run destroys everything on %s; if that is "
			       "wanted, add to its volume: \"erase\": \"%s\"",
			       description, wanted);
	return err_set(err, ERR_REFUSED,
		       "its \"erase\" is \"%s\", but this is another device or "
		       "size; if everything on %s may be destroyed, it must "
		       "be: \"erase\": \"%s\"",
		       erase, description, wanted);
}

static bool check_free(const struct device_list *list,
		       const struct device *device, struct err *err)
{
	struct err why = { 0 };
	const char *step;

	if (device_is_free(list, device, &step, &why))
		return true;
	return err_set(err, ERR_REFUSED, "%s: %s; %s", device->name, why.text,
		       step);
}

static const struct device *find(const struct device_list *list,
				 const char *path, struct err *err)
{
	const struct device *device = device_list_at(list, path);

	if (!is_stable(path))
		fail_unstable(list, path, err);
	else if (!device)
		fail_missing(list, path, err);
	else if (check_claims(list, device, path, err) &&
		 check_partuuid(device, path, err))
		return device;
	return NULL;
}

bool device_check_path(const char *path, struct err *err)
{
	struct device_list list = { 0 };
	bool ok = device_list_read("", &list, err) && find(&list, path, err);

	err_at(err, path, 0, 0);
	device_list_done(&list);
	return ok;
}

bool device_check_facts(const struct device_list *list,
			const struct matrix_volume *volume,
			struct device *found, struct err *err)
{
	const struct device *device = find(list, volume->path, err);

	if (device && check_free(list, device, err) &&
	    check_erase(device, volume->erase, err))
		return device_copy(device, found, err);
	err_at(err, volume->path, 0, 0);
	return false;
}

/* A claim proves what no list can: that nobody at all has it. */
static bool check_open(const struct device_list *list, struct device *device,
		       struct err *err)
{
	int fd = device_open_exclusive(device, err);
	bool ok = false;

	if (fd < 0)
		return false;
	device_probe_content(fd, device);
	ok = check_free(list, device, err);
	close(fd);
	return ok;
}

bool device_check(const struct matrix_volume *volume, struct device *found,
		  struct err *err)
{
	struct device_list list = { 0 };
	struct device device = { 0 };
	bool ok = device_list_read("", &list, err) &&
		  device_check_facts(&list, volume, &device, err) &&
		  check_open(&list, &device, err);

	if (ok) {
		*found = device;
		device = (struct device){ 0 };
	}
	err_at(err, volume->path, 0, 0);
	device_done(&device);
	device_list_done(&list);
	return ok;
}
