/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/inhibit.h"

#include <stdlib.h>
#include <unistd.h>

#include "runner/child.h"

#define NS_PER_MS UINT64_C(1000000)

/* There, as sd_booted(3) knows it, is systemd the system's manager. */
static const char systemd_place[] = "/run/systemd/system";
static const char program[] = "systemd-inhibit";

/* Holds the machine awake as long as it lives; it ends when we do. */
struct inhibit {
	struct child *child;
};

static bool can_inhibit(void)
{
	char *path;

	if (access(systemd_place, F_OK) != 0)
		return false;
	path = child_find(program);
	free(path);
	return path;
}

static struct child *start(void)
{
	static const char *const words[] = {
		program,          "--what=sleep:idle:handle-lid-switch",
		"--who=fsmatrix", "--why=measuring filesystems",
		"--mode=block",   "sleep",
		"infinity",       NULL,
	};
	struct child_argv argv = { 0 };
	struct err ignored = { 0 };
	struct child *child;

	child_argv_add_all(&argv, words);
	child = child_start(&argv, &ignored);
	child_argv_done(&argv);
	return child;
}

struct inhibit *inhibit_begin(void)
{
	struct inhibit *inhibit;

	if (!can_inhibit())
		return NULL;
	inhibit = calloc(1, sizeof(*inhibit));
	if (!inhibit)
		return NULL;
	inhibit->child = start();
	if (inhibit->child)
		return inhibit;
	free(inhibit);
	return NULL;
}

void inhibit_end(struct inhibit *inhibit)
{
	if (!inhibit)
		return;
	child_stop(inhibit->child, 200 * NS_PER_MS);
	child_wait(inhibit->child, 200 * NS_PER_MS);
	child_free(inhibit->child);
	free(inhibit);
}
