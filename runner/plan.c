/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/plan.h"

#include <stdlib.h>

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free(plan->cells);
	free(plan);
}
