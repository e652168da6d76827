/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/planning.h"

#include <sys/random.h>

#include "runner/command.h"

/* What SQLite's integers and a person's eyes can both hold. */
#define SEED_MAX UINT64_C(9007199254740991)

bool planning_option(struct planning *p, int letter, struct err *err)
{
	unsigned long long number;

	switch (letter) {
	case 'r':
		if (!command_number("--rounds", optarg, 1, MATRIX_ROUNDS_MAX,
				    &number, err))
			return false;
		p->rounds = (unsigned int)number;
		return true;
	case 's':
		if (!command_number("--seed", optarg, 0, SEED_MAX, &number,
				    err))
			return false;
		p->seed = number;
		p->seeded = true;
		return true;
	default:
		return false;
	}
}

static bool draw_seed(struct planning *p, struct err *err)
{
	uint32_t drawn;

	if (p->seeded)
		return true;
	if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn))
		return err_set(err, ERR_FAILED, "no random numbers to be had");
	p->seed = drawn;
	return true;
}

bool planning_load(struct planning *p, const char *path, struct err *err)
{
	p->matrix = command_matrix(path, err);
	if (!p->matrix || !draw_seed(p, err))
		return false;
	p->plan = plan_new(p->matrix, p->rounds ? p->rounds : p->matrix->rounds,
			   p->seed, err);
	return p->plan != NULL;
}

void planning_done(struct planning *p)
{
	plan_free(p->plan);
	matrix_free(p->matrix);
	*p = (struct planning){ 0 };
}
