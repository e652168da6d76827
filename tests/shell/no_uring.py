#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""no_uring.py FSMATRIX: what a kernel that forbids io_uring, or has none, does to a run.

A workload with a depth is skipped and says why, one without is measured: the
run is a good one.
"""

import ctypes
import errno
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile

IO_URING_SETUP = 425  # on every architecture
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def forbid(error):
    """For this process and those it starts, as a container's filter does."""
    program = b"".join(struct.pack("=HBBI", *line) for line in (
        (0x20, 0, 0, 0),  # load the system call's number
        (0x15, 0, 1, IO_URING_SETUP),
        (0x06, 0, 0, ERRNO | error),
        (0x06, 0, 0, ALLOW),
    ))
    code = ctypes.create_string_buffer(program)
    head = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER, head, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def check(program, error, reason):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "d"))
        with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as matrix:
            json.dump({"volumes": [{"name": "d", "directory": "d"}],
                       "workloads": [{"name": "one", "size": "1MiB"},
                                     {"name": "many", "size": "1MiB", "depth": 8}],
                       "rounds": 1}, matrix)
        done = subprocess.run([program, "run", "m.json"], cwd=folder, text=True, check=False,
                              capture_output=True, preexec_fn=lambda: forbid(error))
        if done.returncode != 0:
            raise SystemExit(f"exit {done.returncode}: {done.stderr}")
        with sqlite3.connect(os.path.join(folder, "fsmatrix.db")) as db:
            found = dict(db.execute("SELECT workload, status || ': ' || ifnull(reason, '') "
                                    "FROM result WHERE op = 'W'"))
    if found != {"one": "ok: ", "many": f"skipped: {reason}"}:
        raise SystemExit(f"unexpected: {found}")
    if f"skipped: {reason}" not in done.stderr:
        raise SystemExit(f"nobody is told: {done.stderr}")


def main():
    try:
        subprocess.run(["true"], check=True, preexec_fn=lambda: forbid(errno.EPERM))
    except (subprocess.SubprocessError, OSError):
        print("skipped: no seccomp filter can be set here")
        sys.exit(77)
    program = os.path.realpath(sys.argv[1])
    check(program, errno.EPERM, "io_uring is not permitted here (see kernel.io_uring_disabled, or a "
                                "container's system call filter)")
    check(program, errno.ENOSYS, "this kernel has no io_uring")


main()
