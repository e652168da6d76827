/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/conditions.h"
#include "tests/unit/host_fixture.h"

/* Writes one line below the host's root. */
static void put(const struct host *host, const char *path, const char *text)
{
	char full[PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", host->root, path);
	file = fopen(full, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", text);
	fclose(file);
}

static void a_laptop_on_battery_is_known(void **state)
{
	struct conditions c;
	struct host host;

	(void)state;
	host_unpack(&host, "conditions");
	conditions_read(host.root, &c);
	assert_string_equal(c.governor, "powersave,performance");
	assert_int_equal(c.power, RECORD_POWER_BATTERY);
	assert_true(c.has_temperature);
	assert_int_equal(c.temperature_mc, 74500);
	host_remove(&host);
}

static void what_feeds_it_from_outside_counts(void **state)
{
	struct conditions c;
	struct host host;

	(void)state;
	host_unpack(&host, "conditions");
	put(&host, "sys/class/power_supply/AC/online", "1");
	conditions_read(host.root, &c);
	assert_int_equal(c.power, RECORD_POWER_MAINS);
	put(&host, "sys/class/power_supply/AC/online", "0");
	put(&host, "sys/class/power_supply/BAT0/status", "Full");
	conditions_read(host.root, &c);
	assert_int_equal(c.power, RECORD_POWER_UNKNOWN);
	host_remove(&host);
}

static void without_a_sensor_of_the_cpu_the_zones_say_how_hot(void **state)
{
	struct conditions c;
	struct host host;

	(void)state;
	host_unpack(&host, "conditions");
	put(&host, "sys/class/hwmon/hwmon3/name", "acpitz");
	conditions_read(host.root, &c);
	assert_int_equal(c.temperature_mc, 20000);
	put(&host, "sys/class/thermal/thermal_zone0/temp", "0");
	conditions_read(host.root, &c);
	assert_false(c.has_temperature);
	host_remove(&host);
}

static void what_cannot_be_read_is_not_known(void **state)
{
	struct conditions c;
	struct record_conditions record;

	(void)state;
	conditions_read("/nonexistent", &c);
	record = conditions_record(&c);
	assert_null(record.governor);
	assert_null(record_power_word(record.power));
	assert_false(record.has_temperature);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_laptop_on_battery_is_known),
		cmocka_unit_test(what_feeds_it_from_outside_counts),
		cmocka_unit_test(
			without_a_sensor_of_the_cpu_the_zones_say_how_hot),
		cmocka_unit_test(what_cannot_be_read_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
