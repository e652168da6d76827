/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "core/io.h"
#include "runner/aside.h"
#include "runner/kmsg.h"
#include "runner/mountinfo.h"
#include "runner/target_private.h"
#include "runner/wait.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)

enum { BUSY_TICK_MS = 50 };

static const uint64_t daemon_patience_ns = 60 * NS_PER_S;
static const uint64_t busy_patience_ns = 3 * NS_PER_S;
/* An unmount writes what is not written yet. */
static const uint64_t unmount_patience_ns = 120 * NS_PER_S;
static const uint64_t stopped_patience_ns = 4 * NS_PER_S;

bool target_mkfs(struct target *target, struct err *err)
{
	struct child_limit limit = { .stop = target->stop };
	struct child_argv argv = { 0 };
	bool ok;

	fstype_mkfs_argv(target->type,
			 (const char *const *)target->filesystem->mkfs,
			 target_block_path(target), &argv);
	target->facts.mkfs_command = child_command_text(&argv);
	ok = child_run(&argv, limit, err);
	child_argv_done(&argv);
	return ok;
}

/* In the kernel's own words, if it has said any since then: they name more. */
static void fail_mount(const struct target *target, int kmsg, int errnum,
		       const char *words, struct err *err)
{
	const char *slash = strrchr(target_block_path(target), '/');
	const char *names[] = { target->driver->name,
				slash ? slash + 1 : target->driver->name };
	char *kernel = kmsg_collect(kmsg, names, 2);

	if (kernel)
		err_set(err, ERR_FAILED, "%s failed: %s; the kernel: %.*s",
			target->facts.mount_command, strerror(errnum),
			(int)strcspn(kernel, "\n"), kernel);
	else
		err_set(err, ERR_FAILED, "%s failed: %s",
			target->facts.mount_command,
			words[0] ? words : strerror(errnum));
	free(kernel);
}

/* 0, or an errno with the words in `err`. */
static int mount_context(struct target *target, int kmsg, const char *options,
			 struct libmnt_context *context, struct err *err)
{
	char words[512] = "";
	int ret;

	mnt_context_disable_helpers(context, 1);
	mnt_context_disable_mtab(context, 1);
	if (mnt_context_set_optsmode(context, MNT_OMODE_NOTAB) ||
	    mnt_context_set_fstype(context, target->driver->name) ||
	    mnt_context_set_source(context, target_block_path(target)) ||
	    mnt_context_set_target(context, target->mount_point) ||
	    mnt_context_set_options(context, options)) {
		err_nomem(err);
		return ENOMEM;
	}
	kmsg_skip(kmsg);
	ret = mnt_context_mount(context);
	if (ret == 0 && mnt_context_get_status(context) == 1)
		return 0;
	mnt_context_get_excode(context, ret, words, sizeof(words));
	if (mnt_context_syscall_called(context) &&
	    mnt_context_get_syscall_errno(context) > 0)
		ret = mnt_context_get_syscall_errno(context);
	else
		ret = EINVAL;
	fail_mount(target, kmsg, ret, words, err);
	return ret;
}

static int mount_kernel(struct target *target, struct err *err)
{
	struct libmnt_context *context = mnt_new_context();
	char *options =
		fstype_mount_options(target->driver, target->filesystem->mount);
	int errnum = ENOMEM, kmsg = kmsg_open();

	if (context && options)
		errnum = mount_context(target, kmsg, options, context, err);
	else
		err_nomem(err);
	if (kmsg >= 0)
		close(kmsg);
	mnt_free_context(context);
	free(options);
	return errnum;
}

static bool is_mounted(const struct target *target)
{
	struct mountinfo info;
	struct err ignored = { 0 };

	if (!mountinfo_at(MOUNTINFO_SELF, target->mount_point, &info, &ignored))
		return false;
	mountinfo_done(&info);
	return true;
}

/* Wait until the daemon has mounted, or has ended, or it takes too long. */
static bool await_daemon(struct target *target, struct err *err)
{
	uint64_t start = io_system.now(NULL);

	while (!is_mounted(target)) {
		if (child_wait(target->daemon, 5 * NS_PER_MS)) {
			if (child_result(target->daemon, err))
				err_set(err, ERR_FAILED,
					"%s ended without mounting",
					target->facts.mount_command);
			return false;
		}
		if (target->stop && atomic_load(target->stop))
			return err_set(err, ERR_FAILED, "%s was stopped",
				       target->facts.mount_command);
		if (io_system.now(NULL) - start > daemon_patience_ns)
			return err_set(err, ERR_FAILED,
				       "%s does not come to mount",
				       target->facts.mount_command);
	}
	return true;
}

static int mount_fuse(struct target *target, const struct child_argv *argv,
		      struct err *err)
{
	struct child_limit limit = { .stop = target->stop,
				     .timeout_ns = daemon_patience_ns };

	if (target->driver->kind == FSTYPE_FUSE_DETACHED)
		target->daemon = child_start_detached(argv, limit, err);
	else
		target->daemon = child_start(argv, err);
	if (!target->daemon)
		return ECHILD;
	if (!guard_add_process(target->guard, child_pid(target->daemon),
			       &target->daemon_ticket, err))
		return ECHILD;
	return await_daemon(target, err) ? 0 : ECHILD;
}

static bool open_root(struct target *target, struct err *err)
{
	target->dir = open(target->mount_point,
			   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (target->dir < 0)
		return err_sys(err, errno, "opening what %s mounted",
			       target->driver->name);
	if (faccessat(target->dir, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return err_sys(err, errno, "writing in what %s mounted",
			       target->driver->name);
	return true;
}

/* Mount with target->driver. 0, or an errno. */
static int mount_one(struct target *target, struct err *err)
{
	struct child_argv argv = { 0 };
	int errnum;

	fstype_mount_argv(target->driver, target->filesystem->mount,
			  target_block_path(target), target->mount_point,
			  &argv);
	free(target->facts.mount_command);
	target->facts.mount_command = child_command_text(&argv);
	if (!target->facts.mount_command) {
		err_nomem(err);
		errnum = ENOMEM;
	} else if (!target->mount_ticket &&
		   !guard_add_mount(target->guard, target->mount_point,
				    &target->mount_ticket, err)) {
		errnum = EIO;
	} else if (target->driver->kind == FSTYPE_KERNEL) {
		errnum = mount_kernel(target, err);
	} else {
		errnum = mount_fuse(target, &argv, err);
	}
	child_argv_done(&argv);
	target->mounted = errnum == 0;
	return errnum;
}

/* Whether a mount failed because the kernel does not know the driver. */
static bool is_unknown(int errnum)
{
	return errnum == ENODEV;
}

enum target_outcome target_mount(struct target *target, struct err *err)
{
	const char *wanted = target->filesystem->driver;
	struct err last = { 0 };

	for (const struct fstype_driver *d = target->type->drivers; d->name;
	     d++) {
		int errnum;

		if (wanted && strcmp(d->name, wanted) != 0)
			continue;
		last = (struct err){ 0 };
		if (!fstype_driver_available(d, &last))
			continue;
		target->driver = d;
		errnum = mount_one(target, &last);
		if (is_unknown(errnum)) {
			last = (struct err){ 0 };
			err_set(&last, ERR_FAILED,
				"no driver %s in this kernel", d->name);
			continue;
		}
		if (errnum == 0 && open_root(target, err) &&
		    target_facts_of_mount(target, err))
			return TARGET_READY;
		if (errnum)
			*err = last;
		return TARGET_FAILED;
	}
	*err = last;
	return TARGET_SKIPPED;
}

bool target_mount_again(struct target *target, struct err *err)
{
	return mount_one(target, err) == 0 && open_root(target, err) &&
	       target_facts_again(target, err);
}

/*
 * Files that go with the image need not be written first: removed, their
 * pages are forgotten. A daemon has written them already.
 */
static void forget_files(const char *path)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return;
	target_folder_empty(dir);
	close(dir);
}

static int unmount_only(const char *path)
{
	return umount2(path, UMOUNT_NOFOLLOW) < 0 ? errno : 0;
}

static int unmount_and_forget(const char *path)
{
	forget_files(path);
	return unmount_only(path);
}

/* 0, or an errno; ETIMEDOUT when it got stuck. */
static int unmount_patiently(const struct target *target, bool discard,
			     uint64_t patience_ns)
{
	bool forget = discard && !target->daemon;
	uint64_t start = io_system.now(NULL);
	int errnum;

	for (;;) {
		errnum = aside_call(forget ? unmount_and_forget : unmount_only,
				    target->mount_point,
				    (int)(patience_ns / NS_PER_MS));
		if (errnum != EBUSY ||
		    io_system.now(NULL) - start > busy_patience_ns)
			return errnum;
		wait_ms(BUSY_TICK_MS);
	}
}

/*
 * What it has not written yet, it writes after the unmount; where that is not
 * wanted any more (`discard`) it may be killed over it.
 */
static bool end_daemon(struct target *target, bool discard,
		       uint64_t patience_ns, struct err *err)
{
	bool ended;

	if (!target->daemon)
		return true;
	ended = child_wait(target->daemon,
			   discard ? stopped_patience_ns : patience_ns);
	if (!ended)
		child_stop(target->daemon, NS_PER_S / 5);
	if (!ended && discard)
		ended = child_wait(target->daemon, patience_ns);
	if (child_wait(target->daemon, 0))
		guard_drop(target->guard, &target->daemon_ticket);
	if (!ended)
		err_set(err, ERR_FAILED, "%s does not end",
			target->driver->name);
	child_free(target->daemon);
	target->daemon = NULL;
	return ended;
}

/* Unmount; what does not go is detached, and its daemon left alone. */
static bool unmount(struct target *target, bool discard, uint64_t patience_ns,
		    struct err *err)
{
	bool ok = true;
	int errnum = unmount_patiently(target, discard, patience_ns);

	if (errnum == ETIMEDOUT && target->daemon) {
		guard_abort_fuse(target->mount_device);
		child_stop(target->daemon, NS_PER_S / 5);
		errnum = unmount_patiently(target, discard, NS_PER_S);
		ok = discard ||
		     err_set(err, ERR_FAILED, "%s did not answer the unmount",
			     target->driver->name);
	}
	/* the call that was stuck may have done it by now */
	if (errnum == 0 || !is_mounted(target))
		return ok;
	err_sys(err, errnum, "unmounting %s", target->mount_point);
	umount2(target->mount_point, MNT_DETACH | UMOUNT_NOFOLLOW);
	if (target->daemon)
		guard_abort_fuse(target->mount_device);
	return false;
}

bool target_unmount(struct target *target, bool discard, struct err *err)
{
	/*
	 * A slow disk may take its time, but not while somebody waits; and a
	 * daemon can be ended over what nobody will read any more.
	 */
	bool hurry = (target->stop && atomic_load(target->stop)) ||
		     (discard && target->daemon);
	uint64_t patience_ns =
		hurry ? stopped_patience_ns : unmount_patience_ns;
	bool ok = true;

	if (target->dir >= 0)
		close(target->dir);
	target->dir = -1;
	/* a daemon that we stopped waiting for may have mounted since */
	if (!target->mounted && target->daemon)
		target->mounted = is_mounted(target);
	if (target->mounted)
		ok = unmount(target, discard, patience_ns, err);
	if (target->daemon && (!target->mounted || !ok))
		child_stop(target->daemon, NS_PER_S / 5);
	target->mounted = false;
	if (!is_mounted(target))
		guard_drop(target->guard, &target->mount_ticket);
	return end_daemon(target, discard, patience_ns, err) && ok;
}
