#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""progress.py FSMATRIX: whether the progress line is calm.

A run on a terminal whose user makes it narrow, makes it wide, and presses r.
The terminal is one that folds its lines anew when its width changes, as most
do: what a line leaves behind then would stay on the screen.
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

PATIENCE = 60  # seconds; what is waited for comes much sooner


class Screen:
    """Lines as they were written; a width is only how they are folded."""

    def __init__(self, width):
        self.width, self.lines, self.at = width, [""], 0
        self.draws = 0

    def feed(self, text):
        for token in re.findall(r"\x1b\[[A-Z]|[^\x1b]|\x1b.?", text):
            self.one(token)

    def one(self, token):
        line = self.lines[-1]
        row = self.at // self.width * self.width
        if token == "\r":
            self.at = row
            self.draws += 1
        elif token == "\n":
            self.lines.append("")
            self.at = 0
        elif token == "\x1b[K":  # of the row, not of the line
            rest = line[row + self.width:]
            self.lines[-1] = line[:self.at] + (" " * (row + self.width - self.at) + rest if rest else "")
        elif token == "\x1b[J":
            self.lines[-1] = line[:self.at]
        elif token[0] == "\x1b":
            raise SystemExit(f"unknown to this terminal: {token!r}")
        else:
            self.lines[-1] = line[:self.at].ljust(self.at) + token + line[self.at + 1:]
            self.at += 1


class Terminal:
    def __init__(self, arguments, width):
        self.screen = Screen(width)
        self.master, slave = pty.openpty()
        self.resize(width)
        environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
        self.child = subprocess.Popen(arguments, stdin=slave, stderr=slave,
                                      stdout=subprocess.PIPE, env=environment,
                                      start_new_session=True, preexec_fn=lambda:
                                      fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)

    def resize(self, width):
        self.screen.width = width
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("4H", 24, width, 0, 0))

    def read(self):
        if not select.select([self.master], [], [], 0.05)[0]:
            return
        try:
            self.screen.feed(os.read(self.master, 65536).decode())
        except OSError:
            time.sleep(0.05)  # nobody has the other end any more

    def wait_for(self, what, seen):
        end = time.monotonic() + PATIENCE
        while not seen():
            if time.monotonic() > end:
                raise SystemExit(f"{what} never came: {self.screen.lines!r}")
            self.read()

    def line(self):
        return self.screen.lines[-1]


def narrow_and_wide(t):
    """Both while a write goes on, which r then ends."""
    t.wait_for("the first write", lambda: re.search(r"^\[1/2\] .* write ", t.line()))
    if not re.search(r"write \d+% \d+ KB/s", t.line()):
        t.wait_for("a rate", lambda: re.search(r" write \d+% \d+ KB/s", t.line()))
    t.resize(30)
    t.wait_for("a narrow line", lambda: 0 < len(t.line()) < 30 and " write " in t.line())
    t.resize(120)
    t.wait_for("a wide line", lambda: 60 < len(t.line()) < 120)
    begun, draws = time.monotonic(), t.screen.draws
    while time.monotonic() < begun + 2:
        t.read()
    if t.screen.draws - draws > 12:
        raise SystemExit(f"{t.screen.draws - draws} redraws in 2 s")


def main():
    program = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("d")
        with open("m.json", "w", encoding="utf-8") as matrix:
            json.dump({"volumes": [{"name": "a-volume-with-quite-a-long-name", "directory": "d"}],
                       "workloads": [{"name": "a-workload-of-this-kind",
                                      "block": 64, "size": "1GiB"}],
                       "rounds": 2}, matrix)
        t = Terminal([program, "run", "m.json"], 100)
        narrow_and_wide(t)
        os.write(t.master, b"r")
        t.wait_for("the second write", lambda: re.search(r"^\[2/2\] .* write ", t.line()))
        os.write(t.master, b"r")
        t.wait_for("its end", lambda: t.child.poll() is not None)
        for _ in range(4):
            t.read()
        if t.child.returncode != 0:
            raise SystemExit(f"exit {t.child.returncode}: {t.screen.lines!r}")
        lines = [line for line in t.screen.lines if line]
        for number, line in enumerate(lines[:2], 1):
            if not re.fullmatch(rf"\[{number}/2\] .*: W \d+ KB/s \(shortened: [\d.]+[KMG]iB "
                                r"of 1GiB\)  R \d+ KB/s  \(\S+\)", line):
                raise SystemExit(f"this is left: {line!r}")
        if len(lines) != 3 or not lines[2].startswith("fsmatrix: run 1 is kept in "):
            raise SystemExit(f"and this: {lines[2:]!r}")
        if b"KB/Sec" not in t.child.stdout.read():
            raise SystemExit("no table was printed")


main()
