/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>

#include "core/measure_private.h"

void measure_end_in_error(struct phase_result *out, int ret)
{
	if (!phase_end_is_valid(out->end))
		return;
	out->end = PHASE_END_ERROR;
	out->errnum = -ret;
}

static int visit_file(struct measure_visit *v, const struct stream *s,
		      unsigned int file)
{
	const struct io io = v->m->spec.io;
	char name[STREAM_NAME_MAX];
	int fd, ret;

	if (s->fd >= 0 && s->file == file)
		return v->fn(v, s, file, s->fd);
	stream_name(s, file, name);
	fd = io.ops->open(io.ctx, v->dir, name, O_RDONLY | O_NOFOLLOW);
	if (fd < 0)
		return fd;
	ret = v->fn(v, s, file, fd);
	(void)io.ops->close(io.ctx, fd);
	return ret;
}

int measure_visit(struct measure_visit *v)
{
	char name[STREAM_NAME_MAX];
	int first = 0, ret;

	for (unsigned int i = 0; i < v->m->stream_count; i++) {
		const struct stream *s = &v->m->streams[i];

		for (unsigned int f = 0; f < s->file_count; f++) {
			ret = visit_file(v, s, f);
			if (ret == 0)
				continue;
			stream_name(s, f, name);
			(void)err_sys(v->err, -ret, "%s %s", v->doing, name);
			first = first ? first : ret;
		}
	}
	return first;
}

static int sync_fd(const struct io *io, int (*sync)(void *ctx, int fd), int fd)
{
	int ret;

	do
		ret = sync(io->ctx, fd);
	while (ret == -EINTR);
	return ret;
}

static int fsync_file(struct measure_visit *v, const struct stream *s,
		      unsigned int file, int fd)
{
	(void)s;
	(void)file;
	return sync_fd(&v->m->spec.io, v->m->spec.io.ops->fsync, fd);
}

int measure_flush(struct measure *m, int dir, struct err *err)
{
	const struct io io = m->spec.io;
	struct measure_visit v = { .m = m,
				   .dir = dir,
				   .fn = fsync_file,
				   .doing = "flushing",
				   .err = err };
	int ret = measure_visit(&v);
	int all = sync_fd(&io, io.ops->syncfs, dir);

	if (all < 0)
		(void)err_sys(err, -all, "flushing the filesystem");
	if (ret == 0 && all == 0 && m->spec.device > 0) {
		ret = sync_fd(&io, io.ops->fsync, m->spec.device);
		if (ret < 0)
			(void)err_sys(err, -ret, "flushing the device");
	}
	return ret ? ret : all;
}

static int compare_size(struct measure_visit *v, const struct stream *s,
			unsigned int file, int fd)
{
	const struct io io = v->m->spec.io;
	uint64_t bytes;
	int ret = io.ops->size(io.ctx, fd, &bytes);

	if (ret == 0 && bytes != s->sizes[file]) {
		v->sum++;
		(void)stream_word_size(s, file, bytes, v->err);
	}
	return ret;
}

void measure_check_sizes(struct measure *m, int dir, struct phase_result *out,
			 struct err *err)
{
	struct measure_visit v = { .m = m,
				   .dir = dir,
				   .fn = compare_size,
				   .doing = "reading the size of",
				   .err = err };
	int ret = measure_visit(&v);

	if (v.sum > 0)
		out->end = PHASE_END_CORRUPT;
	else if (ret < 0)
		measure_end_in_error(out, ret);
}

void measure_close_files(struct measure *m, struct phase_result *out,
			 struct err *err)
{
	char name[STREAM_NAME_MAX];
	int ret;

	for (unsigned int i = 0; i < m->stream_count; i++) {
		struct stream *s = &m->streams[i];

		ret = stream_close(s, &m->spec.io);
		if (ret == 0)
			continue;
		stream_name(s, s->file, name);
		(void)err_sys(err, -ret, "closing %s", name);
		measure_end_in_error(out, ret);
	}
}

static int drop_pages(struct measure_visit *v, const struct stream *s,
		      unsigned int file, int fd)
{
	(void)s;
	(void)file;
	return v->m->spec.io.ops->dontneed(v->m->spec.io.ctx, fd);
}

bool measure_evict(struct measure *m, int dir, struct err *err)
{
	struct measure_visit v = { .m = m,
				   .dir = dir,
				   .fn = drop_pages,
				   .doing = "dropping the pages of",
				   .err = err };

	return measure_visit(&v) == 0;
}

bool measure_remove(struct measure *m, int dir, struct err *err)
{
	const struct io io = m->spec.io;
	char name[STREAM_NAME_MAX];
	bool ok = true;
	int ret;

	for (unsigned int i = 0; i < m->stream_count; i++) {
		struct stream *s = &m->streams[i];

		for (unsigned int f = 0; f < s->file_count; f++) {
			stream_name(s, f, name);
			ret = io.ops->unlink(io.ctx, dir, name);
			if (ret < 0 && ret != -ENOENT)
				ok = err_sys(err, -ret, "removing %s", name);
		}
		s->file_count = 0;
	}
	return ok;
}
