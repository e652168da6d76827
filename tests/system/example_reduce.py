#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""example_reduce.py reduce EXAMPLE [DEVICE ERASE]: the example on standard
output at a size that is soon measured, with the same filesystems, options and
workloads; a device is the one given.
example_reduce.py judge MATRIX DATABASE: whether its run measured every cell
but those that this machine cannot, and why it could not."""

import json
import os
import re
import sqlite3
import sys


def reduce(path, device=None, erase=None):
    with open(path, encoding="utf-8") as file:
        matrix = json.load(file)
    words = matrix["description"]
    if not re.search(r"second|minute|hour", words):
        sys.exit(f"{path}: the description does not say how long it takes")
    if not os.path.exists(os.path.join(os.path.dirname(path),
                                       matrix.pop("$schema"))):
        sys.exit(f"{path}: $schema leads nowhere")
    full = any(w["size"] == "full" for w in matrix["workloads"])
    for volume in matrix["volumes"]:
        if "device" in volume:
            volume["device"], volume["erase"] = device, erase
        if "image" in volume and not volume["image"].startswith("/"):
            # the least that XFS and btrfs take, the least that FAT32 does
            volume["size"] = "64MiB" if full else "320MiB"
    for workload in matrix["workloads"]:
        if workload["size"] != "full":
            workload["size"] = "8MiB"
        if "duration" in workload:
            workload["duration"] = "1s"
    if device:  # a small one
        matrix["filesystems"] = [f for f in matrix["filesystems"]
                                 if f["type"] not in ("xfs", "btrfs")]
        for filesystem in matrix["filesystems"]:
            filesystem.pop("mkfs", None)
    matrix["rounds"] = 1
    json.dump(matrix, sys.stdout, indent=1)


def judge(path, database):
    with open(path, encoding="utf-8") as file:
        matrix = json.load(file)
    cells = sum(1 if "directory" in volume else len(matrix["filesystems"])
                for volume in matrix["volumes"]) * len(matrix["workloads"])
    rows = sqlite3.connect(database).execute(
        "SELECT DISTINCT sample, filesystem, workload, status, reason, driver "
        "FROM result").fetchall()
    # fusefat's word for a full volume is EPERM, which is not an end of a
    # "full" write but a failure.
    bad = [row for row in rows if row[3] != "ok" and not (
        row[3] == "skipped" and re.match("no ", row[4] or "")) and not (
        row[5] == "fusefat" and "EPERM" in row[4])]
    for row in rows:
        if row[3] != "ok" and row not in bad:
            print(f"without {row[1]}: {row[4]}")
    if bad or len(rows) != cells:
        sys.exit(f"{len(rows)} of {cells} cells; not ok: {bad}")
    if not any(row[3] == "ok" for row in rows):
        print("skipped: none of its filesystems can be tested here")
        sys.exit(77)


if __name__ == "__main__":
    {"reduce": reduce, "judge": judge}[sys.argv[1]](*sys.argv[2:])
