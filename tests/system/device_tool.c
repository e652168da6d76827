/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device_tool PATH ERASE COMMAND: what may happen between the consent and the
 * use of a device. Checks the device, opens it ("held" in front of COMMAND
 * asks for that) or runs the command first, and says how that went.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/device.h"

int main(int argc, char **argv)
{
	struct matrix_volume volume = { .kind = MATRIX_DEVICE };
	struct device device = { 0 };
	struct err err = { 0 };
	bool held = argc > 4 && strcmp(argv[3], "held") == 0;
	int fd = -1, status;

	if (argc < 4)
		return 2;
	volume.path = argv[1];
	volume.erase = argv[2];
	if (!device_check(&volume, &device, &err))
		goto out;
	if (held)
		fd = device_open(&device, &err);
	status = system(argv[argc - 1]);
	printf("the command ended with %d\n", status);
	if (!held)
		fd = device_open(&device, &err);
	if (fd >= 0) {
		puts("it is the same device");
		close(fd);
	}
out:
	device_done(&device);
	if (err.code != ERR_NONE)
		err_print(&err, stderr);
	return (int)err.code;
}
