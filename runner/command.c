/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/command.h"

const char *command_database(void)
{
	return "fsmatrix.db";
}
