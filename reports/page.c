/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* page.css, then the scripts of every page in the order they run. */
extern const struct embed page_files[];

static const struct embed *style(void)
{
	return &page_files[0];
}

static void put_policy(const struct embed *script, FILE *out)
{
	fprintf(out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; base-uri 'none'; form-action 'none'; "
		"style-src 'sha256-%s'; script-src 'sha256-%s'",
		style()->sha256, script->sha256);
	for (size_t i = 1; page_files[i].name; i++)
		fprintf(out, " 'sha256-%s'", page_files[i].sha256);
	fputs("\">\n", out);
}

/* The hash is of all that stands between the tags. */
static void put_embedded(const char *tag, const struct embed *file, FILE *out)
{
	fprintf(out, "<%s>", tag);
	fwrite(file->data, 1, file->size, out);
	fprintf(out, "</%s>\n", tag);
}

bool page_begin(const char *title, const struct embed *script, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n",
	      out);
	put_policy(script, out);
	fputs("<meta name=\"viewport\" "
	      "content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
	      out);
	if (!page_text(title, out))
		return false;
	fputs("</title>\n", out);
	put_embedded("style", style(), out);
	fputs("</head>\n<body>\n<main>\n", out);
	return true;
}

void page_end(const struct embed *script, FILE *out)
{
	fputs("</main>\n", out);
	for (size_t i = 1; page_files[i].name; i++)
		put_embedded("script", &page_files[i], out);
	put_embedded("script", script, out);
	fputs("</body>\n</html>\n", out);
}

/* Whether it can stand anywhere as it is. */
static bool is_plain(const char *text)
{
	for (; *text; text++) {
		if (*text < ' ' || *text > '~' || strchr("<>&\"'\\", *text))
			return false;
	}
	return true;
}

bool page_text(const char *text, FILE *out)
{
	char *safe;

	if (is_plain(text)) {
		fputs(text, out);
		return true;
	}
	safe = text_safe(text);
	for (const char *at = safe; at && *at; at++) {
		if (strchr("<>&\"'", *at))
			fprintf(out, "&#%d;", *at);
		else
			fputc(*at, out);
	}
	free(safe);
	return safe;
}

void page_data_begin(FILE *out)
{
	fputs("<script type=\"application/json\" id=\"data\">", out);
}

void page_data_end(FILE *out)
{
	fputs("</script>\n", out);
}

bool page_data_text(const char *text, FILE *out)
{
	char *safe = text_safe(text);

	fputc('"', out);
	for (const char *at = safe; at && *at; at++) {
		if (strchr("<>&\"\\", *at))
			fprintf(out, "\\u%04x", *at);
		else
			fputc(*at, out);
	}
	fputc('"', out);
	free(safe);
	return safe;
}

void page_data_number(double value, int digits, FILE *out)
{
	double unit;

	if (!isfinite(value)) {
		fputs("null", out);
		return;
	}
	/* Of the last digit: "%g" may write 138000 as 1.38e+05. */
	unit = pow(10, floor(log10(fabs(value))) - digits + 1);
	if (unit >= 1)
		fprintf(out, "%.0f", round(value / unit) * unit);
	else
		fprintf(out, "%.*g", digits, value);
}
