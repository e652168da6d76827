/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/plan.h"

#include <stdlib.h>
#include <string.h>

/*
 * Where a cell stands among all combinations, dropped ones too. Place 0 of a
 * volume's filesystems is the filesystem that a directory brings.
 */
static size_t place(const struct matrix *m, size_t volume, size_t filesystem,
		    size_t workload)
{
	return (volume * (m->filesystem_count + 1) + filesystem) *
		       m->workload_count +
	       workload;
}

static const struct matrix_filesystem *filesystem_at(const struct matrix *m,
						     size_t filesystem)
{
	return filesystem ? &m->filesystems[filesystem - 1] : NULL;
}

static void add_cells_of_volume(struct plan *plan, const struct matrix *m,
				size_t volume, size_t *index)
{
	const struct matrix_volume *v = &m->volumes[volume];
	bool directory = v->kind == MATRIX_DIRECTORY;
	size_t first = directory ? 0 : 1;
	size_t last = directory ? 0 : m->filesystem_count;

	for (size_t f = first; f <= last; f++) {
		const struct matrix_filesystem *fs = filesystem_at(m, f);

		for (size_t w = 0; w < m->workload_count; w++) {
			const struct matrix_workload *wl = &m->workloads[w];

			if (!matrix_keeps(m, v->name, fs ? fs->name : NULL,
					  wl->name))
				continue;
			index[place(m, volume, f, w)] = plan->cell_count;
			plan->cells[plan->cell_count++] = (struct plan_cell){
				.volume = v,
				.filesystem = fs,
				.workload = wl,
				.base = PLAN_NO_BASE,
			};
		}
	}
}

/*
 * The place of a cell's base: its own, but for the baseline's dimension. A
 * directory brings its own filesystem, so as a base it stands for all.
 */
static size_t place_of_base(const struct matrix *m,
			    const struct plan_cell *cell)
{
	size_t v = (size_t)(cell->volume - m->volumes);
	size_t f = cell->filesystem
			   ? (size_t)(cell->filesystem - m->filesystems) + 1
			   : 0;
	size_t w = (size_t)(cell->workload - m->workloads);

	switch (m->baseline_dimension) {
	case MATRIX_FILESYSTEM:
		for (size_t i = 0; f && i < m->filesystem_count; i++) {
			if (strcmp(m->filesystems[i].name, m->baseline) == 0)
				f = i + 1;
		}
		break;
	case MATRIX_VOLUME:
		for (size_t i = 0; i < m->volume_count; i++) {
			if (strcmp(m->volumes[i].name, m->baseline) == 0)
				v = i;
		}
		if (m->volumes[v].kind == MATRIX_DIRECTORY)
			f = 0;
		break;
	case MATRIX_WORKLOAD:
		for (size_t i = 0; i < m->workload_count; i++) {
			if (strcmp(m->workloads[i].name, m->baseline) == 0)
				w = i;
		}
		break;
	}
	return place(m, v, f, w);
}

/* A directory's cell has no base among named filesystems. */
static bool has_base(const struct matrix *m, const struct plan_cell *cell)
{
	return m->baseline_dimension != MATRIX_FILESYSTEM || cell->filesystem;
}

static bool fill(struct plan *plan, const struct matrix *m, size_t places,
		 struct err *err)
{
	size_t *index = malloc(places * sizeof(*index));

	plan->cells = calloc(places, sizeof(*plan->cells));
	if (!index || !plan->cells) {
		free(index);
		return err_nomem(err);
	}
	for (size_t i = 0; i < places; i++)
		index[i] = PLAN_NO_BASE;
	for (size_t v = 0; v < m->volume_count; v++)
		add_cells_of_volume(plan, m, v, index);
	for (size_t i = 0; i < plan->cell_count; i++) {
		if (has_base(m, &plan->cells[i]))
			plan->cells[i].base =
				index[place_of_base(m, &plan->cells[i])];
	}
	free(index);
	return true;
}

struct plan *plan_new(const struct matrix *matrix, unsigned int rounds,
		      uint64_t seed, struct err *err)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	size_t per_volume, places;

	if (!plan) {
		err_nomem(err);
		return NULL;
	}
	plan->rounds = rounds;
	plan->seed = seed;
	if (__builtin_mul_overflow(matrix->filesystem_count + 1,
				   matrix->workload_count, &per_volume) ||
	    __builtin_mul_overflow(per_volume, matrix->volume_count, &places) ||
	    !fill(plan, matrix, places, err)) {
		err_nomem(err);
		goto fail;
	}
	return plan;
fail:
	plan_free(plan);
	return NULL;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free(plan->cells);
	free(plan);
}

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Even in [0, bound): values that would favour the low ones are drawn anew. */
static uint64_t random_below(uint64_t *state, uint64_t bound)
{
	uint64_t skip = -bound % bound; /* 2^64 mod bound */
	uint64_t value;

	do
		value = next_random(state);
	while (value < skip);
	return value % bound;
}

void plan_order(const struct plan *plan, unsigned int round, size_t *order)
{
	uint64_t state = plan->seed;

	/* Seeds and rounds that follow each other must not give orders that do.
	 */
	state = next_random(&state) ^ round;
	for (size_t i = 0; i < plan->cell_count; i++)
		order[i] = i;
	for (size_t i = plan->cell_count; i > 1; i--) {
		size_t j = (size_t)random_below(&state, i);
		size_t swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}
