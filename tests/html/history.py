#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""history.py PROGRAM: what a browser makes of the HTML page of a history."""
import json
import math
import shutil
import sys
import tempfile

import page
from browser import Browser
from page import Document, csv_text, fsmatrix, rate, spelt

HOSTS = {"alpha": 1.0, page.SCRIPT: 2.5}
CELLS = {"FAT": 11885, page.IMAGE: 12075, page.QUOTES: 5000,
         "line feed": 8000}
RUNS = 9
STEP = 5  # the first run of a new level, of FAT on alpha
ODD = 3  # a run that stands alone, of what is named by quotes


def factor(host, cell, run):
    if host == "alpha" and cell == "FAT" and run >= STEP:
        return 1.4
    return 0.6 if cell == page.QUOTES and run == ODD else 1


def database(folder):
    """Runs a week apart, the third of each host a baseline."""
    lines = ["os,host,label,volume,filesystem,workload,op,round,kb_per_s,"
             "started_at"]
    for run in range(RUNS):
        for host, speed in HOSTS.items():
            for i, (cell, kb) in enumerate(CELLS.items()):
                for op in "WR":
                    for number in range(1, 4):
                        wobble = 1 + 0.004 * math.sin(
                            7 * number + 3 * i + 11 * run + ord(op))
                        value = kb * speed * wobble * factor(host, cell, run)
                        lines.append(",".join([
                            "Linux", csv_text(host), f"<i>{run}</i>",
                            csv_text(page.SCRIPT), csv_text(cell), "seq", op,
                            str(number), str(value),
                            f"2026-{1 + run // 4:02}-{1 + run % 4 * 7:02}"]))
    path = f"{folder}/history.db"
    page.take_in(path, lines)
    for run in 5, 6:
        fsmatrix("--db", path, "tag", str(run), "--baseline")
    return path


class History:
    """One history: its page, as it is written, and the same as JSON."""

    def __init__(self, path, *options):
        base = ["--db", path, "history", *options, "--format"]
        self.json = json.loads(fsmatrix(*base, "json"))
        self.bytes = fsmatrix(*base, "html")
        assert self.bytes == fsmatrix(*base, "html"), "not always the same"
        self.path = f"{path}{len(options)}.html"
        with open(self.path, "wb") as file:
            file.write(self.bytes)
        self.document = Document(self.bytes.decode("utf-8"))


def close(a, b):
    return a is b is None or abs(a - b) <= 1e-13 * max(abs(a), abs(b), 1)


def the_charts_have_the_figures_of_the_json(history, browser):
    trends = browser.run("return page.data.trends")
    assert len(trends) == len(history.json["trends"])
    for mine, theirs in zip(trends, history.json["trends"]):
        assert mine["op"] == theirs["op"]
        base = mine["base"] or [None, None]
        assert base[0] == theirs["baseline_run"]
        assert close(base[1], theirs["baseline_kb_per_s"])
        assert len(mine["points"]) == theirs["runs"] == len(theirs["points"])
        keys = ["kb_per_s", "min_kb_per_s", "max_kb_per_s", "half_width_pct",
                "change_pct", "baseline_change_pct"]
        for a, b in zip(mine["points"], theirs["points"]):
            assert a[:3] == [b["run"], b["started_at"], b["n"]]
            assert all(close(a[3 + i], b[key]) for i, key in enumerate(keys))
            assert a[9] == b["cached"]
            assert a[10] == spelt(b["label"] or "")
        for a, b in zip(mine["steps"], theirs["steps"], strict=True):
            assert a[0] == b["point"]
            assert all(close(a[1 + i], b[key]) for i, key in enumerate(
                ["before_kb_per_s", "after_kb_per_s", "change_pct", "p"]))


def only_a_step_is_marked_as_one(history, browser):
    steps = {(t["host"], t["filesystem"], t["op"]):
             [s["point"] for s in t["steps"]] for t in history.json["trends"]}
    for (host, cell, _), found in steps.items():
        wanted = [STEP] if (host, cell) == ("alpha", "FAT") else []
        assert found == wanted, (host, cell, found)
    shown = browser.run("return page.data.trends.map((t) => t.steps.length)")
    assert shown == [len(t["steps"]) for t in history.json["trends"]]
    said = browser.run("return [...document.querySelectorAll('canvas')].map("
                       "(canvas) => canvas.getAttribute('aria-label'))")
    assert sum("; steps: +" in text for text in said) == 2, said
    assert sum("; no step" in text for text in said) == len(said) - 2


def the_table_has_the_figures_of_the_json(history, _):
    table = [t for t in history.document.tables if t["class"] == "trends"][0]
    titles, rows = table["rows"][0], table["rows"][1:]
    assert len(rows) == len(history.json["trends"])
    at = {title: i for i, title in enumerate(titles)}
    for row, trend in zip(rows, history.json["trends"]):
        newest = trend["points"][-1]
        assert row[at["FS"]] == spelt(trend["filesystem"])
        assert row[at["Host"]] == spelt(trend["host"])
        assert row[at["Op"]] == trend["op"]
        assert row[at["Runs"]] == str(trend["runs"])
        assert row[at["KB/Sec"]] == rate(newest["kb_per_s"])
        assert row[at["Change"]] == page.bound(newest["change_pct"]) + "%"
        assert row[at["Baseline"]] == \
            page.bound(newest["baseline_change_pct"]) + "%"


def the_runs_are_a_table_too(history, browser):
    browser.run("document.querySelector('details').open = true")
    browser.run("return new Promise((done) => setTimeout(done, 200))")
    rows = browser.run("""
        return [...document.querySelectorAll("details tbody tr")].map(
            (row) => [...row.cells].map((cell) => cell.textContent));""")
    points = [(p, t) for t in history.json["trends"] for p in t["points"]]
    assert len(rows) == len(points)
    for row, (point, trend) in zip(rows, points):
        assert row[1] == str(point["run"])
        assert row[6] == rate(point["kb_per_s"])
        assert (row[9] == "base") == point["baseline"]
        steps = [s for s in trend["steps"] if s["run"] == point["run"]]
        assert bool(row[10]) == bool(steps), row


def names_are_text_only(history, browser):
    browser.run("document.querySelector('details').open = true")
    browser.run("return new Promise((done) => setTimeout(done, 200))")
    counts = browser.run("""
        return ["script", "style", "img", "iframe", "a", "i", "title", "main"]
            .map((tag) => document.querySelectorAll(tag).length);""")
    assert counts == [4, 1, 0, 0, 0, 0, 1, 1], counts
    assert not browser.run("return window.injected")
    shown = browser.run("return document.body.textContent")
    for trend in history.json["trends"]:
        for name in trend["host"], trend["volume"], trend["filesystem"]:
            assert spelt(name) in shown, name


EVERYWHERE = [page.the_console_is_silent, page.nothing_is_loaded,
              page.what_is_not_text_has_words, names_are_text_only,
              the_charts_have_the_figures_of_the_json,
              the_table_has_the_figures_of_the_json,
              page.every_chart_is_drawn, page.it_fits_a_narrow_screen]


def plan(folder):
    path = database(folder)
    yield "all", History(path), EVERYWHERE + [
        only_a_step_is_marked_as_one, the_runs_are_a_table_too,
        page.it_is_dark_where_that_is_preferred,
        page.paper_is_light_even_in_the_dark,
        page.an_injected_script_does_not_run]
    yield "in MiB", History(path, "--unit", "MiB", "host=alpha"), [
        page.the_console_is_silent, the_charts_have_the_figures_of_the_json]


def main():
    failed = 0
    folder = tempfile.mkdtemp(prefix="fsmatrix-history.")
    try:
        with Browser() as browser:
            for what, history, tests in plan(folder):
                failed += page.run_tests(what, history, tests, browser)
    finally:
        shutil.rmtree(folder)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
