#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py PROGRAM: what a browser makes of the HTML page of a comparison."""
import contextlib
import html.parser
import json
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from browser import Browser

PROGRAM = os.path.realpath(sys.argv[1])
TITLES = {"os": "OS", "host": "Host", "run": "Run", "label": "Label",
          "matrix": "Matrix", "volume": "Drive", "filesystem": "FS",
          "driver": "Driver", "workload": "Workload"}
SCRIPT = "<script>window.injected=1</script>"
IMAGE = "</script><img src=x onerror=\"window.injected=1\">"
QUOTES = "\"'|&amp; \\ `${window.injected=1}`"

# A measured run in folders, whose names are out for trouble.
MATRIX = {
    "name": "</title>" + SCRIPT,
    "volumes": [{"name": SCRIPT, "directory": "one"},
                {"name": QUOTES, "directory": "two"}],
    "workloads": [{"name": IMAGE, "block": "64KiB", "size": "6MiB"}],
    "rounds": 4,
}

# Rates of elsewhere: by filesystem and round, with what a CSV may hold.
# An import refuses control characters, and a database of others may have them.
HOSTILE = "line\nfeed\t\x1b[31m\u2028"
FILESYSTEMS = {"FAT": 11885, "line feed": 12075,
               "=1+1|": 5000, "NTFS": 11890}
STATUSES = {"broken": "failed,EIO: no", "absent": "skipped,no mkfs.x"}


def fsmatrix(*args, **options):
    done = subprocess.run([PROGRAM, *args], capture_output=True, **options)
    if done.returncode:
        raise RuntimeError(f"fsmatrix {args}: {done.stderr.decode()}")
    return done.stdout


def measured(folder):
    for name in "one", "two":
        os.mkdir(f"{folder}/{name}")
    with open(f"{folder}/m.json", "w", encoding="utf-8") as file:
        json.dump(MATRIX, file)
    database = f"{folder}/measured.db"
    subprocess.run([PROGRAM, "--db", database, "run", "--label", IMAGE,
                    f"{folder}/m.json"], check=True, capture_output=True)
    return database


def csv_text(text):
    return '"' + text.replace('"', '""') + '"'


def take_in(database, lines):
    """Import them, and make the name of one filesystem hostile."""
    fsmatrix("--db", database, "import", "-",
             input="\n".join(lines).encode())
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        assert db.execute("UPDATE cell SET filesystem = ? WHERE filesystem = "
                          "'line feed'", (HOSTILE,)).rowcount > 0


def imported(folder, more=0):
    names = dict(FILESYSTEMS)
    names.update({f"fs{i}": 11000 + 100 * i for i in range(more)})
    lines = ["os,volume,filesystem,op,round,kb_per_s,status,reason"]
    for op in "WR":
        for round_ in range(1, 6):
            for i, (name, kb) in enumerate(names.items()):
                wobble = 1 + 0.004 * math.sin(7 * round_ + 3 * i + ord(op))
                lines.append(f"Linux,sda1,{csv_text(name)},{op},{round_},"
                             f"{kb * wobble * (1 if op == 'W' else 2)},ok,")
            for name, status in STATUSES.items():
                lines.append(f"Linux,sda1,{name},{op},{round_},,{status}")
    database = f"{folder}/imported{more}.db"
    take_in(database, lines)
    return database


def one_cell(folder):
    """Where no name tells one row from another."""
    database = f"{folder}/one.db"
    lines = ["os,volume,filesystem,op,round,kb_per_s"]
    lines += [f"Linux,sda1,FAT,{op},{round_},{11000 + round_}"
              for op in "WR" for round_ in range(1, 4)]
    fsmatrix("--db", database, "import", "-", input="\n".join(lines).encode())
    return database


class Comparison:
    """One comparison: its page, as it is written, and the same as JSON."""

    def __init__(self, database, *options):
        self.database = database
        base = ["--db", database, "compare", *options, "--format"]
        self.json = json.loads(fsmatrix(*base, "json"))
        self.bytes = fsmatrix(*base, "html")
        assert self.bytes == fsmatrix(*base, "html"), "not always the same"
        self.path = f"{database}{len(options)}.html"
        with open(self.path, "wb") as file:
            file.write(self.bytes)
        self.document = Document(self.bytes.decode("utf-8"))


class Document(html.parser.HTMLParser):
    """Tables and headings of the file itself, without any script."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.tags, self.headings, self.data = [], [], [], ""
        self.cell, self.inside = None, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        self.inside.append((tag, attributes))
        if tag in ("meta",):
            self.inside.pop()
        elif tag == "table":
            self.tables.append({"class": attributes.get("class"), "rows": [],
                                "caption": ""})
        elif tag == "tr":
            self.tables[-1]["rows"].append([])
        elif tag in ("td", "th"):
            self.cell = ""
        elif tag in ("h1", "h2", "h3"):
            self.headings.append(tag)

    def handle_endtag(self, tag):
        assert self.inside.pop()[0] == tag, tag
        if tag in ("td", "th"):
            self.tables[-1]["rows"][-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        tag, attributes = self.inside[-1] if self.inside else ("", {})
        if self.cell is not None:
            self.cell += data
        elif tag == "caption":
            self.tables[-1]["caption"] += data
        elif attributes.get("id") == "data":
            self.data += data

    def rates(self):
        """[title, ...] and the rows below it, of all tables of rates."""
        tables = [t["rows"] for t in self.tables if t["class"] == "rates"]
        return tables[0][0], [row for t in tables for row in t[1:]]


def spelt(text):
    """Text as the program shows it: what acts on a terminal is spelt out."""
    def one(c):
        point = ord(c)
        if point < 0x20 or point == 0x7f:
            return f"\\x{point:02x}"
        if 0x80 <= point < 0xa0 or 0x2028 <= point <= 0x202e:
            return f"\\u{{{point:x}}}"
        return c
    return "".join(map(one, text))


def rate(kb):
    digits = 0 if kb >= 99.95 else 1 if kb >= 9.995 else 2
    return f"{kb:,.{digits}f}"


def bound(percent):
    if abs(percent) < 0.05:
        return "0.0"
    return f"{percent:+.{0 if abs(percent) >= 999.95 else 1}f}"


def probability(p):
    if p < 0.001:
        return "<.001"
    return ">.999" if p > 0.999 else f"{p:.3f}"[1:]


def expected_row(row, dimensions):
    """The cells that the table must have for a row of the JSON."""
    names = [spelt(row[d] or "") for d in dimensions] + [row["op"]]
    if row["kb_per_s"] is None:
        return names + [row["status"]]
    half = row["half_width_pct"]
    flags = "".join(mark for mark, key in (
        ("c", "cached"), ("s", "shortened"), ("b", "buffered"),
        ("f", "several_files")) if row[key])
    cells = [rate(row["kb_per_s"]) + flags,
             ">100%" if half > 100
             else f"{half:.{0 if half >= 99.95 else 1}f}%"]
    if row["change_pct"] is None:
        return names + cells + ["base", "", ""]
    cells.append(bound(row["change_pct"]) + "%" + row["mark"])
    cells.append(f"[{bound(row['ci_low_pct'])}, "
                 f"{bound(row['ci_high_pct'])}]")
    return names + cells + [probability(row["p"])]


def the_table_has_the_figures_of_the_json(comparison, _):
    titles, rows = comparison.document.rates()
    dimensions = [d for d, title in TITLES.items() if title in titles]
    wanted = [expected_row(row, dimensions) for row in comparison.json["rows"]]
    assert rows[:len(wanted)] == wanted, f"{rows}\n{wanted}"


def the_charts_have_the_figures_of_the_json(comparison, browser):
    data = browser.run("return page.data")
    rows = comparison.json["rows"]
    assert data["op"] == "".join(row["op"] for row in rows)
    for key in ("kb_per_s", "half_width_pct", "change_pct", "ci_low_pct",
                "ci_high_pct", "p", "p_holm", "base_row"):
        assert data[key] == [row[key] for row in rows], key
    for i, row in enumerate(rows):
        text = rate(row["kb_per_s"]) if row["kb_per_s"] else row["status"]
        assert data["rate_text"][i] == text, text
        samples = [s for s in data["samples"][i] if isinstance(s[1], float) or
                   isinstance(s[1], int)]
        assert len(samples) == row["n"]
        if samples:
            mean = math.exp(sum(math.log(s[1]) for s in samples) / row["n"])
            assert abs(mean / row["kb_per_s"] - 1) < 1e-6


def rates_on_the_page_are_written_as_the_table_has_them(comparison, browser):
    texts = browser.run("return page.data.kb_per_s.map("
                        "(kb) => kb === null ? null : page.rate(kb))")
    for text, row in zip(texts, comparison.json["rows"]):
        assert text is None or text == rate(row["kb_per_s"]), text


def every_chart_is_drawn(comparison, browser, at_least=None):
    colors = browser.run("""
        return [...document.querySelectorAll("canvas")].map((canvas) => {
            const { data } = canvas.getContext("2d").getImageData(
                0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(data.buffer)).size;
        });""")
    wanted = at_least or 2
    assert len(colors) >= wanted, f"{len(colors)} charts"
    assert min(colors) > 10, f"a chart is blank: {colors}"


def the_console_is_silent(_, browser):
    said = browser.console()
    assert not said, said


def nothing_is_loaded(_, browser):
    loaded = browser.run("return performance.getEntriesByType('resource')"
                         ".map((entry) => entry.name)")
    assert loaded == [], loaded


def names_are_text_only(comparison, browser):
    for when in "loaded", "all samples shown":
        counts = browser.run("""
            document.querySelectorAll("details").forEach((details) => {
                details.open = true; });
            return ["script", "style", "img", "iframe", "a", "title", "main"]
                .map((tag) => document.querySelectorAll(tag).length);""")
        assert counts == [4, 1, 0, 0, 0, 1, 1], f"{when}: {counts}"
        assert not browser.run("return window.injected"), when
        browser.run("return new Promise((done) => setTimeout(done, 200))")
    shown = browser.run("return document.body.textContent")
    for row in comparison.json["rows"]:
        for name in row["volume"], row["filesystem"]:
            assert spelt(name) in shown, name


def an_injected_script_does_not_run(_, browser):
    """Even if text did become markup."""
    browser.run("""
        const script = document.createElement("script");
        script.textContent = "window.injected = 1";
        document.body.append(script);
        const image = document.createElement("div");
        image.innerHTML = '<img src="data:," onerror="window.injected = 1">';
        document.body.append(image);
        return new Promise((done) => setTimeout(done, 200));""")
    assert not browser.run("return window.injected")
    said = browser.console()
    assert said and all("Content Security Policy" in text for text in said)


def contrasts(browser):
    """Of each colour that text has against what is behind it (WCAG 2)."""
    def luminance(color):
        parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
                  for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    colors = browser.run("""
        return Object.fromEntries(["back", "raised", "text", "muted", "up",
            "down"].map((name) => [name, page.color(name)]));""")
    for back in "back", "raised":
        for ink in "text", "muted", "up", "down":
            pair = sorted([luminance(colors[ink]), luminance(colors[back])])
            yield (pair[1] + 0.05) / (pair[0] + 0.05)


BACKGROUND = "return getComputedStyle(document.body).backgroundColor"
PIXELS = "return document.querySelector('canvas').toDataURL()"


def it_is_dark_where_that_is_preferred(comparison, browser):
    light = browser.run(BACKGROUND), browser.run(PIXELS)
    assert light[0] == "rgb(255, 255, 255)"
    assert min(contrasts(browser)) >= 4.5, list(contrasts(browser))
    browser.dark()
    # Its event comes with the next frame.
    browser.run("return new Promise((done) => setTimeout(done, 300))")
    dark = browser.run(BACKGROUND), browser.run(PIXELS)
    assert dark[0] == "rgb(21, 24, 28)", dark[0]
    assert dark[1] != light[1], "the charts stayed light"
    assert min(contrasts(browser)) >= 4.5, list(contrasts(browser))
    every_chart_is_drawn(comparison, browser)


def paper_is_light_even_in_the_dark(_, browser):
    browser.dark()
    browser.run(f"""
        window.seen = [];
        addEventListener("beforeprint", () => window.seen.push(
            (() => {{ {BACKGROUND} }})(), page.color("text")));""")
    pdf = browser.pdf()
    assert pdf.startswith(b"%PDF-") and len(pdf) > 30000, len(pdf)
    assert browser.run("return window.seen") == \
        ["rgb(255, 255, 255)", "#1b1e22ff"]
    assert browser.run(BACKGROUND) == "rgb(21, 24, 28)"


def it_fits_a_narrow_screen(_, browser):
    browser.narrow(360)
    widths = browser.run("return [document.documentElement.scrollWidth, "
                         "innerWidth]")
    assert widths[0] <= widths[1], widths


def what_is_not_text_has_words(comparison, browser):
    document = comparison.document
    assert document.headings[0] == "h1" and document.headings.count("h1") == 1
    for tag, attributes in document.tags:
        if tag == "th":
            assert attributes.get("scope") in ("row", "col"), attributes
        if tag == "html":
            assert attributes["lang"] == "en"
    assert all(table["caption"] for table in document.tables)
    assert browser.run("""
        return [...document.querySelectorAll("canvas")].every((canvas) =>
            canvas.getAttribute("role") === "img" &&
            canvas.getAttribute("aria-label").length > 10);""")
    assert browser.run("""
        const levels = [...document.querySelectorAll("h1, h2, h3")]
            .map((heading) => Number(heading.tagName[1]));
        return levels.every((level, i) => i === 0 ||
            level <= levels[i - 1] + 1);""")


def rates_over_time_add_up_to_what_was_written(comparison, browser):
    data = browser.run("return page.data")
    series = [s for row in data["samples"] for s in row if len(s) > 3]
    assert len(series) == 2 * 2 * MATRIX["rounds"]
    for _, _, _, (each, last, *points) in series:
        assert 1 <= len(points) <= 60
        total = each * sum(points[:-1]) + last * points[-1]
        assert abs(total * 1024 / (6 << 20) - 1) < 1e-3, total


def latencies_are_those_of_the_database(comparison, browser):
    data = browser.run("return page.data")
    shown = sorted(tuple(s[2]) for row in data["samples"] for s in row)
    with sqlite3.connect(comparison.database) as database:
        stored = sorted(
            tuple(min(ns, row[-1]) / 1e3 for ns in row)
            for row in database.execute(
                "SELECT latency_p50_ns, latency_p90_ns, latency_p99_ns, "
                "latency_p99_9_ns, latency_max_ns FROM phase"))
    assert len(shown) == len(stored) == 2 * 2 * MATRIX["rounds"]
    for a, b in zip(shown, stored):
        assert all(abs(x / y - 1) < 1e-3 for x, y in zip(a, b)), (a, b)


def the_samples_are_a_table_too(comparison, browser):
    browser.run("document.querySelector('details').open = true")
    browser.run("return new Promise((done) => setTimeout(done, 200))")
    rows = browser.run("""
        return [...document.querySelectorAll("details tbody tr")].map(
            (row) => [...row.cells].map((cell) => cell.textContent));""")
    assert len(rows) == sum(row["samples"] for row in comparison.json["rows"])
    assert all(len(row) == 9 and row[0] for row in rows), rows


def many_rows_have_charts_page_by_page(comparison, browser):
    options = browser.run("return [...document.querySelectorAll('option')]"
                          ".map((option) => option.textContent)")
    rows = len(comparison.json["rows"]) // 2
    assert options[0] == "1 to 16" and options[-1].endswith(f"to {rows}")
    before = browser.run(PIXELS)
    browser.run("""
        const select = document.querySelector("select");
        select.selectedIndex = 1;
        select.dispatchEvent(new Event("change"));""")
    every_chart_is_drawn(comparison, browser, 4)
    assert browser.run(PIXELS) != before
    said = browser.run("return document.querySelector('canvas')"
                       ".getAttribute('aria-label')")
    assert said.startswith("fs12: "), said


def nothing_changed_is_said(comparison, browser):
    assert comparison.json["rows"] == []
    assert "Nothing changed significantly" in \
        browser.run("return document.body.textContent")


EVERYWHERE = [the_console_is_silent, nothing_is_loaded,
              what_is_not_text_has_words, names_are_text_only,
              the_charts_have_the_figures_of_the_json,
              rates_on_the_page_are_written_as_the_table_has_them,
              it_fits_a_narrow_screen]
FIGURES = [the_table_has_the_figures_of_the_json, every_chart_is_drawn]


def plan(folder):
    """(what, comparison, tests): each test has the page opened anew."""
    yield "measured", Comparison(measured(folder)), EVERYWHERE + FIGURES + [
        rates_over_time_add_up_to_what_was_written,
        latencies_are_those_of_the_database, the_samples_are_a_table_too,
        it_is_dark_where_that_is_preferred, paper_is_light_even_in_the_dark,
        an_injected_script_does_not_run]
    few = imported(folder)
    yield "imported", Comparison(few, "--base", "filesystem=FAT"), \
        EVERYWHERE + FIGURES
    yield "one cell", Comparison(one_cell(folder)), \
        EVERYWHERE + FIGURES + [the_samples_are_a_table_too]
    yield "beside each other", Comparison(
        few, "--base", "filesystem=FAT", "--cols", "filesystem"), EVERYWHERE
    yield "unchanged", Comparison(
        few, "--base", "filesystem=FAT", "--only-changed", "--alpha", "1e-12",
        "--filter", "filesystem=FAT|NTFS"), [the_console_is_silent,
                                            nothing_changed_is_said]
    yield "many", Comparison(imported(folder, 30), "--base",
                             "filesystem=FAT"), \
        EVERYWHERE + FIGURES + [many_rows_have_charts_page_by_page]


def run_tests(what, subject, tests, browser):
    """How many of them failed; each has the page opened anew."""
    failed = 0
    for test in tests:
        browser.fresh()
        browser.open(subject.path)
        try:
            test(subject, browser)
            print(f"ok: {what}: {test.__name__}", flush=True)
        except AssertionError as error:
            print(f"FAILED: {what}: {test.__name__}: {error}")
            failed += 1
    return failed


def main():
    failed = 0
    folder = tempfile.mkdtemp(prefix="fsmatrix-page.")
    try:
        with Browser() as browser:
            for what, comparison, tests in plan(folder):
                failed += run_tests(what, comparison, tests, browser)
    finally:
        shutil.rmtree(folder)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
