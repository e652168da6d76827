/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/hostfacts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uuid/uuid.h>

#include "core/text.h"

/* Names of hosts are made in this namespace; never change it. */
static const unsigned char host_namespace[16] = {
	0x5b, 0x1f, 0xa6, 0x0e, 0x93, 0x0c, 0x4d, 0x57,
	0x8f, 0x2e, 0x6a, 0xd1, 0x77, 0xc4, 0x20, 0x9b,
};

static FILE *open_below(const char *root, const char *path)
{
	char full[4096];
	int length = snprintf(full, sizeof(full), "%s%s", root, path);

	if (length < 0 || (size_t)length >= sizeof(full))
		return NULL;
	return fopen(full, "re");
}

static void trim(char *text)
{
	size_t length = strcspn(text, "\n");

	while (length > 0 && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
}

/* The first line of a file, or "". */
static void read_line(const char *root, const char *path, char *out,
		      size_t size)
{
	FILE *file = open_below(root, path);

	out[0] = '\0';
	if (!file)
		return;
	if (!fgets(out, (int)size, file))
		out[0] = '\0';
	fclose(file);
	trim(out);
}

/* What follows `key` in its first line, behind blanks and a ':' or '='. */
static void read_value(const char *root, const char *path, const char *key,
		       char *out, size_t size)
{
	FILE *file = open_below(root, path);
	char line[1024];
	size_t length = strlen(key);

	out[0] = '\0';
	if (!file)
		return;
	while (!out[0] && fgets(line, sizeof(line), file)) {
		const char *value = line + length;

		if (strncmp(line, key, length) != 0)
			continue;
		value += strspn(value, " \t:=\"'");
		snprintf(out, size, "%s", value);
		out[strcspn(out, "\"'\n")] = '\0';
		trim(out);
	}
	fclose(file);
}

static int64_t count_lines(const char *root, const char *path,
			   const char *prefix)
{
	FILE *file = open_below(root, path);
	char line[4096];
	int64_t count = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		count += strncmp(line, prefix, strlen(prefix)) == 0;
	fclose(file);
	return count;
}

static void read_virtualization(const char *root, char *out, size_t size)
{
	char flags[4096];

	read_line(root, "/run/systemd/container", out, size);
	if (!out[0])
		read_line(root, "/sys/hypervisor/type", out, size);
	if (out[0])
		return;
	read_value(root, "/proc/cpuinfo", "vendor_id", flags, sizeof(flags));
	if (strcmp(flags, "User Mode Linux") == 0) {
		snprintf(out, size, "uml");
		return;
	}
	read_value(root, "/proc/cpuinfo", "flags", flags, sizeof(flags));
	if (!flags[0])
		return;
	if (!strstr(flags, " hypervisor")) {
		snprintf(out, size, "none");
		return;
	}
	read_line(root, "/sys/class/dmi/id/sys_vendor", out, size);
	if (!out[0])
		snprintf(out, size, "hypervisor");
}

static void hash(const char *text, char out[37])
{
	uuid_t uuid;

	uuid_generate_sha1(uuid, host_namespace, text, strlen(text));
	uuid_unparse_lower(uuid, out);
}

/* systemd's, or where there is none D-Bus's; "" before it is initialised. */
static void read_machine_id(const char *root, char *out, size_t size)
{
	read_line(root, "/etc/machine-id", out, size);
	if (!out[0])
		read_line(root, "/var/lib/dbus/machine-id", out, size);
	if (strlen(out) != 32 || out[strspn(out, "0123456789abcdef")])
		out[0] = '\0';
}

/*
 * The id itself stays here: machine-id(5) asks for that. That of the machine
 * alone is the same under every kernel.
 */
static void make_uuids(const char *root, struct hostfacts *facts)
{
	char machine_id[64], name[512];

	read_machine_id(root, machine_id, sizeof(machine_id));
	snprintf(name, sizeof(name), "%s %s",
		 machine_id[0] ? machine_id : facts->name, facts->os);
	hash(name, facts->uuid);
	if (machine_id[0])
		hash(machine_id, facts->machine_id);
}

void hostfacts_read(const char *root, const struct utsname *uts,
		    struct hostfacts *facts)
{
	char memory[64];

	*facts = (struct hostfacts){ 0 };
	snprintf(facts->name, sizeof(facts->name), "%s", uts->nodename);
	/* Up to the first '-': what the packager added is in `kernel`. */
	snprintf(facts->os, sizeof(facts->os), "%s %.*s", uts->sysname,
		 (int)strcspn(uts->release, "-+"), uts->release);
	snprintf(facts->kernel, sizeof(facts->kernel), "%s %s", uts->release,
		 uts->version);
	snprintf(facts->machine, sizeof(facts->machine), "%s", uts->machine);
	read_value(root, "/etc/os-release", "PRETTY_NAME", facts->distribution,
		   sizeof(facts->distribution));
	read_value(root, "/proc/cpuinfo", "model name", facts->cpu,
		   sizeof(facts->cpu));
	if (!facts->cpu[0])
		read_line(root, "/proc/device-tree/model", facts->cpu,
			  sizeof(facts->cpu));
	facts->cpus = count_lines(root, "/proc/cpuinfo", "processor");
	read_value(root, "/proc/meminfo", "MemTotal", memory, sizeof(memory));
	facts->memory_bytes = strtoll(memory, NULL, 10) * 1024;
	read_virtualization(root, facts->virtualization,
			    sizeof(facts->virtualization));
	make_uuids(root, facts);
}

void hostfacts_read_here(struct hostfacts *facts)
{
	struct utsname uts;

	uname(&uts);
	hostfacts_read("", &uts, facts);
}

struct record_host hostfacts_record(const struct hostfacts *facts)
{
	struct record_host host = {
		.name = facts->name,
		.os = facts->os,
		.distribution = text_or_null(facts->distribution),
		.kernel = text_or_null(facts->kernel),
		.machine = text_or_null(facts->machine),
		.cpu = text_or_null(facts->cpu),
		.cpus = facts->cpus,
		.memory_bytes = facts->memory_bytes,
		.virtualization = text_or_null(facts->virtualization),
		.machine_id = text_or_null(facts->machine_id),
	};

	memcpy(host.uuid, facts->uuid, sizeof(host.uuid));
	return host;
}
