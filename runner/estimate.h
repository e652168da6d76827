/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * estimate - what the store's history says about how long each cell of a plan
 * takes on this host.
 */
#ifndef RUNNER_ESTIMATE_H
#define RUNNER_ESTIMATE_H

#include "core/err.h"
#include "runner/budget.h"
#include "runner/plan.h"
#include "schema/store.h"

/*
 * Tell `budget`. It does not ask longer than two seconds: of a matrix with
 * very many cells the last ones are then without an estimate.
 */
MUST_USE bool estimate_from_history(struct store *store,
				    const struct plan *plan,
				    struct budget *budget, struct err *err);

#endif
