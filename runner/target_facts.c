/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <blkid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runner/disk.h"
#include "runner/mountinfo.h"
#include "runner/process.h"
#include "runner/target_private.h"

/* What libblkid finds on the device; "" if it does not know it. */
static void probe(const char *device, char *type, size_t size)
{
	blkid_probe pr = blkid_new_probe_from_filename(device);
	const char *value;

	type[0] = '\0';
	if (!pr)
		return;
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_TYPE);
	if (blkid_do_safeprobe(pr) == 0 &&
	    blkid_probe_lookup_value(pr, "TYPE", &value, NULL) == 0)
		snprintf(type, size, "%s", value);
	blkid_free_probe(pr);
}

static bool is_fuse(const char *type)
{
	return strcmp(type, "fuse") == 0 || strcmp(type, "fuseblk") == 0 ||
	       strncmp(type, "fuse.", 5) == 0;
}

/* Which driver serves: the kernel's word, or the program that really runs. */
static bool find_driver(struct target *target, const struct mountinfo *info,
			struct err *err)
{
	struct target_facts *facts = &target->facts;
	const struct fstype_driver *driver;
	char program[32];

	if (!is_fuse(info->type)) {
		snprintf(facts->driver, sizeof(facts->driver), "%s",
			 info->type);
		return true;
	}
	if (!target->daemon || !process_program(child_pid(target->daemon),
						program, sizeof(program)))
		return err_set(err, ERR_FAILED,
			       "cannot tell which program serves %s",
			       info->target);
	driver = fstype_by_program(program);
	snprintf(facts->driver, sizeof(facts->driver), "%s",
		 driver ? driver->name : program);
	return true;
}

/* What is mounted now, and whether the wanted driver serves it. */
static bool look_at_mount(struct target *target, struct mountinfo *info,
			  struct err *err)
{
	const char *wanted = target->filesystem->driver;
	const char *driver = target->facts.driver;

	if (!mountinfo_at(MOUNTINFO_SELF, target->mount_point, info, err))
		return false;
	target->mount_device = info->device;
	guard_know_mount(target->guard, target->mount_ticket, info->device);
	if (!find_driver(target, info, err))
		return false;
	if (wanted && strcmp(wanted, driver) != 0)
		return err_set(err, ERR_FAILED,
			       "wanted driver %s, mounted by %s", wanted,
			       driver);
	return true;
}

static void find_stats(struct target_facts *facts, dev_t mounted, dev_t disk)
{
	disk_stat_path("", disk, facts->device_stat,
		       sizeof(facts->device_stat));
	facts->mounted_stat[0] = '\0';
	if (mounted)
		snprintf(facts->mounted_stat, sizeof(facts->mounted_stat),
			 "/sys/dev/block/%u:%u/stat", major(mounted),
			 minor(mounted));
}

static dev_t number_of(const char *block)
{
	struct stat st;

	return stat(block, &st) == 0 && S_ISBLK(st.st_mode) ? st.st_rdev : 0;
}

bool target_facts_of_mount(struct target *target, struct err *err)
{
	struct target_facts *facts = &target->facts;
	const char *block = target_block_path(target);
	dev_t disk = target->volume->kind == MATRIX_DEVICE
			     ? target->device.number
			     : disk_of_file(target->image);
	struct mountinfo info = { 0 };
	bool ok = look_at_mount(target, &info, err);

	facts->mount_options = info.options;
	info.options = NULL;
	mountinfo_done(&info);
	snprintf(facts->device, sizeof(facts->device), "%s", block);
	facts->buffered_loop = target->loop.fd >= 0 && !target->loop.direct;
	probe(block, facts->type, sizeof(facts->type));
	find_stats(facts, number_of(block), disk);
	return ok;
}

bool target_facts_again(struct target *target, struct err *err)
{
	struct mountinfo info = { 0 };
	char before[sizeof(target->facts.driver)];
	bool ok;

	snprintf(before, sizeof(before), "%s", target->facts.driver);
	ok = look_at_mount(target, &info, err);
	if (ok && strcmp(before, target->facts.driver) != 0)
		ok = err_set(err, ERR_FAILED,
			     "mounted by %s at first, and again by %s", before,
			     target->facts.driver);
	mountinfo_done(&info);
	return ok;
}

bool target_facts_of_directory(struct target *target, struct err *err)
{
	struct target_facts *facts = &target->facts;
	struct mountinfo info = { 0 };

	if (!mountinfo_of(target->dir, &info, err))
		return false;
	target->mount_device = info.device;
	snprintf(facts->driver, sizeof(facts->driver), "%s", info.type);
	snprintf(facts->type, sizeof(facts->type), "%s", info.type);
	snprintf(facts->device, sizeof(facts->device), "%s", info.source);
	facts->mount_options = info.options;
	info.options = NULL;
	mountinfo_done(&info);
	find_stats(facts, disk_of_file(target->dir), disk_of_file(target->dir));
	return true;
}
