/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/measure.h"
#include "runner/device.h"
#include "runner/loop.h"
#include "runner/place.h"
#include "runner/target.h"

enum { TRIAL_BYTES = 1 << 20 };

const char *doctor_check_word(enum doctor_check check)
{
	static const char *const words[DOCTOR_CHECKS] = {
		[DOCTOR_ROOT] = "root",          [DOCTOR_LOOP] = "loop",
		[DOCTOR_DIRECT] = "loop_direct", [DOCTOR_FUSE] = "fuse",
		[DOCTOR_FUSECTL] = "fusectl",    [DOCTOR_URING] = "io_uring",
		[DOCTOR_CACHES] = "drop_caches", [DOCTOR_DATABASE] = "database",
	};

	return words[check];
}

static void set(struct doctor *doctor, enum doctor_check check, bool ok,
		const char *text, const char *step)
{
	struct doctor_finding *finding = &doctor->findings[check];

	finding->ok = ok;
	snprintf(finding->text, sizeof(finding->text), "%.*s",
		 DOCTOR_TEXT_MAX - 1, text);
	snprintf(finding->step, sizeof(finding->step), "%.*s",
		 DOCTOR_TEXT_MAX - 1, ok ? "" : step);
}

static void check_root(struct doctor *doctor)
{
	if (geteuid() != 0)
		set(doctor, DOCTOR_ROOT, false,
		    "no: only directories can be tested",
		    "run as root to test on images and devices");
	else if (!target_may_mount())
		set(doctor, DOCTOR_ROOT, false,
		    "yes, but without the right to mount (CAP_SYS_ADMIN)",
		    "leave the container, or start it privileged, to test on "
		    "images and devices");
	else
		set(doctor, DOCTOR_ROOT, true, "yes", "");
}

/* A real one, over a file that has no name. */
static bool try_loop(bool *direct, struct err *err)
{
	struct loop loop = LOOP_NONE;
	int image = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	bool ok;

	if (image < 0)
		image = open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (image < 0)
		return err_sys(err, errno, "making a file in /var/tmp");
	ok = ftruncate(image, TRIAL_BYTES) == 0 ||
	     err_sys(err, errno, "making a file");
	ok = ok && loop_attach(&loop, image, "fsmatrix doctor", err);
	*direct = ok && loop.direct;
	if (ok)
		ok = loop_detach(&loop, err);
	close(image);
	return ok;
}

static void check_loop(struct doctor *doctor)
{
	struct err err = { 0 };
	bool direct = false;

	if (!doctor->findings[DOCTOR_ROOT].ok) {
		/* whose lack is said already */
		set(doctor, DOCTOR_LOOP, false, "no: needs root", "");
		set(doctor, DOCTOR_DIRECT, false, "no: needs root", "");
		return;
	}
	if (!loop_available(&err) || !try_loop(&direct, &err)) {
		set(doctor, DOCTOR_LOOP, false, err.text,
		    "modprobe loop, to test on images");
		set(doctor, DOCTOR_DIRECT, false, "no: no loop devices", "");
		return;
	}
	set(doctor, DOCTOR_LOOP, true, "yes", "");
	if (direct)
		set(doctor, DOCTOR_DIRECT, true, "yes", "");
	else
		set(doctor, DOCTOR_DIRECT, false,
		    "no: the filesystem of this directory refuses it, images "
		    "are cached twice",
		    "keep images on a disk's ext4 or xfs");
}

static void check_fuse(struct doctor *doctor)
{
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	bool absent = fd < 0 && errno != EACCES && errno != EPERM;
	char text[DOCTOR_TEXT_MAX];

	snprintf(text, sizeof(text), "no: /dev/fuse: %s", strerror(errno));
	set(doctor, DOCTOR_FUSE, fd >= 0, fd < 0 ? text : "yes",
	    absent ? "modprobe fuse, for drivers that are programs" : "");
	if (fd >= 0)
		close(fd);
	if (fstype_kernel_has("", "fusectl"))
		set(doctor, DOCTOR_FUSECTL, true, "yes", "");
	else
		set(doctor, DOCTOR_FUSECTL, false,
		    "no: a driver that hangs cannot be ended", "");
}

static void check_uring(struct doctor *doctor)
{
	struct err err = { 0 };

	if (measure_uring_available(&err))
		set(doctor, DOCTOR_URING, true, "yes", "");
	else
		set(doctor, DOCTOR_URING, false, err.text,
		    "leave \"depth\" out of workloads");
}

static void check_caches(struct doctor *doctor)
{
	if (access("/proc/sys/vm/drop_caches", W_OK) == 0)
		set(doctor, DOCTOR_CACHES, true, "yes", "");
	else
		set(doctor, DOCTOR_CACHES, false,
		    "no: a cold read drops the test files only",
		    geteuid() == 0 ? "make /proc/sys/vm/drop_caches writable"
				   : "");
}

/* Why the database could not be written; "" if it could. */
static void find_obstacle(const char *path, char *text, size_t size)
{
	char copy[PATH_MAX], *real;
	const char *folder;

	text[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", path);
	folder = dirname(copy);
	real = realpath(folder, NULL);
	if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
		snprintf(text, size, "no: writing %.160s: %s", path,
			 strerror(errno));
	else if (!real || access(real, W_OK | X_OK) != 0)
		snprintf(text, size, "no: writing in %.160s: %s",
			 real ? real : folder, strerror(errno));
	free(real);
}

/* It is opened when it is needed, and not made before. */
static void check_database(struct doctor *doctor, const char *path)
{
	char text[DOCTOR_TEXT_MAX];

	snprintf(doctor->database, sizeof(doctor->database), "%s", path);
	find_obstacle(path, text, sizeof(text));
	if (text[0]) {
		set(doctor, DOCTOR_DATABASE, false, text,
		    "name another database with --db FILE");
		return;
	}
	snprintf(text, sizeof(text), "%.200s%s", path,
		 access(path, F_OK) == 0 ? "" : " (not yet made)");
	set(doctor, DOCTOR_DATABASE, true, text, "");
}

static void read_type(const struct fstype *type, struct doctor_type *out)
{
	struct err why = { 0 };

	out->type = type;
	out->mkfs = fstype_mkfs_available(type, &why);
	snprintf(out->reason, sizeof(out->reason), "%.255s", why.text);
	for (const struct fstype_driver *d = type->drivers;
	     d->name && out->driver_count < DOCTOR_DRIVERS_MAX; d++) {
		struct doctor_driver *driver =
			&out->drivers[out->driver_count++];

		why = (struct err){ 0 };
		driver->driver = d;
		driver->available = fstype_driver_available(d, &why);
		snprintf(driver->reason, sizeof(driver->reason), "%.255s",
			 why.text);
	}
}

static bool count_volumes(struct doctor *doctor, struct err *err)
{
	struct place_list places = { 0 };
	struct device_list devices = { 0 };
	bool ok = place_list_read(&places, err) &&
		  device_list_read("", &devices, err);

	doctor->directories = places.count;
	for (size_t i = 0; i < devices.count; i++) {
		struct err ignored = { 0 };

		doctor->devices += device_is_erasable(
			&devices, &devices.items[i], &ignored);
	}
	device_list_done(&devices);
	place_list_done(&places);
	return ok;
}

bool doctor_read(struct doctor *doctor, const char *database, struct err *err)
{
	*doctor = (struct doctor){ 0 };
	if (!count_volumes(doctor, err))
		return false;
	check_root(doctor);
	check_loop(doctor);
	check_fuse(doctor);
	check_uring(doctor);
	check_caches(doctor);
	check_database(doctor, database);
	for (const struct fstype *type = fstype_table;
	     type->name && doctor->type_count < DOCTOR_TYPES_MAX; type++)
		read_type(type, &doctor->types[doctor->type_count++]);
	return true;
}

const struct fstype_driver *doctor_best_driver(const struct doctor *doctor,
					       const struct doctor_type *type)
{
	bool volume = doctor->findings[DOCTOR_LOOP].ok || doctor->devices > 0;

	if (!type->mkfs || !volume || !doctor->findings[DOCTOR_ROOT].ok)
		return NULL;
	for (size_t i = 0; i < type->driver_count; i++) {
		const struct doctor_driver *driver = &type->drivers[i];
		bool fuse = driver->driver->kind != FSTYPE_KERNEL;

		if (driver->available &&
		    (!fuse || doctor->findings[DOCTOR_FUSE].ok))
			return driver->driver;
	}
	return NULL;
}

size_t doctor_testable(const struct doctor *doctor)
{
	size_t count = 0;

	for (size_t i = 0; i < doctor->type_count; i++)
		count += doctor_best_driver(doctor, &doctor->types[i]) != NULL;
	return count;
}
