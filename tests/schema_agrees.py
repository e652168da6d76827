#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schema_agrees.py FSMATRIX SCHEMA FOLDER EXAMPLES: whether matrix.schema.json and the
reader in C say the same of a matrix.

FOLDER/valid, EXAMPLES  both accept
FOLDER/invalid          both refuse
FOLDER/reader_only      only the reader refuses, for one of the reasons below,
                        which JSON Schema has no words for

The valid ones are also changed in every place: a member less, a member more,
a value of another type. There, too, the two must agree, but for the reasons
below; the schema never refuses what the reader accepts.
"""

import collections
import concurrent.futures
import copy
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)

# What only the reader can say, by its words.
READER_ONLY = [re.compile(pattern) for pattern in (
    # Python's reader, and with it any schema, sees only the last of two keys.
    r": given already in line \d+$",
    # Names in one place that must, or must not, be names in another.
    r'\.name: ".*" is the name of .* too$',
    r": no (volume|filesystem|workload) has the name ",
    # Which cells are left.
    r": baseline: no cell has ",
    r": include and exclude leave no cell$",
    # Arithmetic with units, or between two members.
    r": (less|more) than \S+( seconds)?$",
    r': not a (size|duration) \(.*\): "[0-9.]+ ?[a-zA-Z]+"$',
    r": not a multiple of 512, which direct io needs$",
    r"\.block: larger than file_limit$",
    r"\.size: less than a byte for each stream$",
    # Bytes; a schema counts characters.
    r": longer than (128|1000) bytes$",
)]

OTHER_TYPES = (None, True, 7, 0, 2.5, "x", "", [], {})


def refuse_constant(name):
    raise ValueError(name + " is not JSON")


def schema_accepts(validator, text):
    """Verdict of the schema; what is not even JSON is refused."""
    try:
        matrix = json.loads(text.decode("utf-8"),
                            parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return False
    return validator.is_valid(matrix)


def reader_faults(program, path):
    """The reader's faults: a list of lines, empty if it accepts."""
    done = subprocess.run([program, "check", "-q", path], text=True,
                          capture_output=True, check=False, errors="replace")
    lines = done.stderr.splitlines()
    if (done.returncode, bool(lines)) not in ((0, False), (2, True)):
        raise SystemExit(f"{path}: exit {done.returncode}, {lines}")
    return lines


def is_reader_only(faults):
    return all(any(reason.search(line) for reason in READER_ONLY)
               for line in faults)


def complaint(folder, accepted, faults):
    """What is wrong with the verdicts on a file of `folder`, or None."""
    wanted = {"valid": (True, False), "invalid": (False, True),
              "reader_only": (True, True), "changed": (None, None)}[folder]
    if folder == "changed":
        if accepted and faults and not is_reader_only(faults):
            return "the schema accepts; the reader: " + "; ".join(faults)
        if not accepted and not faults:
            return "only the schema refuses"
        return None
    if (accepted, bool(faults)) != wanted:
        return (f"the schema {'accepts' if accepted else 'refuses'}; "
                f"the reader: {'; '.join(faults) or 'accepts'}")
    if folder == "reader_only" and not is_reader_only(faults):
        return "no reason of its own: " + "; ".join(faults)
    return None


def places(value, at=()):
    """The path of every value below `value`; of a list, two entries do."""
    items = (value.items() if isinstance(value, dict) else
             enumerate(value[:2]) if isinstance(value, list) else ())
    for key, below in items:
        yield at + (key,)
        yield from places(below, at + (key,))


def changed(matrix, at, change):
    """A copy with `change(container, key)` done at the place `at`."""
    new = copy.deepcopy(matrix)
    container = new
    for key in at[:-1]:
        container = container[key]
    change(container, at[-1])
    return new


def changes(matrix):
    """Every small change of a matrix, with words for it."""
    def drop(container, key):
        del container[key]

    def unknown(container, key):
        container[key]["unknown"] = 1

    yield "unknown added", {**matrix, "unknown": 1}
    for at in places(matrix):
        words = "/".join(map(str, at))
        value = matrix
        for key in at:
            value = value[key]
        yield words + " dropped", changed(matrix, at, drop)
        if isinstance(value, dict):
            yield words + "/unknown added", changed(matrix, at, unknown)
        for other in OTHER_TYPES:
            if type(other) is type(value) and value:
                continue

            def replace(container, key, other=other):
                container[key] = other
            yield f"{words} = {other!r}", changed(matrix, at, replace)


def drivers(schema):
    """A matrix for each type and driver that the schema knows."""
    members = schema["definitions"]["filesystem"]["properties"]
    for kind in members["type"]["enum"]:
        for driver in members["driver"]["enum"]:
            yield f"{kind} by {driver}", {
                "volumes": [{"name": "v", "image": "i", "size": "1GiB"}],
                "filesystems": [{"type": kind, "driver": driver}]}


def long_lists():
    """A matrix for each list, with as many entries as allowed and one more."""
    image = {"image": "i", "size": "1GiB"}
    for length in (1000, 1001):
        numbers = [str(number) for number in range(length)]
        filters = [{"volume": "v"}] * length
        for member, entries in (
                ("volumes", [{"name": n, **image} for n in numbers]),
                ("filesystems", [{"name": n, "type": "xfs"} for n in numbers]),
                ("workloads", [{"name": n} for n in numbers]),
                ("include", filters),
                ("exclude", [{"volume": "w"}] * length)):
            yield f"{length} entries in {member}", {
                "volumes": [{"name": "v", **image}, {"name": "w", **image}],
                "filesystems": [{"type": "xfs"}], member: entries}


def corpus(folder, examples):
    folders = [(kind, os.path.join(folder, kind))
               for kind in ("valid", "invalid", "reader_only")]
    for kind, path in folders + [("valid", examples)]:
        names = sorted(glob.glob(os.path.join(path, "*.json")))
        if not names:
            raise SystemExit(f"no matrix in {path}")
        for name in names:
            yield kind, name


def variants(schema, files, scratch):
    """Files of changed valid matrices; the same change of three is enough."""
    made, seen = {}, collections.Counter()
    for kind, path in files:
        if kind != "valid":
            continue
        with open(path, encoding="utf-8") as file:
            matrix = json.load(file)
        for words, variant in changes(matrix):
            change = re.sub(r"/\d+", "/*", words)
            seen[change] += 1
            if seen[change] <= 3:
                made.setdefault(json.dumps(variant),
                                f"{os.path.basename(path)}: {words}")
    for words, variant in itertools.chain(drivers(schema), long_lists()):
        made.setdefault(json.dumps(variant), words)
    for number, (text, words) in enumerate(made.items()):
        path = os.path.join(scratch, f"{number}.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        yield "changed", path, words


def main():
    program, schema_path, folder, examples = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)

    def judge(case):
        kind, path, words = case
        with open(path, "rb") as file:
            accepted = schema_accepts(validator, file.read())
        fault = complaint(kind, accepted, reader_faults(program, path))
        return fault and f"{words}: {fault}"

    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(corpus(folder, examples))
        cases = [(kind, path, path) for kind, path in files]
        cases += variants(schema, files, scratch)
        complaints = [c for c in pool.map(judge, cases) if c]
    for line in complaints:
        print(line)
    print(f"{len(cases) - len(complaints)} of {len(cases)} matrices agree")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
