/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/command.h"

int main(void)
{
	return ERR_INPUT;
}
