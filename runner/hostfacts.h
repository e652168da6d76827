/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostfacts - which machine and OS this is, as stored with every run.
 *
 * Files are read below a root prefix, so that a recorded machine is a test
 * case. What cannot be read stays empty; nothing here fails.
 */
#ifndef RUNNER_HOSTFACTS_H
#define RUNNER_HOSTFACTS_H

#include <stdint.h>
#include <sys/utsname.h>

#include "schema/record.h"

struct hostfacts {
	char uuid[37];
	char name[256];
	char os[256];           /* "Linux 6.12.5" */
	char distribution[128]; /* PRETTY_NAME of os-release */
	char kernel[256];       /* release and version as uname has them */
	char machine[65];       /* "x86_64" */
	char cpu[128];
	char virtualization[64]; /* "none", the hypervisor's vendor, a kind of
				    container, or "" */
	char machine_id[37];     /* a uuid of it, not itself; "": unknown */
	int64_t cpus;            /* 0: unknown */
	int64_t memory_bytes;    /* 0: unknown */
};

/* `root` is "" for this machine; `uts` as uname(2) gave it. */
void hostfacts_read(const char *root, const struct utsname *uts,
		    struct hostfacts *facts);

/* Of this machine, now. */
void hostfacts_read_here(struct hostfacts *facts);

/* The store's view of the facts, which must outlive it. */
struct record_host hostfacts_record(const struct hostfacts *facts);

#endif
