/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stddef.h>

#include "reports/dataset.h"
#include "reports/page.h"
#include "reports/render_html.h"

struct fact {
	const char *title;
	size_t at; /* of its text in a run */
};

static const struct fact facts[] = {
	{ "Label", offsetof(struct dataset_run, label) },
	{ "Matrix", offsetof(struct dataset_run, matrix) },
	{ "Program", offsetof(struct dataset_run, program) },
	{ "Started", offsetof(struct dataset_run, started_at) },
	{ "Ended", offsetof(struct dataset_run, ended_at) },
	{ "Status", offsetof(struct dataset_run, status) },
	{ "Host", offsetof(struct dataset_run, host) },
	{ "OS", offsetof(struct dataset_run, os) },
	{ "CPU", offsetof(struct dataset_run, cpu) },
	{ "Virtualization", offsetof(struct dataset_run, virtualization) },
};

static const char *text_of(const struct dataset_run *run,
			   const struct fact *fact)
{
	return *(const char *const *)((const char *)run + fact->at);
}

static bool any_has(const struct dataset *data, const struct fact *fact)
{
	for (size_t i = 0; i < data->run_count; i++) {
		if (*text_of(&data->runs[i], fact))
			return true;
	}
	return false;
}

/* A row a fact: runs are few as a rule, and what is known of them is not. */
static bool put_fact(const struct dataset *data, const struct fact *fact,
		     FILE *out)
{
	fprintf(out, "<tr><th scope=\"row\">%s</th>", fact->title);
	for (size_t i = 0; i < data->run_count; i++) {
		fputs("<td>", out);
		if (!page_text(text_of(&data->runs[i], fact), out))
			return false;
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
	return true;
}

static void put_memory(const struct dataset *data, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < data->run_count; i++)
		any |= data->runs[i].memory_bytes > 0;
	if (!any)
		return;
	fputs("<tr><th scope=\"row\">Memory</th>", out);
	for (size_t i = 0; i < data->run_count; i++) {
		double gib = (double)data->runs[i].memory_bytes / (1 << 30);

		fputs("<td>", out);
		if (gib > 0)
			fprintf(out, "%.1f GiB", gib);
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
}

static void put_numbers(const struct dataset *data, FILE *out)
{
	fputs("<thead><tr><th scope=\"col\">Run</th>", out);
	for (size_t i = 0; i < data->run_count; i++)
		fprintf(out, "<th scope=\"col\">%" PRId64 "</th>",
			data->runs[i].id);
	fputs("</tr></thead>\n<tbody>\n", out);
}

bool render_html_runs(const struct dataset *data, FILE *out)
{
	fprintf(out,
		"<section>\n<h2>Where and when</h2>\n"
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
		"aria-labelledby=\"runs\">\n<table class=\"facts\">\n"
		"<caption id=\"runs\">%zu run%s, as stored.</caption>\n",
		data->run_count, data->run_count == 1 ? "" : "s");
	put_numbers(data, out);
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
		if (any_has(data, &facts[i]) && !put_fact(data, &facts[i], out))
			return false;
	}
	put_memory(data, out);
	fputs("</tbody>\n</table>\n</div>\n</section>\n", out);
	return true;
}
