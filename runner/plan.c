/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/plan.h"

#include <stdlib.h>
#include <string.h>

/*
 * All combinations, dropped ones too, in their order. `first` has the place of
 * each volume's first, and behind them how many there are: a directory has one
 * per workload, however many filesystems are named.
 */
struct places {
	const struct matrix *matrix;
	size_t *first;
	size_t *index; /* by place: the plan's cell, or PLAN_NO_BASE */
};

static bool is_directory(const struct matrix *m, size_t volume)
{
	return m->volumes[volume].kind == MATRIX_DIRECTORY;
}

static bool places_init(struct places *p, const struct matrix *m)
{
	size_t count = 0;

	*p = (struct places){ .matrix = m };
	p->first = calloc(m->volume_count + 1, sizeof(*p->first));
	if (!p->first)
		return false;
	for (size_t v = 0; v < m->volume_count; v++) {
		p->first[v] = count;
		count += (is_directory(m, v) ? 1 : m->filesystem_count) *
			 m->workload_count;
	}
	p->first[m->volume_count] = count;
	p->index = calloc(count, sizeof(*p->index));
	if (!p->index)
		return false;
	for (size_t i = 0; i < count; i++)
		p->index[i] = PLAN_NO_BASE;
	return true;
}

static void places_done(struct places *p)
{
	free(p->first);
	free(p->index);
}

/* Filesystem 0 is what a directory brings. NULL: no volume has such a cell. */
static size_t *cell_at(const struct places *p, size_t volume, size_t filesystem,
		       size_t workload)
{
	size_t row = is_directory(p->matrix, volume) ? 0 : filesystem - 1;

	if ((filesystem == 0) != is_directory(p->matrix, volume))
		return NULL;
	return &p->index[p->first[volume] + row * p->matrix->workload_count +
			 workload];
}

static const struct matrix_filesystem *filesystem_at(const struct matrix *m,
						     size_t filesystem)
{
	return filesystem ? &m->filesystems[filesystem - 1] : NULL;
}

static void add_cells_of_volume(struct plan *plan, const struct places *p,
				size_t volume)
{
	const struct matrix *m = p->matrix;
	const struct matrix_volume *v = &m->volumes[volume];
	bool directory = is_directory(m, volume);
	size_t first = directory ? 0 : 1;
	size_t last = directory ? 0 : m->filesystem_count;

	for (size_t f = first; f <= last; f++) {
		const struct matrix_filesystem *fs = filesystem_at(m, f);

		for (size_t w = 0; w < m->workload_count; w++) {
			const struct matrix_workload *wl = &m->workloads[w];

			if (!matrix_keeps(m, v->name, fs ? fs->name : NULL,
					  wl->name))
				continue;
			*cell_at(p, volume, f, w) = plan->cell_count;
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
 * A cell's base is its own, but for the baseline's dimension. A directory
 * brings its own filesystem, so as a base it stands for all.
 */
static size_t base_of(const struct places *p, const struct plan_cell *cell)
{
	const struct matrix *m = p->matrix;
	size_t *base;
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
		if (is_directory(m, v))
			f = 0;
		break;
	case MATRIX_WORKLOAD:
		for (size_t i = 0; i < m->workload_count; i++) {
			if (strcmp(m->workloads[i].name, m->baseline) == 0)
				w = i;
		}
		break;
	}
	base = cell_at(p, v, f, w);
	return base ? *base : PLAN_NO_BASE;
}

/* A directory's cell has no base among named filesystems. */
static bool has_base(const struct matrix *m, const struct plan_cell *cell)
{
	return m->baseline_dimension != MATRIX_FILESYSTEM || cell->filesystem;
}

static bool fill(struct plan *plan, const struct matrix *m)
{
	struct places p;
	bool ok = places_init(&p, m);

	if (ok)
		plan->cells =
			calloc(p.first[m->volume_count], sizeof(*plan->cells));
	ok = ok && plan->cells;
	for (size_t v = 0; ok && v < m->volume_count; v++)
		add_cells_of_volume(plan, &p, v);
	for (size_t i = 0; ok && i < plan->cell_count; i++) {
		if (has_base(m, &plan->cells[i]))
			plan->cells[i].base = base_of(&p, &plan->cells[i]);
	}
	places_done(&p);
	return ok;
}

struct plan *plan_new(const struct matrix *matrix, unsigned int rounds,
		      uint64_t seed, struct err *err)
{
	struct plan *plan = calloc(1, sizeof(*plan));

	if (plan) {
		plan->rounds = rounds;
		plan->seed = seed;
		if (fill(plan, matrix))
			return plan;
	}
	err_nomem(err);
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
