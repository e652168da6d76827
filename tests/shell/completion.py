#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""completion.py SHELL FSMATRIX: whether a shell completes our command lines.

Each line is typed into an interactive SHELL on a terminal of its own, which
has loaded what `fsmatrix completion SHELL` prints; the shell then completes
it. "words" as SHELL asks the program itself: every choice that it offers is
accepted, and it offers every one that an error message knows.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

# A line as typed, and what the shell makes of it before it is entered.
LINES = [
    ("fsmatrix comp", None),  # two go on with it
    ("fsmatrix doc", "fsmatrix doctor "),
    ("fsmatrix compare --form", "fsmatrix compare --format "),
    ("fsmatrix compare --format m", "fsmatrix compare --format md "),
    ("fsmatrix compare --format=m", "fsmatrix compare --format=md "),
    ("fsmatrix compare --rows os,files", "fsmatrix compare --rows os,filesystem "),
    ("fsmatrix compare --base filesystem=N",
     "fsmatrix compare --base filesystem=NTFS "),
    ("fsmatrix compare --base files", "fsmatrix compare --base filesystem="),
    ("fsmatrix show winter-", "fsmatrix show winter-run "),
    ("fsmatrix run sub", "fsmatrix run subfolder/"),
    ("fsmatrix run a-", "fsmatrix run a-matrix.json "),
]
DATABASE = "os,label,volume,filesystem,op,kb_per_s\n" + "".join(
    f"Linux,winter-run,C,{name},W,{rate}\n"
    for name, rate in (("FAT", 5), ("NTFS", 6)))


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def check_words(program):
    """Choices against the words of the errors."""
    faults = 0
    for command, option in (("compare", "--format"), ("compare", "--metric"),
                            ("compare", "--test"), ("compare", "--unit"),
                            ("compare", "--sort"), ("compare", "--cols"),
                            ("export", "--format"), ("manual", ""),
                            ("completion", "")):
        words = [w for w in (command, option) if w]
        offered = subprocess.run(
            [program, "completion", "--words", "--", *words, ""], text=True,
            capture_output=True, check=True).stdout.split()
        said = subprocess.run([program, *words, "no-such-word"], text=True,
                              capture_output=True, check=False).stderr
        said = said.splitlines()[0]
        known = re.sub(r"\([^)]*\)", "", re.split(
            r"there are|one of", said)[-1]).replace(" and ", ", ")
        known = {word.strip() for word in known.split(",") if word.strip()}
        if set(offered) != known or len(offered) < 2:
            print(f"{command} {option}: offered {offered}; {said}")
            faults += 1
    return faults


class Terminal:
    """An interactive shell."""

    def __init__(self, command, environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        self.seen = ""

    def wait(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            ready, _, _ = select.select([self.fd], [], [],
                                        max(0, end - time.monotonic()))
            if not ready:
                return False
            try:
                self.seen += os.read(self.fd, 4096).decode(errors="replace")
            except OSError:
                return False
        return True

    def type(self, text):
        self.seen = ""
        os.write(self.fd, text.encode())

    def end(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def shell_command(shell, script):
    """How to start it, and the line that loads the script."""
    if shell == "bash":
        return ["bash", "--norc", "--noprofile", "-i"], f"source '{script}'"
    return ["zsh", "-f", "-i"], ("unsetopt zle_bracketed_paste; "
                                 "autoload -Uz compinit; compinit -u -D; "
                                 f"source '{script}'")


def check_terminal(shell, script, environment):
    command, load = shell_command(shell, script)
    terminal = Terminal(command, environment)
    faults = 0
    # Ctrl-A and a command in front show the line that was completed.
    terminal.type(load + "; PS1='> '; echo lo''aded\n")
    if not terminal.wait("loaded\r?\n"):
        raise SystemExit(f"{shell} does not load it: {terminal.seen}")
    for typed, wanted in LINES:
        if wanted is None:
            continue
        terminal.type(typed + "\t")
        time.sleep(0.7)
        terminal.type("|\x01show-line '\x05'\n")
        if not terminal.wait(r"<[^\n]*>\r?\n"):
            print(f"{shell}: {typed}: {terminal.seen!r}")
            return faults + 1
        got = re.search(r"<([^\n]*)\|>\r?\n", terminal.seen)
        got = got.group(1) if got else terminal.seen
        if got.rstrip(" /") != wanted.rstrip(" /"):
            print(f"{shell}: {typed!r} becomes {got!r}, not {wanted!r}")
            faults += 1
    terminal.end()
    return faults


def check_fish(script, environment):
    faults = 0
    for typed, wanted in LINES:
        got = subprocess.run(
            ["fish", "--no-config", "-c",
             f"source '{script}'; complete -C \"{typed}\""], text=True,
            env=environment, capture_output=True, check=False).stdout
        got = {line.split("\t")[0] for line in got.splitlines()}
        expected = ({"compare", "completion"} if wanted is None else
                    {wanted.split()[-1]})
        if got != expected:
            print(f"fish: {typed!r} offers {sorted(got)}, not {expected}")
            faults += 1
    return faults


def main():
    shell, program = sys.argv[1], os.path.abspath(sys.argv[2])
    if shell != "words" and not shutil.which(shell):
        skip(f"no {shell} here")
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.mkdir("bin")
        os.mkdir("subfolder")
        os.symlink(program, "bin/fsmatrix")
        with open("bin/show-line", "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "<$1>"\n')
        os.chmod("bin/show-line", 0o755)
        for name in ("a-matrix.json", "a-picture.png"):
            with open(name, "w", encoding="utf-8"):
                pass
        subprocess.run([program, "import", "-"], input=DATABASE, text=True,
                       check=True, capture_output=True)
        if shell == "words":
            return 1 if check_words(program) else 0
        script = os.path.join(scratch, "script." + shell)
        with open(script, "w", encoding="utf-8") as file:
            subprocess.run([program, "completion", shell], stdout=file,
                           check=True)
        environment = {"PATH": f"{scratch}/bin:/usr/bin:/bin", "TERM": "dumb",
                       "HOME": scratch, "LC_ALL": "C.UTF-8",
                       "INPUTRC": "/dev/null"}
        faults = (check_fish(script, environment) if shell == "fish" else
                  check_terminal(shell, script, environment))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
