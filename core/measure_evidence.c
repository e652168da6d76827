/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdlib.h>

#include "core/measure_private.h"

static int count_resident(struct measure_visit *v, const struct stream *s,
			  unsigned int file, int fd)
{
	const struct io io = v->m->spec.io;
	uint64_t cached;
	int ret = io.ops->resident(io.ctx, fd, s->sizes[file], &cached);

	if (ret == 0)
		v->sum += cached;
	return ret;
}

int64_t measure_resident(struct measure *m, int dir)
{
	struct err ignored = { 0 };
	struct measure_visit v = { .m = m,
				   .dir = dir,
				   .fn = count_resident,
				   .doing = "",
				   .err = &ignored };

	return measure_visit(&v) == 0 ? (int64_t)v.sum : EVIDENCE_UNKNOWN;
}

/*
 * Read with O_DIRECT on, once at an offset and a place that obey no alignment
 * (which a disk cannot do, but a network can, and so can a filesystem that
 * then uses the page cache), and once properly.
 */
static void probe_fd(const struct io *io, int fd, unsigned char *buf,
		     size_t length, struct evidence_probe *probe)
{
	struct evidence_counters before, after;

	probe->accepts_misaligned =
		io->ops->pread(io->ctx, fd, buf + 1, 1, 1) > 0;
	if (!probe->accepts_misaligned)
		return;
	before = evidence_count("", "");
	if (io->ops->pread(io->ctx, fd, buf, length, 0) <= 0)
		return;
	after = evidence_count("", "");
	probe->moves_nothing =
		evidence_between(&before, &after).process_read == 0;
	(void)io->ops->dontneed(io->ctx, fd);
}

static void probe_first_file(struct measure *m, int dir,
			     struct evidence_probe *probe)
{
	const struct io io = m->spec.io;
	const size_t length = m->streams[0].alignment_bytes;
	char name[STREAM_NAME_MAX];
	void *buf = NULL;
	int fd;

	stream_name(&m->streams[0], 0, name);
	fd = io.ops->open(io.ctx, dir, name, O_RDONLY | O_NOFOLLOW | O_DIRECT);
	if (fd < 0)
		return;
	if (posix_memalign(&buf, DATA_ALIGNMENT, length) == 0)
		probe_fd(&io, fd, buf, length, probe);
	free(buf);
	(void)io.ops->close(io.ctx, fd);
}

static bool is_direct_in_name(struct measure *m, int dir,
			      const struct phase_result *out, int64_t dirtied)
{
	const int64_t before = out->evidence.resident_bytes;
	const int64_t after = measure_resident(m, dir);
	struct evidence_probe probe = {
		.grown_bytes = EVIDENCE_UNKNOWN,
		.dirtied_bytes = dirtied,
	};

	if (before != EVIDENCE_UNKNOWN && after != EVIDENCE_UNKNOWN)
		probe.grown_bytes = after - before;
	probe_first_file(m, dir, &probe);
	return evidence_is_in_name(&probe, out->bytes);
}

void measure_judge(struct measure *m, const struct stream_phase *phase,
		   const struct evidence_counters *before,
		   struct phase_result *out)
{
	const struct evidence_counters after =
		evidence_count(m->spec.device_stat, m->spec.mounted_stat);
	const struct evidence_counters moved = evidence_between(before, &after);
	const bool writes = phase->op == PHASE_WRITE;
	struct evidence *e = &out->evidence;

	e->device_bytes = evidence_device_bytes(&moved, writes);
	e->process_bytes = writes ? moved.process_written : moved.process_read;
	e->io = m->streams[0].io;
	if (e->io != EVIDENCE_IO_DIRECT)
		return;
	e->alignment_bytes = m->streams[0].alignment_bytes;
	if (is_direct_in_name(m, phase->dir, out,
			      writes ? moved.dirtied : EVIDENCE_UNKNOWN))
		e->io = EVIDENCE_IO_DIRECT_IN_NAME;
}
