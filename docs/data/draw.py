#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the tables of the documents from the files beside this script.

A file of data is CSV. Lines that begin with "#" say where its values come from: "# unit: ...", "# device: ...",
"# driver: ...", "# date: ...", "# commit: ...", "# command: ..." (those that apply). In a document

    <!-- data: name.csv -->
    ...
    <!-- /data -->

holds the table of docs/data/name.csv and a line that says where it comes from.

    draw.py            writes the tables into all documents
    draw.py --check    writes nothing, and fails where a document holds another table
"""
import csv
import pathlib
import re
import sys

DATA = pathlib.Path(__file__).parent
DOCS = DATA.parent
MARKED = re.compile(r"(<!-- data: (\S+) -->\n).*?(<!-- /data -->)", re.S)
FACTS = ("unit", "device", "driver", "date", "commit", "command")


def read(path):
    """Returns the facts and the rows of a file of data."""
    lines = path.read_text().splitlines()
    facts = dict(line[1:].strip().split(": ", 1) for line in lines if line.startswith("#"))
    unknown = set(facts) - set(FACTS)
    if unknown or "date" not in facts:
        raise SystemExit(f"{path}: needs '# date: ...' and knows {', '.join(FACTS)}, not {', '.join(unknown)}")
    rows = list(csv.reader(line for line in lines if line and not line.startswith("#")))
    if len({len(row) for row in rows}) != 1:
        raise SystemExit(f"{path}: its rows have different numbers of columns")
    return facts, rows


def source(facts):
    """Returns the line below a table."""
    device = facts.get("device", "") + (f" (driver {facts['driver']})" if "driver" in facts else "")
    commit = f"commit {facts['commit']}" if "commit" in facts else ""
    parts = [f"[{facts['unit']}]" if "unit" in facts else "", device, facts["date"], commit,
             f"`{facts['command']}`" if "command" in facts else ""]
    return "Measured: " + ", ".join(part for part in parts if part) + "."


def table(name):
    """Returns a table in Markdown with the line below it."""
    facts, (head, *rows) = read(DATA / name)
    text = ["| " + " | ".join(head) + " |", "| --- " * len(head) + "|"]
    text += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(text) + "\n\n" + source(facts) + "\n"


def main():
    check = "--check" in sys.argv[1:]
    used, stale = set(), []
    for page in [DOCS.parent / "README.md", *sorted(DOCS.glob("*.md"))]:
        old = page.read_text()
        used |= {match[1] for match in MARKED.findall(old)}
        new = MARKED.sub(lambda match: match[1] + table(match[2]) + match[3], old)
        if new != old:
            stale.append(page.name)
            if not check:
                page.write_text(new)
    unused = {path.name for path in DATA.glob("*.csv")} - used
    if unused:
        raise SystemExit(f"no document shows {', '.join(sorted(unused))}")
    if check and stale:
        raise SystemExit(f"python3 docs/data/draw.py: other tables are in {', '.join(stale)}")
    print(f"{len(used)} tables" + ("" if check or not stale else f", written: {', '.join(stale)}"))


if __name__ == "__main__":
    main()
