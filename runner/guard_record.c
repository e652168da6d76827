/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner/guard_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/guard_place.h"
#include "runner/process.h"

#define MAGIC   "fsmatrix-record"
#define VERSION 2

enum {
	BOOT_ID_SIZE = 40,
	RECORD_MAX = 64 << 20, /* bytes; a longer one is not ours */
	ATTEMPTS = 16, /* a sweep may take a new record before it is locked */
};

static const char *const words[] = {
	[GUARD_PROCESS] = "process",     [GUARD_MOUNT] = "mount",
	[GUARD_LOOP] = "loop",           [GUARD_FILE] = "file",
	[GUARD_DIRECTORY] = "directory",
};

enum { WORD_COUNT = sizeof(words) / sizeof(*words) };

const char *guard_record_word(enum guard_kind kind)
{
	return words[kind];
}

static bool kind_of(const char *word, enum guard_kind *kind)
{
	for (size_t i = 0; i < WORD_COUNT; i++) {
		if (strcmp(words[i], word) == 0) {
			*kind = (enum guard_kind)i;
			return true;
		}
	}
	return false;
}

/* Changes with every boot; "-" where the kernel does not tell. */
static void boot_id(char id[BOOT_ID_SIZE])
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file || fscanf(file, "%39s", id) != 1)
		snprintf(id, BOOT_ID_SIZE, "-");
	if (file)
		fclose(file);
}

static char *escape(const char *name)
{
	char *text = malloc(strlen(name) * 4 + 1), *end = text;

	if (!text)
		return NULL;
	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < ' ' || c == 127 || c == '\\')
			end += sprintf(end, "\\%03o", c);
		else
			*end++ = *name;
	}
	*end = '\0';
	return text;
}

static bool is_octal(const char *digits)
{
	return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' &&
	       digits[1] <= '7' && digits[2] >= '0' && digits[2] <= '7';
}

/* In place. False if it is no name that escape() writes. */
static bool unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		if (!is_octal(text + 1))
			return false;
		*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
			       (text[3] - '0'));
		text += 3;
	}
	*to = '\0';
	return true;
}

static struct guard_entry *find(struct guard_record *record,
				guard_ticket ticket)
{
	for (size_t i = record->count; i > 0; i--) {
		if (record->entries[i - 1].ticket == ticket)
			return &record->entries[i - 1];
	}
	return NULL;
}

/* All but the name, which begins at line[*used]. */
static bool read_added(unsigned int version, const char *line,
		       struct guard_entry *entry, int *used)
{
	char word[16];
	int got;

	*used = 0;
	if (version == 1)
		got = 1 + sscanf(line,
				 "+ %15s %" SCNu64 " %" SCNu64 " %" SCNu64 "%n",
				 word, &entry->a, &entry->b, &entry->since_ns,
				 used);
	else
		got = sscanf(line,
			     "+ %15s %" SCNu64 " %" SCNu64 " %" SCNu64
			     " %" SCNu64 "%n",
			     word, &entry->a, &entry->b, &entry->c,
			     &entry->since_ns, used);
	return got == 5 && *used > 0 && line[(*used)++] == ' ' &&
	       kind_of(word, &entry->kind);
}

/* False without an error: a line that was cut. */
static bool take_added(struct guard_record *record, char *line,
		       guard_ticket ticket, struct err *err)
{
	struct guard_entry entry = { .ticket = ticket }, *grown;
	int name;

	if (!read_added(record->version, line, &entry, &name) ||
	    !unescape(line + name))
		return false;
	if (!record->this_boot)
		entry.a = 0; /* device numbers are given anew */
	entry.name = strdup(line + name);
	grown = reallocarray(record->entries, record->count + 1,
			     sizeof(*grown));
	if (grown)
		record->entries = grown;
	if (!grown || !entry.name) {
		free(entry.name);
		return err_nomem(err);
	}
	grown[record->count++] = entry;
	return true;
}

static bool take_known(struct guard_record *record, const char *line)
{
	uint64_t ticket, a, b, c = 0;
	struct guard_entry *entry;
	int got = sscanf(line, "= %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			 &ticket, &a, &b, &c);

	if (got != (record->version == 1 ? 3 : 4))
		return false;
	entry = find(record, ticket);
	if (entry) {
		entry->a = record->this_boot ? a : 0;
		entry->b = b;
		entry->c = c;
	}
	return true;
}

static bool take_dropped(struct guard_record *record, const char *line)
{
	struct guard_entry *entry;
	uint64_t ticket;
	size_t behind;

	if (sscanf(line, "- %" SCNu64, &ticket) != 1)
		return false;
	entry = find(record, ticket);
	if (!entry)
		return true;
	free(entry->name);
	behind = (size_t)(record->entries + record->count - (entry + 1));
	memmove(entry, entry + 1, behind * sizeof(*entry));
	record->count--;
	return true;
}

static bool take_line(struct guard_record *record, char *line,
		      guard_ticket ticket, struct err *err)
{
	switch (line[0]) {
	case '+':
		return take_added(record, line, ticket, err);
	case '=':
		return take_known(record, line);
	case '-':
		return take_dropped(record, line);
	default:
		return false;
	}
}

static bool take_header(struct guard_record *record, const char *line,
			const char *boot, struct err *err)
{
	char id[BOOT_ID_SIZE];
	int pid;

	if (sscanf(line, MAGIC " %u", &record->version) != 1)
		return err_set(err, ERR_INPUT, "not a record");
	if (record->version < 1 || record->version > VERSION)
		return err_set(err, ERR_INPUT,
			       "a record of version %u; this program knows %u",
			       record->version, VERSION);
	if (sscanf(line, MAGIC " %*u %39s %d %" SCNu64, id, &pid,
		   &record->owner_start) != 3)
		return err_set(err, ERR_INPUT, "a damaged record");
	record->owner = (pid_t)pid;
	record->this_boot = strcmp(id, boot) == 0 && strcmp(id, "-") != 0;
	return true;
}

bool guard_record_parse(const char *text, size_t length, const char *boot,
			struct guard_record *record, struct err *err)
{
	struct guard_record parsed = { 0 };
	struct err failed = { 0 };
	size_t at = 0;
	bool ok = true;

	while (ok && at < length) {
		const char *end = memchr(text + at, '\n', length - at);
		char *line;

		if (!end)
			break;
		line = strndup(text + at, (size_t)(end - text) - at);
		if (!line) {
			ok = err_nomem(err);
		} else if (at == 0) {
			ok = take_header(&parsed, line, boot, err);
		} else if (!take_line(&parsed, line, at, &failed)) {
			ok = failed.code == ERR_NONE || err_nomem(err);
			end = text + length - 1; /* it ends here */
		}
		free(line);
		at = (size_t)(end - text) + 1;
	}
	if (ok)
		*record = parsed;
	else
		guard_record_done(&parsed);
	return ok;
}

bool guard_record_read(int fd, struct guard_record *record, struct err *err)
{
	char boot[BOOT_ID_SIZE], *text;
	struct stat st;
	ssize_t got;
	bool ok;

	if (fstat(fd, &st) < 0)
		return err_sys(err, errno, "reading a record");
	if (st.st_size > RECORD_MAX)
		return err_set(err, ERR_INPUT, "not a record");
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		return err_nomem(err);
	got = pread(fd, text, (size_t)st.st_size, 0);
	boot_id(boot);
	if (got < 0)
		ok = err_sys(err, errno, "reading a record");
	else
		ok = guard_record_parse(text, (size_t)got, boot, record, err);
	free(text);
	return ok;
}

void guard_record_done(struct guard_record *record)
{
	for (size_t i = 0; i < record->count; i++)
		free(record->entries[i].name);
	free(record->entries);
	*record = (struct guard_record){ 0 };
}

/* All of it or nothing. 0, or an errno. */
static int append(int fd, const char *text)
{
	off_t before = lseek(fd, 0, SEEK_END);
	size_t length = strlen(text);
	ssize_t put = before < 0 ? -1 : write(fd, text, length);

	if (put == (ssize_t)length)
		return 0;
	if (put < 0)
		return errno;
	if (ftruncate(fd, before) < 0)
		return errno;
	return ENOSPC;
}

static int write_header(int fd)
{
	char boot[BOOT_ID_SIZE], line[160];

	boot_id(boot);
	snprintf(line, sizeof(line), MAGIC " %u %s %d %" PRIu64 "\n", VERSION,
		 boot, (int)getpid(), process_start(getpid()));
	return append(fd, line);
}

/* Open and locked; -1: try again, or an error if errno is not EAGAIN. */
static int create_one(int dir, const char *name)
{
	struct stat st;
	int fd = openat(dir, name,
			O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 &&
	    st.st_nlink > 0)
		return fd;
	close(fd);
	errno = EAGAIN;
	return -1;
}

int guard_record_create(char **path, struct err *err)
{
	char *parent = NULL, name[64], *made = NULL;
	int dir = guard_place_open(&parent, err), fd = -1, errnum = 0;

	if (dir < 0)
		return -1;
	for (int i = 0; fd < 0 && i < ATTEMPTS; i++) {
		snprintf(name, sizeof(name), "run-%d-%" PRIu64 "-%d",
			 (int)getpid(), process_start(getpid()), i);
		fd = create_one(dir, name);
		errnum = errno;
		if (fd < 0 && errnum != EAGAIN && errnum != EEXIST)
			break;
	}
	if (fd >= 0) {
		errnum = write_header(fd);
		if (errnum == 0 && (fsync(fd) < 0 || fsync(dir) < 0))
			errnum = errno;
		if (errnum == 0 && asprintf(&made, "%s/%s", parent, name) < 0)
			errnum = ENOMEM;
		if (errnum != 0)
			unlinkat(dir, name, 0);
	}
	close(dir);
	if (fd < 0 || errnum != 0) {
		err_sys(err, errnum, "making a record in %s", parent);
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	free(parent);
	if (fd >= 0)
		*path = made;
	return fd;
}

static bool survives_power_cut(enum guard_kind kind)
{
	return kind == GUARD_FILE || kind == GUARD_DIRECTORY;
}

bool guard_record_add(int fd, const struct guard_entry *entry,
		      guard_ticket *ticket, struct err *err)
{
	char *name = escape(entry->name), *line = NULL;
	off_t at = lseek(fd, 0, SEEK_END);
	int errnum = 0;

	if (!name || asprintf(&line,
			      "+ %s %" PRIu64 " %" PRIu64 " %" PRIu64
			      " %" PRIu64 " %s\n",
			      words[entry->kind], entry->a, entry->b, entry->c,
			      entry->since_ns, name) < 0)
		errnum = ENOMEM;
	else
		errnum = append(fd, line);
	if (errnum == 0 && survives_power_cut(entry->kind) && fdatasync(fd) < 0)
		errnum = errno;
	free(line);
	free(name);
	if (errnum != 0)
		return err_sys(err, errnum, "recording %s %s before it is made",
			       words[entry->kind], entry->name);
	*ticket = (guard_ticket)at;
	return true;
}

void guard_record_know(int fd, guard_ticket ticket, uint64_t a, uint64_t b,
		       uint64_t c)
{
	char line[100];

	snprintf(line, sizeof(line),
		 "= %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ticket,
		 a, b, c);
	(void)append(fd, line);
}

/* A ticket is where the line of its thing begins. */
static bool is_file(int fd, guard_ticket ticket)
{
	char line[32] = "", word[16];
	enum guard_kind kind;

	return pread(fd, line, sizeof(line) - 1, (off_t)ticket) > 0 &&
	       sscanf(line, "+ %15s", word) == 1 && kind_of(word, &kind) &&
	       kind == GUARD_FILE;
}

/*
 * On the disk only where it matters: a file's name may be somebody else's
 * from now on, and directories are never called the same.
 */
void guard_record_drop(int fd, guard_ticket ticket)
{
	char line[40];

	snprintf(line, sizeof(line), "- %" PRIu64 "\n", ticket);
	if (append(fd, line) == 0 && is_file(fd, ticket))
		fdatasync(fd);
}

void guard_record_clear(int fd)
{
	char line[200], *end;
	ssize_t got = pread(fd, line, sizeof(line) - 1, 0);

	if (got <= 0)
		return;
	line[got] = '\0';
	end = strchr(line, '\n');
	if (end && ftruncate(fd, end + 1 - line) == 0)
		fdatasync(fd);
}
