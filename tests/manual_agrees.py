#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""manual_agrees.py FSMATRIX SOURCE: whether the manual pages say what is so.

fsmatrix(1)         every command and option of --help and no other; every
                    option that a command's getopt() table has; every exit
                    status of err.h; every variable that is read with getenv()
fsmatrix-matrix(5)  every member of matrix.schema.json, in its object, with its
                    default and the values it may have
fsmatrix-db(5)      every column of the views of a database, in their order,
                    and no other; the README names them too
"""

import glob
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

# Views that the page calls none of a reader's business.
INTERNAL_VIEWS = {"rate", "phase_rate", "cell_trend"}

complaints = []


def complain(text):
    complaints.append(text)


def output(program, *arguments, **options):
    return subprocess.run([program, *arguments], text=True, check=True,
                          capture_output=True, **options).stdout


def plain(roff):
    """What roff would print of a line."""
    return re.sub(r"\\f[BIRP]", "", roff).replace("\\&", "").replace(
        "\\-", "-").replace("\\(lq", '"').replace("\\(rq", '"').replace(
        "\\e", "\\")


def parts(roff, macro):
    """The lines below each heading of a kind, by its words."""
    found, lines = {}, None
    for line in roff.splitlines():
        if line.startswith("." + macro + " "):
            title = line[len(macro) + 2:]
            lines = found.setdefault(plain(title), [])
        elif macro == "SS" and line.startswith(".SH "):
            lines = None
        elif lines is not None:
            lines.append(line)
    return found


def tags(lines):
    """The tag of each tagged paragraph with its text."""
    found = []
    for i, line in enumerate(lines):
        if line == ".TP":
            found.append([plain(lines[i + 1]), ""])
        elif found and i > 0 and lines[i - 1] != ".TP":
            found[-1][1] += plain(line) + "\n"
    return found


def check_commands(program, source):
    roff = output(program, "manual", "fsmatrix.1")
    commands = parts(roff, "SS")
    common = [tag for tag, _ in tags(commands.pop("Every command"))]
    overview = output(program, "--help").split("\nTo begin")[0]
    overview = re.findall(r"^  ([a-z-]+) +\S", overview, re.M)
    if list(commands) != overview:
        complain(f"fsmatrix(1) has {list(commands)}, --help {overview}")
    accepted = set()
    for name, lines in commands.items():
        text = output(program, name, "--help")
        heads = [re.split(r"  +", line.strip())[0] for line in
                 re.findall(r"^ {2,6}[-A-Z].*", text, re.M)]
        paged = [tag for tag, _ in tags(lines)] + common
        if heads != paged:
            complain(f"{name}: fsmatrix(1) has {paged}, --help {heads}")
        usage = " ".join(text.split("\n\n")[0].split())[len("usage: "):]
        if usage not in " ".join(plain(" ".join(lines)).split()):
            complain(f"{name}: fsmatrix(1) lacks: {usage}")
        accepted.update(re.findall(r"--([a-z-]+)", " ".join(heads)))
    known = set()
    for path in glob.glob(os.path.join(source, "runner", "*.c")):
        with open(path, encoding="utf-8") as file:
            known.update(re.findall(
                r'\{ "([a-z-]+)", (?:no|required)_argument', file.read()))
    if known - accepted:
        complain(f"options that no --help has: {sorted(known - accepted)}")
    return roff


def check_statuses(roff, source):
    with open(os.path.join(source, "core", "err.h"), encoding="utf-8") as file:
        codes = re.findall(r"\bERR_[A-Z]+ = (\d+)", file.read())
    paged = [tag for tag, _ in tags(parts(roff, "SH")["EXIT STATUS"])]
    paged = [re.sub(r"^\.B ", "", tag) for tag in paged]
    if paged != codes or len(codes) < 8:
        complain(f"exit statuses: fsmatrix(1) has {paged}, err.h {codes}")


def check_environment(roff, source):
    used = set()
    for folder in ("core", "schema", "reports", "runner"):
        for path in glob.glob(os.path.join(source, folder, "*.c")):
            with open(path, encoding="utf-8") as file:
                used.update(re.findall(r'getenv\(\s*"(\w+)"', file.read()))
    paged = " ".join(tag for tag, _ in
                     tags(parts(roff, "SH")["ENVIRONMENT"]))
    paged = set(re.findall(r"[A-Z][A-Z_]+", paged)) - {"BR"}
    # What the locale and conventions bring is not read by name.
    elsewhere = {"NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"}
    if not used or used != paged - elsewhere:
        complain(f"variables: fsmatrix(1) has {sorted(paged)}, "
                 f"read are {sorted(used)}")


def objects(schema):
    """The schema of each object that a matrix is made of."""
    below = schema["definitions"]
    yield "The matrix", schema
    yield "A volume", below["volume"]
    yield "A filesystem", below["filesystem"]
    yield "A workload", below["workload"]
    yield "The baseline", schema["properties"]["baseline"]
    yield "An entry of include or exclude", below["filters"]["items"]


def count_objects(schema):
    if isinstance(schema, dict):
        return (("additionalProperties" in schema) +
                sum(count_objects(value) for value in schema.values()))
    if isinstance(schema, list):
        return sum(count_objects(value) for value in schema)
    return 0


def check_member(where, schema, text):
    wanted = [json.dumps(value) for value in schema.get("enum", [])]
    if "default" in schema and "default: one" not in text.lower():
        if "Default:" not in text:
            complain(f"{where}: no default")
        wanted.append(json.dumps(schema["default"]))
    for value in wanted:
        if value not in text and value.strip('"') not in text:
            complain(f"{where}: lacks {value}")


def check_matrix(program, source):
    with open(os.path.join(source, "schema", "matrix.schema.json"),
              encoding="utf-8") as file:
        schema = json.load(file)
    sections = parts(output(program, "manual", "fsmatrix-matrix.5"), "SS")
    if len(list(objects(schema))) != count_objects(schema):
        complain("the schema has objects that this test does not know")
    for title, below in objects(schema):
        members = [(tag.split(" (")[0], tag, text)
                   for tag, text in tags(sections.get(title, []))]
        if [name for name, _, _ in members] != list(below["properties"]):
            complain(f"{title}: fsmatrix-matrix(5) has "
                     f"{[name for name, _, _ in members]}")
            continue
        for name, tag, text in members:
            check_member(f"{title}: {name}", below["properties"][name], text)
            unit = {"size": "bytes", "duration": "seconds"}.get(
                json.dumps(below["properties"][name]).partition(
                    '"#/definitions/')[2].partition('"')[0])
            if unit and unit not in tag:
                complain(f"{title}: {name}: no unit")
            if name in below.get("required", []) and "required" not in tag:
                complain(f"{title}: {name}: not called required")


def check_database(program, source):
    sections = parts(output(program, "manual", "fsmatrix-db.5"), "SS")
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "a.db")
        output(program, "import", "--db", path, "-", input=(
            "os,volume,filesystem,op,kb_per_s\nNT,C,FAT,W,1\n"))
        database = sqlite3.connect(path)
        views = {name: [row[1] for row in database.execute(
            f'PRAGMA table_info("{name}")')] for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'view'")}
        database.close()
    if set(views) != set(sections) | INTERNAL_VIEWS:
        complain(f"fsmatrix-db(5) has {sorted(sections)}, "
                 f"the database {sorted(views)}")
    with open(os.path.join(source, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    for name, lines in sections.items():
        paged = [tag.split(" (")[0] for tag, _ in tags(lines)]
        if paged != views.get(name):
            complain(f"{name}: fsmatrix-db(5) has {paged}, "
                     f"the database {views.get(name)}")
        for column in views.get(name, []) if name == "result" else []:
            if f"`{column}`" not in readme:
                complain(f"{name}: the README lacks {column}")


def main():
    program, source = sys.argv[1:]
    roff = check_commands(program, source)
    check_statuses(roff, source)
    check_environment(roff, source)
    check_matrix(program, source)
    check_database(program, source)
    for line in complaints:
        print(line)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
