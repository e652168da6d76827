/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/sysfile.h"

static void join(const struct sysfile_names *names, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < names->count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
					 i ? "," : "", names->items[i]);
}

/* Each that is in use, once. */
static void read_governor(const char *root, char *out, size_t size)
{
	static const char folder[] = "sys/devices/system/cpu/cpufreq";
	struct sysfile_names policies = { 0 }, governors = { 0 };
	char governor[32];

	if (!sysfile_names_read(&policies, "%s/%s", root, folder))
		policies.count = 0;
	for (size_t i = 0; i < policies.count; i++) {
		if (sysfile_line(governor, sizeof(governor),
				 "%s/%s/%s/scaling_governor", root, folder,
				 policies.items[i]) &&
		    !sysfile_names_add(&governors, governor))
			break;
	}
	join(&governors, out, size);
	sysfile_names_done(&policies);
	sysfile_names_done(&governors);
}

static enum record_power power_of(const char *folder, const char *supply)
{
	char type[32], status[32];

	sysfile_line(type, sizeof(type), "%s/%s/type", folder, supply);
	if (strcmp(type, "Mains") == 0 || strcmp(type, "USB") == 0)
		return sysfile_flag("%s/%s/online", folder, supply)
			       ? RECORD_POWER_MAINS
			       : RECORD_POWER_UNKNOWN;
	/* the battery of a mouse is none of the machine's */
	if (strcmp(type, "Battery") == 0 &&
	    (!sysfile_line(status, sizeof(status), "%s/%s/scope", folder,
			   supply) ||
	     strcmp(status, "System") == 0) &&
	    sysfile_line(status, sizeof(status), "%s/%s/status", folder,
			 supply) &&
	    strcmp(status, "Discharging") == 0)
		return RECORD_POWER_BATTERY;
	return RECORD_POWER_UNKNOWN;
}

/* Whatever feeds it from outside outweighs a battery. */
static enum record_power read_power(const char *root)
{
	struct sysfile_names supplies = { 0 };
	enum record_power power = RECORD_POWER_UNKNOWN, one;
	char folder[4096];

	snprintf(folder, sizeof(folder), "%s/sys/class/power_supply", root);
	if (!sysfile_names_read(&supplies, "%s", folder))
		supplies.count = 0;
	for (size_t i = 0; i < supplies.count; i++) {
		one = power_of(folder, supplies.items[i]);
		if (one == RECORD_POWER_MAINS ||
		    (one == RECORD_POWER_BATTERY &&
		     power == RECORD_POWER_UNKNOWN))
			power = one;
	}
	sysfile_names_done(&supplies);
	return power;
}

static bool is_cpu_sensor(const char *name)
{
	static const char *const names[] = { "coretemp", "k10temp", "zenpower",
					     "cpu_thermal", "soc_thermal" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return strncmp(name, "cpu", 3) == 0;
}

/* Some sensors say nonsense when they sleep. */
static void take_temperature(struct conditions *c, const char *text)
{
	long mc = strtol(text, NULL, 10);

	if (mc <= -40000 || mc == 0 || mc >= 150000)
		return;
	if (!c->has_temperature || mc > c->temperature_mc)
		c->temperature_mc = mc;
	c->has_temperature = true;
}

static void read_sensors(const char *root, struct conditions *c)
{
	enum { INPUTS_MAX = 64 };
	struct sysfile_names sensors = { 0 };
	char text[32], path[4096];

	if (!sysfile_names_read(&sensors, "%s/sys/class/hwmon", root))
		sensors.count = 0;
	for (size_t i = 0; i < sensors.count; i++) {
		snprintf(path, sizeof(path), "%s/sys/class/hwmon/%s", root,
			 sensors.items[i]);
		if (!sysfile_line(text, sizeof(text), "%s/name", path) ||
		    !is_cpu_sensor(text))
			continue;
		for (int n = 1; n <= INPUTS_MAX; n++) {
			if (sysfile_line(text, sizeof(text), "%s/temp%d_input",
					 path, n))
				take_temperature(c, text);
		}
	}
	sysfile_names_done(&sensors);
}

/* For machines whose CPU has no sensor among those of hwmon. */
static void read_zones(const char *root, struct conditions *c)
{
	struct sysfile_names zones = { 0 };
	char text[32];

	if (!sysfile_names_read(&zones, "%s/sys/class/thermal", root))
		zones.count = 0;
	for (size_t i = 0; i < zones.count; i++) {
		if (strncmp(zones.items[i], "thermal_zone", 12) == 0 &&
		    sysfile_line(text, sizeof(text),
				 "%s/sys/class/thermal/%s/temp", root,
				 zones.items[i]))
			take_temperature(c, text);
	}
	sysfile_names_done(&zones);
}

void conditions_read(const char *root, struct conditions *conditions)
{
	*conditions = (struct conditions){ 0 };
	read_governor(root, conditions->governor, sizeof(conditions->governor));
	conditions->power = read_power(root);
	read_sensors(root, conditions);
	if (!conditions->has_temperature)
		read_zones(root, conditions);
}

struct record_conditions conditions_record(const struct conditions *conditions)
{
	return (struct record_conditions){
		.governor =
			conditions->governor[0] ? conditions->governor : NULL,
		.power = conditions->power,
		.has_temperature = conditions->has_temperature,
		.temperature_mc = conditions->temperature_mc,
	};
}
