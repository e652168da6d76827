/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/load.h"

#include "reports/compare.h"
#include "reports/dataset.h"
#include "schema/store.h"

struct loading {
	struct store *store;
	struct dataset *data;
	struct err *err;
	const struct record_run_info *run; /* while its cells are read */
	bool ok;
};

static bool take_cell(void *ctx, const struct record_cell_info *info)
{
	struct loading *loading = ctx;
	const struct record_cell *cell = &info->cell;
	const char *filesystem = cell->filesystem;
	struct record_result row = {
		.run = loading->run->id,
		.cell = info->id,
		.base_cell = cell->base_cell,
		.os = loading->run->host.os,
		.host = loading->run->host.name,
		.machine_id = loading->run->host.machine_id,
		.label = loading->run->run.label,
		.matrix = loading->run->run.matrix,
		.volume = cell->volume,
		.volume_kind = cell->volume_kind,
		.filesystem = filesystem ? filesystem : cell->type,
		.type = cell->type,
		.workload = cell->workload,
	};

	loading->ok = dataset_add_cell(loading->data, &row, cell->settings,
				       loading->err) &&
		      dataset_set_site(loading->data, info->id, &info->site,
				       loading->err);
	return loading->ok;
}

static bool take_run(void *ctx, const struct record_run_info *info)
{
	struct loading *loading = ctx;
	bool read;

	loading->run = info;
	loading->ok = dataset_add_run(loading->data, info, loading->err);
	if (!loading->ok)
		return false;
	read = store_run_cells(loading->store, info->id, take_cell, loading,
			       loading->err);
	loading->ok = loading->ok && read;
	return loading->ok;
}

static bool take_result(void *ctx, const struct record_result *row)
{
	struct loading *loading = ctx;

	loading->ok = dataset_add(loading->data, row, loading->err);
	return loading->ok;
}

bool load_runs(struct store *store, const int64_t *runs, size_t count,
	       struct dataset *data, struct err *err)
{
	struct loading loading = {
		.store = store, .data = data, .err = err, .ok = true
	};

	/* First the cells, so that those without a sample are seen. */
	for (size_t i = 0; i < count && loading.ok; i++) {
		if (!store_run_info(store, runs[i], take_run, &loading, err))
			return false;
	}
	return loading.ok &&
	       store_each_result(store, runs, count, take_result, &loading,
				 err) &&
	       loading.ok && dataset_name_machines(data, err);
}

struct series_loading {
	struct store *store;
	struct dataset *data;
	size_t total, of_row;  /* loaded so far */
	struct detail *detail; /* that is being loaded */
	bool ok;
	struct err *err;
};

static void take_series(void *ctx, const struct record_series *series)
{
	struct series_loading *loading = ctx;

	/* a sample without one, pruned or imported, is not left out */
	if (loading->total == LOAD_SERIES_MAX ||
	    loading->of_row == LOAD_SERIES_ROW) {
		loading->data->series_left_out++;
		return;
	}
	loading->ok = detail_set_series(loading->detail, series) ||
		      err_nomem(loading->err);
	loading->total++;
	loading->of_row++;
}

static bool load_cell_series(struct series_loading *loading,
			     const struct dataset_samples *samples, char op)
{
	for (size_t i = 0; loading->ok && i < samples->count; i++) {
		struct detail *detail = &samples->details[i];

		if (!compare_counts(&samples->items[i]))
			continue;
		loading->detail = detail;
		if (!store_sample_series(loading->store, detail->sample, op,
					 take_series, loading, loading->err))
			return false;
	}
	return loading->ok;
}

bool load_series(struct store *store, const struct comparison *comparison,
		 struct dataset *data, struct err *err)
{
	struct series_loading loading = {
		.store = store, .data = data, .ok = true, .err = err
	};

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compare_row *row = &comparison->rows[i];

		loading.of_row = 0;
		for (size_t j = 0; j < row->cells; j++) {
			size_t at = comparison->members[row->first_cell + j];
			const struct dataset_cell *cell = &data->cells[at];

			if (!load_cell_series(&loading,
					      dataset_op(cell, row->op),
					      row->op))
				return false;
		}
	}
	return true;
}
