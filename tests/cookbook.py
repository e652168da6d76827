#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""cookbook.py FSMATRIX SOURCE: whether the answers in docs/cookbook.md are
what sqlite3 prints. With UPDATE=1 they are written down anew."""

import difflib
import os
import re
import subprocess
import sys
import tempfile

FENCED = re.compile(r"```sql\n(.*?)```\n(?:\n```text\n.*?```\n)?", re.DOTALL)


def make_database(program, source, folder):
    """The small database that the test cases use, with what people said."""
    subprocess.run(
        ["bash", "-c", '. "$SOURCE/tests/fixture/small_db.sh" && '
         "small_db fsmatrix.db && small_db_tags fsmatrix.db"],
        check=True, cwd=folder,
        env={**os.environ, "SOURCE": source, "FSMATRIX": program,
             "FOLDER": source + "/tests/cases/cookbook"})


def refine_series(folder):
    """One as fine as of a short phase: 4 ms each, slower in the second half,
    and the last interval is not full."""
    subprocess.run(
        ["sqlite3", "fsmatrix.db", """
            WITH RECURSIVE step(i) AS
                (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < 253)
            UPDATE series SET interval_ns = 4000000, bytes =
                (SELECT json_group_array(CASE WHEN i = 253 THEN 262144
                    WHEN i < 127 THEN 1048576 ELSE 524288 END) FROM step)
            WHERE op = 'W' AND sample = (SELECT sample FROM result WHERE
                run = 8 AND filesystem = 'FAT' AND round = 1 AND op = 'W')
            """], check=True, cwd=folder)


def ask(query, folder):
    answer = subprocess.run(
        ["sqlite3", "-readonly", "-header", "-column", "fsmatrix.db", query],
        cwd=folder, text=True, capture_output=True)
    if answer.stderr:
        sys.exit(f"{query}\n{answer.stderr}")
    if not answer.stdout:
        sys.exit(f"{query}\nno answer at all")
    return "\n".join(line.rstrip() for line in answer.stdout.splitlines())


def main():
    program, source = map(os.path.realpath, sys.argv[1:])
    path = source + "/docs/cookbook.md"
    with open(path) as file:
        written = file.read()
    with tempfile.TemporaryDirectory() as folder:
        make_database(program, source, folder)
        refine_series(folder)
        asked = FENCED.sub(
            lambda found: f"```sql\n{found[1]}```\n\n"
            f"```text\n{ask(found[1], folder)}\n```\n", written)
    questions = len(FENCED.findall(written))
    if questions < 20:
        sys.exit(f"{questions} questions, not twenty")
    if os.environ.get("UPDATE") == "1":
        with open(path, "w") as file:
            file.write(asked)
    elif asked != written:
        sys.stdout.writelines(difflib.unified_diff(
            written.splitlines(True), asked.splitlines(True),
            "docs/cookbook.md", "as it is"))
        sys.exit(1)


main()
