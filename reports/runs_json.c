/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/runs_private.h"

static bool put_counts_json(json_t *object, const struct record_listed *run)
{
	int64_t planned = run->rounds * run->cells;

	return jsonvalue_put(object, "rounds",
			     jsonvalue_count(run->rounds, 0)) &&
	       jsonvalue_put(object, "cells", json_integer(run->cells)) &&
	       jsonvalue_put(object, "cells_done",
			     json_integer(run->cells_done)) &&
	       jsonvalue_put(object, "cells_failed",
			     json_integer(run->cells_failed)) &&
	       jsonvalue_put(object, "samples_planned",
			     jsonvalue_count(planned, 0)) &&
	       jsonvalue_put(object, "samples_ok",
			     json_integer(run->samples_ok)) &&
	       jsonvalue_put(object, "samples_skipped",
			     json_integer(run->samples_skipped)) &&
	       jsonvalue_put(object, "samples_failed",
			     json_integer(run->samples_failed));
}

bool runs_put_json(json_t *object, const struct record_listed *run)
{
	return jsonvalue_put(object, "run", json_integer(run->id)) &&
	       jsonvalue_put(object, "uuid", jsonvalue_text(run->uuid)) &&
	       jsonvalue_put(object, "host", jsonvalue_text(run->host)) &&
	       jsonvalue_put(object, "os", jsonvalue_text(run->os)) &&
	       jsonvalue_put(object, "source", jsonvalue_text(run->source)) &&
	       jsonvalue_put(object, "matrix", jsonvalue_text(run->matrix)) &&
	       jsonvalue_put(object, "status", jsonvalue_text(run->status)) &&
	       jsonvalue_put(object, "started_at",
			     jsonvalue_text(run->started_at)) &&
	       jsonvalue_put(object, "ended_at",
			     jsonvalue_text(run->ended_at)) &&
	       jsonvalue_put(object, "seconds",
			     jsonvalue_number(run->seconds)) &&
	       jsonvalue_put(object, "label", jsonvalue_text(run->tag.label)) &&
	       jsonvalue_put(object, "note", jsonvalue_text(run->tag.note)) &&
	       jsonvalue_put(object, "baseline",
			     json_boolean(run->tag.pinned)) &&
	       jsonvalue_put(object, "ignored",
			     json_boolean(run->tag.ignored)) &&
	       jsonvalue_put(object, "tagged_at",
			     jsonvalue_text(run->tag.tagged_at)) &&
	       put_counts_json(object, run);
}

bool runs_print_json(struct runs *runs, const struct record_listed *run,
		     struct err *err)
{
	json_t *object = json_object();
	bool ok = object && runs_put_json(object, run) &&
		  jsonvalue_put(object, "machine_id",
				jsonvalue_text(run->machine_id));

	if (ok) {
		fputs(runs->count > 0 ? ",\n" : "\n", runs->out);
		/* What cannot be written shows in ferror(). */
		(void)jsonvalue_print(object,
				      JSON_COMPACT | JSON_REAL_PRECISION(15),
				      runs->out);
	} else {
		err_nomem(err);
	}
	json_decref(object);
	return ok;
}
