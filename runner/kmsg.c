/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/kmsg.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	RECORD_MAX = 8192,
	RECORDS_MAX = 100000, /* whoever logs faster than we read */
	WARNING = 4,          /* the lowest level that is kept */
	LEVELS = 8,           /* the rest of a priority is its facility */
};

/* What is kept, and how many messages more there were. */
struct kept {
	char *text; /* owned */
	size_t length, more;
};

int kmsg_open(void)
{
	return open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

void kmsg_skip(int fd)
{
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
}

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);
	const char *at = text;

	while ((at = strstr(at, word))) {
		if ((at == text || !isalnum((unsigned char)at[-1])) &&
		    !isalnum((unsigned char)at[length]))
			return true;
		at += length;
	}
	return false;
}

/* "4,1234,567890,-;the message\n SUBSYSTEM=block\n" */
static const char *message_of(char *record)
{
	unsigned long priority = strtoul(record, NULL, 10);
	char *message = strchr(record, ';');

	if (!message || priority % LEVELS > WARNING)
		return NULL;
	message++;
	message[strcspn(message, "\n")] = '\0';
	return message;
}

static void keep(struct kept *kept, const char *message)
{
	size_t length = strlen(message);

	if (!kept->text)
		kept->text = calloc(1, KMSG_TEXT_MAX + 64);
	if (!kept->text || kept->length + length + 1 > KMSG_TEXT_MAX) {
		kept->more++;
		return;
	}
	memcpy(kept->text + kept->length, message, length);
	kept->length += length;
	kept->text[kept->length++] = '\n';
}

static void look_at(char *record, const char *const *names, size_t count,
		    struct kept *kept)
{
	const char *message = message_of(record);

	for (size_t i = 0; message && i < count; i++) {
		if (has_word(message, names[i])) {
			keep(kept, message);
			return;
		}
	}
}

char *kmsg_collect(int fd, const char *const *names, size_t count)
{
	struct kept kept = { 0 };
	char record[RECORD_MAX + 1];

	for (int i = 0; fd >= 0 && i < RECORDS_MAX; i++) {
		ssize_t got = read(fd, record, RECORD_MAX);

		/* EPIPE: some were lost, as they came too fast */
		if (got < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (got <= 0)
			break;
		record[got] = '\0';
		look_at(record, names, count, &kept);
	}
	if (kept.text && kept.more > 0)
		snprintf(kept.text + kept.length, 64, "(and %zu more)\n",
			 kept.more);
	return kept.text;
}
